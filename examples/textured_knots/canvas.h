// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include "common/buffer.h"
#include "common/image.h"

namespace knots {

/// What is drawn on: multisampled colour and depth, resolved into an image that is read back.
struct Canvas {
  VkExtent2D extent{};
  VkSampleCountFlagBits samples = VK_SAMPLE_COUNT_1_BIT;
  example::Image color;
  example::Image depth;
  example::Image resolved;
  VkImageView colorView = VK_NULL_HANDLE;
  VkImageView depthView = VK_NULL_HANDLE;
  VkImageView resolvedView = VK_NULL_HANDLE;
  example::Buffer pixels;
};

inline constexpr VkFormat kColorFormat = VK_FORMAT_R8G8B8A8_SRGB;
inline constexpr VkFormat kDepthFormat = VK_FORMAT_D32_SFLOAT;

/// Four samples a pixel, which every Vulkan device has.
[[nodiscard]] Canvas create_canvas(const example::Gpu& gpu, VkExtent2D extent);
void destroy_canvas(const example::Gpu& gpu, const Canvas& canvas);

/// Everything between the two is drawn on the canvas.
void begin_drawing(VkCommandBuffer commands, const Canvas& canvas);
void end_drawing(VkCommandBuffer commands, const Canvas& canvas);

/// The picture, once the commands have run: rows of 8-bit RGBA.
[[nodiscard]] std::vector<std::byte> read_pixels(const Canvas& canvas);

}  // namespace knots
