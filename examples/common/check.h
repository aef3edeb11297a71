// SPDX-License-Identifier: MIT
#pragma once

#include <heapsmith/error.h>
#include <volk.h>

#include <string_view>
#include <utility>

/// An example has nothing to recover: what fails is said on stderr, and the program ends with exit
/// code 1.
namespace example {

[[noreturn]] void fail(std::string_view what, std::string_view why);

void check(VkResult result, std::string_view what);
void check(heapsmith::Status status, std::string_view what);

/// The value, or the end.
template <typename T>
[[nodiscard]] T checked(heapsmith::Result<T> result, std::string_view what) {
  if (!result) fail(what, result.error().text);
  return std::move(*result);
}

}  // namespace example
