// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "reflect/shader_interface.h"

namespace heapsmith::reflect {

/// Bytes of one scalar of that name ("float32" has 4).
[[nodiscard]] uint32_t scalar_size(std::string_view scalar);

/// Fills in rule and paddedSize of the structures from index `first` on. What they are made of must
/// be described.
void classify_layouts(std::vector<BlockType>& types, size_t first);

}  // namespace heapsmith::reflect
