// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "driver/load_shaders.h"
#include "rewrite/placements.h"
#include "rewrite/slot_constants.h"
#include "spirv/module.h"

namespace heapsmith::driver {

/// Of the run whose shaders they are.
struct GlslNumbers {
  const Manifest* manifest = nullptr;
  const rewrite::SlotConstants* constants = nullptr;  ///< chosen for GLSL
};

struct GlslForm {
  std::vector<std::string> texts;           ///< of the entry points
  std::vector<SlotConstant> slotConstants;  ///< that they declare
};

/// The rewritten form of a shader as GLSL, a text for each of these entry points. Its buffers begin
/// at a specialization constant in place of an expression of descriptor sizes, which GLSL has no
/// word for. With `validate` the texts are compiled again, and have to show the same interface.
/// What cannot be said in GLSL is an error (UnsupportedGlsl).
[[nodiscard]] Diagnosed<GlslForm> emit_glsl(const LoadedShader& shader, const spirv::Module& module,
                                            const rewrite::Placements& placements,
                                            std::span<const size_t> entryPoints,
                                            const GlslNumbers& numbers, bool validate,
                                            Diagnostics& diagnostics);

/// What the text of an entry point is called beside the module's file: "knot.frag.spv" and
/// "knot.frag.glsl.spv" become "knot.frag.glsl", and "knot.spv" too if that is a fragment shader.
/// Where the module has several each adds its name: "knot.bright.frag.glsl".
[[nodiscard]] std::string glsl_name(const std::string& file,
                                    std::span<const reflect::EntryPoint> entryPoints, size_t index);

}  // namespace heapsmith::driver
