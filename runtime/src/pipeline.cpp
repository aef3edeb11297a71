// SPDX-License-Identifier: MIT
#include "heapsmith/pipeline.h"

#include "text.h"
#include "vulkan_error.h"
#include "vulkan_types.h"

namespace heapsmith {
namespace {

const VkBaseInStructure* find_struct(const void* chain, VkStructureType type) {
  for (auto* link = static_cast<const VkBaseInStructure*>(chain); link != nullptr;
       link = link->pNext) {
    if (link->sType == type) return link;
  }
  return nullptr;
}

Error refused(std::string_view why, std::string_view what = "pipeline") {
  return detail::error(ErrorCode::InvalidPipeline, "the ", what,
                       " cannot be made for heaps: ", why);
}

/// The chain of a create-info, with the heap bit in its flags. The caller's structs are neither
/// changed nor, since nobody knows all their sizes, copied: a flags struct can be replaced only
/// where it is the first.
struct HeapFlags {
  VkPipelineCreateFlags2CreateInfo own{
      .sType = VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO,
      .pNext = nullptr,
      .flags = VK_PIPELINE_CREATE_2_DESCRIPTOR_HEAP_BIT_EXT};
  const void* head = &own;

  [[nodiscard]] Status add(const void* chain, VkPipelineCreateFlags flags) {
    const VkBaseInStructure* found = find_struct(chain, own.sType);
    if (found == nullptr) {
      own.pNext = chain;
      own.flags |= flags;  // the 32-bit bits are the lower half of the 64-bit ones
      return Done{};
    }
    const auto& theirs = *reinterpret_cast<const VkPipelineCreateFlags2CreateInfo*>(found);
    if (chain == found) {
      own.pNext = theirs.pNext;
      own.flags |= theirs.flags;
      return Done{};
    }
    if ((theirs.flags & VK_PIPELINE_CREATE_2_DESCRIPTOR_HEAP_BIT_EXT) == 0) {
      return refused(
          "its VkPipelineCreateFlags2CreateInfo is not the first of the chain and lacks "
          "VK_PIPELINE_CREATE_2_DESCRIPTOR_HEAP_BIT_EXT");
    }
    head = chain;
    return Done{};
  }
};

VkShaderDescriptorSetAndBindingMappingInfoEXT mapping_info(
    const void* chain, std::span<const VkDescriptorSetAndBindingMappingEXT> mappings) {
  return {.sType = VK_STRUCTURE_TYPE_SHADER_DESCRIPTOR_SET_AND_BINDING_MAPPING_INFO_EXT,
          .pNext = chain,
          .mappingCount = static_cast<uint32_t>(mappings.size()),
          .pMappings = mappings.data()};
}

bool is_mapped(const void* chain) {
  return find_struct(chain, VK_STRUCTURE_TYPE_SHADER_DESCRIPTOR_SET_AND_BINDING_MAPPING_INFO_EXT) !=
         nullptr;
}

Status check_stage(const VkPipelineShaderStageCreateInfo& stage) {
  if (!is_mapped(stage.pNext)) return Done{};
  return refused("a stage already has a VkShaderDescriptorSetAndBindingMappingInfoEXT");
}

/// Copies of a pipeline's stages, or of shaders' create-infos, whose chains begin with the
/// mappings.
template <typename Info>
struct Mapped {
  std::vector<Info> infos;
  std::vector<VkShaderDescriptorSetAndBindingMappingInfoEXT> heads;

