// SPDX-License-Identifier: MIT
#pragma once

#include <volk.h>

#include "heapsmith/manifest.h"

/// The manifest's enums are Vulkan's numbers, so that no table translates them. Checked here, where
/// Vulkan's headers are known: manifest.h does without them.
namespace heapsmith::detail {

template <typename Mine, typename Theirs>
constexpr bool same(Mine mine, Theirs theirs) {
  return static_cast<uint64_t>(mine) == static_cast<uint64_t>(theirs);
}

static_assert(same(DescriptorType::Sampler, VK_DESCRIPTOR_TYPE_SAMPLER));
static_assert(same(DescriptorType::CombinedImageSampler,
                   VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER));
static_assert(same(DescriptorType::SampledImage, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE));
static_assert(same(DescriptorType::StorageImage, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE));
static_assert(same(DescriptorType::UniformTexelBuffer, VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER));
static_assert(same(DescriptorType::StorageTexelBuffer, VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER));
static_assert(same(DescriptorType::UniformBuffer, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER));
static_assert(same(DescriptorType::StorageBuffer, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER));
static_assert(same(DescriptorType::InputAttachment, VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT));
static_assert(same(DescriptorType::AccelerationStructureKHR,
                   VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR));
static_assert(same(DescriptorType::TensorARM, VK_DESCRIPTOR_TYPE_TENSOR_ARM));

static_assert(same(MappingSource::HeapWithConstantOffset,
                   VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_CONSTANT_OFFSET_EXT));
static_assert(same(MappingSource::HeapWithPushIndex,
                   VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_PUSH_INDEX_EXT));

static_assert(same(ShaderStage::Vertex, VK_SHADER_STAGE_VERTEX_BIT));
static_assert(same(ShaderStage::TessellationControl, VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT));
static_assert(same(ShaderStage::TessellationEvaluation,
                   VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT));
static_assert(same(ShaderStage::Geometry, VK_SHADER_STAGE_GEOMETRY_BIT));
static_assert(same(ShaderStage::Fragment, VK_SHADER_STAGE_FRAGMENT_BIT));
static_assert(same(ShaderStage::Compute, VK_SHADER_STAGE_COMPUTE_BIT));
static_assert(same(ShaderStage::Task, VK_SHADER_STAGE_TASK_BIT_EXT));
static_assert(same(ShaderStage::Mesh, VK_SHADER_STAGE_MESH_BIT_EXT));
static_assert(same(ShaderStage::RayGeneration, VK_SHADER_STAGE_RAYGEN_BIT_KHR));
static_assert(same(ShaderStage::AnyHit, VK_SHADER_STAGE_ANY_HIT_BIT_KHR));
static_assert(same(ShaderStage::ClosestHit, VK_SHADER_STAGE_CLOSEST_HIT_BIT_KHR));
static_assert(same(ShaderStage::Miss, VK_SHADER_STAGE_MISS_BIT_KHR));
static_assert(same(ShaderStage::Intersection, VK_SHADER_STAGE_INTERSECTION_BIT_KHR));
static_assert(same(ShaderStage::Callable, VK_SHADER_STAGE_CALLABLE_BIT_KHR));

static_assert(same(SpirvResourceType::Sampler, VK_SPIRV_RESOURCE_TYPE_SAMPLER_BIT_EXT));
static_assert(same(SpirvResourceType::SampledImage, VK_SPIRV_RESOURCE_TYPE_SAMPLED_IMAGE_BIT_EXT));
static_assert(same(SpirvResourceType::ReadOnlyImage,
                   VK_SPIRV_RESOURCE_TYPE_READ_ONLY_IMAGE_BIT_EXT));
static_assert(same(SpirvResourceType::ReadWriteImage,
                   VK_SPIRV_RESOURCE_TYPE_READ_WRITE_IMAGE_BIT_EXT));
static_assert(same(SpirvResourceType::CombinedSampledImage,
                   VK_SPIRV_RESOURCE_TYPE_COMBINED_SAMPLED_IMAGE_BIT_EXT));
static_assert(same(SpirvResourceType::UniformBuffer,
                   VK_SPIRV_RESOURCE_TYPE_UNIFORM_BUFFER_BIT_EXT));
static_assert(same(SpirvResourceType::ReadOnlyStorageBuffer,
                   VK_SPIRV_RESOURCE_TYPE_READ_ONLY_STORAGE_BUFFER_BIT_EXT));
static_assert(same(SpirvResourceType::ReadWriteStorageBuffer,
                   VK_SPIRV_RESOURCE_TYPE_READ_WRITE_STORAGE_BUFFER_BIT_EXT));
static_assert(same(SpirvResourceType::AccelerationStructure,
                   VK_SPIRV_RESOURCE_TYPE_ACCELERATION_STRUCTURE_BIT_EXT));
static_assert(same(SpirvResourceType::TensorARM, VK_SPIRV_RESOURCE_TYPE_TENSOR_BIT_ARM));

/// The type of the descriptor in the resource heap: there is no combined one (VUID 11210).
[[nodiscard]] constexpr VkDescriptorType heap_type(DescriptorType type) noexcept {
  return type == DescriptorType::CombinedImageSampler ? VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE
                                                      : static_cast<VkDescriptorType>(type);
}

}  // namespace heapsmith::detail
