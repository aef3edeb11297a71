// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "driver/load_shaders.h"
#include "emit/make_manifest.h"

namespace heapsmith::driver {

/// SPIR-V to write, under the name that the manifest gives it.
struct OutputModule {
  uint32_t shader = 0;  ///< index of the shader that it is made of
  std::string file;
  std::vector<uint32_t> words;
};

/// Turns what was decided for mapped shaders into its rewritten form: the same heaps and the same
/// fields. `content` then names the new files with their hashes, and keeps the mappings of what
/// stays mapped (rewrite::place_bindings). A module that two programs find in different places
/// becomes two files. Threads and validation are as the options say.
[[nodiscard]] Diagnosed<std::vector<OutputModule>> rewrite_shaders(
    std::span<const LoadedShader> shaders, const ShaderOptions& options,
    emit::ManifestContent& content, Diagnostics& diagnostics);

}  // namespace heapsmith::driver
