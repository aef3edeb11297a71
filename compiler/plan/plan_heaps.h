// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>

#include "base/diagnostics.h"
#include "plan/choose_residences.h"
#include "plan/heap_plan.h"
#include "plan/policy.h"
#include "reflect/program_interface.h"

namespace heapsmith::plan {

struct NamedProgram {
  std::string name;
  reflect::ProgramInterface interface;
};

/// Chooses tables, residences and capacities. Programs come in the order the manifest lists them.
/// Two programs whose set N declares the same bindings, and of which the policy wants the same,
/// share one table; where the policy says `shared`, all do, and what cannot be united is an error
/// that names the binding and both shaders. A set whose bindings have several residences becomes
/// several tables.
[[nodiscard]] Diagnosed<HeapPlan> plan_heaps(std::span<const NamedProgram> programs,
                                             const Policy& policy, Squeeze squeeze,
                                             Diagnostics& diagnostics);

}  // namespace heapsmith::plan
