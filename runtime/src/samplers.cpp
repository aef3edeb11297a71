// SPDX-License-Identifier: MIT
#include "heapsmith/samplers.h"

#include <cstring>

#include "heapsmith/sampler_members.h"
#include "text.h"
#include "vulkan_error.h"

namespace heapsmith {
namespace {

VkSamplerCreateInfo create_info(const SamplerInfo& info) {
  return {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
          .pNext = nullptr,
          .flags = info.flags,
          .magFilter = static_cast<VkFilter>(info.magFilter),
          .minFilter = static_cast<VkFilter>(info.minFilter),
          .mipmapMode = static_cast<VkSamplerMipmapMode>(info.mipmapMode),
          .addressModeU = static_cast<VkSamplerAddressMode>(info.addressModeU),
          .addressModeV = static_cast<VkSamplerAddressMode>(info.addressModeV),
          .addressModeW = static_cast<VkSamplerAddressMode>(info.addressModeW),
          .mipLodBias = info.mipLodBias,
          .anisotropyEnable = info.anisotropyEnable,
          .maxAnisotropy = info.maxAnisotropy,
          .compareEnable = info.compareEnable,
          .compareOp = static_cast<VkCompareOp>(info.compareOp),
          .minLod = info.minLod,
          .maxLod = info.maxLod,
          .borderColor = static_cast<VkBorderColor>(info.borderColor),
          .unnormalizedCoordinates = info.unnormalizedCoordinates};
}

VkSamplerYcbcrConversionCreateInfo create_info(const YcbcrConversion& conversion) {
  const auto swizzle = [&](int i) {
    return static_cast<VkComponentSwizzle>(conversion.components[i]);
  };
  return {.sType = VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_CREATE_INFO,
          .pNext = nullptr,
          .format = static_cast<VkFormat>(conversion.format),
          .ycbcrModel = static_cast<VkSamplerYcbcrModelConversion>(conversion.ycbcrModel),
          .ycbcrRange = static_cast<VkSamplerYcbcrRange>(conversion.ycbcrRange),
          .components = {swizzle(0), swizzle(1), swizzle(2), swizzle(3)},
          .xChromaOffset = static_cast<VkChromaLocation>(conversion.xChromaOffset),
          .yChromaOffset = static_cast<VkChromaLocation>(conversion.yChromaOffset),
          .chromaFilter = static_cast<VkFilter>(conversion.chromaFilter),
          .forceExplicitReconstruction = conversion.forceExplicitReconstruction};
}

Status create_conversion(const Device& device, const SamplerInfo& info,
                         VkSamplerYcbcrConversion& conversion) {
  if (device.functions->vkCreateSamplerYcbcrConversion == nullptr) {
    return detail::error(ErrorCode::MissingExtension, "sampler '", info.name,
                         "' converts from YCbCr, which the device does not");
  }
  const VkSamplerYcbcrConversionCreateInfo createInfo = create_info(info.conversion);
  const VkResult result = device.functions->vkCreateSamplerYcbcrConversion(
      device.device, &createInfo, nullptr, &conversion);
  if (result != VK_SUCCESS) return detail::vulkan_error("vkCreateSamplerYcbcrConversion", result);
  return Done{};
}

VkSamplerCustomBorderColorCreateInfoEXT border_color(const SamplerInfo& info) {
  VkSamplerCustomBorderColorCreateInfoEXT color{};
  color.sType = VK_STRUCTURE_TYPE_SAMPLER_CUSTOM_BORDER_COLOR_CREATE_INFO_EXT;
  color.format = static_cast<VkFormat>(info.customBorderColorFormat);
  static_assert(sizeof(color.customBorderColor) == sizeof(info.customBorderColor));
  std::memcpy(&color.customBorderColor, info.customBorderColor, sizeof(color.customBorderColor));
  return color;
}

/// Vulkan picks the index: one that was asked for could be somebody else's.
Result<uint32_t> register_border_color(const Device& device, const SamplerInfo& info) {
  if (device.functions->vkRegisterCustomBorderColorEXT == nullptr) {
    return detail::error(ErrorCode::MissingExtension, "sampler '", info.name,
                         "' has a custom border colour, but the device is without ",
                         VK_EXT_CUSTOM_BORDER_COLOR_EXTENSION_NAME);
  }
  const VkSamplerCustomBorderColorCreateInfoEXT color = border_color(info);
  uint32_t index = 0;
  const VkResult result =
      device.functions->vkRegisterCustomBorderColorEXT(device.device, &color, VK_FALSE, &index);
  if (result != VK_SUCCESS) return detail::vulkan_error("vkRegisterCustomBorderColorEXT", result);
  return index;
}

Status add_sampler(const Device& device, const SamplerInfo& info, uint32_t index,
                   Samplers& samplers) {
  if (info.convertsYcbcr) {
    Status status = create_conversion(device, info, samplers.conversions[index]);
    if (!status) return status;
  }
  if (has_custom_border_color(info)) {
    Result<uint32_t> registered = register_border_color(device, info);
    if (!registered) return std::move(registered.error());
    samplers.borderColors.push_back({.sampler = index, .index = *registered});
  }
  return Done{};
}

/// Only what is there is chained: an embedded sampler takes no custom border colour (VUID 11445),
/// one in the heap no conversion (VUID 11204), but a colour both by value (VUID 04011) and by index
/// (VUID 11444).
void link(const Manifest& manifest, Samplers& samplers) {
  const size_t count = manifest.samplers.size();
  samplers.reductions.resize(count);
  samplers.conversionInfos.resize(count);
  samplers.borderColorInfos.resize(samplers.borderColors.size());
  samplers.borderColorIndices.resize(samplers.borderColors.size());
  for (size_t i = 0; i < count; ++i) {
    const SamplerInfo& info = manifest.samplers[i];
    VkSamplerCreateInfo created = create_info(info);
    samplers.reductions[i] = {
        .sType = VK_STRUCTURE_TYPE_SAMPLER_REDUCTION_MODE_CREATE_INFO,
        .pNext = nullptr,
        .reductionMode = static_cast<VkSamplerReductionMode>(info.reductionMode)};
    if (info.reductionMode != VK_SAMPLER_REDUCTION_MODE_WEIGHTED_AVERAGE) {
      created.pNext = &samplers.reductions[i];
    }
    samplers.inHeap.push_back(created);
    if (info.convertsYcbcr) {
      samplers.conversionInfos[i] = {.sType = VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_INFO,
                                     .pNext = created.pNext,
                                     .conversion = samplers.conversions[i]};
      created.pNext = &samplers.conversionInfos[i];
    }
    samplers.embedded.push_back(created);
  }
  for (size_t i = 0; i < samplers.borderColors.size(); ++i) {
    const Samplers::BorderColor& color = samplers.borderColors[i];
    VkSamplerCreateInfo& info = samplers.inHeap[color.sampler];
    samplers.borderColorInfos[i] = border_color(manifest.samplers[color.sampler]);
    samplers.borderColorInfos[i].pNext = info.pNext;
    samplers.borderColorIndices[i] = {
        .sType = VK_STRUCTURE_TYPE_SAMPLER_CUSTOM_BORDER_COLOR_INDEX_CREATE_INFO_EXT,
        .pNext = &samplers.borderColorInfos[i],
        .index = color.index};
    info.pNext = &samplers.borderColorIndices[i];
  }
}

}  // namespace

Result<Samplers> create_samplers(const Device& device, const Manifest& manifest) {
  Samplers samplers;
  samplers.conversions.resize(manifest.samplers.size(), VK_NULL_HANDLE);
  for (uint32_t i = 0; i < manifest.samplers.size(); ++i) {
    if (Status status = add_sampler(device, manifest.samplers[i], i, samplers); !status) {
      destroy_samplers(device, samplers);
      return std::move(status.error());
    }
  }
  link(manifest, samplers);
  return samplers;
}

void destroy_samplers(const Device& device, Samplers& samplers) noexcept {
  for (const VkSamplerYcbcrConversion conversion : samplers.conversions) {
    if (conversion == VK_NULL_HANDLE) continue;
    device.functions->vkDestroySamplerYcbcrConversion(device.device, conversion, nullptr);
  }
  for (const Samplers::BorderColor& color : samplers.borderColors) {
    device.functions->vkUnregisterCustomBorderColorEXT(device.device, color.index);
  }
  samplers = Samplers();
}

uint32_t immutable_sampler(const Manifest& manifest, BindingId binding, uint32_t element) noexcept {
  const IndexRange range = manifest.bindings[binding.index].immutableSamplers;
  if (range.count == 0) return kNone;
  return manifest.immutableSamplers[range.first + (range.count == 1 ? 0 : element)];
}

Status write_immutable_samplers(DescriptorWriter& writer, const Manifest& manifest,
                                const ResolvedLayout& layout, const Samplers& samplers) {
  for (uint32_t i = 0; i < manifest.bindings.size(); ++i) {
    if (manifest.bindings[i].samplerPlacement != SamplerPlacement::Immutable) continue;
    for (uint32_t element = 0; element < layout.slots.bindings[i].capacity; ++element) {
      const uint32_t sampler = immutable_sampler(manifest, {i}, element);
      Status status = writer.sampler({i}, element, 0, samplers.inHeap[sampler]);
      if (!status) return status;
    }
  }
  return Done{};
}

}  // namespace heapsmith
