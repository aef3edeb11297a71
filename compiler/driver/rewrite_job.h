// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/diagnostics.h"
#include "driver/emit_glsl.h"
#include "driver/load_shaders.h"
#include "driver/rewrite_shaders.h"
#include "heapsmith/manifest.h"
#include "rewrite/placements.h"

namespace heapsmith::driver {

/// A module and where its bindings are. Programs that agree share what it becomes.
struct RewriteJob {
  const LoadedShader* module = nullptr;
  rewrite::Placements placements;
  OutputModule output;
  std::vector<size_t> programs;
  std::vector<size_t> entryPoints;       ///< that programs use of it
  std::vector<Diagnostic> refused = {};  ///< resources with places that cannot be rewritten
  std::vector<SlotConstant> glslConstants;
};

/// Fills in the output. Leaves it empty if that fails, or if it refuses resources and nothing else
/// is wrong. `glsl` is nothing if GLSL is not asked for.
void run(RewriteJob& job, bool validates, const std::optional<GlslNumbers>& glsl,
         Diagnostics& diagnostics);

/// Whether nothing is left to rewrite: of our own output, say.
[[nodiscard]] bool reads_only_heaps(const LoadedShader& module);

}  // namespace heapsmith::driver
