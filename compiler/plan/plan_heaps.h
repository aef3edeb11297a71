// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>

#include "base/diagnostics.h"
#include "plan/heap_plan.h"
#include "plan/policy.h"
#include "reflect/program_interface.h"

namespace heapsmith::plan {

struct NamedProgram {
  std::string name;
  reflect::ProgramInterface interface;
};

/// Chooses tables, residences and capacities. Programs come in the order the manifest lists them.
/// Two programs whose set N declares the same bindings share one table; where the policy says
/// `shared`, all do, and what cannot be united is an error that names the binding and both shaders.
[[nodiscard]] Diagnosed<HeapPlan> plan_heaps(std::span<const NamedProgram> programs,
                                             const Policy& policy, Diagnostics& diagnostics);

}  // namespace heapsmith::plan
