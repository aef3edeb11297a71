// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include "base/diagnostics.h"
#include "driver/load_shaders.h"

namespace heapsmith::driver {

enum class ReflectionFormat : uint8_t { Json, Text };

/// `heapsmith reflect`: every fact of the shaders' interfaces. Goes to `outputFile`, or is returned
/// for standard output if that is empty or "-".
[[nodiscard]] Diagnosed<std::string> reflect_shaders(const ShaderOptions& options,
                                                     const std::string& outputFile,
                                                     ReflectionFormat format,
                                                     Diagnostics& diagnostics);

}  // namespace heapsmith::driver
