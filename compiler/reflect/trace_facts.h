// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "reflect/context.h"
#include "reflect/uses.h"

namespace heapsmith::reflect {

/// Facts by id, carried from every use back to what it was made of, over calls and loops. Counts
/// only the functions marked in `reachable`. Each flow is followed at most once for each bit, so
/// this is linear.
[[nodiscard]] std::vector<uint16_t> trace_facts(const Context& context, const ModuleUses& uses,
                                                const std::vector<bool>& reachable);

}  // namespace heapsmith::reflect
