// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "reflect/context.h"
#include "reflect/shader_interface.h"

namespace heapsmith::reflect {

struct FoundEntryPoint {
  EntryPoint entryPoint;       ///< without what it uses
  uint32_t functionIndex = 0;  ///< of its function in the module
  spirv::Instruction instruction;
};

/// The entry points in module order. Fails if there is none, or one that is no shader stage of
/// Vulkan.
[[nodiscard]] Diagnosed<std::vector<FoundEntryPoint>> find_entry_points(const Context& context);

}  // namespace heapsmith::reflect
