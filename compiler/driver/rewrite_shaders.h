// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "driver/load_shaders.h"
#include "emit/make_manifest.h"

namespace heapsmith::driver {

struct OutputText {
  size_t entryPoint = 0;  ///< index into ShaderInterface::entryPoints
  std::string file;
  std::string text;
};

/// SPIR-V to write, under the name that the manifest gives it.
struct OutputModule {
  uint32_t shader = 0;  ///< index of the shader that it is made of
  std::string file;
  std::vector<uint32_t> words;
  /// Beside it, of each entry point that programs use; empty: none was asked for, or nothing was
  /// rewritten.
  std::vector<OutputText> glsl = {};
};

/// Turns what was decided for mapped shaders into its rewritten form: the same heaps and the same
/// fields. `content` then names the new files, and keeps the mappings of what
/// stays mapped (rewrite::place_bindings, plan::Form), and its plan says why. A module that two
/// programs find in different places becomes two files. Slots that overrides can change, and with
/// content.regionBases those that regions begin at, become specialization constants
/// (rewrite/slot_constants.h). Threads and validation are as the options say. With `emitGlsl` what
/// was rewritten comes as GLSL too (emit_glsl).
[[nodiscard]] Diagnosed<std::vector<OutputModule>> rewrite_shaders(
    std::span<const LoadedShader> shaders, const ShaderOptions& options, bool emitGlsl,
    emit::ManifestContent& content, Diagnostics& diagnostics);

}  // namespace heapsmith::driver
