// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "spirv/validate.h"

namespace heapsmith::spirv {

/// Runs SPIRV-Tools' optimiser over a valid module: its passes that make shaders legal (which put
/// functions into their callers), then those for speed. Resources and inputs that no code needs
/// go. Never for modules that read heaps: today's passes break some of
/// them. Fails with OptimizerFailed.
[[nodiscard]] Diagnosed<std::vector<uint32_t>> optimize_module(std::span<const uint32_t> words,
                                                               TargetEnvironment environment,
                                                               const std::string& file,
                                                               Diagnostics& diagnostics);

}  // namespace heapsmith::spirv
