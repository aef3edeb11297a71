// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace gpu_test {

/// The next multiple; `alignment` need not be a power of two.
[[nodiscard]] constexpr uint64_t align(uint64_t bytes, uint64_t alignment) {
  return (bytes + alignment - 1) / alignment * alignment;
}

}  // namespace gpu_test
