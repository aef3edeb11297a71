// SPDX-License-Identifier: MIT
#include "chains.h"

#include "text.h"

namespace heapsmith::detail {
namespace {

/// A copy is present when its sType is set: zero is VK_STRUCTURE_TYPE_APPLICATION_INFO, which is
/// none of them.
template <typename T>
void copy(const VkBaseInStructure* from, T& to) {
  to = *reinterpret_cast<const T*>(from);
}

template <typename T>
void prepend(T& copied, VkStructureType type, const void*& head) {
  if (copied.sType != type) return;
  copied.pNext = head;
  head = &copied;
}

Error refused(std::string_view what, const VkBaseInStructure* link) {
  return error(ErrorCode::InvalidDescriptor, "the pNext chain of a ", what,
               " holds a struct of sType ", static_cast<uint64_t>(link->sType),
               ", which is not known to be part of a descriptor");
}

bool is_custom(VkBorderColor color) {
  return color == VK_BORDER_COLOR_FLOAT_CUSTOM_EXT || color == VK_BORDER_COLOR_INT_CUSTOM_EXT;
}

}  // namespace

Status check(const VkImageViewCreateInfo& view) {
  if (view.sType != VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO || view.image == VK_NULL_HANDLE) {
    return error(ErrorCode::InvalidDescriptor,
                 "the image view create-info has a wrong sType or no image");
  }
  return Done{};
}

Status copy_chain(const void* viewNext, ImageChain& chain) {
  for (auto* link = static_cast<const VkBaseInStructure*>(viewNext); link != nullptr;
       link = link->pNext) {
    switch (link->sType) {
      case VK_STRUCTURE_TYPE_IMAGE_VIEW_USAGE_CREATE_INFO:
        copy(link, chain.usage);
        break;
      case VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_INFO:
        copy(link, chain.conversion);
        break;
      case VK_STRUCTURE_TYPE_IMAGE_VIEW_MIN_LOD_CREATE_INFO_EXT:
        copy(link, chain.minLod);
        break;
      case VK_STRUCTURE_TYPE_IMAGE_VIEW_SLICED_CREATE_INFO_EXT:
        copy(link, chain.sliced);
        break;
      default:  // any of the hundreds that other structs take
        return refused("VkImageViewCreateInfo", link);
    }
  }
  return Done{};
}

Status copy_chain(const VkSamplerCreateInfo& sampler, SamplerChain& chain) {
  if (sampler.sType != VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO) {
    return error(ErrorCode::InvalidDescriptor, "the sampler create-info has a wrong sType");
  }
  for (auto* link = static_cast<const VkBaseInStructure*>(sampler.pNext); link != nullptr;
       link = link->pNext) {
    switch (link->sType) {
      case VK_STRUCTURE_TYPE_SAMPLER_REDUCTION_MODE_CREATE_INFO:
        copy(link, chain.reduction);
        break;
      case VK_STRUCTURE_TYPE_SAMPLER_CUSTOM_BORDER_COLOR_INDEX_CREATE_INFO_EXT:
        copy(link, chain.borderColor);
        break;
      case VK_STRUCTURE_TYPE_SAMPLER_CUSTOM_BORDER_COLOR_CREATE_INFO_EXT:
        copy(link, chain.color);
        break;
      default:  // any of the hundreds that other structs take
        return refused("VkSamplerCreateInfo", link);
    }
  }
  // VUID-vkWriteSamplerDescriptorsEXT 11444 and 11205, VUID-VkSamplerCreateInfo 04011
  if (is_custom(sampler.borderColor) && chain.borderColor.sType == VkStructureType{}) {
    return error(ErrorCode::InvalidDescriptor,
                 "a custom border colour in the heap needs a registered index, in a "
                 "VkSamplerCustomBorderColorIndexCreateInfoEXT");
  }
  if (is_custom(sampler.borderColor) && chain.color.sType == VkStructureType{}) {
    return error(ErrorCode::InvalidDescriptor,
                 "a custom border colour needs a VkSamplerCustomBorderColorCreateInfoEXT");
  }
  return Done{};
}

const void* link(ImageChain& chain) noexcept {
  const void* head = nullptr;
  prepend(chain.usage, VK_STRUCTURE_TYPE_IMAGE_VIEW_USAGE_CREATE_INFO, head);
  prepend(chain.conversion, VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_INFO, head);
  prepend(chain.minLod, VK_STRUCTURE_TYPE_IMAGE_VIEW_MIN_LOD_CREATE_INFO_EXT, head);
  prepend(chain.sliced, VK_STRUCTURE_TYPE_IMAGE_VIEW_SLICED_CREATE_INFO_EXT, head);
  return head;
}

const void* link(SamplerChain& chain) noexcept {
  const void* head = nullptr;
  prepend(chain.reduction, VK_STRUCTURE_TYPE_SAMPLER_REDUCTION_MODE_CREATE_INFO, head);
  prepend(chain.borderColor, VK_STRUCTURE_TYPE_SAMPLER_CUSTOM_BORDER_COLOR_INDEX_CREATE_INFO_EXT,
          head);
  prepend(chain.color, VK_STRUCTURE_TYPE_SAMPLER_CUSTOM_BORDER_COLOR_CREATE_INFO_EXT, head);
  return head;
}

}  // namespace heapsmith::detail
