// SPDX-License-Identifier: MIT
#include "canvas.h"

#include "common/check.h"

namespace knots {
namespace {

VkImageView create_view(const example::Gpu& gpu, const example::Image& image) {
  const VkImageViewCreateInfo info = example::view_info(image);
  VkImageView view = VK_NULL_HANDLE;
  example::check(vkCreateImageView(gpu.device, &info, nullptr, &view), "creating an image view");
  return view;
}

const example::ImageUse kDrawn{VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT,
                               VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT,
                               VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
const example::ImageUse kDepthTested{
    VK_PIPELINE_STAGE_2_EARLY_FRAGMENT_TESTS_BIT | VK_PIPELINE_STAGE_2_LATE_FRAGMENT_TESTS_BIT,
    VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_READ_BIT | VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT,
    VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL};
const example::ImageUse kCopied{VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_TRANSFER_READ_BIT,
                                VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL};

}  // namespace

Canvas create_canvas(const example::Gpu& gpu, VkExtent2D extent) {
  Canvas canvas{.extent = extent, .samples = VK_SAMPLE_COUNT_4_BIT};
  canvas.color = example::create_image(gpu, {.format = kColorFormat,
                                             .extent = extent,
                                             .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT,
                                             .samples = canvas.samples});
  canvas.depth = example::create_image(gpu, {.format = kDepthFormat,
                                             .extent = extent,
                                             .usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT,
                                             .samples = canvas.samples,
                                             .aspect = VK_IMAGE_ASPECT_DEPTH_BIT});
  canvas.resolved = example::create_image(
      gpu, {.format = kColorFormat,
            .extent = extent,
            .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT});
  canvas.colorView = create_view(gpu, canvas.color);
  canvas.depthView = create_view(gpu, canvas.depth);
  canvas.resolvedView = create_view(gpu, canvas.resolved);
  canvas.pixels = example::create_buffer(gpu, VkDeviceSize{4} * extent.width * extent.height,
                                         VK_BUFFER_USAGE_TRANSFER_DST_BIT);
  return canvas;
}

void destroy_canvas(const example::Gpu& gpu, const Canvas& canvas) {
  for (const VkImageView view : {canvas.colorView, canvas.depthView, canvas.resolvedView})
    vkDestroyImageView(gpu.device, view, nullptr);
  for (const example::Image& image : {canvas.color, canvas.depth, canvas.resolved})
    example::destroy_image(gpu, image);
  example::destroy_buffer(gpu, canvas.pixels);
}

void begin_drawing(VkCommandBuffer commands, const Canvas& canvas) {
  example::image_barrier(commands, canvas.color, {}, kDrawn);
  example::image_barrier(commands, canvas.depth, {}, kDepthTested);
  example::image_barrier(commands, canvas.resolved, {}, kDrawn);

  const VkRenderingAttachmentInfo color{.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
                                        .imageView = canvas.colorView,
                                        .imageLayout = kDrawn.layout,
                                        .resolveMode = VK_RESOLVE_MODE_AVERAGE_BIT,
                                        .resolveImageView = canvas.resolvedView,
                                        .resolveImageLayout = kDrawn.layout,
                                        .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
                                        .storeOp = VK_ATTACHMENT_STORE_OP_DONT_CARE};
  const VkRenderingAttachmentInfo depth{.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
                                        .imageView = canvas.depthView,
                                        .imageLayout = kDepthTested.layout,
                                        .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
                                        .storeOp = VK_ATTACHMENT_STORE_OP_DONT_CARE,
                                        .clearValue = {.depthStencil = {.depth = 1.0f}}};
  const VkRenderingInfo rendering{.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
                                  .renderArea = {.extent = canvas.extent},
                                  .layerCount = 1,
                                  .colorAttachmentCount = 1,
                                  .pColorAttachments = &color,
                                  .pDepthAttachment = &depth};
  vkCmdBeginRendering(commands, &rendering);

  const VkViewport viewport{.width = static_cast<float>(canvas.extent.width),
                            .height = static_cast<float>(canvas.extent.height),
                            .maxDepth = 1.0f};
  const VkRect2D scissor{.extent = canvas.extent};
  vkCmdSetViewport(commands, 0, 1, &viewport);
  vkCmdSetScissor(commands, 0, 1, &scissor);
}

void end_drawing(VkCommandBuffer commands, const Canvas& canvas) {
  vkCmdEndRendering(commands);
  example::image_barrier(commands, canvas.resolved, kDrawn, kCopied);
  const VkBufferImageCopy copy{.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                               .imageExtent = {canvas.extent.width, canvas.extent.height, 1}};
  vkCmdCopyImageToBuffer(commands, canvas.resolved.image, kCopied.layout, canvas.pixels.buffer, 1,
                         &copy);
}

std::vector<std::byte> read_pixels(const Canvas& canvas) {
  return {canvas.pixels.mapped, canvas.pixels.mapped + canvas.pixels.size};
}

}  // namespace knots
