// SPDX-License-Identifier: MIT
#include "input/json_object.h"

#include <algorithm>
#include <format>

#include "input/close_names.h"

namespace heapsmith::input {
namespace {

std::string_view kind_text(JsonValue::Kind kind) {
  switch (kind) {
    case JsonValue::Kind::Null:
      return "null";
    case JsonValue::Kind::Boolean:
      return "true or false";
    case JsonValue::Kind::Unsigned:
    case JsonValue::Kind::OtherNumber:
      return "a number";
    case JsonValue::Kind::String:
      return "a string";
    case JsonValue::Kind::Array:
      return "an array";
    case JsonValue::Kind::Object:
      return "an object";
  }
  return {};
}

std::string range_text(NumberRange range) {
  if (range.minimum == 0 && range.maximum == UINT64_MAX) return "an integer of at least 0";
  if (range.maximum == UINT64_MAX) return std::format("an integer of at least {}", range.minimum);
  return std::format("an integer from {} to {}", range.minimum, range.maximum);
}

bool expect(const JsonValue& value, JsonErrors& errors, JsonValue::Kind kind) {
  if (value.kind == kind) return true;
  errors.at(value, std::format("must be {}, not {}", kind_text(kind), kind_text(value.kind)));
  return false;
}

}  // namespace

std::unexpected<Failed> JsonErrors::report(const JsonValue& value, JsonMark mark,
                                           std::string_view text) {
  any_ = true;
  Place place;
  place.file = file_;
  place.line = mark.line;
  place.column = mark.column;
  std::string sentence = value.pointer.empty() ? "the document " : value.pointer + ": ";
  sentence += text;
  return diagnostics_.error(code_, std::move(place), std::move(sentence));
}

std::unexpected<Failed> JsonErrors::at(const JsonValue& value, std::string_view text) {
  return report(value, value.at, text);
}

std::unexpected<Failed> JsonErrors::at_key(const JsonValue& member, std::string_view text) {
  return report(member, member.keyAt, text);
}

std::optional<uint64_t> read_number(const JsonValue& value, JsonErrors& errors, NumberRange range) {
  const bool isNumber =
      value.kind == JsonValue::Kind::Unsigned || value.kind == JsonValue::Kind::OtherNumber;
  if (value.kind == JsonValue::Kind::Unsigned && value.number >= range.minimum &&
      value.number <= range.maximum)
    return value.number;
  errors.at(value,
            isNumber ? "must be " + range_text(range)
                     : std::format("must be {}, not {}", range_text(range), kind_text(value.kind)));
  return std::nullopt;
}

std::optional<double> read_real(const JsonValue& value, JsonErrors& errors) {
  if (value.kind == JsonValue::Kind::Unsigned || value.kind == JsonValue::Kind::OtherNumber)
    return value.real;
  errors.at(value, "must be a number");
  return std::nullopt;
}

std::optional<bool> read_boolean(const JsonValue& value, JsonErrors& errors) {
  if (!expect(value, errors, JsonValue::Kind::Boolean)) return std::nullopt;
  return value.boolean;
}

std::optional<std::string> read_string(const JsonValue& value, JsonErrors& errors) {
  if (!expect(value, errors, JsonValue::Kind::String)) return std::nullopt;
  return value.text;
}

std::optional<std::vector<std::string>> read_strings(const JsonValue& value, JsonErrors& errors) {
  if (!expect(value, errors, JsonValue::Kind::Array)) return std::nullopt;
  std::vector<std::string> strings;
  for (const JsonValue& element : value.children) {
    if (expect(element, errors, JsonValue::Kind::String)) strings.push_back(element.text);
  }
  if (strings.size() != value.children.size()) return std::nullopt;
  return strings;
}

std::optional<size_t> read_choice(const JsonValue& value, JsonErrors& errors,
                                  std::span<const std::string_view> names) {
  if (!expect(value, errors, JsonValue::Kind::String)) return std::nullopt;
  const auto found = std::ranges::find(names, std::string_view(value.text));
  if (found != names.end()) return static_cast<size_t>(found - names.begin());
  std::string text = "must be ";
  for (size_t i = 0; i < names.size(); ++i) {
    if (i != 0) text += i + 1 == names.size() ? " or " : ", ";
    text += std::format("'{}'", names[i]);
  }
  errors.at(value, text);
  return std::nullopt;
}

JsonObject::JsonObject(const JsonValue& value, JsonErrors& errors)
    : value_(value), errors_(errors), isObject_(expect(value, errors, JsonValue::Kind::Object)) {}

void JsonObject::check_schema(std::string_view urn) {
  const JsonValue* member = of_kind(find("$schema"), JsonValue::Kind::String);
  if (member != nullptr && member->text != urn && member->text.starts_with("urn:heapsmith:schema:"))
    errors_.at(*member, std::format("must be '{}'", urn));
}

const JsonValue* JsonObject::find(std::string_view key) {
  known_.push_back(key);
  if (!isObject_) return nullptr;
  const auto found = std::ranges::find(value_.children, key, &JsonValue::key);
  return found == value_.children.end() ? nullptr : &*found;
}

const JsonValue* JsonObject::require(std::string_view key) {
  const JsonValue* member = find(key);
  if (isObject_ && member == nullptr) errors_.at(value_, std::format("lacks the key '{}'", key));
  return member;
}

const JsonValue* JsonObject::of_kind(const JsonValue* member, JsonValue::Kind kind) {
  return member != nullptr && expect(*member, errors_, kind) ? member : nullptr;
}

uint64_t JsonObject::number(std::string_view key, NumberRange range) {
  const JsonValue* member = require(key);
  return member == nullptr ? 0 : read_number(*member, errors_, range).value_or(0);
}

bool JsonObject::boolean(std::string_view key) {
  const JsonValue* member = require(key);
  return member != nullptr && read_boolean(*member, errors_).value_or(false);
}

std::string JsonObject::string(std::string_view key) {
  const JsonValue* member = of_kind(require(key), JsonValue::Kind::String);
  return member == nullptr ? std::string() : member->text;
}

const JsonValue* JsonObject::object(std::string_view key) {
  return of_kind(require(key), JsonValue::Kind::Object);
}

const JsonValue* JsonObject::array(std::string_view key) {
  return of_kind(require(key), JsonValue::Kind::Array);
}

uint64_t JsonObject::number_or(std::string_view key, uint64_t fallback, NumberRange range) {
  const JsonValue* member = find(key);
  return member == nullptr ? fallback : read_number(*member, errors_, range).value_or(fallback);
}

bool JsonObject::boolean_or(std::string_view key, bool fallback) {
  const JsonValue* member = find(key);
  return member == nullptr ? fallback : read_boolean(*member, errors_).value_or(fallback);
}

std::string JsonObject::string_or(std::string_view key, std::string_view fallback) {
  const JsonValue* member = of_kind(find(key), JsonValue::Kind::String);
  return member == nullptr ? std::string(fallback) : member->text;
}

size_t JsonObject::choice_or(std::string_view key, size_t fallback,
                             std::span<const std::string_view> names) {
  const JsonValue* member = find(key);
  return member == nullptr ? fallback : read_choice(*member, errors_, names).value_or(fallback);
}

const JsonValue* JsonObject::object_or_null(std::string_view key) {
  return of_kind(find(key), JsonValue::Kind::Object);
}

const JsonValue* JsonObject::array_or_null(std::string_view key) {
  return of_kind(find(key), JsonValue::Kind::Array);
}

void JsonObject::finish() {
  if (!isObject_) return;
  for (const JsonValue& member : value_.children) {
    if (std::ranges::find(known_, std::string_view(member.key)) == known_.end())
      errors_.at_key(member, "unknown key" + did_you_mean(member.key, known_));
  }
}

}  // namespace heapsmith::input
