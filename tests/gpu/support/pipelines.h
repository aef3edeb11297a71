// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "support/test_device.h"

namespace gpu_test {

using Mapping = VkDescriptorSetAndBindingMappingEXT;
using Mappings = std::span<const Mapping>;

/// A mapping of one binding, for every kind of resource.
[[nodiscard]] Mapping map(uint32_t set, uint32_t binding, VkDescriptorMappingSourceEXT source,
                          const VkDescriptorMappingSourceDataEXT& data);

/// A shader's `main`.
struct StageShader {
  VkShaderStageFlagBits stage = VK_SHADER_STAGE_COMPUTE_BIT;
  VkShaderModule shader = VK_NULL_HANDLE;
  const VkSpecializationInfo* specialization = nullptr;
};

/// All stages get the mappings. The device owns the pipeline.
[[nodiscard]] VkPipeline compute_pipeline(TestDevice& device, VkShaderModule shader,
                                          Mappings mappings,
                                          const VkSpecializationInfo* specialization = nullptr);

/// A graphics pipeline for one fragment, without vertex buffers and attachments: triangles, patches
/// of three corners where a shader tessellates, or what mesh shaders make. For dynamic rendering,
/// or the first subpass of `renderPass`.
[[nodiscard]] VkPipeline graphics_pipeline(TestDevice& device, std::span<const StageShader> shaders,
                                           Mappings mappings,
                                           VkRenderPass renderPass = VK_NULL_HANDLE);

/// One workgroup.
void record_dispatch(VkCommandBuffer commands, VkPipeline pipeline);

/// Three vertices, or one task (or mesh) workgroup.
void record_draw(VkCommandBuffer commands, VkPipeline pipeline);
void record_mesh_draw(VkCommandBuffer commands, VkPipeline pipeline);

}  // namespace gpu_test
