// SPDX-License-Identifier: MIT
#include "commands.h"

#include "check.h"

namespace example {

VkCommandBuffer begin_commands(const Gpu& gpu) {
  const VkCommandBufferAllocateInfo allocation{
      .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
      .commandPool = gpu.commandPool,
      .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
      .commandBufferCount = 1};
  VkCommandBuffer commands = VK_NULL_HANDLE;
  check(vkAllocateCommandBuffers(gpu.device, &allocation, &commands),
        "allocating a command buffer");
  const VkCommandBufferBeginInfo begin{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                       .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT};
  check(vkBeginCommandBuffer(commands, &begin), "beginning a command buffer");
  return commands;
}

void submit_and_wait(const Gpu& gpu, VkCommandBuffer commands) {
  const VkMemoryBarrier2 barrier{.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2,
                                 .srcStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
                                 .srcAccessMask = VK_ACCESS_2_MEMORY_WRITE_BIT,
                                 .dstStageMask = VK_PIPELINE_STAGE_2_HOST_BIT,
                                 .dstAccessMask = VK_ACCESS_2_HOST_READ_BIT};
  const VkDependencyInfo dependency{.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
                                    .memoryBarrierCount = 1,
                                    .pMemoryBarriers = &barrier};
  vkCmdPipelineBarrier2(commands, &dependency);
  check(vkEndCommandBuffer(commands), "ending a command buffer");

  const VkCommandBufferSubmitInfo buffer{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO,
                                         .commandBuffer = commands};
  const VkSubmitInfo2 submit{.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
                             .commandBufferInfoCount = 1,
                             .pCommandBufferInfos = &buffer};
  check(vkQueueSubmit2(gpu.queue, 1, &submit, VK_NULL_HANDLE), "submitting");
  check(vkQueueWaitIdle(gpu.queue), "waiting");
  vkFreeCommandBuffers(gpu.device, gpu.commandPool, 1, &commands);
}

}  // namespace example
