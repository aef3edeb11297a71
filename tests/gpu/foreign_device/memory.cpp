// SPDX-License-Identifier: MIT

// Buffers that can hold heaps become larger, and the layer learns where the host finds them. All
// memory is shifted a little: drivers hand it out page by page, and an application that forgets
// that a buffer's address need not be a multiple of the heap's alignment would get away with it.

#include <algorithm>

#include "device.h"

namespace foreign_device {
namespace {

// A multiple of what buffers and images are aligned to, and of no large heap alignment.
constexpr VkDeviceSize kShift = 256;

// Memory that others see too is theirs to lay out.
bool is_shared(const VkMemoryAllocateInfo& info) {
  for (const VkStructureType type : {VK_STRUCTURE_TYPE_IMPORT_MEMORY_HOST_POINTER_INFO_EXT,
                                     VK_STRUCTURE_TYPE_IMPORT_MEMORY_FD_INFO_KHR,
                                     VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO}) {
    if (find_in_chain<VkBaseInStructure>(info.pNext, type)) return true;
  }
  return false;
}

bool can_hold_heaps(const VkBufferCreateInfo& info) {
  const auto* flags2 = find_in_chain<VkBufferUsageFlags2CreateInfo>(
      info.pNext, VK_STRUCTURE_TYPE_BUFFER_USAGE_FLAGS_2_CREATE_INFO);
  const VkBufferUsageFlags2 usage = flags2 ? flags2->usage : info.usage;
  return (usage & VK_BUFFER_USAGE_2_DESCRIPTOR_HEAP_BIT_EXT) != 0;
}

VkBufferCreateInfo enlarged(const Device& device, const VkBufferCreateInfo& info) {
  VkBufferCreateInfo larger = info;
  if (can_hold_heaps(info)) larger.size = device.numbers.real_buffer_size(info.size);
  return larger;
}

VKAPI_ATTR VkResult VKAPI_CALL create_buffer(VkDevice handle, const VkBufferCreateInfo* info,
                                             const VkAllocationCallbacks* allocator,
                                             VkBuffer* buffer) {
  Device& device = device_of(dispatch_key(handle));
  if (!can_hold_heaps(*info)) return device.CreateBuffer(handle, info, allocator, buffer);
  if (info->size > kLargestHeapBuffer || (info->flags & VK_BUFFER_CREATE_SPARSE_BINDING_BIT) != 0) {
    device.report(rule::kUnsupported, "a buffer for heaps is sparse, or larger than " +
                                          std::to_string(kLargestHeapBuffer) + " bytes");
    return VK_ERROR_OUT_OF_DEVICE_MEMORY;
  }
  const VkBufferCreateInfo larger = enlarged(device, *info);
  const VkResult result = device.CreateBuffer(handle, &larger, allocator, buffer);
  if (result != VK_SUCCESS) return result;
  const std::scoped_lock lock(device.mutex);
  device.buffers.insert_or_assign(
      *buffer, HeapBuffer(device.numbers, device.instance->reporter, info->size));
  return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL destroy_buffer(VkDevice handle, VkBuffer buffer,
                                          const VkAllocationCallbacks* allocator) {
  Device& device = device_of(dispatch_key(handle));
  {
    const std::scoped_lock lock(device.mutex);
    if (const auto found = device.buffers.find(buffer); found != device.buffers.end()) {
      found->second.finish();
      device.buffers.erase(found);
    }
  }
  device.DestroyBuffer(handle, buffer, allocator);
}

// A buffer's own start must do for every descriptor, so devices align buffers to their limits.
void align(const Device& device, VkMemoryRequirements& requirements) {
  requirements.alignment =
      std::max(requirements.alignment, device.numbers.largest_offset_alignment());
}

VKAPI_ATTR void VKAPI_CALL get_requirements(VkDevice handle, VkBuffer buffer,
                                            VkMemoryRequirements* requirements) {
  const Device& device = device_of(dispatch_key(handle));
  device.GetBufferMemoryRequirements(handle, buffer, requirements);
  align(device, *requirements);
}

VKAPI_ATTR void VKAPI_CALL get_requirements2(VkDevice handle,
                                             const VkBufferMemoryRequirementsInfo2* info,
                                             VkMemoryRequirements2* requirements) {
  const Device& device = device_of(dispatch_key(handle));
  device.GetBufferMemoryRequirements2(handle, info, requirements);
  align(device, requirements->memoryRequirements);
}

VKAPI_ATTR void VKAPI_CALL get_device_requirements(VkDevice handle,
                                                   const VkDeviceBufferMemoryRequirements* info,
                                                   VkMemoryRequirements2* requirements) {
  const Device& device = device_of(dispatch_key(handle));
  const VkBufferCreateInfo larger = enlarged(device, *info->pCreateInfo);
  VkDeviceBufferMemoryRequirements ours = *info;
  ours.pCreateInfo = &larger;
  device.GetDeviceBufferMemoryRequirements(handle, &ours, requirements);
  align(device, requirements->memoryRequirements);
}

VKAPI_ATTR VkResult VKAPI_CALL allocate(VkDevice handle, const VkMemoryAllocateInfo* info,
                                        const VkAllocationCallbacks* allocator,
                                        VkDeviceMemory* memory) {
  Device& device = device_of(dispatch_key(handle));
  VkMemoryAllocateInfo larger = *info;
  const VkDeviceSize shift = is_shared(*info) ? 0 : kShift;
  larger.allocationSize += shift;
  const VkResult result = device.AllocateMemory(handle, &larger, allocator, memory);
  if (result != VK_SUCCESS) return result;
  const std::scoped_lock lock(device.mutex);
  device.memories[*memory] = {.shift = shift};
  return VK_SUCCESS;
}

VkDeviceSize shift_of(Device& device, VkDeviceMemory memory) {
  const std::scoped_lock lock(device.mutex);
  const auto found = device.memories.find(memory);
  return found == device.memories.end() ? 0 : found->second.shift;
}

void find_host(Device& device, HeapBuffer& buffer) {
  const auto found = device.memories.find(buffer.memory);
  const bool isMapped = found != device.memories.end() && found->second.host != nullptr;
  buffer.host = isMapped ? found->second.host + buffer.memoryOffset : nullptr;
}

void bound(Device& device, VkBuffer handle, VkDeviceMemory memory, VkDeviceSize offset) {
  const std::scoped_lock lock(device.mutex);
  const auto found = device.buffers.find(handle);
  if (found == device.buffers.end()) return;
  HeapBuffer& buffer = found->second;
  buffer.memory = memory;
  buffer.memoryOffset = offset;
  const VkBufferDeviceAddressInfo info{.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
                                       .buffer = handle};
  buffer.address = device.GetBufferDeviceAddress(device.handle, &info);
  find_host(device, buffer);
}

VKAPI_ATTR VkResult VKAPI_CALL bind_buffer(VkDevice handle, VkBuffer buffer, VkDeviceMemory memory,
                                           VkDeviceSize offset) {
  Device& device = device_of(dispatch_key(handle));
  const VkResult result =
      device.BindBufferMemory(handle, buffer, memory, offset + shift_of(device, memory));
  if (result == VK_SUCCESS) bound(device, buffer, memory, offset);
  return result;
}

// Infos that bind to memory, or name ranges of it, at the places where the driver has them.
template <typename Info>
std::vector<Info> shifted(Device& device, uint32_t count, const Info* infos) {
  std::vector<Info> ours(infos, infos + count);
  for (Info& info : ours) {
    if constexpr (requires { info.memoryOffset; })
      info.memoryOffset += shift_of(device, info.memory);
    else
      info.offset += shift_of(device, info.memory);
  }
  return ours;
}

VKAPI_ATTR VkResult VKAPI_CALL bind_buffer2(VkDevice handle, uint32_t count,
                                            const VkBindBufferMemoryInfo* infos) {
  Device& device = device_of(dispatch_key(handle));
  const VkResult result =
      device.BindBufferMemory2(handle, count, shifted(device, count, infos).data());
  if (result != VK_SUCCESS) return result;
  for (uint32_t i = 0; i < count; ++i)
    bound(device, infos[i].buffer, infos[i].memory, infos[i].memoryOffset);
  return result;
}

VKAPI_ATTR VkResult VKAPI_CALL bind_image(VkDevice handle, VkImage image, VkDeviceMemory memory,
                                          VkDeviceSize offset) {
  Device& device = device_of(dispatch_key(handle));
  return device.BindImageMemory(handle, image, memory, offset + shift_of(device, memory));
}

VKAPI_ATTR VkResult VKAPI_CALL bind_image2(VkDevice handle, uint32_t count,
                                           const VkBindImageMemoryInfo* infos) {
  Device& device = device_of(dispatch_key(handle));
  return device.BindImageMemory2(handle, count, shifted(device, count, infos).data());
}

VKAPI_ATTR VkResult VKAPI_CALL flush(VkDevice handle, uint32_t count,
                                     const VkMappedMemoryRange* ranges) {
  Device& device = device_of(dispatch_key(handle));
  return device.FlushMappedMemoryRanges(handle, count, shifted(device, count, ranges).data());
}

VKAPI_ATTR VkResult VKAPI_CALL invalidate(VkDevice handle, uint32_t count,
                                          const VkMappedMemoryRange* ranges) {
  Device& device = device_of(dispatch_key(handle));
  return device.InvalidateMappedMemoryRanges(handle, count, shifted(device, count, ranges).data());
}

VKAPI_ATTR VkResult VKAPI_CALL map_memory(VkDevice handle, VkDeviceMemory handleOfMemory,
                                          VkDeviceSize offset, VkDeviceSize size,
                                          VkMemoryMapFlags flags, void** data) {
  Device& device = device_of(dispatch_key(handle));
  const std::scoped_lock lock(device.mutex);
  Memory& memory = device.memories[handleOfMemory];
  if (memory.host == nullptr) {
    void* whole = nullptr;
    const VkResult result =
        device.MapMemory(handle, handleOfMemory, 0, VK_WHOLE_SIZE, flags, &whole);
    if (result != VK_SUCCESS) return result;
    memory.host = static_cast<std::byte*>(whole) + memory.shift;
    for (auto& [unused, buffer] : device.buffers)
      find_host(device, buffer);
  }
  memory.mappedFrom = offset;
  memory.mappedTo = size == VK_WHOLE_SIZE ? VK_WHOLE_SIZE : offset + size;
  *data = memory.host + offset;
  return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL map_memory2(VkDevice handle, const VkMemoryMapInfo* info,
                                           void** data) {
  if (info->pNext != nullptr || info->flags != 0) {
    device_of(dispatch_key(handle))
        .report(rule::kUnsupported, "memory is mapped at a place that the application chooses");
    return VK_ERROR_MEMORY_MAP_FAILED;
  }
  return map_memory(handle, info->memory, info->offset, info->size, 0, data);
}

void unmap(Device& device, VkDeviceMemory memory) {
  const std::scoped_lock lock(device.mutex);
  if (const auto found = device.memories.find(memory); found != device.memories.end())
    found->second.mappedFrom = found->second.mappedTo = 0;
}

VKAPI_ATTR void VKAPI_CALL unmap_memory(VkDevice handle, VkDeviceMemory memory) {
  unmap(device_of(dispatch_key(handle)), memory);
}

VKAPI_ATTR VkResult VKAPI_CALL unmap_memory2(VkDevice handle, const VkMemoryUnmapInfo* info) {
  unmap(device_of(dispatch_key(handle)), info->memory);
  return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL free_memory(VkDevice handle, VkDeviceMemory memory,
                                       const VkAllocationCallbacks* allocator) {
  Device& device = device_of(dispatch_key(handle));
  {
    const std::scoped_lock lock(device.mutex);
    for (auto& [unused, buffer] : device.buffers) {
      if (memory != VK_NULL_HANDLE && buffer.memory == memory) buffer.finish();
    }
    device.memories.erase(memory);
  }
  device.FreeMemory(handle, memory, allocator);
}

}  // namespace

const std::vector<NamedFunction> kMemoryFunctions{
    {"vkCreateBuffer", erased(create_buffer)},
    {"vkDestroyBuffer", erased(destroy_buffer)},
    {"vkGetBufferMemoryRequirements", erased(get_requirements)},
    {"vkGetBufferMemoryRequirements2", erased(get_requirements2)},
    {"vkGetBufferMemoryRequirements2KHR", erased(get_requirements2)},
    {"vkGetDeviceBufferMemoryRequirements", erased(get_device_requirements)},
    {"vkGetDeviceBufferMemoryRequirementsKHR", erased(get_device_requirements)},
    {"vkAllocateMemory", erased(allocate)},
    {"vkBindBufferMemory", erased(bind_buffer)},
    {"vkBindBufferMemory2", erased(bind_buffer2)},
    {"vkBindBufferMemory2KHR", erased(bind_buffer2)},
    {"vkBindImageMemory", erased(bind_image)},
    {"vkBindImageMemory2", erased(bind_image2)},
    {"vkBindImageMemory2KHR", erased(bind_image2)},
    {"vkFlushMappedMemoryRanges", erased(flush)},
    {"vkInvalidateMappedMemoryRanges", erased(invalidate)},
    {"vkMapMemory", erased(map_memory)},
    {"vkMapMemory2", erased(map_memory2)},
    {"vkMapMemory2KHR", erased(map_memory2)},
    {"vkUnmapMemory", erased(unmap_memory)},
    {"vkUnmapMemory2", erased(unmap_memory2)},
    {"vkUnmapMemory2KHR", erased(unmap_memory2)},
    {"vkFreeMemory", erased(free_memory)}};

}  // namespace foreign_device
