// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "heapsmith/device.h"
#include "heapsmith/resolve.h"

namespace heapsmith {

/// The mapping entries of a program as Vulkan takes them, with this device's bytes. They serve all
/// stages.
[[nodiscard]] std::vector<VkDescriptorSetAndBindingMappingEXT> vulkan_mappings(
    const Manifest& manifest, const ResolvedLayout& layout, ProgramId program);

/// Creates a compute pipeline whose shader reaches descriptors through `mappings`: those of
/// vulkan_mappings(), or entries written by hand. `info` is as for vkCreateComputePipelines, with
/// no layout; the mappings are chained to its stage, and
/// VK_PIPELINE_CREATE_2_DESCRIPTOR_HEAP_BIT_EXT is added, to a VkPipelineCreateFlags2CreateInfo of
/// the chain or, if there is none, to a new one that takes over info.flags. Fails with Vulkan.
/// `info` and what it points to are not modified. Any thread, with a cache as the specification
/// says.
[[nodiscard]] Result<VkPipeline> create_compute_pipeline(
    const Device& device, const VkComputePipelineCreateInfo& info,
    std::span<const VkDescriptorSetAndBindingMappingEXT> mappings,
    VkPipelineCache cache = VK_NULL_HANDLE, const VkAllocationCallbacks* allocator = nullptr);

/// The same for a graphics pipeline: all stages get the mappings.
[[nodiscard]] Result<VkPipeline> create_graphics_pipeline(
    const Device& device, const VkGraphicsPipelineCreateInfo& info,
    std::span<const VkDescriptorSetAndBindingMappingEXT> mappings,
    VkPipelineCache cache = VK_NULL_HANDLE, const VkAllocationCallbacks* allocator = nullptr);

}  // namespace heapsmith
