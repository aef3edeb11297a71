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
  std::string file;
  std::vector<uint32_t> words;
};

/// Turns what was decided for mapped shaders into its rewritten form: the same heaps and the same
/// fields. `content` then names the new files with their hashes, and keeps the mappings of what
/// stays mapped: whatever no table of Residence::Static or Indexed holds, input attachments,
/// embedded samplers, packed indices. A module that two programs find in different places becomes
/// two files. `validate` runs spirv-val over each, under several sizes of descriptors.
[[nodiscard]] Diagnosed<std::vector<OutputModule>> rewrite_shaders(
    std::span<const LoadedShader> shaders, emit::ManifestContent& content, bool validate,
    Diagnostics& diagnostics);

}  // namespace heapsmith::driver
