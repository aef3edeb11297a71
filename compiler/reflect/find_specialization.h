// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "reflect/context.h"
#include "reflect/shader_interface.h"

namespace heapsmith::reflect {

/// The constants with a SpecId, by SpecId and then in module order.
[[nodiscard]] std::vector<SpecializationConstant> find_specialization_constants(
    const Context& context);

}  // namespace heapsmith::reflect
