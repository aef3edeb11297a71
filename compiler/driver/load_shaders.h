// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "input/shader_name.h"
#include "input/shader_source.h"
#include "reflect/shader_interface.h"
#include "spirv/validate.h"

namespace heapsmith::driver {

struct ShaderOptions {
  std::vector<std::string> inputs;   ///< paths; "-" is standard input
  std::optional<ShaderStage> stage;  ///< of all GLSL inputs, instead of what the extension says
  std::optional<spirv::TargetEnvironment> target;  ///< default: Vulkan 1.3 for GLSL, 1.4 for SPIR-V
  std::vector<std::string> includeFolders;
  std::vector<std::string> defines;
  bool debugInfo = false;
  bool validate = true;   ///< with spirv-val
  bool optimize = false;  ///< with spirv-opt; modules that read heaps stay as they are
  uint32_t threads = 0;   ///< 0: as many as the machine has
};

struct LoadedShader {
  std::string path;
  input::ShaderName name;
  std::vector<uint32_t> words;
  std::vector<std::string> includes;
  reflect::ShaderInterface interface;
  /// Of an optimised shader: what it declared before, with what is still used. Decisions go by it,
  /// so that nothing moves when an optimiser finds less used, or takes a block's members away.
  std::optional<reflect::ShaderInterface> declared;

  [[nodiscard]] const reflect::ShaderInterface& declarations() const {
    return declared ? *declared : interface;
  }
};

/// Reads, compiles, parses, reflects and validates every input. All are tried, so that one run
/// reports everything; diagnostics come in the order of the inputs, whatever the number of threads.
[[nodiscard]] Diagnosed<std::vector<LoadedShader>> load_shaders(const ShaderOptions& options,
                                                                Diagnostics& diagnostics);

}  // namespace heapsmith::driver
