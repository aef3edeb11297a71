// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "base/diagnostics.h"
#include "driver/load_shaders.h"
#include "rewrite/placements.h"
#include "spirv/module.h"

namespace heapsmith::driver {

/// The SpecId of `firstBuffer`: the lowest that no shader of the run has for itself.
[[nodiscard]] uint32_t free_spec_id(std::span<const LoadedShader> shaders);

/// The rewritten form of a shader as GLSL. Its buffers begin at a specialization constant in place
/// of an expression of descriptor sizes, which GLSL has no word for. With `validate` the text is
/// compiled again, and has to show the same interface. What cannot be said in GLSL is an error
/// (UnsupportedGlsl).
[[nodiscard]] Diagnosed<std::string> emit_glsl(const LoadedShader& shader,
                                               const spirv::Module& module,
                                               const rewrite::Placements& placements,
                                               uint32_t specId, bool validate,
                                               Diagnostics& diagnostics);

/// "knot.frag.spv" and "knot.frag.glsl.spv" become "knot.frag.glsl", and "knot.spv" too if it is a
/// fragment shader.
[[nodiscard]] std::string glsl_name(const std::string& file, ShaderStage stage);

}  // namespace heapsmith::driver
