// SPDX-License-Identifier: MIT
#include "numbers.h"

#include <algorithm>
#include <bit>
#include <cstdio>

namespace foreign_device {
namespace {

bool is_buffer(VkDescriptorType type) {
  return type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER || type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER ||
         type == VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR;
}

// What is larger in the profile than what the driver can do.
void clamp_heap(VkPhysicalDeviceDescriptorHeapPropertiesEXT& heap,
                const VkPhysicalDeviceDescriptorHeapPropertiesEXT& real) {
  // Push data is real: the driver stores it, and shaders read it.
  heap.maxPushDataSize = std::min(heap.maxPushDataSize, real.maxPushDataSize);
  heap.maxDescriptorHeapEmbeddedSamplers =
      std::min(heap.maxDescriptorHeapEmbeddedSamplers, real.maxDescriptorHeapEmbeddedSamplers);
  heap.maxSamplerHeapSize = std::min(heap.maxSamplerHeapSize, kLargestSamplerHeap);
  heap.maxResourceHeapSize = std::min(heap.maxResourceHeapSize, kLargestResourceHeap);
  heap.protectedDescriptorHeaps &= real.protectedDescriptorHeaps;
  heap.sparseDescriptorHeaps = VK_FALSE;  // the buffers are made larger, which pages would not be
  heap.imageCaptureReplayOpaqueDataSize = real.imageCaptureReplayOpaqueDataSize;
}

template <typename T>
void at_most(T& limit, T profile) {
  limit = std::min(limit, profile);
}

template <typename T>
void at_least(T& limit, T profile) {
  limit = std::max(limit, profile);
}

}  // namespace

HeapKind heap_kind(VkDescriptorType type) {
  return type == VK_DESCRIPTOR_TYPE_SAMPLER ? HeapKind::Samplers : HeapKind::Resources;
}

std::optional<Numbers> Numbers::make(
    const Profile& profile, const VkPhysicalDeviceDescriptorHeapPropertiesEXT& realHeap,
    const std::function<VkDeviceSize(VkDescriptorType)>& realSize) {
  Numbers numbers;
  numbers.heap_ = profile.heap;
  clamp_heap(numbers.heap_, realHeap);
  numbers.limits_ = profile.limits;
  for (const VkDescriptorType type :
       {VK_DESCRIPTOR_TYPE_SAMPLER, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE,
        VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER,
        VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
        VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT,
        VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR}) {
    // A device without ray tracing has no size for acceleration structures; the driver below has.
    const auto found = profile.descriptorSizes.find(type);
    const VkDeviceSize foreign =
        found != profile.descriptorSizes.end() ? found->second : numbers.class_size(type);
    const VkDeviceSize real = realSize(type);
    numbers.sizes_[type] = {foreign, real};
    VkDeviceSize& scale = numbers.scales_[static_cast<size_t>(heap_kind(type))];
    scale = std::max(scale, std::bit_ceil((real + foreign - 1) / foreign));
  }
  // Real places are multiples of scale * alignment, behind starts that are multiples of the heap's.
  const VkDeviceSize realAlignment =
      std::max({realHeap.samplerDescriptorAlignment, realHeap.imageDescriptorAlignment,
                realHeap.bufferDescriptorAlignment});
  const VkDeviceSize foreignAlignment =
      std::min({numbers.heap_.samplerDescriptorAlignment, numbers.heap_.imageDescriptorAlignment,
                numbers.heap_.bufferDescriptorAlignment, numbers.heap_.samplerHeapAlignment,
                numbers.heap_.resourceHeapAlignment});
  const bool fits =
      std::ranges::max(numbers.scales_) <= kLargestScale && foreignAlignment >= realAlignment &&
      realHeap.minSamplerHeapReservedRangeWithEmbedded == 0 &&
      realHeap.minSamplerHeapReservedRange == 0 && realHeap.minResourceHeapReservedRange == 0;
  if (fits) return numbers;
  std::fprintf(stderr, "foreign device: this driver's descriptors cannot look like those of %s\n",
               profile.name.c_str());
  return std::nullopt;
}

DescriptorSize Numbers::size(VkDescriptorType type) const {
  const auto found = sizes_.find(type);
  return found != sizes_.end() ? found->second : DescriptorSize{};
}

VkDeviceSize Numbers::class_size(VkDescriptorType type) const {
  if (type == VK_DESCRIPTOR_TYPE_SAMPLER) return heap_.samplerDescriptorSize;
  return is_buffer(type) ? heap_.bufferDescriptorSize : heap_.imageDescriptorSize;
}

VkDeviceSize Numbers::class_alignment(VkDescriptorType type) const {
  if (type == VK_DESCRIPTOR_TYPE_SAMPLER) return heap_.samplerDescriptorAlignment;
  return is_buffer(type) ? heap_.bufferDescriptorAlignment : heap_.imageDescriptorAlignment;
}

VkDeviceSize Numbers::largest_offset_alignment() const {
  return std::max({limits_.minUniformBufferOffsetAlignment, limits_.minStorageBufferOffsetAlignment,
                   limits_.minTexelBufferOffsetAlignment});
}

void Numbers::restrict_limits(VkPhysicalDeviceLimits& limits) const {
  at_most(limits.maxPushConstantsSize, limits_.maxPushConstantsSize);
  at_most(limits.maxBoundDescriptorSets, limits_.maxBoundDescriptorSets);
  at_most(limits.maxSamplerAllocationCount, limits_.maxSamplerAllocationCount);
  at_most(limits.maxPerStageDescriptorSampledImages, limits_.maxPerStageDescriptorSampledImages);
  at_most(limits.maxUniformBufferRange, limits_.maxUniformBufferRange);
  at_most(limits.maxStorageBufferRange, limits_.maxStorageBufferRange);
  at_least(limits.minUniformBufferOffsetAlignment, limits_.minUniformBufferOffsetAlignment);
  at_least(limits.minStorageBufferOffsetAlignment, limits_.minStorageBufferOffsetAlignment);
  at_least(limits.minTexelBufferOffsetAlignment, limits_.minTexelBufferOffsetAlignment);
  at_least(limits.nonCoherentAtomSize, limits_.nonCoherentAtomSize);
  at_least(limits.bufferImageGranularity, limits_.bufferImageGranularity);
}

void Numbers::replace_heap(VkPhysicalDeviceDescriptorHeapPropertiesEXT& heap) const {
  const auto sType = heap.sType;
  void* const next = heap.pNext;
  heap = heap_;
  heap.sType = sType;
  heap.pNext = next;
}

}  // namespace foreign_device
