// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "driver/load_shaders.h"
#include "plan/group_programs.h"

namespace heapsmith::driver {

struct LintOptions {
  ShaderOptions shaders;  ///< one input may be a manifest (".json") instead
  std::vector<plan::ProgramRequest> programs;
  std::string policyFile;             ///< empty: the default policy
  std::string mappingsFile;           ///< somebody's own mappings, instead of those of the policy
  std::vector<std::string> profiles;  ///< names or files; empty: what Vulkan guarantees
  bool allProfiles = false;           ///< every built-in one
};

/// `heapsmith lint`: the rules of mappings, of every shader on every device, before any of them
/// sees them. Warnings do not fail.
[[nodiscard]] Diagnosed<void> lint(const LintOptions& options, Diagnostics& diagnostics);

}  // namespace heapsmith::driver
