// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "heapsmith/device_limits.h"
#include "heapsmith/error.h"
#include "heapsmith/manifest.h"

/// Slots to bytes. This is the only code that knows how: the offline compiler's checks, `heapsmith
/// resolve` and the runtime all call it.
namespace heapsmith {

/// Another number of instances than the manifest's, for a table with Residence::Indexed. Another
/// number of sampler instances only where Table::samplerIndexField tells them apart.
struct InstanceOverride {
  TableId table;
  uint32_t instances = 1;
  uint32_t samplerInstances = 0;  ///< 0: as in the manifest
};

/// Another number of elements than the manifest's, for a binding with ArrayKind::Runtime or
/// Specialization.
struct CapacityOverride {
  BindingId binding;
  uint32_t capacity = 1;
};

struct ResolveOptions {
  std::span<const InstanceOverride> instances;
  std::span<const CapacityOverride> capacities;
};

/// Where a table lies, in slots. Index the arrays by DescriptorClass. The slot of the k-th
/// descriptor of a class in instance i is `firstSlot + i * slotsPerInstance + k`, counted from its
/// region's start.
struct TableSlots {
  std::array<uint64_t, kDescriptorClassCount> firstSlot{};
  std::array<uint64_t, kDescriptorClassCount> slotsPerInstance{};
  uint32_t instances = 1;
  uint32_t samplerInstances = 1;
};

/// Where a binding lies within one instance of its table, in slots of its class.
struct BindingSlots {
  uint64_t firstSlot = 0;         ///< buffer, image or tensor slot
  uint64_t firstSamplerSlot = 0;  ///< sampler slot
  uint32_t capacity = 1;
};

/// Every slot of a manifest; no device is needed for it. Inside a region the external ranges come
/// first, in manifest order, then the tables, in manifest order, without gaps.
struct SlotLayout {
  std::vector<TableSlots> tables;        ///< parallel to Manifest::tables
  std::vector<BindingSlots> bindings;    ///< parallel to Manifest::bindings
  std::vector<uint64_t> externalRanges;  ///< first slots, parallel to Manifest::externalRanges
  std::array<uint64_t, kDescriptorClassCount> regionSlots{};  ///< slots of each class in all
};

/// A region of more slots than this is refused before any multiplication: it is beyond every heap.
inline constexpr uint64_t kMaxRegionSlots = uint64_t{1} << 48;

/// Fails with InvalidOverride, or with ResourceHeapTooLarge or SamplerHeapTooLarge where a region
/// would have more than kMaxRegionSlots slots. So slot numbers cannot overflow.
[[nodiscard]] Result<SlotLayout> assign_slots(const Manifest& manifest,
                                              const ResolveOptions& options = {});

/// A run of slots of one class: `slots * stride` bytes from `offset` on, in bytes from the heap's
/// start.
struct Region {
  uint64_t offset = 0;
  uint64_t stride = 0;
  uint64_t slots = 0;
};

/// One heap, in bytes. The user range is [0, reservedRangeOffset), the driver's reserved range
/// follows it.
struct HeapExtent {
  uint64_t size = 0;  ///< what VkBindHeapInfoEXT::heapRange covers, reserved range included
  uint64_t alignment = 1;
  uint64_t reservedRangeOffset = 0;
  uint64_t reservedRangeSize = 0;
};

struct ResolvedLayout {
  HeapExtent resourceHeap;
  HeapExtent samplerHeap;
  std::array<Region, kDescriptorClassCount> regions{};  ///< index by DescriptorClass
  SlotLayout slots;

  [[nodiscard]] const Region& region(DescriptorClass descriptorClass) const noexcept {
    return regions[static_cast<size_t>(descriptorClass)];
  }
};

/// Computes every byte amount for one device. Strides are the class sizes, so that they are what
/// OpConstantSizeOfEXT yields in a shader; each region starts at a multiple of its class size, so
/// that every slot is also reachable as `array[slot]` from a shader that indexes the heap itself.
/// The resource heap's regions follow each other in the order image, buffer, tensor; the reserved
/// range comes last. All arithmetic is 64-bit. What a mapping reaches must lie in the heap's first
/// 2^32 bytes, since mappings count in 32 bits; slots that no mapping reaches may lie beyond. Fails
/// with InvalidLimits, InvalidOverride, ResourceHeapTooLarge, SamplerHeapTooLarge,
/// MappingOffsetOverflow, PushDataTooLarge or UnsupportedClass. Pure; any thread.
[[nodiscard]] Result<ResolvedLayout> resolve(const Manifest& manifest, const DeviceLimits& limits,
                                             const ResolveOptions& options = {});

/// A mapping's numbers as the fields of VkDescriptorMappingSourceConstantOffsetEXT / PushIndexEXT
/// want them.
struct ResolvedMapping {
  uint32_t heapOffset = 0;
  uint32_t heapArrayStride = 0;
  uint32_t heapIndexStride = 0;
  uint32_t pushOffset = 0;
  uint32_t samplerHeapOffset = 0;
  uint32_t samplerHeapArrayStride = 0;
  uint32_t samplerHeapIndexStride = 0;
  uint32_t samplerPushOffset = 0;
};

/// `layout` must come from resolve() of the same manifest, which has checked that the numbers fit.
[[nodiscard]] ResolvedMapping resolve_mapping(const Manifest& manifest,
                                              const ResolvedLayout& layout,
                                              const Mapping& mapping) noexcept;

/// Byte offset in the resource heap of a descriptor that is not a sampler. The arguments must be in
/// range.
[[nodiscard]] uint64_t resource_offset(const Manifest& manifest, const ResolvedLayout& layout,
                                       BindingId binding, uint32_t element,
                                       uint32_t instance) noexcept;

/// Byte offset in the sampler heap of a sampler. `tuple` counts sampler instances, not table
/// instances.
[[nodiscard]] uint64_t sampler_offset(const Manifest& manifest, const ResolvedLayout& layout,
                                      BindingId binding, uint32_t element, uint32_t tuple) noexcept;

/// Byte offset of an external range's first slot, in the heap of its class.
[[nodiscard]] uint64_t external_offset(const Manifest& manifest, const ResolvedLayout& layout,
                                       ExternalRangeId range) noexcept;

}  // namespace heapsmith