  Mapped(std::span<const Info> theirs,
         std::span<const VkDescriptorSetAndBindingMappingEXT> mappings)
      : infos(theirs.begin(), theirs.end()) {
    heads.reserve(infos.size());  // so that the addresses taken below stay
    for (Info& info : infos)
      info.pNext = &heads.emplace_back(mapping_info(info.pNext, mappings));
  }
};

Status check_stages(std::span<const VkPipelineShaderStageCreateInfo> stages) {
  for (const VkPipelineShaderStageCreateInfo& stage : stages) {
    if (Status status = check_stage(stage); !status) return status;
  }
  return Done{};
}

Status check_shader(const VkShaderCreateInfoEXT& info) {
  constexpr std::string_view kWhat = "shader";
  if (is_mapped(info.pNext))
    return refused("it already has a VkShaderDescriptorSetAndBindingMappingInfoEXT", kWhat);
  if (info.setLayoutCount != 0 || info.pSetLayouts != nullptr)
    return refused("it must have no set layouts (VUID 11290, 11291)", kWhat);
  if (info.pushConstantRangeCount != 0 || info.pPushConstantRanges != nullptr)
    return refused("it must have no push constant ranges (VUID 11370, 11371)", kWhat);
  return Done{};
}

Status check_layout(VkPipelineLayout layout) {
  if (layout == VK_NULL_HANDLE) return Done{};
  return refused("its layout must be VK_NULL_HANDLE (VUID 11311)");
}

}  // namespace

Result<VkPipeline> create_compute_pipeline(
    const Device& device, const VkComputePipelineCreateInfo& info,
    std::span<const VkDescriptorSetAndBindingMappingEXT> mappings, VkPipelineCache cache,
    const VkAllocationCallbacks* allocator) {
  HeapFlags flags;
  if (Status status = check_layout(info.layout); !status) return std::move(status.error());
  if (Status status = check_stage(info.stage); !status) return std::move(status.error());
  if (Status status = flags.add(info.pNext, info.flags); !status) return std::move(status.error());

  const VkShaderDescriptorSetAndBindingMappingInfoEXT mapped =
      mapping_info(info.stage.pNext, mappings);
  VkComputePipelineCreateInfo heapInfo = info;
  heapInfo.pNext = flags.head;
  heapInfo.stage.pNext = &mapped;
  VkPipeline pipeline = VK_NULL_HANDLE;
  const VkResult result = device.functions->vkCreateComputePipelines(
      device.device, cache, 1, &heapInfo, allocator, &pipeline);
  if (result != VK_SUCCESS) return detail::vulkan_error("vkCreateComputePipelines", result);
  return pipeline;
}

Result<VkPipeline> create_graphics_pipeline(
    const Device& device, const VkGraphicsPipelineCreateInfo& info,
    std::span<const VkDescriptorSetAndBindingMappingEXT> mappings, VkPipelineCache cache,
    const VkAllocationCallbacks* allocator) {
  const std::span stages(info.pStages, info.stageCount);
  HeapFlags flags;
  if (Status status = check_layout(info.layout); !status) return std::move(status.error());
  if (Status status = check_stages(stages); !status) return std::move(status.error());
  if (Status status = flags.add(info.pNext, info.flags); !status) return std::move(status.error());

  const Mapped mapped(stages, mappings);
  VkGraphicsPipelineCreateInfo heapInfo = info;
  heapInfo.pNext = flags.head;
  heapInfo.pStages = mapped.infos.data();
  VkPipeline pipeline = VK_NULL_HANDLE;
  const VkResult result = device.functions->vkCreateGraphicsPipelines(
      device.device, cache, 1, &heapInfo, allocator, &pipeline);
  if (result != VK_SUCCESS) return detail::vulkan_error("vkCreateGraphicsPipelines", result);
  return pipeline;
}

Result<VkPipeline> create_ray_tracing_pipeline(
    const Device& device, const VkRayTracingPipelineCreateInfoKHR& info,
    std::span<const VkDescriptorSetAndBindingMappingEXT> mappings, VkPipelineCache cache,
    const VkAllocationCallbacks* allocator) {
  const std::span stages(info.pStages, info.stageCount);
  HeapFlags flags;
  if (Status status = check_layout(info.layout); !status) return std::move(status.error());
  if (Status status = check_stages(stages); !status) return std::move(status.error());
  if (Status status = flags.add(info.pNext, info.flags); !status) return std::move(status.error());

  const Mapped mapped(stages, mappings);
  VkRayTracingPipelineCreateInfoKHR heapInfo = info;
  heapInfo.pNext = flags.head;
  heapInfo.pStages = mapped.infos.data();
  VkPipeline pipeline = VK_NULL_HANDLE;
  const VkResult result = device.functions->vkCreateRayTracingPipelinesKHR(
      device.device, VK_NULL_HANDLE, cache, 1, &heapInfo, allocator, &pipeline);
  if (result != VK_SUCCESS) return detail::vulkan_error("vkCreateRayTracingPipelinesKHR", result);
  return pipeline;
}

Result<std::vector<VkShaderEXT>> create_shaders(
    const Device& device, std::span<const VkShaderCreateInfoEXT> infos,
    std::span<const VkDescriptorSetAndBindingMappingEXT> mappings,
    const VkAllocationCallbacks* allocator) {
  for (const VkShaderCreateInfoEXT& info : infos) {
    if (Status status = check_shader(info); !status) return std::move(status.error());
  }
  Mapped mapped(infos, mappings);
  for (VkShaderCreateInfoEXT& info : mapped.infos)
    info.flags |= VK_SHADER_CREATE_DESCRIPTOR_HEAP_BIT_EXT;
  std::vector<VkShaderEXT> shaders(infos.size(), VK_NULL_HANDLE);
  const VkResult result =
      device.functions->vkCreateShadersEXT(device.device, static_cast<uint32_t>(shaders.size()),
                                           mapped.infos.data(), allocator, shaders.data());
  if (result == VK_SUCCESS) return shaders;
  // Some may have been made; those that were not are VK_NULL_HANDLE.
  for (const VkShaderEXT shader : shaders)
    device.functions->vkDestroyShaderEXT(device.device, shader, allocator);
  return detail::vulkan_error("vkCreateShadersEXT", result);
}

}  // namespace heapsmith
