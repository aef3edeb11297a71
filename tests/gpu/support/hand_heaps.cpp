// SPDX-License-Identifier: MIT
#include "support/hand_heaps.h"

#include <algorithm>

#include "common/check.h"
#include "support/align.h"

namespace gpu_test {
namespace {

constexpr uint64_t kResourceSlots = 128;
constexpr uint64_t kDataBytes = 16384;
constexpr uint64_t kSamplerSlots = 64;

heapsmith::HeapExtent extent_of(uint64_t used, uint64_t heapAlignment, uint64_t reservedAlignment,
                                uint64_t reserved) {
  heapsmith::HeapExtent extent;
  extent.alignment = heapAlignment;
  extent.reservedRangeOffset = align(used, reservedAlignment);
  extent.reservedRangeSize = reserved;
  extent.size = extent.reservedRangeOffset + reserved;
  return extent;
}

// Uniform data in the heap is aligned by its address, not only by its offset (VUID 11441).
heapsmith::ResolvedLayout extents(const example::Gpu& gpu) {
  const heapsmith::DeviceLimits& limits = gpu.limits;
  heapsmith::ResolvedLayout layout;
  layout.resourceHeap = extent_of(
      kResourceSlots * std::max(limits.bufferDescriptorSize, limits.imageDescriptorSize) +
          kDataBytes,
      std::max(limits.resourceHeapAlignment, gpu.properties.limits.minUniformBufferOffsetAlignment),
      std::max(limits.bufferDescriptorAlignment, limits.imageDescriptorAlignment),
      limits.minResourceHeapReservedRange);
  layout.samplerHeap =
      extent_of(kSamplerSlots * limits.samplerDescriptorSize, limits.samplerHeapAlignment,
                limits.samplerDescriptorAlignment, limits.minSamplerHeapReservedRangeWithEmbedded);
  return layout;
}

}  // namespace

HandHeaps::HandHeaps(TestDevice& device)
    : device_(device),
      heaps_(example::checked(heapsmith::create_heaps(device.heapsmith(), extents(device.gpu())),
                              "creating heaps")) {
  device.at_end(
      [&device, heaps = heaps_]() mutable { heapsmith::destroy_heaps(device.heapsmith(), heaps); });
}

uint32_t HandHeaps::place(uint64_t& used, uint64_t bytes, uint64_t alignment,
                          const heapsmith::Heap& heap) {
  const uint64_t offset = align(used, alignment);
  used = offset + bytes;
  if (used > heap.extent.reservedRangeOffset)
    example::fail("laying out a heap", "it has no more room");
  return static_cast<uint32_t>(offset);
}

Slots HandHeaps::place_buffers(uint32_t count) {
  const uint64_t size = device_.limits().bufferDescriptorSize;
  return {place(resourceBytes_, count * size, size, heaps_.resources), static_cast<uint32_t>(size)};
}

Slots HandHeaps::place_images(uint32_t count) {
  const uint64_t size = device_.limits().imageDescriptorSize;
  return {place(resourceBytes_, count * size, size, heaps_.resources), static_cast<uint32_t>(size)};
}

Slots HandHeaps::place_samplers(uint32_t count) {
  const uint64_t size = device_.limits().samplerDescriptorSize;
  return {place(samplerBytes_, count * size, size, heaps_.samplers), static_cast<uint32_t>(size)};
}

uint32_t HandHeaps::place_data(uint32_t bytes) {
  return place(resourceBytes_, bytes,
               device_.gpu().properties.limits.minUniformBufferOffsetAlignment, heaps_.resources);
}

void HandHeaps::write_resource(uint32_t offset, uint64_t size,
                               const VkResourceDescriptorInfoEXT& info) {
  const VkHostAddressRangeEXT target{heaps_.resources.mapped + offset, size};
  example::check(vkWriteResourceDescriptorsEXT(device_.gpu().device, 1, &info, &target),
                 "writing a resource descriptor");
}

void HandHeaps::write_buffer(uint32_t offset, VkDescriptorType type, VkDeviceAddress address,
                             VkDeviceSize size) {
  const VkDeviceAddressRangeEXT range{address, size};
  write_resource(offset, device_.limits().bufferDescriptorSize,
                 {.sType = VK_STRUCTURE_TYPE_RESOURCE_DESCRIPTOR_INFO_EXT,
                  .type = type,
                  .data = {.pAddressRange = &range}});
}

void HandHeaps::write_sampled_image(uint32_t offset, const example::Image& image) {
  const VkImageViewCreateInfo view = example::view_info(image);
  const VkImageDescriptorInfoEXT info{.sType = VK_STRUCTURE_TYPE_IMAGE_DESCRIPTOR_INFO_EXT,
                                      .pView = &view,
                                      .layout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
  write_resource(offset, device_.limits().imageDescriptorSize,
                 {.sType = VK_STRUCTURE_TYPE_RESOURCE_DESCRIPTOR_INFO_EXT,
                  .type = VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE,
                  .data = {.pImage = &info}});
}

void HandHeaps::write_sampler(uint32_t offset, const VkSamplerCreateInfo& sampler) {
  const VkHostAddressRangeEXT target{heaps_.samplers.mapped + offset,
                                     device_.limits().samplerDescriptorSize};
  example::check(vkWriteSamplerDescriptorsEXT(device_.gpu().device, 1, &sampler, &target),
                 "writing a sampler descriptor");
}

}  // namespace gpu_test
