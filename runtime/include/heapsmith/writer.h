// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "heapsmith/heaps.h"

namespace heapsmith {

/// Copies of the pNext structs that can be part of a descriptor; one whose sType is 0 is absent.
namespace detail {
struct ImageChain {
  VkImageViewUsageCreateInfo usage{};
  VkSamplerYcbcrConversionInfo conversion{};
  VkImageViewMinLodCreateInfoEXT minLod{};
  VkImageViewSlicedCreateInfoEXT sliced{};
};
struct SamplerChain {
  VkSamplerReductionModeCreateInfo reduction{};
  VkSamplerCustomBorderColorIndexCreateInfoEXT borderColor{};
  VkSamplerCustomBorderColorCreateInfoEXT color{};
};
}  // namespace detail

/// Writes descriptors into mapped heaps, by binding, array element and instance.
///
/// Calls record; flush() writes them in as few Vulkan calls as there are heaps. Whatever a call is
/// given is copied, so nothing needs to outlive it but the Vulkan objects themselves. The order of
/// writes to one slot is the order of calls. A call with a bad argument records nothing and returns
/// the error (UnknownName, TypeMismatch, ElementOutOfRange, InstanceOutOfRange, InvalidDescriptor).
/// Once the writer has seen its largest batch it allocates nothing.
///
/// The heaps are plain memory: a slot that a pending command buffer may read must not be written.
/// One thread at a time for one writer; several writers may write to different slots of the same
/// heaps at the same time.
class DescriptorWriter {
 public:
  /// `device`, `manifest` and `heaps` are borrowed and must outlive the writer.
  DescriptorWriter(const Device& device, const Manifest& manifest, const ResolvedLayout& layout,
                   const Heaps& heaps);

  // Recorded descriptors point into the writer's own arrays, which a move keeps and a copy does
  // not.
  DescriptorWriter(DescriptorWriter&&) noexcept = default;
  DescriptorWriter& operator=(DescriptorWriter&&) noexcept = default;

  /// Uniform or storage buffer, as the binding is declared. `size` in bytes, not 0 and never
  /// VK_WHOLE_SIZE.
  Status buffer(BindingId binding, uint32_t element, uint32_t instance, VkDeviceAddress address,
                VkDeviceSize size);

  /// Sampled image, storage image, input attachment, or the image half of a combined image sampler.
  /// The view is described, not created. Of its pNext chain VkImageViewUsageCreateInfo,
  /// VkSamplerYcbcrConversionInfo, VkImageViewMinLodCreateInfoEXT and
  /// VkImageViewSlicedCreateInfoEXT are copied; others are refused. With a conversion the
  /// descriptor takes up to kYcbcrSlots slots (VUID 11208), which only a binding with such a
  /// sampler has.
  Status image(BindingId binding, uint32_t element, uint32_t instance,
               const VkImageViewCreateInfo& view, VkImageLayout layout);

  /// Uniform or storage texel buffer.
  Status texel_buffer(BindingId binding, uint32_t element, uint32_t instance, VkFormat format,
                      VkDeviceAddress address, VkDeviceSize size);

  /// `address` is that of vkGetAccelerationStructureDeviceAddressKHR.
  Status acceleration_structure(BindingId binding, uint32_t element, uint32_t instance,
                                VkDeviceAddress address);

  /// A null descriptor; the device must have nullDescriptor enabled. Not for samplers or input
  /// attachments.
  Status null(BindingId binding, uint32_t element, uint32_t instance);

  /// A sampler, or the sampler half of a combined image sampler. `tuple` counts the table's sampler
  /// instances: 0 where it has one or the sampler is immutable, otherwise what SamplerTuples says.
  /// Of its pNext chain VkSamplerReductionModeCreateInfo, VkSamplerCustomBorderColorCreateInfoEXT
  /// and VkSamplerCustomBorderColorIndexCreateInfoEXT are copied; a custom border colour needs the
  /// last two. Others are refused (a YCbCr sampler can never be in the heap:
  /// VUID-vkWriteSamplerDescriptorsEXT-pSamplers-11204).
  Status sampler(BindingId binding, uint32_t element, uint32_t tuple,
                 const VkSamplerCreateInfo& info);

  /// Writes what was recorded, and forgets it. On failure (Vulkan) the slots it was about to write
  /// are undefined.
  Status flush();

