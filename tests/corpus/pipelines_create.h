// SPDX-License-Identifier: MIT
#pragma once

#include <heapsmith/error.h>
#include <heapsmith/manifest.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "pipelines_gpu.h"

namespace corpus {

struct Stage {
  heapsmith::ShaderStage stage{};
  std::string entryPoint;
  std::vector<uint32_t> words;
};

struct Stages {
  std::vector<Stage> stages;
  std::vector<VkFormat> colorFormats;  ///< what the fragment shader writes, by location
};

/// Creates and destroys what the device makes of these stages:
///
/// - compute, and graphics from the vertices or meshlets to the fragments: a pipeline;
/// - only the first or only the last of the graphics stages: a pipeline library of that part;
/// - ray tracing: a pipeline library with a group for each stage;
/// - any other stage on its own: a shader object.
///
/// Specialization constants keep their defaults.
[[nodiscard]] heapsmith::Status create_and_destroy(
    const Gpu& gpu, const Stages& stages,
    std::span<const VkDescriptorSetAndBindingMappingEXT> mappings);

}  // namespace corpus
