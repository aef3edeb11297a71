// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include "heapsmith/device.h"
#include "heapsmith/resolve.h"

namespace heapsmith {

/// One heap in memory. Plain data, no hidden handles: `address` and `mapped` point at the heap's
/// first byte, which is aligned as the device demands even where the buffer's own address is not.
struct Heap {
  VkBuffer buffer = VK_NULL_HANDLE;
  VkDeviceMemory memory = VK_NULL_HANDLE;
  VkDeviceAddress address = 0;
  std::byte* mapped = nullptr;  ///< host-visible and coherent; `extent.size` bytes
  HeapExtent extent;
};

/// Both heaps. A heap that the layout leaves empty has size 0 and no buffer, unless the device
/// wants a reserved range.
struct Heaps {
  Heap resources;
  Heap samplers;
};

/// Creates both heaps as host-visible, persistently mapped buffers with DESCRIPTOR_HEAP and
/// SHADER_DEVICE_ADDRESS usage. Each is over-allocated by the heap alignment and its start rounded
/// up, since no rule makes a buffer's address a multiple of it. Device-local memory is preferred.
/// The user range is zeroed. The buffers are for one queue family (VK_SHARING_MODE_EXCLUSIVE); see
/// place_heap() for others. Fails with NoSuitableMemory or Vulkan, and then leaves nothing behind.
/// Any thread.
[[nodiscard]] Result<Heaps> create_heaps(const Device& device, const ResolvedLayout& layout);

/// Bytes that a buffer for this heap must have, for applications that bring their own memory.
[[nodiscard]] VkDeviceSize heap_buffer_size(const HeapExtent& extent) noexcept;

/// The heap inside a buffer of the application's: at least heap_buffer_size() bytes, with the
/// usages named at create_heaps(), bound to mapped host-visible coherent memory. Fails with
/// NoSuitableMemory if it is too small or has no device address. Nothing is zeroed. The buffer
/// stays the application's: do not pass the result to destroy_heaps().
[[nodiscard]] Result<Heap> place_heap(const Device& device, const HeapExtent& extent,
                                      VkBuffer buffer, VkDeviceSize bufferSize, std::byte* mapped);

/// Destroys what create_heaps() made, and empties `heaps`. No command buffer that bound the heaps
/// may be pending.
void destroy_heaps(const Device& device, Heaps& heaps) noexcept;

/// The argument of vkCmdBindResourceHeapEXT / vkCmdBindSamplerHeapEXT.
[[nodiscard]] VkBindHeapInfoEXT bind_info(const Heap& heap) noexcept;

}  // namespace heapsmith
