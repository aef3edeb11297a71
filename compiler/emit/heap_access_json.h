// SPDX-License-Identifier: MIT
#pragma once

#include <nlohmann/json.hpp>

#include "reflect/merge_blocks.h"
#include "reflect/shader_interface.h"

namespace heapsmith::emit {

/// ShaderInterface::heapAccesses. `blocks`: of this shader alone.
[[nodiscard]] nlohmann::ordered_json heap_accesses_json(const reflect::ShaderInterface& shader,
                                                        const reflect::MergedBlocks& blocks);

/// What one of them reads, and where.
[[nodiscard]] nlohmann::ordered_json heap_place_json(const reflect::HeapAccess& access);

[[nodiscard]] nlohmann::ordered_json image_json(const reflect::ImageFacts& image);

/// An array's length or a count: 0 stands for a runtime array.
[[nodiscard]] nlohmann::ordered_json length_json(uint64_t length);

}  // namespace heapsmith::emit
