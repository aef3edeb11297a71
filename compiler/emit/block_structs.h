// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "plan/math_types.h"
#include "reflect/merge_blocks.h"

namespace heapsmith::emit {

/// How a structure and its members are called in C++.
struct StructNames {
  std::string name;
  std::vector<std::string> members;
};

/// By index of MergedBlocks::types; of types that are no structures, empty.
[[nodiscard]] std::vector<StructNames> struct_names(const reflect::MergedBlocks& blocks);

/// One C++ struct for each structure, padded to the shader's offsets, with static_asserts on its
/// size and on every offset. A runtime array at the end becomes an element type, an offset and a
/// stride. To stand inside a namespace; needs <heapsmith/block_types.h>, <cstddef> and <cstdint>.
[[nodiscard]] std::string block_structs(const reflect::MergedBlocks& blocks,
                                        const std::vector<StructNames>& names,
                                        const plan::MathTypes& mathTypes);

}  // namespace heapsmith::emit
