// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "reflect/context.h"
#include "reflect/shader_interface.h"

namespace heapsmith::reflect {

/// A variable of the module, and what it is in the list of interface variables: itself, or the
/// members of its block.
struct FoundInterfaceVariable {
  uint32_t id = 0;
  uint32_t first = 0;
  uint32_t count = 0;
  uint32_t recordType = 0;  ///< the structure of a shader record
};

/// Inputs, outputs, payloads, callable data and shader records in module order. Appends to
/// `variables`, without the blocks of shader records.
[[nodiscard]] std::vector<FoundInterfaceVariable> find_interface_variables(
    const Context& context, std::vector<InterfaceVariable>& variables);

}  // namespace heapsmith::reflect
