// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "reflect/context.h"
#include "reflect/shader_interface.h"

namespace heapsmith::reflect {

/// A variable whose block is described.
struct BlockVariable {
  uint32_t id = 0;
  uint32_t block = kNoType;  ///< index into the list of types
};

/// The bytes of the variables' blocks that a function reaches, by function in module order:
/// ascending, disjoint. A chain counts where its pointer is used. An index that is no constant
/// counts the whole array, and a pointer that a function passes on all that it points to.
[[nodiscard]] std::vector<std::vector<ByteRange>> find_used_bytes(
    const Context& context, std::span<const BlockVariable> variables,
    std::span<const BlockType> types);

/// Sorts ranges and joins those that touch.
void merge_ranges(std::vector<ByteRange>& ranges);

}  // namespace heapsmith::reflect
