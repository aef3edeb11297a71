// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "base/diagnostics.h"
#include "reflect/shader_interface.h"
#include "rewrite/placements.h"
#include "spirv/module.h"

namespace heapsmith::driver {

/// Reports what of a shader that is to be rewritten so GLSL has no words for, or what its
/// translators do not survive (UnsupportedGlsl). False if there is anything.
[[nodiscard]] bool check_glsl_limits(const reflect::ShaderInterface& shader,
                                     const spirv::Module& module,
                                     const rewrite::Placements& placements,
                                     const std::string& shown, Diagnostics& diagnostics);

}  // namespace heapsmith::driver
