// SPDX-License-Identifier: MIT
#include "heapsmith/pipeline.h"

#include "text.h"
#include "vulkan_error.h"
#include "vulkan_types.h"

namespace heapsmith {
namespace {

VkDescriptorSetAndBindingMappingEXT vulkan_mapping(const Manifest& manifest,
                                                   const ResolvedLayout& layout,
                                                   const Mapping& mapping) {
  const ResolvedMapping resolved = resolve_mapping(manifest, layout, mapping);
  VkDescriptorSetAndBindingMappingEXT entry{
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_AND_BINDING_MAPPING_EXT,
      .pNext = nullptr,
      .descriptorSet = mapping.set,
      .firstBinding = manifest.bindings[mapping.binding].binding,
      .bindingCount = 1,
      .resourceMask = mapping.resourceMask,
      .source = static_cast<VkDescriptorMappingSourceEXT>(mapping.source),
      .sourceData = {}};
  switch (mapping.source) {
    case MappingSource::HeapWithConstantOffset:
      entry.sourceData.constantOffset = {.heapOffset = resolved.heapOffset,
                                         .heapArrayStride = resolved.heapArrayStride,
                                         .pEmbeddedSampler = nullptr,
                                         .samplerHeapOffset = resolved.samplerHeapOffset,
                                         .samplerHeapArrayStride = resolved.samplerHeapArrayStride};
      break;
    case MappingSource::HeapWithPushIndex:
      entry.sourceData.pushIndex = {.heapOffset = resolved.heapOffset,
                                    .pushOffset = resolved.pushOffset,
                                    .heapIndexStride = resolved.heapIndexStride,
                                    .heapArrayStride = resolved.heapArrayStride,
                                    .pEmbeddedSampler = nullptr,
                                    .useCombinedImageSamplerIndex = VK_FALSE,
                                    .samplerHeapOffset = resolved.samplerHeapOffset,
                                    .samplerPushOffset = resolved.samplerPushOffset,
                                    .samplerHeapIndexStride = resolved.samplerHeapIndexStride,
                                    .samplerHeapArrayStride = resolved.samplerHeapArrayStride};
      break;
  }
  return entry;
}

const VkBaseInStructure* find_struct(const void* chain, VkStructureType type) {
  for (auto* link = static_cast<const VkBaseInStructure*>(chain); link != nullptr;
       link = link->pNext) {
    if (link->sType == type) return link;
  }
  return nullptr;
}

Error refused(std::string_view why) {
  return detail::error(ErrorCode::InvalidPipeline, "the pipeline cannot be made for heaps: ", why);
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
    const VkPipelineShaderStageCreateInfo& stage,
    std::span<const VkDescriptorSetAndBindingMappingEXT> mappings) {
  return {.sType = VK_STRUCTURE_TYPE_SHADER_DESCRIPTOR_SET_AND_BINDING_MAPPING_INFO_EXT,
          .pNext = stage.pNext,
          .mappingCount = static_cast<uint32_t>(mappings.size()),
          .pMappings = mappings.data()};
}

Status check_stage(const VkPipelineShaderStageCreateInfo& stage) {
  if (find_struct(stage.pNext,
                  VK_STRUCTURE_TYPE_SHADER_DESCRIPTOR_SET_AND_BINDING_MAPPING_INFO_EXT) ==
      nullptr) {
    return Done{};
  }
  return refused("a stage already has a VkShaderDescriptorSetAndBindingMappingInfoEXT");
}

Status check_layout(VkPipelineLayout layout) {
  if (layout == VK_NULL_HANDLE) return Done{};
  return refused("its layout must be VK_NULL_HANDLE (VUID 11311)");
}

}  // namespace

std::vector<VkDescriptorSetAndBindingMappingEXT> vulkan_mappings(const Manifest& manifest,
                                                                 const ResolvedLayout& layout,
                                                                 ProgramId program) {
  const IndexRange range = manifest.programs[program.index].mappings;
  std::vector<VkDescriptorSetAndBindingMappingEXT> entries;
  entries.reserve(range.count);
  for (const Mapping& mapping : manifest.mappings.subspan(range.first, range.count)) {
    entries.push_back(vulkan_mapping(manifest, layout, mapping));
  }
  return entries;
}

Result<VkPipeline> create_compute_pipeline(
    const Device& device, const VkComputePipelineCreateInfo& info,
    std::span<const VkDescriptorSetAndBindingMappingEXT> mappings, VkPipelineCache cache,
    const VkAllocationCallbacks* allocator) {
  HeapFlags flags;
  if (Status status = check_layout(info.layout); !status) return std::move(status.error());
  if (Status status = check_stage(info.stage); !status) return std::move(status.error());
  if (Status status = flags.add(info.pNext, info.flags); !status) return std::move(status.error());

  const VkShaderDescriptorSetAndBindingMappingInfoEXT mapped = mapping_info(info.stage, mappings);
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
  HeapFlags flags;
  if (Status status = check_layout(info.layout); !status) return std::move(status.error());
  if (Status status = flags.add(info.pNext, info.flags); !status) return std::move(status.error());

  std::vector<VkPipelineShaderStageCreateInfo> stages(info.pStages, info.pStages + info.stageCount);
  std::vector<VkShaderDescriptorSetAndBindingMappingInfoEXT> mapped;
  mapped.reserve(stages.size());  // so that the addresses taken below stay
  for (VkPipelineShaderStageCreateInfo& stage : stages) {
    if (Status status = check_stage(stage); !status) return std::move(status.error());
    stage.pNext = &mapped.emplace_back(mapping_info(stage, mappings));
  }
  VkGraphicsPipelineCreateInfo heapInfo = info;
  heapInfo.pNext = flags.head;
  heapInfo.pStages = stages.data();
  VkPipeline pipeline = VK_NULL_HANDLE;
  const VkResult result = device.functions->vkCreateGraphicsPipelines(
      device.device, cache, 1, &heapInfo, allocator, &pipeline);
  if (result != VK_SUCCESS) return detail::vulkan_error("vkCreateGraphicsPipelines", result);
  return pipeline;
}

}  // namespace heapsmith
