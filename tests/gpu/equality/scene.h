// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <vector>

#include "driver/load_shaders.h"

namespace equality {

/// Elements of runtime arrays.
inline constexpr uint32_t kRuntimeElements = 5;

/// Bytes that a uniform buffer has at most.
inline constexpr uint64_t kLargestUniform = 65536;

/// A set and binding as one entry point uses it, aliases united.
struct SceneBinding {
  uint32_t set = 0;
  uint32_t binding = 0;
  heapsmith::DescriptorType type{};
  uint32_t elements = 1;
  uint32_t block = heapsmith::reflect::kNoType;  ///< of buffers: the first alias's
  uint64_t bytes = 0;                            ///< of buffers
  std::optional<heapsmith::reflect::ImageFacts> image;
  bool comparison = false;
  bool usesAtomics = false;
};

/// A scalar or vector that another stage writes, or an attachment that this one writes.
struct Varying {
  uint32_t location = 0;
  uint32_t component = 0;
  std::string type;  ///< as reflection spells it: "float32x4[2]"
};

/// What has to be there for a module to run: a compute shader, or a fragment shader.
struct Scene {
  heapsmith::ShaderStage stage{};
  std::string entryPoint;
  const heapsmith::reflect::ShaderInterface* interface = nullptr;
  std::vector<SceneBinding> bindings;  ///< by set, binding
  std::optional<heapsmith::reflect::PushConstants> pushConstants;
  std::vector<Varying> inputs;   ///< of a fragment shader
  std::vector<Varying> outputs;  ///< likewise
  /// Numbers that shaders read are below: so loops end, and indices of descriptors are in bounds.
  uint32_t numbersBelow = 4;
};

/// Why not, otherwise: in words that are the same for all modules with that reason.
[[nodiscard]] std::expected<Scene, std::string> make_scene(
    const heapsmith::driver::LoadedShader& shader);

}  // namespace equality