  /// Recorded and not yet flushed.
  [[nodiscard]] size_t pending() const noexcept;

 private:
  static constexpr size_t kNoChain = SIZE_MAX;

  /// Where a binding lies, in bytes: computed once, so that a write is a sum.
  struct Place {
    uint64_t resourceOffset = 0;
    uint64_t resourceStep = 0;  ///< from one instance to the next
    uint64_t samplerOffset = 0;
    uint64_t samplerStep = 0;  ///< from one tuple to the next
    uint32_t resourceSize = 0;
    uint32_t samplerSize = 0;
    uint32_t capacity = 0;
    uint32_t instances = 0;
    uint32_t samplerInstances = 0;
    uint32_t kinds = 0;  ///< what can be written there
    VkDescriptorType type{};
  };
  struct TexelBuffer {
    VkTexelBufferDescriptorInfoEXT info;
    size_t resource;  ///< into resources_
  };
  struct Image {
    VkImageDescriptorInfoEXT info;
    VkImageViewCreateInfo view;
    size_t resource;  ///< into resources_
    size_t chain;     ///< into imageChains_
  };

  [[nodiscard]] const Place* find(uint32_t kind, BindingId binding, uint32_t element,
                                  uint32_t instance) const noexcept;
  [[nodiscard]] Error refuse(uint32_t kind, BindingId binding, uint32_t element,
                             uint32_t instance) const;
  [[nodiscard]] size_t record(const Place& place, uint32_t element, uint32_t instance);
  void record_range(const Place& place, uint32_t element, uint32_t instance,
                    VkDeviceAddressRangeEXT range);
  void grow();
  void link_resources();
  void link_samplers();
  [[nodiscard]] Status write();

  const Device* device_;
  const Manifest* manifest_;
  const Heaps* heaps_;
  std::vector<Place> places_;  ///< parallel to Manifest::bindings

  // Parallel, one entry a resource, `resourceCount_` of them in use. Address ranges are pointed to
  // as they are recorded; all else moves while calls record, so that flush() makes the pointers.
  std::vector<VkResourceDescriptorInfoEXT> resources_;
  std::vector<VkHostAddressRangeEXT> resourceTargets_;
  std::vector<VkDeviceAddressRangeEXT> addressRanges_;
  size_t resourceCount_ = 0;
  std::vector<TexelBuffer> texelBuffers_;
  std::vector<Image> images_;
  std::vector<detail::ImageChain> imageChains_;

  // Parallel, one entry a sampler.
  std::vector<VkSamplerCreateInfo> samplers_;
  std::vector<VkHostAddressRangeEXT> samplerTargets_;
  std::vector<size_t> samplerChainIndices_;  ///< into samplerChains_
  std::vector<detail::SamplerChain> samplerChains_;
};

/// Deduplicates the samplers of a table whose instances share few of them. All samplers of one
/// instance are a tuple; equal tuples get one place in the sampler heap. The index returned is what
/// the table's samplerIndexField is pushed with. Tuples are never given back. One thread at a time.
class SamplerTuples {
 public:
  /// Both are borrowed and must outlive this.
  SamplerTuples(const Manifest& manifest, const ResolvedLayout& layout, TableId table);

  /// `samplers` has one entry for each sampler slot of one instance, in binding order, array
  /// elements in order. Writes the tuple through `writer` if it is new. Fails with
  /// SamplerTuplesExhausted, with ElementOutOfRange if `samplers` has another length, or as
  /// DescriptorWriter::sampler does. If flush() fails afterwards, start over with a new object.
  Result<uint32_t> add(DescriptorWriter& writer, std::span<const VkSamplerCreateInfo> samplers);

 private:
  [[nodiscard]] uint32_t find(uint64_t hash) const noexcept;
  [[nodiscard]] Status write(DescriptorWriter& writer, uint32_t tuple,
                             std::span<const VkSamplerCreateInfo> samplers) const;

  const Manifest* manifest_;
  const ResolvedLayout* layout_;
  TableId table_;
  std::unordered_multimap<uint64_t, uint32_t> tuples_;  ///< hash of the key to tuple
  std::vector<uint32_t> keys_;  ///< the keys of all tuples, one after another
  std::vector<uint32_t> key_;   ///< the one being looked up
};

}  // namespace heapsmith
