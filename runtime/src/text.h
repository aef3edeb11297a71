// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "heapsmith/error.h"

/// Error texts. std::format is missing from the oldest compiler that the runtime supports (GCC 11).
namespace heapsmith::detail {

inline void append(std::string& text, std::string_view part) {
  text += part;
}
inline void append(std::string& text, uint64_t number) {
  text += std::to_string(number);
}

template <typename... Parts>
[[nodiscard]] std::string join(const Parts&... parts) {
  std::string text;
  (append(text, parts), ...);
  return text;
}

template <typename... Parts>
[[nodiscard]] Error error(ErrorCode code, const Parts&... parts) {
  return Error{code, 0, join(parts...)};
}

}  // namespace heapsmith::detail
