// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "spirv/module.h"

namespace heapsmith::spirv {

/// Structures in structures (SPIR-V's universal limit), and likewise arrays directly in arrays.
inline constexpr uint32_t kMaxTypeDepth = 255;

struct TypeDefect {
  uint32_t word = 0;
  std::string text;
};

/// Whether types consist of earlier types (later pointers apart), are not nested too deep, and
/// array lengths are constants: what makes it safe to walk types by recursion.
[[nodiscard]] std::optional<TypeDefect> find_type_defect(const Module& module);

}  // namespace heapsmith::spirv
