// SPDX-License-Identifier: MIT
#include "input_pass.h"

#include "common/check.h"

namespace source_matrix {

InputPass::InputPass(gpu_test::TestDevice& device, uint32_t inputs) : device_(device) {
  const std::vector<VkAttachmentDescription> attachments(
      inputs, {.format = VK_FORMAT_R32_SFLOAT,
               .samples = VK_SAMPLE_COUNT_1_BIT,
               .loadOp = VK_ATTACHMENT_LOAD_OP_LOAD,
               .storeOp = VK_ATTACHMENT_STORE_OP_NONE,
               .stencilLoadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
               .stencilStoreOp = VK_ATTACHMENT_STORE_OP_DONT_CARE,
               .initialLayout = VK_IMAGE_LAYOUT_READ_ONLY_OPTIMAL,
               .finalLayout = VK_IMAGE_LAYOUT_READ_ONLY_OPTIMAL});
  std::vector<VkAttachmentReference> references;
  for (uint32_t input = 0; input < inputs; ++input)
    references.push_back({input, VK_IMAGE_LAYOUT_READ_ONLY_OPTIMAL});
  const VkSubpassDescription subpass{.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS,
                                     .inputAttachmentCount = inputs,
                                     .pInputAttachments = references.data()};
  const VkRenderPassCreateInfo info{.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
                                    .attachmentCount = inputs,
                                    .pAttachments = attachments.data(),
                                    .subpassCount = 1,
                                    .pSubpasses = &subpass};
  const VkDevice handle = device.gpu().device;
  example::check(vkCreateRenderPass(handle, &info, nullptr, &handle_), "creating a render pass");
  device.at_end([handle, pass = handle_] { vkDestroyRenderPass(handle, pass, nullptr); });
}

void InputPass::record(VkCommandBuffer commands, VkPipeline pipeline,
                       const std::vector<VkImageViewCreateInfo>& views) {
  const VkDevice handle = device_.gpu().device;
  std::vector<VkImageView> attachments;
  for (const VkImageViewCreateInfo& info : views) {
    VkImageView view = VK_NULL_HANDLE;
    example::check(vkCreateImageView(handle, &info, nullptr, &view), "creating a view");
    device_.at_end([handle, view] { vkDestroyImageView(handle, view, nullptr); });
    attachments.push_back(view);
  }
  const VkFramebufferCreateInfo info{.sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
                                     .renderPass = handle_,
                                     .attachmentCount = static_cast<uint32_t>(attachments.size()),
                                     .pAttachments = attachments.data(),
                                     .width = 1,
                                     .height = 1,
                                     .layers = 1};
  VkFramebuffer framebuffer = VK_NULL_HANDLE;
  example::check(vkCreateFramebuffer(handle, &info, nullptr, &framebuffer),
                 "creating a framebuffer");
  device_.at_end([handle, framebuffer] { vkDestroyFramebuffer(handle, framebuffer, nullptr); });
  const VkRenderPassBeginInfo begin{.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                    .renderPass = handle_,
                                    .framebuffer = framebuffer,
                                    .renderArea = {.extent = {1, 1}}};
  vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
  vkCmdDraw(commands, 3, 1, 0, 0);
  vkCmdEndRenderPass(commands);
}

}  // namespace source_matrix
