// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "rewrite/context.h"
#include "rewrite/objects.h"

namespace heapsmith::rewrite {

/// A function that is handed rewritten resources takes slots in their place (calls.h), so it can be
/// handed nothing else there. One that is handed mapped variables too, or pointers that have no
/// slot, becomes one function for each combination:
///
///   %a = OpFunctionCall %v4 %f %rewritten          %a = OpFunctionCall %v4 %f %rewritten
///   %b = OpFunctionCall %v4 %f %mapped        →    %b = OpFunctionCall %v4 %f2 %mapped
///
/// Returns the words of a module that is ready for the rewriter; nothing if this one is. Variables
/// and entry points keep their ids and order, so what is known of the module holds for that too.
[[nodiscard]] std::optional<std::vector<uint32_t>> specialize_functions(const Context& context,
                                                                        const Objects& objects);

}  // namespace heapsmith::rewrite
