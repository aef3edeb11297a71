// SPDX-License-Identifier: MIT
#include "copied_chain.h"

#include <cstring>
#include <utility>

namespace foreign_device {
namespace {

// Of all structs that may stand beside a mapping or an inheritance of heaps.
size_t size_of(VkStructureType type) {
  switch (type) {
    case VK_STRUCTURE_TYPE_SHADER_DESCRIPTOR_SET_AND_BINDING_MAPPING_INFO_EXT:
      return sizeof(VkShaderDescriptorSetAndBindingMappingInfoEXT);
    case VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO:
      return sizeof(VkShaderModuleCreateInfo);
    case VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO:
      return sizeof(VkPipelineShaderStageRequiredSubgroupSizeCreateInfo);
    case VK_STRUCTURE_TYPE_PIPELINE_ROBUSTNESS_CREATE_INFO:
      return sizeof(VkPipelineRobustnessCreateInfo);
    case VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_MODULE_IDENTIFIER_CREATE_INFO_EXT:
      return sizeof(VkPipelineShaderStageModuleIdentifierCreateInfoEXT);
    case VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT:
      return sizeof(VkDebugUtilsObjectNameInfoEXT);
    case VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_DESCRIPTOR_HEAP_INFO_EXT:
      return sizeof(VkCommandBufferInheritanceDescriptorHeapInfoEXT);
    case VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_RENDERING_INFO:
      return sizeof(VkCommandBufferInheritanceRenderingInfo);
    case VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_CONDITIONAL_RENDERING_INFO_EXT:
      return sizeof(VkCommandBufferInheritanceConditionalRenderingInfoEXT);
    default:
      return 0;
  }
}

}  // namespace

std::byte* CopiedChains::keep(std::vector<std::byte> bytes) {
  return kept_.emplace_back(std::move(bytes)).data();
}

VkBaseOutStructure* CopiedChains::copy(const void* chain, VkStructureType* unknown) {
  VkBaseOutStructure* first = nullptr;
  VkBaseOutStructure** link = &first;
  for (auto* theirs = static_cast<const VkBaseInStructure*>(chain); theirs;
       theirs = theirs->pNext) {
    const size_t size = size_of(theirs->sType);
    if (size == 0) {
      *unknown = theirs->sType;
      return nullptr;
    }
    const auto* bytes = reinterpret_cast<const std::byte*>(theirs);
    auto* ours = reinterpret_cast<VkBaseOutStructure*>(keep({bytes, bytes + size}));
    *link = ours;
    link = &ours->pNext;
  }
  return first;
}

}  // namespace foreign_device
