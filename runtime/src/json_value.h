// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace heapsmith::detail {

/// A JSON document in memory. The parser's own type stays in manifest_json.cpp.
struct JsonValue {
  enum class Kind : uint8_t {
    Null,
    Boolean,
    Whole,   ///< a whole number from 0 to 2^64 - 1
    Number,  ///< any other
    String,
    Array,
    Object,
  };

  Kind kind = Kind::Null;
  uint64_t number = 0;              ///< of a Whole, or of a Boolean 0 or 1
  double real = 0;                  ///< of a Whole or another Number
  std::string text;                 ///< of a String
  std::string key;                  ///< of a member of an Object
  std::vector<JsonValue> elements;  ///< of an Array, or an Object's members

  /// The member of that name, or null. Linear: objects are small.
  [[nodiscard]] const JsonValue* find(std::string_view name) const {
    for (const JsonValue& member : elements) {
      if (member.key == name) return &member;
    }
    return nullptr;
  }
};

}  // namespace heapsmith::detail
