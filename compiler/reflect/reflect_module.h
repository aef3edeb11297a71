// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "base/diagnostics.h"
#include "reflect/shader_interface.h"
#include "spirv/module.h"

namespace heapsmith::reflect {

/// What a module says about its interface. The module need not be valid: what cannot be reflected
/// is an error that names the variable, and all of them are reported. Use is static use through the
/// call graph; the interface lists of entry points say nothing, for their meaning depends on the
/// SPIR-V version.
[[nodiscard]] Diagnosed<ShaderInterface> reflect_module(const spirv::Module& module,
                                                        const std::string& file,
                                                        Diagnostics& diagnostics);

}  // namespace heapsmith::reflect
