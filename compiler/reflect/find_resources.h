// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "reflect/block_layout.h"
#include "reflect/context.h"
#include "reflect/shader_interface.h"

namespace heapsmith::reflect {

/// The module's resource variables by set, binding and id, without what only functions tell (uses,
/// accesses). Reports every defect of every variable; a variable with a defect is not in the
/// result.
[[nodiscard]] std::vector<Resource> find_resources(const Context& context, BlockLayouts& layouts);

}  // namespace heapsmith::reflect
