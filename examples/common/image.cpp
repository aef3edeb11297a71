// SPDX-License-Identifier: MIT
#include "image.h"

#include "check.h"

namespace example {

Image create_image(const Gpu& gpu, const ImageOptions& options) {
  Image image{.format = options.format,
              .extent = options.extent,
              .mipLevels = options.mipLevels,
              .aspect = options.aspect};
  const VkImageCreateInfo info{.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                               .imageType = VK_IMAGE_TYPE_2D,
                               .format = options.format,
                               .extent = {options.extent.width, options.extent.height, 1},
                               .mipLevels = options.mipLevels,
                               .arrayLayers = 1,
                               .samples = options.samples,
                               .tiling = VK_IMAGE_TILING_OPTIMAL,
                               .usage = options.usage};
  check(vkCreateImage(gpu.device, &info, nullptr, &image.image), "creating an image");
  VkMemoryRequirements needs;
  vkGetImageMemoryRequirements(gpu.device, image.image, &needs);
  image.memory = allocate_memory(gpu, needs, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, false);
  check(vkBindImageMemory(gpu.device, image.image, image.memory, 0), "binding an image");
  return image;
}

void destroy_image(const Gpu& gpu, const Image& image) {
  vkDestroyImage(gpu.device, image.image, nullptr);
  vkFreeMemory(gpu.device, image.memory, nullptr);
}

VkImageViewCreateInfo view_info(const Image& image) {
  return {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
          .image = image.image,
          .viewType = VK_IMAGE_VIEW_TYPE_2D,
          .format = image.format,
          .subresourceRange = {image.aspect, 0, image.mipLevels, 0, 1}};
}

void image_barrier(VkCommandBuffer commands, const Image& image, const ImageUse& before,
                   const ImageUse& after) {
  const VkImageMemoryBarrier2 barrier{.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2,
                                      .srcStageMask = before.stages,
                                      .srcAccessMask = before.access,
                                      .dstStageMask = after.stages,
                                      .dstAccessMask = after.access,
                                      .oldLayout = before.layout,
                                      .newLayout = after.layout,
                                      .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                      .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                      .image = image.image,
                                      .subresourceRange = {image.aspect, 0, image.mipLevels, 0, 1}};
  const VkDependencyInfo dependency{.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
                                    .imageMemoryBarrierCount = 1,
                                    .pImageMemoryBarriers = &barrier};
  vkCmdPipelineBarrier2(commands, &dependency);
}

}  // namespace example
