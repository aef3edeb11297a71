// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <vector>

namespace corpus {

/// Rewrites each module, as `heapsmith rewrite --emit glsl` does, every set as a static and as an
/// indexed table, and prints how many become GLSL, how many are refused and why. False if one
/// became GLSL that does not compile to valid SPIR-V, or ended its process.
[[nodiscard]] bool count_glsl_forms(const std::vector<std::filesystem::path>& files);

}  // namespace corpus
