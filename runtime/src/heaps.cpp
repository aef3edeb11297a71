// SPDX-License-Identifier: MIT
#include "heapsmith/heaps.h"

#include <cstring>
#include <limits>
#include <vector>

#include "text.h"
#include "vulkan_error.h"

namespace heapsmith {
namespace {

constexpr VkBufferUsageFlags kHeapUsage =
    VK_BUFFER_USAGE_DESCRIPTOR_HEAP_BIT_EXT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;

/// Memory types that will do, the fastest for the GPU first. Types that need a feature or protected
/// queues are left out (VUID-vkAllocateMemory-deviceCoherentMemory-02790).
std::vector<uint32_t> suitable_memory_types(const Device& device, uint32_t allowed) {
  constexpr VkMemoryPropertyFlags needed =
      VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  constexpr VkMemoryPropertyFlags unwanted = VK_MEMORY_PROPERTY_PROTECTED_BIT |
                                             VK_MEMORY_PROPERTY_DEVICE_COHERENT_BIT_AMD |
                                             VK_MEMORY_PROPERTY_DEVICE_UNCACHED_BIT_AMD;
  VkPhysicalDeviceMemoryProperties memory{};
  device.instanceFunctions->vkGetPhysicalDeviceMemoryProperties(device.physicalDevice, &memory);
  std::vector<uint32_t> types;
  for (const bool deviceLocal : {true, false}) {
    for (uint32_t i = 0; i < memory.memoryTypeCount; ++i) {
      const VkMemoryPropertyFlags flags = memory.memoryTypes[i].propertyFlags;
      const bool isLocal = (flags & VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT) != 0;
      if ((allowed >> i & 1) == 0 || isLocal != deviceLocal) continue;
      if ((flags & needed) == needed && (flags & unwanted) == 0) types.push_back(i);
    }
  }
  return types;
}

/// Small device-local windows run full (256 MiB without resizable BAR): then the next type is
/// tried.
Status allocate(const Device& device, Heap& heap) {
  VkMemoryRequirements requirements{};
  device.functions->vkGetBufferMemoryRequirements(device.device, heap.buffer, &requirements);
  // VUID-vkBindBufferMemory-descriptorHeap 11408
  VkMemoryAllocateFlagsInfo flags{};
  flags.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO;
  flags.flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT;
  VkResult result = VK_SUCCESS;
  for (const uint32_t type : suitable_memory_types(device, requirements.memoryTypeBits)) {
    const VkMemoryAllocateInfo info{.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                    .pNext = &flags,
                                    .allocationSize = requirements.size,
                                    .memoryTypeIndex = type};
    result = device.functions->vkAllocateMemory(device.device, &info, nullptr, &heap.memory);
    if (result == VK_SUCCESS) return Done{};
    heap.memory = VK_NULL_HANDLE;
    if (result != VK_ERROR_OUT_OF_DEVICE_MEMORY) break;
  }
  if (result != VK_SUCCESS) return detail::vulkan_error("vkAllocateMemory", result);
  return detail::error(ErrorCode::NoSuitableMemory,
                       "no memory type for a descriptor heap is host-visible and coherent");
}

/// Points a heap at the first aligned byte of its buffer.
Status place(const Device& device, std::byte* mapped, Heap& heap) {
  const VkBufferDeviceAddressInfo info{.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
                                       .pNext = nullptr,
                                       .buffer = heap.buffer};
  const VkDeviceAddress address = device.functions->vkGetBufferDeviceAddress(device.device, &info);
  if (address == 0) {
    return detail::error(ErrorCode::NoSuitableMemory, "the heap's buffer has no device address");
  }
  const VkDeviceSize excess = address % heap.extent.alignment;
  const VkDeviceSize skipped = excess == 0 ? 0 : heap.extent.alignment - excess;
  heap.address = address + skipped;
  heap.mapped = mapped + skipped;
  return Done{};
}

void destroy_heap(const Device& device, Heap& heap) noexcept {
  // Freeing memory unmaps it; both calls take VK_NULL_HANDLE.
  device.functions->vkDestroyBuffer(device.device, heap.buffer, nullptr);
  device.functions->vkFreeMemory(device.device, heap.memory, nullptr);
  heap = {};
}

/// On failure `heap` holds what was made until then.
Status fill_heap(const Device& device, Heap& heap) {
  VkBufferCreateInfo bufferInfo{};
  bufferInfo.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
  bufferInfo.size = heap_buffer_size(heap.extent);
  bufferInfo.usage = kHeapUsage;
  VkResult result =
      device.functions->vkCreateBuffer(device.device, &bufferInfo, nullptr, &heap.buffer);
  if (result != VK_SUCCESS) {
    heap.buffer = VK_NULL_HANDLE;
    return detail::vulkan_error("vkCreateBuffer", result);
  }
  if (Status status = allocate(device, heap); !status) return status;
  result = device.functions->vkBindBufferMemory(device.device, heap.buffer, heap.memory, 0);
  if (result != VK_SUCCESS) return detail::vulkan_error("vkBindBufferMemory", result);
  void* mapped = nullptr;
  result = device.functions->vkMapMemory(device.device, heap.memory, 0, VK_WHOLE_SIZE, 0, &mapped);
  if (result != VK_SUCCESS) return detail::vulkan_error("vkMapMemory", result);
  if (Status status = place(device, static_cast<std::byte*>(mapped), heap); !status) return status;
  // The user range only. The reserved one is the driver's once a command buffer has bound the heap.
  std::memset(heap.mapped, 0, heap.extent.reservedRangeOffset);
  return Done{};
}

Result<Heap> create_heap(const Device& device, const HeapExtent& extent) {
  Heap heap;
  heap.extent = extent;
  if (extent.size == 0) return heap;
  if (Status status = fill_heap(device, heap); !status) {
    destroy_heap(device, heap);
    return std::move(status.error());
  }
  return heap;
}

}  // namespace

Result<Heaps> create_heaps(const Device& device, const ResolvedLayout& layout) {
  Result<Heap> resources = create_heap(device, layout.resourceHeap);
  if (!resources) return std::move(resources.error());
  Result<Heap> samplers = create_heap(device, layout.samplerHeap);
  if (!samplers) {
    destroy_heap(device, *resources);
    return std::move(samplers.error());
  }
  return Heaps{*resources, *samplers};
}

VkDeviceSize heap_buffer_size(const HeapExtent& extent) noexcept {
  if (extent.size == 0) return 0;
  const VkDeviceSize slack = extent.alignment - 1;
  constexpr VkDeviceSize largest = std::numeric_limits<VkDeviceSize>::max();
  return extent.size > largest - slack ? largest : extent.size + slack;
}

Result<Heap> place_heap(const Device& device, const HeapExtent& extent, VkBuffer buffer,
                        VkDeviceSize bufferSize, std::byte* mapped) {
  if (bufferSize < heap_buffer_size(extent)) {
    return detail::error(ErrorCode::NoSuitableMemory, "the heap needs a buffer of ",
                         heap_buffer_size(extent), " bytes, this one has ", bufferSize);
  }
  Heap heap;
  heap.extent = extent;
  if (extent.size == 0) return heap;
  heap.buffer = buffer;
  if (Status status = place(device, mapped, heap); !status) return std::move(status.error());
  return heap;
}

void destroy_heaps(const Device& device, Heaps& heaps) noexcept {
  destroy_heap(device, heaps.resources);
  destroy_heap(device, heaps.samplers);
}

VkBindHeapInfoEXT bind_info(const Heap& heap) noexcept {
  return {.sType = VK_STRUCTURE_TYPE_BIND_HEAP_INFO_EXT,
          .pNext = nullptr,
          .heapRange = {.address = heap.address, .size = heap.extent.size},
          .reservedRangeOffset = heap.extent.reservedRangeOffset,
          .reservedRangeSize = heap.extent.reservedRangeSize};
}

}  // namespace heapsmith
