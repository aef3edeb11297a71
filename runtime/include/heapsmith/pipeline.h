// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "heapsmith/device.h"
#include "heapsmith/resolve.h"
#include "heapsmith/samplers.h"

namespace heapsmith {

/// The mapping entries of a program as Vulkan takes them, with this device's bytes. They serve all
/// stages. Embedded samplers point into `samplers`, which create_samplers() made of the same
/// manifest; a manifest that embeds none needs no samplers here.
[[nodiscard]] std::vector<VkDescriptorSetAndBindingMappingEXT> vulkan_mappings(
    const Manifest& manifest, const ResolvedLayout& layout, ProgramId program,
    const Samplers& samplers = {});

/// The specialization of a shader, as Vulkan takes it: the application's own, and the slots that a
/// rewritten shader is told.
struct Specialization {
  std::vector<VkSpecializationMapEntry> entries;
  std::vector<std::byte> data;

  /// Points into this struct.
  [[nodiscard]] VkSpecializationInfo info() const noexcept {
    return {.mapEntryCount = static_cast<uint32_t>(entries.size()),
            .pMapEntries = entries.data(),
            .dataSize = data.size(),
            .pData = data.data()};
  }
};

/// What VkPipelineShaderStageCreateInfo::pSpecializationInfo (or that of VkShaderCreateInfoEXT) of
/// a shader of the manifest must be. A rewritten shader needs it where `layout` was resolved with
/// options, and always if the manifest has RegionBases::Specialization or if the shader was
/// compiled from what `heapsmith rewrite --emit glsl` wrote; without, it reads other slots than
/// were written. For all others it is what the application has.
///
/// `own`, which may be null, is the application's: its entries and data come first and are copied.
/// An entry with a SpecId of ours would mean nothing to the shader's source and is left out.
/// Allocates the two vectors, once each, and nothing where there is nothing to say. `layout` must
/// come from resolve() of the same manifest. Any thread.
[[nodiscard]] Specialization vulkan_specialization(const Manifest& manifest,
                                                   const ResolvedLayout& layout,
                                                   const Shader& shader,
                                                   const VkSpecializationInfo* own = nullptr);

/// Creates a compute pipeline whose shader reaches descriptors through `mappings`: those of
/// vulkan_mappings(), or entries written by hand. `info` is as for vkCreateComputePipelines, with
/// no layout; the mappings are chained to its stage, which must not have any yet.
///
/// VK_PIPELINE_CREATE_2_DESCRIPTOR_HEAP_BIT_EXT is added, to a VkPipelineCreateFlags2CreateInfo
/// that is the first of info.pNext or, if the chain has none, to a new one that takes over
/// info.flags. One that is further down the chain must have the bit already: nothing of yours is
/// modified, and the structs before it cannot be copied.
///
/// Fails with InvalidPipeline where a rule above is broken, and with Vulkan; that includes
/// VK_PIPELINE_COMPILE_REQUIRED. Any thread, with a cache as the specification says.
[[nodiscard]] Result<VkPipeline> create_compute_pipeline(
    const Device& device, const VkComputePipelineCreateInfo& info,
    std::span<const VkDescriptorSetAndBindingMappingEXT> mappings,
    VkPipelineCache cache = VK_NULL_HANDLE, const VkAllocationCallbacks* allocator = nullptr);

/// The same for a graphics pipeline: all stages get the mappings.
[[nodiscard]] Result<VkPipeline> create_graphics_pipeline(
    const Device& device, const VkGraphicsPipelineCreateInfo& info,
    std::span<const VkDescriptorSetAndBindingMappingEXT> mappings,
    VkPipelineCache cache = VK_NULL_HANDLE, const VkAllocationCallbacks* allocator = nullptr);

/// The same for a ray-tracing pipeline, or a library of one: all stages get the mappings, so that
/// those of shader records serve every group. It is made at once, without a deferred operation.
[[nodiscard]] Result<VkPipeline> create_ray_tracing_pipeline(
    const Device& device, const VkRayTracingPipelineCreateInfoKHR& info,
    std::span<const VkDescriptorSetAndBindingMappingEXT> mappings,
    VkPipelineCache cache = VK_NULL_HANDLE, const VkAllocationCallbacks* allocator = nullptr);

/// Shader objects (VK_EXT_shader_object) that reach descriptors through `mappings`, in the order of
/// `infos`: as for vkCreateShadersEXT, with no set layouts, no push constant ranges and no mappings
/// of their own. VK_SHADER_CREATE_DESCRIPTOR_HEAP_BIT_EXT is added. A binary carries the mappings
/// that it was made with; `mappings` do not change it.
///
/// All or nothing. Fails with InvalidPipeline where a rule above is broken, and with Vulkan; that
/// includes VK_INCOMPATIBLE_SHADER_BINARY_EXT. Any thread.
[[nodiscard]] Result<std::vector<VkShaderEXT>> create_shaders(
    const Device& device, std::span<const VkShaderCreateInfoEXT> infos,
    std::span<const VkDescriptorSetAndBindingMappingEXT> mappings,
    const VkAllocationCallbacks* allocator = nullptr);

}  // namespace heapsmith
