// SPDX-License-Identifier: MIT
#include "buffer.h"

#include "check.h"

namespace example {

Buffer create_buffer(const Gpu& gpu, VkDeviceSize size, VkBufferUsageFlags usage) {
  Buffer buffer{.size = size};
  const VkBufferCreateInfo info{.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                .size = size,
                                .usage = usage | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT};
  check(vkCreateBuffer(gpu.device, &info, nullptr, &buffer.buffer), "creating a buffer");
  VkMemoryRequirements needs;
  vkGetBufferMemoryRequirements(gpu.device, buffer.buffer, &needs);
  buffer.memory = allocate_memory(
      gpu, needs, VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT, true);
  check(vkBindBufferMemory(gpu.device, buffer.buffer, buffer.memory, 0), "binding a buffer");
  void* mapped = nullptr;
  check(vkMapMemory(gpu.device, buffer.memory, 0, VK_WHOLE_SIZE, 0, &mapped), "mapping a buffer");
  buffer.mapped = static_cast<std::byte*>(mapped);
  const VkBufferDeviceAddressInfo address{.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
                                          .buffer = buffer.buffer};
  buffer.address = vkGetBufferDeviceAddress(gpu.device, &address);
  return buffer;
}

void destroy_buffer(const Gpu& gpu, const Buffer& buffer) {
  vkDestroyBuffer(gpu.device, buffer.buffer, nullptr);
  vkFreeMemory(gpu.device, buffer.memory, nullptr);
}

UniformArray create_uniform_array(const Gpu& gpu, const void* values, VkDeviceSize valueSize,
                                  uint32_t count) {
  const VkDeviceSize alignment = gpu.properties.limits.minUniformBufferOffsetAlignment;
  UniformArray array{.stride = (valueSize + alignment - 1) / alignment * alignment,
                     .valueSize = valueSize};
  array.buffer = create_buffer(gpu, array.stride * count, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT);
  for (uint32_t index = 0; index < count; ++index) {
    std::memcpy(array.buffer.mapped + index * array.stride,
                static_cast<const std::byte*>(values) + index * valueSize, valueSize);
  }
  return array;
}

}  // namespace example
