// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "base/diagnostics.h"
#include "reflect/program_interface.h"

namespace heapsmith::plan {

/// Whether two sets have the same bindings, so that one descriptor set layout would serve both.
[[nodiscard]] bool same_shape(const std::vector<reflect::ProgramBinding>& a,
                              const std::vector<reflect::ProgramBinding>& b);

/// Adds the stages, views and buffer sizes of a set of the same shape.
void unite_uses(std::vector<reflect::ProgramBinding>& into,
                const std::vector<reflect::ProgramBinding>& from);

/// Makes `into` serve both, if one descriptor type serves every binding that they have in common.
/// Else reports each binding where none does (SharedTableConflict) and returns false.
[[nodiscard]] bool unite(std::vector<reflect::ProgramBinding>& into,
                         const std::vector<reflect::ProgramBinding>& from,
                         Diagnostics& diagnostics);

}  // namespace heapsmith::plan
