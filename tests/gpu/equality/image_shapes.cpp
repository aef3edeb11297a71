// SPDX-License-Identifier: MIT
#include "image_shapes.h"

#include <cstdlib>
#include <spirv/unified1/spirv.hpp11>
#include <string>

#include "resources.h"

namespace equality {
namespace {

using heapsmith::reflect::ImageFacts;

constexpr uint32_t kImageSide = kSide / 2;
constexpr uint32_t kDepth = 4;
constexpr uint32_t kLayers = 3;
constexpr uint32_t kFaces = 6;

constexpr VkImageUsageFlags kCopied =
    VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT;

VkImageCreateInfo base_info(VkFormat format, VkExtent3D extent, VkImageUsageFlags usage) {
  return {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
          .imageType = VK_IMAGE_TYPE_2D,
          .format = format,
          .extent = extent,
          .mipLevels = 1,
          .arrayLayers = 1,
          .samples = VK_SAMPLE_COUNT_1_BIT,
          .tiling = VK_IMAGE_TILING_OPTIMAL,
          .usage = usage | kCopied};
}

}  // namespace

std::optional<VkImageCreateInfo> image_info(const ImageFacts& image, const TexelFormat& format) {
  const bool storage = image.sampled == 2;
  VkImageCreateInfo info =
      base_info(format.format, {kImageSide, kImageSide, 1},
                storage ? VK_IMAGE_USAGE_STORAGE_BIT : VK_IMAGE_USAGE_SAMPLED_BIT);
  if (!storage) info.mipLevels = kLevels;
  if (image.arrayed) info.arrayLayers = kLayers;
  if (image.multisampled) {
    if (storage) return std::nullopt;
    info.samples = VK_SAMPLE_COUNT_4_BIT;
    info.mipLevels = 1;
  }
  switch (static_cast<spv::Dim>(image.dim)) {
    case spv::Dim::Dim1D:
      info.imageType = VK_IMAGE_TYPE_1D;
      info.extent.height = 1;
      return info;
    case spv::Dim::Dim2D:
      return info;
    case spv::Dim::Dim3D:
      info.imageType = VK_IMAGE_TYPE_3D;
      info.extent.depth = kDepth;
      return info;
    case spv::Dim::Cube:
      info.flags = VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT;
      info.arrayLayers = image.arrayed ? 2 * kFaces : kFaces;
      return info;
    default:
      return std::nullopt;
  }
}

VkImageViewType view_type(const ImageFacts& image) {
  switch (static_cast<spv::Dim>(image.dim)) {
    case spv::Dim::Dim1D:
      return image.arrayed ? VK_IMAGE_VIEW_TYPE_1D_ARRAY : VK_IMAGE_VIEW_TYPE_1D;
    case spv::Dim::Dim3D:
      return VK_IMAGE_VIEW_TYPE_3D;
    case spv::Dim::Cube:
      return image.arrayed ? VK_IMAGE_VIEW_TYPE_CUBE_ARRAY : VK_IMAGE_VIEW_TYPE_CUBE;
    default:
      return image.arrayed ? VK_IMAGE_VIEW_TYPE_2D_ARRAY : VK_IMAGE_VIEW_TYPE_2D;
  }
}

VkImageCreateInfo attachment_info(VkFormat format) {
  const bool depth = format == VK_FORMAT_D32_SFLOAT;
  return base_info(
      format, {kSide, kSide, 1},
      depth ? VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT : VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT);
}

bool is_supported(const example::Gpu& gpu, const VkImageCreateInfo& info) {
  VkImageFormatProperties properties;
  const VkResult result =
      vkGetPhysicalDeviceImageFormatProperties(gpu.physicalDevice, info.format, info.imageType,
                                               info.tiling, info.usage, info.flags, &properties);
  return result == VK_SUCCESS && (properties.sampleCounts & info.samples) != 0;
}

bool has_texels(const example::Gpu& gpu, VkFormat format, heapsmith::DescriptorType type) {
  VkFormatProperties properties;
  vkGetPhysicalDeviceFormatProperties(gpu.physicalDevice, format, &properties);
  const VkFormatFeatureFlags needed = type == heapsmith::DescriptorType::UniformTexelBuffer
                                          ? VK_FORMAT_FEATURE_UNIFORM_TEXEL_BUFFER_BIT
                                          : VK_FORMAT_FEATURE_STORAGE_TEXEL_BUFFER_BIT;
  return (properties.bufferFeatures & needed) != 0;
}

uint32_t locations_of(std::string_view type) {
  uint32_t count = 1;
  for (size_t at = type.find('['); at != std::string_view::npos; at = type.find('[', at + 1))
    count *=
        static_cast<uint32_t>(std::strtoul(std::string(type.substr(at + 1)).c_str(), nullptr, 10));
  return count;
}

}  // namespace equality
