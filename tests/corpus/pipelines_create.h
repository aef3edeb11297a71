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

/// How the stages of a pipeline reach what they read.
struct Reach {
  std::span<const VkDescriptorSetAndBindingMappingEXT> mappings;
  VkPipelineLayout layout = VK_NULL_HANDLE;  ///< descriptor sets, in place of heaps and mappings
  VkPipelineCreateFlags2 flags = 0;          ///< further ones
};

/// What the device makes of these stages:
///
/// - compute, and graphics from the vertices or meshlets to the fragments: a pipeline;
/// - only the first or only the last of the graphics stages: a pipeline library of that part;
/// - ray tracing: a pipeline library with a group for each stage;
/// - any other stage on its own: no pipeline, but a shader object.
///
/// Specialization constants keep their defaults.
[[nodiscard]] bool makes_pipeline(const Stages& stages);
[[nodiscard]] heapsmith::Result<VkPipeline> create_pipeline(const Gpu& gpu, const Stages& stages,
                                                            const Reach& reach);

/// That, or shader objects, which are gone when it returns.
[[nodiscard]] heapsmith::Status create_and_destroy(
    const Gpu& gpu, const Stages& stages,
    std::span<const VkDescriptorSetAndBindingMappingEXT> mappings);

}  // namespace corpus
