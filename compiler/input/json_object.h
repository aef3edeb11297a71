// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/diagnostics.h"
#include "input/json_text.h"

/// Typed reading of a JSON document, with every complaint at its line and with its JSON pointer.
namespace heapsmith::input {

/// Where complaints about a document's content go, and under which code.
class JsonErrors {
 public:
  JsonErrors(std::string file, Code code, Diagnostics& diagnostics)
      : file_(std::move(file)), code_(code), diagnostics_(diagnostics) {}

  /// The text is preceded by the value's JSON pointer: "/sets/0/instances: must be at least 1".
  std::unexpected<Failed> at(const JsonValue& value, std::string_view text);
  std::unexpected<Failed> at_key(const JsonValue& member, std::string_view text);

  [[nodiscard]] bool any() const { return any_; }
  [[nodiscard]] std::unexpected<Failed> failed() const { return diagnostics_.failed(); }

 private:
  std::unexpected<Failed> report(const JsonValue& value, JsonMark mark, std::string_view text);

  std::string file_;
  Code code_;
  Diagnostics& diagnostics_;
  bool any_ = false;
};

struct NumberRange {
  uint64_t minimum = 0;
  uint64_t maximum = UINT64_MAX;
};
inline constexpr NumberRange kUint32Range{0, UINT32_MAX};

/// One value of a known type. What is something else is reported, and nothing is returned.
[[nodiscard]] std::optional<uint64_t> read_number(const JsonValue& value, JsonErrors& errors,
                                                  NumberRange range = {});
[[nodiscard]] std::optional<double> read_real(const JsonValue& value, JsonErrors& errors);
[[nodiscard]] std::optional<bool> read_boolean(const JsonValue& value, JsonErrors& errors);
[[nodiscard]] std::optional<std::string> read_string(const JsonValue& value, JsonErrors& errors);
[[nodiscard]] std::optional<std::vector<std::string>> read_strings(const JsonValue& value,
                                                                   JsonErrors& errors);

/// Index of a string that is one of `names`.
[[nodiscard]] std::optional<size_t> read_choice(const JsonValue& value, JsonErrors& errors,
                                                std::span<const std::string_view> names);

/// An object whose keys the caller asks for by name, once each:
///
///     JsonObject in(value, errors);
///     policy.instances = in.number_or("instances", 1, {1, UINT32_MAX});
///     policy.table = in.string_or("table", "");
///     in.finish();
///
/// Whatever is wrong is reported and the fallback (an empty value, for a required member) returned,
/// so that one run reports everything; ask errors.any() at the end. finish() reports the members
/// that nobody asked for.
class JsonObject {
 public:
  /// Reports a value that is not an object. Its members are then all absent, without a further
  /// word.
  JsonObject(const JsonValue& value, JsonErrors& errors);

  /// The member "$schema" may be absent, `urn`, or where an editor finds the schema; another
  /// format's or version's name is refused.
  void check_schema(std::string_view urn);

  /// A member of any kind, or nullptr.
  [[nodiscard]] const JsonValue* find(std::string_view key);

  /// Members that must be there. object() and array() return nullptr where they are not.
  [[nodiscard]] uint64_t number(std::string_view key, NumberRange range = {});
  [[nodiscard]] bool boolean(std::string_view key);
  [[nodiscard]] std::string string(std::string_view key);
  [[nodiscard]] const JsonValue* object(std::string_view key);
  [[nodiscard]] const JsonValue* array(std::string_view key);

  /// Members that may be absent.
  [[nodiscard]] uint64_t number_or(std::string_view key, uint64_t fallback, NumberRange range = {});
  [[nodiscard]] bool boolean_or(std::string_view key, bool fallback);
  [[nodiscard]] std::string string_or(std::string_view key, std::string_view fallback);
  [[nodiscard]] size_t choice_or(std::string_view key, size_t fallback,
                                 std::span<const std::string_view> names);
  [[nodiscard]] const JsonValue* object_or_null(std::string_view key);
  [[nodiscard]] const JsonValue* array_or_null(std::string_view key);

  void finish();

 private:
  const JsonValue* require(std::string_view key);
  const JsonValue* of_kind(const JsonValue* member, JsonValue::Kind kind);

  const JsonValue& value_;
  JsonErrors& errors_;
  bool isObject_;
  std::vector<std::string_view> known_;
};

}  // namespace heapsmith::input
