// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics.h"

/// JSON text to values that know where they stand; json_object.h reads them.
namespace heapsmith::input {

struct JsonMark {
  uint32_t line = 0;    ///< 1-based
  uint32_t column = 0;  ///< 1-based, in bytes
};

struct JsonValue {
  enum class Kind : uint8_t {
    Null,
    Boolean,
    Unsigned,     ///< an integer from 0 to 2^64-1, written without point and exponent
    OtherNumber,  ///< negative, fractional or larger
    String,
    Array,
    Object,
  };

  Kind kind = Kind::Null;
  bool boolean = false;
  uint64_t number = 0;
  double real = 0;                  ///< of any number
  std::string text;                 ///< of a string
  std::vector<JsonValue> children;  ///< elements, or members in the order of the file

  std::string key;      ///< the member's name, if this is a member of an object
  std::string pointer;  ///< RFC 6901: "/sets/0/instances"; "" for the document itself
  JsonMark at;          ///< where the value begins
  JsonMark keyAt;       ///< where the key begins
};

/// Nesting beyond this is refused, so that the depth of a value never matters to those who walk it.
inline constexpr uint32_t kMaxJsonDepth = 64;

/// Strict JSON (RFC 8259) in UTF-8; a byte order mark is skipped, a key that an object has twice is
/// refused. Reports one MalformedJson with line and column.
[[nodiscard]] Diagnosed<JsonValue> parse_json(std::string_view text, const std::string& file,
                                              Diagnostics& diagnostics);

}  // namespace heapsmith::input
