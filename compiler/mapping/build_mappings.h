// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "heapsmith/manifest.h"
#include "layout/pack_fields.h"
#include "plan/heap_plan.h"

namespace heapsmith::mapping {

/// The mapping entries of one program, by set, binding and mask: one for each used binding, and one
/// more where a sampler variable shares the binding with an image. Mapping::binding counts bindings
/// over all tables of the plan, in order; the fields index `fields.fields`, and embedded samplers
/// HeapPlan::samplers.
[[nodiscard]] std::vector<Mapping> build_mappings(const plan::HeapPlan& plan,
                                                  const plan::PlannedProgram& program,
                                                  const layout::PackedFields& fields);

}  // namespace heapsmith::mapping
