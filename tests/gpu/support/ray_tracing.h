// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "support/pipelines.h"

namespace gpu_test {

/// A group is one shader, of ray generation, miss or callable, or the shaders of a hit group.
using RayGroup = std::vector<StageShader>;

/// A pipeline of these groups; a hit group with an intersection shader is for boxes. All stages get
/// the mappings. The device owns the pipeline.
[[nodiscard]] VkPipeline ray_pipeline(TestDevice& device, std::span<const RayGroup> groups,
                                      Mappings mappings);

/// A record of a shader binding table: a group, and the bytes that follow its handle.
struct ShaderRecord {
  uint32_t group = 0;
  std::vector<std::byte> data;
};

/// A part of the shader binding table, in a buffer of its own. All records are as far apart as the
/// longest needs. A ray-generation record must be alone in its part.
[[nodiscard]] VkStridedDeviceAddressRegionKHR record_table(TestDevice& device, VkPipeline pipeline,
                                                           std::span<const ShaderRecord> records);

struct BindingTable {
  VkStridedDeviceAddressRegionKHR raygen{}, miss{}, hit{}, callable{};
};

/// One launch of the ray-generation shader.
void record_trace(VkCommandBuffer commands, VkPipeline pipeline, const BindingTable& table);

}  // namespace gpu_test
