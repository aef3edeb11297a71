// SPDX-License-Identifier: MIT
#pragma once

namespace heapsmith {

/// Prints the place and ends the process with exit code 70: a bug of ours, never reachable from
/// input.
[[noreturn]] void internal_error(const char* file, int line, const char* what);

}  // namespace heapsmith

/// Stays on in release builds.
#define HEAPSMITH_CHECK(condition) \
  ((condition) ? void(0) : ::heapsmith::internal_error(__FILE_NAME__, __LINE__, #condition))
#define HEAPSMITH_UNREACHABLE() ::heapsmith::internal_error(__FILE_NAME__, __LINE__, "unreachable")
