// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>

#include "reflect/context.h"
#include "reflect/uses.h"

namespace heapsmith::reflect {

/// One walk over all function bodies. `variables`: the ids whose uses are wanted. Non-semantic and
/// debug instructions are no uses, and neither is the interface list of an entry point.
[[nodiscard]] ModuleUses scan_functions(const Context& context,
                                        std::span<const uint32_t> variables);

}  // namespace heapsmith::reflect
