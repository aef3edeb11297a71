// SPDX-License-Identifier: MIT
#include "check.h"

#include <cstdio>
#include <cstdlib>
#include <string>

namespace example {

void fail(std::string_view what, std::string_view why) {
  std::fflush(stdout);
  std::fprintf(stderr, "error: %.*s: %.*s\n", static_cast<int>(what.size()), what.data(),
               static_cast<int>(why.size()), why.data());
  std::exit(1);
}

void check(VkResult result, std::string_view what) {
  if (result != VK_SUCCESS) fail(what, "VkResult " + std::to_string(result));
}

void check(heapsmith::Status status, std::string_view what) {
  if (!status) fail(what, status.error().text);
}

}  // namespace example
