// SPDX-License-Identifier: MIT
#include "arena.h"

#include "common/check.h"

namespace equality {

example::Gpu borrow(const corpus::Gpu& gpu) {
  example::Gpu borrowed{.instance = gpu.instance,
                        .physicalDevice = gpu.physicalDevice,
                        .limits = gpu.limits,
                        .device = gpu.device,
                        .instanceFunctions = gpu.instanceFunctions,
                        .deviceFunctions = gpu.functions};
  vkGetPhysicalDeviceProperties(gpu.physicalDevice, &borrowed.properties);
  vkGetPhysicalDeviceMemoryProperties(gpu.physicalDevice, &borrowed.memory);
  vkGetDeviceQueue(gpu.device, borrowed.queueFamily, 0, &borrowed.queue);
  const VkCommandPoolCreateInfo pool{.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                     .flags = VK_COMMAND_POOL_CREATE_TRANSIENT_BIT,
                                     .queueFamilyIndex = borrowed.queueFamily};
  example::check(vkCreateCommandPool(gpu.device, &pool, nullptr, &borrowed.commandPool),
                 "creating the command pool");
  return borrowed;
}

Arena::~Arena() {
  for (; !atEnd_.empty(); atEnd_.pop_back())
    atEnd_.back()();
}

example::Buffer Arena::buffer(VkDeviceSize size, VkBufferUsageFlags usage) {
  const example::Buffer made = example::create_buffer(gpu_, size, usage);
  at_end([this, made] { example::destroy_buffer(gpu_, made); });
  return made;
}

VkImage Arena::image(const VkImageCreateInfo& info) {
  VkImage made = VK_NULL_HANDLE;
  example::check(vkCreateImage(gpu_.device, &info, nullptr, &made), "creating an image");
  VkMemoryRequirements needs;
  vkGetImageMemoryRequirements(gpu_.device, made, &needs);
  const VkDeviceMemory memory =
      example::allocate_memory(gpu_, needs, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, false);
  example::check(vkBindImageMemory(gpu_.device, made, memory, 0), "binding an image");
  at_end([device = gpu_.device, made, memory] {
    vkDestroyImage(device, made, nullptr);
    vkFreeMemory(device, memory, nullptr);
  });
  return made;
}

VkImageView Arena::view(const VkImageViewCreateInfo& info) {
  VkImageView made = VK_NULL_HANDLE;
  example::check(vkCreateImageView(gpu_.device, &info, nullptr, &made), "creating a view");
  at_end([device = gpu_.device, made] { vkDestroyImageView(device, made, nullptr); });
  return made;
}

namespace {

constexpr VkPipelineStageFlags2 kAllStages = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
constexpr VkAccessFlags2 kAllAccess = VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT;

}  // namespace

void full_barrier(VkCommandBuffer commands) {
  const VkMemoryBarrier2 all{.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2,
                             .srcStageMask = kAllStages,
                             .srcAccessMask = kAllAccess,
                             .dstStageMask = kAllStages,
                             .dstAccessMask = kAllAccess};
  const VkDependencyInfo dependency{
      .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO, .memoryBarrierCount = 1, .pMemoryBarriers = &all};
  vkCmdPipelineBarrier2(commands, &dependency);
}

void full_barrier(VkCommandBuffer commands, VkImage image, VkImageAspectFlags aspect,
                  VkImageLayout before, VkImageLayout after) {
  const VkImageMemoryBarrier2 all{
      .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2,
      .srcStageMask = kAllStages,
      .srcAccessMask = kAllAccess,
      .dstStageMask = kAllStages,
      .dstAccessMask = kAllAccess,
      .oldLayout = before,
      .newLayout = after,
      .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
      .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
      .image = image,
      .subresourceRange = {aspect, 0, VK_REMAINING_MIP_LEVELS, 0, VK_REMAINING_ARRAY_LAYERS}};
  const VkDependencyInfo dependency{.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
                                    .imageMemoryBarrierCount = 1,
                                    .pImageMemoryBarriers = &all};
  vkCmdPipelineBarrier2(commands, &dependency);
}

}  // namespace equality
