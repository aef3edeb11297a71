// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "driver/load_shaders.h"
#include "plan/group_programs.h"

namespace heapsmith::driver {

struct StartingPolicyOptions {
  ShaderOptions shaders;
  std::vector<plan::ProgramRequest> programs;
  std::string outputFile;  ///< empty: standard output
};

/// `heapsmith policy init`: a policy that changes nothing, with everything in it that these shaders
/// let one change. Gives what goes to standard output.
[[nodiscard]] Diagnosed<std::string> starting_policy(const StartingPolicyOptions& options,
                                                     Diagnostics& diagnostics);

}  // namespace heapsmith::driver
