// SPDX-License-Identifier: MIT
#include "support/generated_commands.h"

#include "common/check.h"
#include "support/align.h"

namespace gpu_test {
namespace {

// A buffer as vkGetGeneratedCommandsMemoryRequirementsEXT wants it. Its usage is one that the 32
// bits of VkBufferCreateInfo have no name for.
VkDeviceAddress preprocess_buffer(TestDevice& device, const VkMemoryRequirements& needs) {
  const example::Gpu& gpu = device.gpu();
  const VkBufferUsageFlags2CreateInfo usage{
      .sType = VK_STRUCTURE_TYPE_BUFFER_USAGE_FLAGS_2_CREATE_INFO,
      .usage = VK_BUFFER_USAGE_2_PREPROCESS_BUFFER_BIT_EXT |
               VK_BUFFER_USAGE_2_SHADER_DEVICE_ADDRESS_BIT};
  const VkBufferCreateInfo info{.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                .pNext = &usage,
                                .size = needs.size + needs.alignment};
  VkBuffer buffer = VK_NULL_HANDLE;
  example::check(vkCreateBuffer(gpu.device, &info, nullptr, &buffer), "creating a buffer");
  VkMemoryRequirements both;
  vkGetBufferMemoryRequirements(gpu.device, buffer, &both);
  both.memoryTypeBits &= needs.memoryTypeBits;
  const VkDeviceMemory memory = example::allocate_memory(gpu, both, 0, true);
  example::check(vkBindBufferMemory(gpu.device, buffer, memory, 0), "binding a buffer");
  device.at_end([handle = gpu.device, buffer, memory] {
    vkDestroyBuffer(handle, buffer, nullptr);
    vkFreeMemory(handle, memory, nullptr);
  });
  const VkBufferDeviceAddressInfo address{.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
                                          .buffer = buffer};
  return align(vkGetBufferDeviceAddress(gpu.device, &address), needs.alignment);
}

VkIndirectCommandsLayoutEXT layout(TestDevice& device,
                                   std::span<const VkIndirectCommandsLayoutTokenEXT> tokens,
                                   uint32_t stride) {
  const VkIndirectCommandsLayoutCreateInfoEXT info{
      .sType = VK_STRUCTURE_TYPE_INDIRECT_COMMANDS_LAYOUT_CREATE_INFO_EXT,
      .shaderStages = VK_SHADER_STAGE_COMPUTE_BIT,
      .indirectStride = stride,
      .tokenCount = static_cast<uint32_t>(tokens.size()),
      .pTokens = tokens.data()};
  const VkDevice handle = device.gpu().device;
  VkIndirectCommandsLayoutEXT made = VK_NULL_HANDLE;
  example::check(vkCreateIndirectCommandsLayoutEXT(handle, &info, nullptr, &made),
                 "creating a layout of generated commands");
  device.at_end([handle, made] { vkDestroyIndirectCommandsLayoutEXT(handle, made, nullptr); });
  return made;
}

}  // namespace

VkIndirectCommandsLayoutTokenEXT dispatch_token(uint32_t sequenceOffset) {
  return {.sType = VK_STRUCTURE_TYPE_INDIRECT_COMMANDS_LAYOUT_TOKEN_EXT,
          .type = VK_INDIRECT_COMMANDS_TOKEN_TYPE_DISPATCH_EXT,
          .offset = sequenceOffset};
}

void run_generated(TestDevice& device, const heapsmith::Heaps& heaps, const PushData& push,
                   VkPipeline pipeline, std::span<const VkIndirectCommandsLayoutTokenEXT> tokens,
                   std::span<const uint32_t> words, uint32_t sequences) {
  const auto bytes = static_cast<uint32_t>(words.size_bytes());
  const VkIndirectCommandsLayoutEXT commandLayout = layout(device, tokens, bytes / sequences);
  VkGeneratedCommandsPipelineInfoEXT pipelineInfo{
      .sType = VK_STRUCTURE_TYPE_GENERATED_COMMANDS_PIPELINE_INFO_EXT, .pipeline = pipeline};
  const VkGeneratedCommandsMemoryRequirementsInfoEXT query{
      .sType = VK_STRUCTURE_TYPE_GENERATED_COMMANDS_MEMORY_REQUIREMENTS_INFO_EXT,
      .pNext = &pipelineInfo,
      .indirectCommandsLayout = commandLayout,
      .maxSequenceCount = sequences};
  VkMemoryRequirements2 needs{.sType = VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2};
  vkGetGeneratedCommandsMemoryRequirementsEXT(device.gpu().device, &query, &needs);

  const example::Buffer input = device.buffer(words, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
  VkGeneratedCommandsInfoEXT info{.sType = VK_STRUCTURE_TYPE_GENERATED_COMMANDS_INFO_EXT,
                                  .pNext = &pipelineInfo,
                                  .shaderStages = VK_SHADER_STAGE_COMPUTE_BIT,
                                  .indirectCommandsLayout = commandLayout,
                                  .indirectAddress = input.address,
                                  .indirectAddressSize = input.size,
                                  .maxSequenceCount = sequences};
  if (needs.memoryRequirements.size != 0) {
    info.preprocessAddress = preprocess_buffer(device, needs.memoryRequirements);
    info.preprocessSize = needs.memoryRequirements.size;
  }
  launch(device, heaps, push, [&](VkCommandBuffer commands) {
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vkCmdExecuteGeneratedCommandsEXT(commands, VK_FALSE, &info);
  });
}

}  // namespace gpu_test
