// SPDX-License-Identifier: MIT

// Descriptors are written into memory of the layer's own, from where HeapBuffer puts them.

#include <algorithm>

#include "device.h"

namespace foreign_device {
namespace {

struct Target {
  HeapBuffer* buffer = nullptr;
  VkDeviceSize offset = 0;
};

// Where a host range lies, if all of it is in one buffer for heaps and mapped.
Target find_target(Device& device, const VkHostAddressRangeEXT& range) {
  const auto first = reinterpret_cast<uintptr_t>(range.address);
  for (auto& [unused, buffer] : device.buffers) {
    if (buffer.host == nullptr) continue;
    const auto start = reinterpret_cast<uintptr_t>(buffer.host);
    if (first < start || first - start >= buffer.size()) continue;
    const VkDeviceSize offset = first - start;
    const Memory& memory = device.memories.at(buffer.memory);
    const VkDeviceSize inMemory = buffer.memoryOffset + offset;
    const bool fits = range.size <= buffer.size() - offset && inMemory >= memory.mappedFrom &&
                      inMemory + range.size <= memory.mappedTo;
    return fits ? Target{&buffer, offset} : Target{};
  }
  return {};
}

// Images with several planes take several descriptors in a row.
VkDeviceSize descriptor_count(const VkResourceDescriptorInfoEXT& info, VkDeviceSize oneSize,
                              VkDeviceSize rangeSize) {
  const bool isImage = info.type == VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE ||
                       info.type == VK_DESCRIPTOR_TYPE_STORAGE_IMAGE ||
                       info.type == VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT;
  const bool isPlanar =
      isImage && info.data.pImage && info.data.pImage->pView &&
      find_in_chain<VkSamplerYcbcrConversionInfo>(info.data.pImage->pView->pNext,
                                                  VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_INFO);
  return isPlanar ? std::max<VkDeviceSize>(1, rangeSize / oneSize) : 1;
}

// A range may be as large as any descriptor of the class: that is the slot. More is a wrong size.
bool is_right_size(const Device& device, VkDescriptorType type, VkDeviceSize count,
                   VkDeviceSize rangeSize) {
  return rangeSize >= count * device.numbers.size(type).foreign &&
         rangeSize <= count * device.numbers.class_size(type);
}

// `fill` lets the driver write into a range of the real size.
template <typename Fill>
VkResult write_one(Device& device, VkDescriptorType type, VkDeviceSize count,
                   const VkHostAddressRangeEXT& range, const Fill& fill) {
  const DescriptorSize size = device.numbers.size(type);
  if (!is_right_size(device, type, count, range.size)) {
    device.report(rule::kWriteSize, "a host range of " + std::to_string(range.size) +
                                        " bytes for a descriptor of " +
                                        std::to_string(count * size.foreign) + " bytes");
    if (range.size < count * size.foreign) return VK_SUCCESS;
  }
  Descriptor descriptor{.type = type, .real = std::vector<std::byte>(count * size.real)};
  const VkResult result =
      fill(VkHostAddressRangeEXT{descriptor.real.data(), descriptor.real.size()});
  if (result != VK_SUCCESS) return result;
  descriptor.foreign = foreign_bytes(descriptor.real, count * size.foreign);

  const std::scoped_lock lock(device.mutex);
  const Target target = find_target(device, range);
  if (target.buffer == nullptr) {
    device.report(rule::kWriteTarget, "a descriptor is written to host memory that is not mapped " +
                                          std::string("memory of a buffer for heaps"));
    return VK_SUCCESS;
  }
  target.buffer->write(target.offset, std::move(descriptor));
  return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL write_samplers(VkDevice handle, uint32_t count,
                                              const VkSamplerCreateInfo* samplers,
                                              const VkHostAddressRangeEXT* ranges) {
  Device& device = device_of(dispatch_key(handle));
  for (uint32_t i = 0; i < count; ++i) {
    const VkResult result = write_one(
        device, VK_DESCRIPTOR_TYPE_SAMPLER, 1, ranges[i], [&](const VkHostAddressRangeEXT& real) {
          return device.WriteSamplerDescriptorsEXT(handle, 1, &samplers[i], &real);
        });
    if (result != VK_SUCCESS) return result;
  }
  return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL write_resources(VkDevice handle, uint32_t count,
                                               const VkResourceDescriptorInfoEXT* infos,
                                               const VkHostAddressRangeEXT* ranges) {
  Device& device = device_of(dispatch_key(handle));
  for (uint32_t i = 0; i < count; ++i) {
    const DescriptorSize size = device.numbers.size(infos[i].type);
    if (size.foreign == 0) {
      device.report(rule::kUnsupported,
                    "descriptors of type " + std::to_string(infos[i].type) + " are unknown here");
      continue;
    }
    const VkResult result =
        write_one(device, infos[i].type, descriptor_count(infos[i], size.foreign, ranges[i].size),
                  ranges[i], [&](const VkHostAddressRangeEXT& real) {
                    return device.WriteResourceDescriptorsEXT(handle, 1, &infos[i], &real);
                  });
    if (result != VK_SUCCESS) return result;
  }
  return VK_SUCCESS;
}

}  // namespace

const std::vector<NamedFunction> kDescriptorFunctions{
    {"vkWriteSamplerDescriptorsEXT", erased(write_samplers)},
    {"vkWriteResourceDescriptorsEXT", erased(write_resources)}};

}  // namespace foreign_device
