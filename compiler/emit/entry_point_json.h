// SPDX-License-Identifier: MIT
#pragma once

#include <nlohmann/json.hpp>

#include "reflect/merge_blocks.h"
#include "reflect/shader_interface.h"

namespace heapsmith::emit {

/// `blocks`: of this shader alone.
[[nodiscard]] nlohmann::ordered_json entry_point_json(const reflect::ShaderInterface& shader,
                                                      const reflect::EntryPoint& entryPoint,
                                                      const reflect::MergedBlocks& blocks);

}  // namespace heapsmith::emit
