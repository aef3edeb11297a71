// SPDX-License-Identifier: MIT
#pragma once

#include "gpu.h"

namespace example {

/// A two-dimensional colour or depth image in device memory.
struct Image {
  VkImage image = VK_NULL_HANDLE;
  VkDeviceMemory memory = VK_NULL_HANDLE;
  VkFormat format = VK_FORMAT_UNDEFINED;
  VkExtent2D extent{};
  uint32_t mipLevels = 1;
  VkImageAspectFlags aspect = VK_IMAGE_ASPECT_COLOR_BIT;
};

struct ImageOptions {
  VkFormat format = VK_FORMAT_R8G8B8A8_SRGB;
  VkExtent2D extent{};
  VkImageUsageFlags usage = 0;
  uint32_t mipLevels = 1;
  VkSampleCountFlagBits samples = VK_SAMPLE_COUNT_1_BIT;
  VkImageAspectFlags aspect = VK_IMAGE_ASPECT_COLOR_BIT;
};

[[nodiscard]] Image create_image(const Gpu& gpu, const ImageOptions& options);
void destroy_image(const Gpu& gpu, const Image& image);

/// A view of the whole image, described. A heap needs no more; classic descriptor sets create the
/// object.
[[nodiscard]] VkImageViewCreateInfo view_info(const Image& image);

/// One side of a barrier.
struct ImageUse {
  VkPipelineStageFlags2 stages = VK_PIPELINE_STAGE_2_NONE;
  VkAccessFlags2 access = VK_ACCESS_2_NONE;
  VkImageLayout layout = VK_IMAGE_LAYOUT_UNDEFINED;
};

/// Makes all levels of `image` ready for `after`, once `before` is over.
void image_barrier(VkCommandBuffer commands, const Image& image, const ImageUse& before,
                   const ImageUse& after);

}  // namespace example
