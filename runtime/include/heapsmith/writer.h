// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "heapsmith/heaps.h"

namespace heapsmith {

/// Writes descriptors into mapped heaps, by binding, array element and instance.
///
/// Calls record; flush() writes them in as few Vulkan calls as there are heaps. Whatever a call is
/// given is copied, so nothing needs to outlive it but the Vulkan objects themselves. The order of
/// writes to one slot is the order of calls. A call with a bad argument records nothing and returns
/// the error (TypeMismatch, ElementOutOfRange, InstanceOutOfRange, InvalidDescriptor).
///
/// The heaps are plain memory: a slot that a pending command buffer may read must not be written.
/// One thread at a time for one writer; several writers may write to different slots of the same
/// heaps at the same time.
class DescriptorWriter {
 public:
  /// All arguments are borrowed and must outlive the writer.
  DescriptorWriter(const Device& device, const Manifest& manifest, const ResolvedLayout& layout,
                   const Heaps& heaps);

  /// Uniform or storage buffer, as the binding is declared. `size` in bytes, not 0 and never
  /// VK_WHOLE_SIZE.
  Status buffer(BindingId binding, uint32_t element, uint32_t instance, VkDeviceAddress address,
                VkDeviceSize size);

  /// Sampled image, storage image, input attachment, or the image half of a combined image sampler.
  /// The view is described, not created. Of its pNext chain VkImageViewUsageCreateInfo,
  /// VkSamplerYcbcrConversionInfo, VkImageViewMinLodCreateInfoEXT and
  /// VkImageViewSlicedCreateInfoEXT are copied; others are refused.
  Status image(BindingId binding, uint32_t element, uint32_t instance,
               const VkImageViewCreateInfo& view, VkImageLayout layout);

  /// Uniform or storage texel buffer.
  Status texel_buffer(BindingId binding, uint32_t element, uint32_t instance, VkFormat format,
                      VkDeviceAddress address, VkDeviceSize size);

  Status acceleration_structure(BindingId binding, uint32_t element, uint32_t instance,
                                VkDeviceAddress address);

  /// A null descriptor; the device must have nullDescriptor enabled. Not for samplers or input
  /// attachments.
  Status null(BindingId binding, uint32_t element, uint32_t instance);

  /// A sampler of a table with one sampler instance, or the sampler half of a combined image
  /// sampler. Of its pNext chain VkSamplerReductionModeCreateInfo and
  /// VkSamplerCustomBorderColorIndexCreateInfoEXT are copied; others are refused (a YCbCr sampler
  /// can never be in the heap: VUID-vkWriteSamplerDescriptorsEXT-pSamplers-11204).
  Status sampler(BindingId binding, uint32_t element, uint32_t tuple,
                 const VkSamplerCreateInfo& info);

  /// Writes what was recorded. On failure (Vulkan) the slots it was about to write are undefined.
  Status flush();

  /// Recorded and not yet flushed.
  [[nodiscard]] size_t pending() const noexcept;

 private:
  // B fills in.
};

/// Deduplicates the samplers of a table whose instances share few of them. All samplers of one
/// instance are a tuple; equal tuples get one place in the sampler heap. The index returned is what
/// the table's samplerIndexField is pushed with.
class SamplerTuples {
 public:
  SamplerTuples(const Manifest& manifest, const ResolvedLayout& layout, TableId table);

  /// `samplers` has one entry for each sampler slot of one instance, in binding order, array
  /// elements in order. Writes the tuple through `writer` if it is new. Fails with
  /// SamplerTuplesExhausted, or as DescriptorWriter::sampler does.
  Result<uint32_t> add(DescriptorWriter& writer, std::span<const VkSamplerCreateInfo> samplers);

 private:
  // B fills in.
};

}  // namespace heapsmith
