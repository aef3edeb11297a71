// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "heapsmith/manifest.h"

namespace heapsmith::input {

/// What a shader's file name says: "a/knot.vert.glsl" is the vertex shader of stem "knot".
struct ShaderName {
  std::string fileName;  ///< "knot.vert.glsl"
  std::string stem;      ///< "knot"
  std::optional<ShaderStage> stage;
};

[[nodiscard]] ShaderName parse_shader_name(const std::string& path);

/// A stage by the extension that glslang and glslc know it by ("frag"), or by its full name
/// ("fragment").
[[nodiscard]] std::optional<ShaderStage> find_stage(std::string_view name);

/// The extension, without its dot.
[[nodiscard]] std::string_view stage_extension(ShaderStage stage);

}  // namespace heapsmith::input
