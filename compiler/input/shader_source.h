// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics.h"
#include "heapsmith/manifest.h"
#include "spirv/validate.h"

namespace heapsmith::input {

struct SourceOptions {
  std::vector<std::string> includeFolders;
  std::vector<std::string> defines;  ///< "NAME" or "NAME=VALUE"
  spirv::TargetEnvironment target = spirv::TargetEnvironment::Vulkan13;
  bool debugInfo = false;  ///< OpLine and source text, by file name: no folder gets into the output
};

struct CompiledSource {
  std::vector<uint32_t> words;
  std::vector<std::string> includes;  ///< files read beside the source, in order of first use
  std::vector<std::string>
      unsizedArrays;  ///< names declared as `name[]`: the front end may have sized them
};

/// Compiles GLSL with glslang. `#include` works without an #extension line. Fails with SourceError,
/// one for each message of the front end. Thread-safe.
[[nodiscard]] Diagnosed<CompiledSource> compile_glsl(std::string_view source,
                                                     const std::string& path, ShaderStage stage,
                                                     const SourceOptions& options,
                                                     Diagnostics& diagnostics);

}  // namespace heapsmith::input
