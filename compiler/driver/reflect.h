// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "base/diagnostics.h"
#include "driver/load_shaders.h"

namespace heapsmith::driver {

/// `heapsmith reflect`: every fact of the shaders' interfaces, as JSON. Goes to `outputFile`, or is
/// returned for standard output if that is empty or "-".
[[nodiscard]] Diagnosed<std::string> reflect_shaders(const ShaderOptions& options,
                                                     const std::string& outputFile,
                                                     Diagnostics& diagnostics);

}  // namespace heapsmith::driver
