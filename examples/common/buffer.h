// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstring>
#include <span>

#include "gpu.h"

namespace example {

/// A buffer in memory that the host sees, mapped for as long as it lives, with an address.
struct Buffer {
  VkBuffer buffer = VK_NULL_HANDLE;
  VkDeviceMemory memory = VK_NULL_HANDLE;
  VkDeviceAddress address = 0;
  std::byte* mapped = nullptr;
  VkDeviceSize size = 0;
};

/// SHADER_DEVICE_ADDRESS is added to `usage`.
[[nodiscard]] Buffer create_buffer(const Gpu& gpu, VkDeviceSize size, VkBufferUsageFlags usage);
void destroy_buffer(const Gpu& gpu, const Buffer& buffer);

/// A buffer that holds `values`.
template <typename T>
[[nodiscard]] Buffer create_buffer(const Gpu& gpu, std::span<const T> values,
                                   VkBufferUsageFlags usage) {
  const Buffer buffer = create_buffer(gpu, values.size_bytes(), usage);
  std::memcpy(buffer.mapped, values.data(), values.size_bytes());
  return buffer;
}

/// Equally large values in one buffer, each at an offset where a uniform buffer descriptor may
/// start.
struct UniformArray {
  Buffer buffer;
  VkDeviceSize stride = 0;
  VkDeviceSize valueSize = 0;

  [[nodiscard]] VkDeviceAddress address(uint32_t index) const {
    return buffer.address + index * stride;
  }
};

[[nodiscard]] UniformArray create_uniform_array(const Gpu& gpu, const void* values,
                                                VkDeviceSize valueSize, uint32_t count);

template <typename T>
[[nodiscard]] UniformArray create_uniform_array(const Gpu& gpu, std::span<const T> values) {
  return create_uniform_array(gpu, values.data(), sizeof(T), static_cast<uint32_t>(values.size()));
}

}  // namespace example
