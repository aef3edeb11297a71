// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "plan/plan_heaps.h"

namespace heapsmith::emit {

/// Shader files of each program, as a policy names them.
using ProgramFiles = std::map<std::string, std::vector<std::string>>;

/// A policy (schemas/policy.schema.json) that says what a run without one would do: every set with
/// its frequency, every binding by number with its name, what each unbounded array gets, and the
/// global members at their defaults. JSON has no comments; its structure says what can be changed.
[[nodiscard]] std::string starting_policy(std::span<const plan::NamedProgram> programs,
                                          const ProgramFiles& files);

}  // namespace heapsmith::emit
