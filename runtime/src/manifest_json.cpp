// SPDX-License-Identifier: MIT
#include "heapsmith/manifest_json.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "check_manifest.h"
#include "check_slot_constants.h"
#include "read_manifest.h"

namespace heapsmith {
namespace {

using detail::JsonValue;

/// A manifest needs 8 levels. More are allowed, so that a newer minor version may nest deeper.
constexpr size_t kMaxDepth = 32;

/// What the parser reports, as a document. Stricter than the parser: a repeated key is refused,
/// where JSON leaves open which value counts, and so is nesting deeper than any manifest's.
/// Pointers to open containers stay valid, since only the innermost one grows.
class Builder final : public nlohmann::json_sax<nlohmann::json> {
 public:
  JsonValue root;
  std::string problem;

  bool null() override { return add({}); }
  bool boolean(bool value) override {
    return add({.kind = JsonValue::Kind::Boolean, .number = value ? 1u : 0u});
  }
  bool number_integer(number_integer_t value) override {
    return add({.kind = JsonValue::Kind::Number, .real = static_cast<double>(value)});
  }
  bool number_unsigned(number_unsigned_t value) override {
    return add(
        {.kind = JsonValue::Kind::Whole, .number = value, .real = static_cast<double>(value)});
  }
  bool number_float(number_float_t value, const string_t&) override {
    return add({.kind = JsonValue::Kind::Number, .real = value});
  }
  bool string(string_t& value) override {
    return add({.kind = JsonValue::Kind::String, .text = std::move(value)});
  }
  bool binary(binary_t&) override { return refuse("binary data has no place in JSON text"); }
  bool start_object(size_t) override { return open(JsonValue::Kind::Object); }
  bool start_array(size_t) override { return open(JsonValue::Kind::Array); }
  bool end_array() override {
    open_.pop_back();
    return true;
  }

  bool key(string_t& name) override {
    key_ = std::move(name);
    return true;
  }

  bool end_object() override {
    keys_.clear();
    for (const JsonValue& member : open_.back()->elements)
      keys_.push_back(member.key);
    std::sort(keys_.begin(), keys_.end());
    const auto twice = std::adjacent_find(keys_.begin(), keys_.end());
    if (twice != keys_.end()) return refuse(detail::join("the key '", *twice, "' is repeated"));
    open_.pop_back();
    return true;
  }

  bool parse_error(size_t position, const std::string&,
                   const nlohmann::detail::exception&) override {
    return refuse(detail::join("byte ", uint64_t{position}, " breaks the rules of JSON"));
  }

 private:
  JsonValue* place(JsonValue value) {
    if (open_.empty()) {
      root = std::move(value);
      return &root;
    }
    value.key = std::exchange(key_, {});
    return &open_.back()->elements.emplace_back(std::move(value));
  }

  bool add(JsonValue value) {
    place(std::move(value));
    return true;
  }

  bool open(JsonValue::Kind kind) {
    if (open_.size() >= kMaxDepth) {
      return refuse(detail::join("it is nested deeper than ", uint64_t{kMaxDepth}, " levels"));
    }
    open_.push_back(place({.kind = kind}));
    return true;
  }

  bool refuse(std::string why) {
    problem = std::move(why);
    return false;
  }

  std::vector<JsonValue*> open_;
  std::string key_;
  std::vector<std::string_view> keys_;  ///< scratch of end_object()
};

Result<JsonValue> parse_document(std::string_view text) {
  Builder builder;
  if (!nlohmann::json::sax_parse(text.begin(), text.end(), &builder)) {
    return detail::error(ErrorCode::InvalidManifest,
                         "the manifest is not readable: ", builder.problem);
  }
  return std::move(builder.root);
}

constexpr std::string_view kSchema = "urn:heapsmith:schema:manifest:1";

/// What decides how the rest is read.
struct Version {
  uint32_t major = 0;
  uint32_t minor = 0;
};

Result<Version> read_version(const detail::Place& root) {
  detail::Reader reader(/*strict=*/false);
  const detail::Place version = reader.member(root, "formatVersion");
  const Version found{reader.number32(reader.member(version, "major")),
                      reader.number32(reader.member(version, "minor"))};
  if (reader.failed()) return reader.take_error();
  if (found.major != kFormatVersionMajor) {
    return detail::error(ErrorCode::UnsupportedVersion, "the manifest has format version ",
                         uint64_t{found.major}, ".", uint64_t{found.minor},
                         ", this is a reader of ", uint64_t{kFormatVersionMajor}, ".x");
  }
  return found;
}

}  // namespace

Result<ManifestStorage> load_manifest_json(std::string_view text) {
  Result<JsonValue> document = parse_document(text);
  if (!document) return std::move(document.error());
  const detail::Place root{&*document, nullptr, {}, 0};
  Result<Version> version = read_version(root);
  if (!version) return std::move(version.error());

  detail::Reader reader(/*strict=*/version->minor <= kFormatVersionMinor);
  const detail::Place formatVersion = reader.member(root, "formatVersion");
  reader.check_keys(formatVersion, {"major", "minor"});
  const detail::Place schema = reader.member(root, "$schema");
  if (reader.text(schema) != kSchema) reader.fail(schema, "is not ", kSchema);
  ManifestStorage storage = detail::read_manifest(reader, root);
  if (reader.failed()) return reader.take_error();
  storage.manifest.formatVersionMajor = version->major;
  storage.manifest.formatVersionMinor = version->minor;

  Result<SlotLayout> slots = assign_slots(storage.manifest);
  if (!slots) {
    return detail::error(ErrorCode::InvalidManifest, "/tables: ", slots.error().text);
  }
  detail::check_manifest(reader, root, storage.manifest, *slots);
  if (reader.failed()) return reader.take_error();
  detail::check_slot_constants(reader, root, storage.manifest, *slots);
  if (reader.failed()) return reader.take_error();
  return storage;
}

}  // namespace heapsmith
