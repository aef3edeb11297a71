// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "reflect/shader_interface.h"
#include "rewrite/placements.h"
#include "spirv/module.h"

namespace heapsmith::rewrite {

/// Turns variables with set and binding into reads of ResourceHeapEXT and SamplerHeapEXT, those
/// that have a placement. The others stay as they are, for mappings to serve; both may be in one
/// module. `shader` must be what reflect_module() says of the module. The result does not depend on
/// a device. It is valid if the module was; what cannot be rewritten is an error
/// (UnsupportedRewrite) that names the resource.
[[nodiscard]] Diagnosed<std::vector<uint32_t>> rewrite_module(
    const spirv::Module& module, const reflect::ShaderInterface& shader,
    const Placements& placements, const std::string& file, Diagnostics& diagnostics);

}  // namespace heapsmith::rewrite
