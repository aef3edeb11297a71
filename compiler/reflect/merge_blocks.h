// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "reflect/shader_interface.h"

namespace heapsmith::reflect {

/// The block types of many shaders in one list. Structures of one name and one shape are one; where
/// two shapes share a name, they are told apart by a number ("Light", "Light_2").
struct MergedBlocks {
  std::vector<BlockType> types;         ///< of structures, `name` is unique and never empty
  std::vector<std::string> spirvNames;  ///< parallel to types: the name in the shader
  std::vector<uint32_t> structures;     ///< indices of all structures, each after those it contains
  std::vector<std::vector<uint32_t>> indices;  ///< by shader, then by its own type index
};

/// The order of the shaders decides the numbers, so it must not depend on the command line.
[[nodiscard]] MergedBlocks merge_blocks(std::span<const ShaderInterface* const> shaders);

}  // namespace heapsmith::reflect
