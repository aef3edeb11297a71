// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>

namespace heapsmith::emit {

/// A Make rule that Ninja (deps = gcc) and CMake (DEPFILE) read: `targets` depend on `inputs`.
[[nodiscard]] std::string depfile(std::span<const std::string> targets,
                                  std::span<const std::string> inputs);

}  // namespace heapsmith::emit
