// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "heapsmith/device_limits.h"
#include "heapsmith/error.h"
#include "heapsmith/manifest.h"

/// Slots to bytes. This is the only code that knows how: the offline compiler's checks, `heapsmith
/// resolve` and the runtime all call it.
namespace heapsmith {

/// Another number of instances than the manifest's, for a table that is not Residence::Static.
/// Another number of sampler instances only where something tells them apart: a samplerIndexField,
/// a packed index, or the slots that a scattered table's words name.
struct InstanceOverride {
  TableId table;
  uint32_t instances = 1;
  uint32_t samplerInstances = 0;  ///< 0: as in the manifest
};

/// Another number of elements than the manifest's, for a binding with ArrayKind::Runtime or
/// Specialization that no field has room for each element of; or another number of copies, for one
/// with Residence::HeapData.
struct CapacityOverride {
  BindingId binding;
  uint32_t capacity = 1;
};

/// Rewritten shaders follow all of this where their pipelines are made with
/// vulkan_specialization() (pipeline.h).
struct ResolveOptions {
  std::span<const InstanceOverride> instances;
  std::span<const CapacityOverride> capacities;
  /// By DescriptorClass: the slot that a region begins at, counted in descriptors of that class
  /// from the heap's start, for regions that lie in a heap of your own. So it begins at a multiple
  /// of the class's size, and of its alignment. A region without a number follows those before it
  /// in the order of classes, as without this option. None may overlap. Of a manifest with
  /// rewritten shaders only if it says RegionBases::Specialization.
  std::array<std::optional<uint64_t>, kDescriptorClassCount> regionBases{};
};

/// Whether an override may give the table another number of instances than 1, and of sampler
/// instances; the binding another capacity than 1.
[[nodiscard]] bool can_override_instances(const Manifest& manifest, TableId table) noexcept;
[[nodiscard]] bool can_override_sampler_instances(const Manifest& manifest, TableId table) noexcept;
[[nodiscard]] bool can_override_capacity(const Manifest& manifest, BindingId binding) noexcept;

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
  uint64_t firstSamplerSlot = 0;  ///< sampler slot; of immutable samplers, from the region's start
  uint32_t capacity = 1;          ///< elements; copies of a HeapData block
};

/// Every slot of a manifest; no device is needed for it. Inside a region the external ranges come
/// first, in manifest order, then the tables, in manifest order, without gaps. A table's immutable
/// samplers come before its tuples.
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

/// The slot of a descriptor that is not a sampler, from its region's start: what a word of
/// FieldKind::ResourceSlots holds. The arguments must be in range.
[[nodiscard]] uint64_t resource_slot(const Manifest& manifest, const SlotLayout& slots,
                                     BindingId binding, uint32_t element = 0,
                                     uint32_t instance = 0) noexcept;

/// The slot of a sampler: what a word of FieldKind::SamplerSlots holds. `tuple` counts sampler
/// instances, not table instances; an immutable sampler has the same slot in all of them.
[[nodiscard]] uint64_t sampler_slot(const Manifest& manifest, const SlotLayout& slots,
                                    BindingId binding, uint32_t element = 0,
                                    uint32_t tuple = 0) noexcept;

/// What a specialization constant of a rewritten shader stands for; 0 for a RegionFirstSlot, which
/// only a device decides. Of the manifest's own layout it is the constant's default.
[[nodiscard]] uint64_t slot_number(const Manifest& manifest, const SlotLayout& slots,
                                   const SlotConstant& constant) noexcept;

/// One half of a mapping that reaches descriptors, in slots: what its heapOffset and strides will
/// be.
struct MappingHalf {
  DescriptorClass descriptorClass{};
  uint64_t slot = 0;         ///< of element 0 in instance 0, from its region's start
  uint64_t arrayStride = 0;  ///< slots from one element to the next; 0 where each has its own word
  uint64_t indexStride = 0;  ///< slots that a field's word counts; 0 where no field picks anything
  uint64_t end = 0;          ///< behind the last slot that any instance and element reaches
};

/// The buffer, image or tensor slots of a mapping whose part is not Sampler.
[[nodiscard]] MappingHalf resource_half(const Manifest& manifest, const SlotLayout& slots,
                                        const Mapping& mapping) noexcept;

/// The sampler slots of a mapping whose part is Sampler or Combined, and that embeds none.
[[nodiscard]] MappingHalf sampler_half(const Manifest& manifest, const SlotLayout& slots,
                                       const Mapping& mapping) noexcept;

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

/// Where the bytes of a HeapData block lie: copy i at `offset + i * stride`, in bytes from the
/// resource heap's start.
struct DataPlace {
  uint64_t offset = 0;
  uint64_t stride = 0;
};

struct ResolvedLayout {
  HeapExtent resourceHeap;
  HeapExtent samplerHeap;
  std::array<Region, kDescriptorClassCount> regions{};  ///< index by DescriptorClass
  std::vector<DataPlace> data;  ///< parallel to Manifest::bindings; empty if none is HeapData
  SlotLayout slots;

  [[nodiscard]] const Region& region(DescriptorClass descriptorClass) const noexcept {
    return regions[static_cast<size_t>(descriptorClass)];
  }
};

/// Computes every byte amount for one device. Strides are the class sizes, so that they are what
/// OpConstantSizeOfEXT yields in a shader; each region starts at a multiple of its class size, so
/// that every slot is also reachable as `array[slot]` from a shader that indexes the heap itself.
/// The resource heap's regions follow each other in the order image, buffer, tensor; then come the
/// bytes of HeapData blocks, each at a multiple of minUniformBufferOffsetAlignment (VUID 11441) and
/// of 16, and the reserved range. The sampler heap's is minSamplerHeapReservedRangeWithEmbedded if
/// any mapping embeds a sampler (VUID 11375). All arithmetic is 64-bit. What a mapping reaches must
/// lie in the heap's first 2^32 bytes, since mappings count in 32 bits; slots that no mapping
/// reaches may lie beyond, unless shaders are rewritten, which count in 32 bits too and reach all
/// of them. With regionBases the heaps end where their last region does. Fails with InvalidLimits,
/// InvalidOverride, ResourceHeapTooLarge, SamplerHeapTooLarge, MappingOffsetOverflow,
/// PushDataTooLarge, ShaderRecordTooLarge, TooManyEmbeddedSamplers or UnsupportedClass. Pure; any
/// thread.
[[nodiscard]] Result<ResolvedLayout> resolve(const Manifest& manifest, const DeviceLimits& limits,
                                             const ResolveOptions& options = {});

/// A mapping's numbers as the members of VkDescriptorMappingSourceDataEXT want them. Those that its
/// source does not have are 0.
struct ResolvedMapping {
  uint32_t heapOffset = 0;
  uint32_t heapArrayStride = 0;
  uint32_t heapIndexStride = 0;
  uint32_t fieldOffset = 0;  ///< pushOffset, pushDataOffset, pushAddressOffset, shaderRecordOffset,
                             ///< shaderRecordDataOffset or shaderRecordAddressOffset
  uint32_t addressOffset = 0;
  uint32_t samplerHeapOffset = 0;
  uint32_t samplerHeapArrayStride = 0;
  uint32_t samplerHeapIndexStride = 0;
  uint32_t samplerFieldOffset = 0;  ///< samplerPushOffset or samplerShaderRecordOffset
  uint32_t samplerAddressOffset = 0;
};

/// `layout` must come from resolve() of the same manifest, which has checked that the numbers fit.
[[nodiscard]] ResolvedMapping resolve_mapping(const Manifest& manifest,
                                              const ResolvedLayout& layout,
                                              const Mapping& mapping) noexcept;

/// VkDescriptorSetAndBindingMappingEXT::resourceMask. Mapping::resourceMask, but for uniform texel
/// buffers everything: one that an older front end spelt as an OpTypeSampledImage has no bit in the
/// validation layer (1.4.363), not even COMBINED_SAMPLED_IMAGE, so that only "all" keeps it from
/// missing the mapping (VUID 11312). Such a binding has no other mapping that "all" would overlap.
[[nodiscard]] uint32_t vulkan_resource_mask(const Manifest& manifest,
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

/// Byte offset in the resource heap of a copy of a HeapData block; the arguments must be in range.
[[nodiscard]] uint64_t heap_data_offset(const ResolvedLayout& layout, BindingId binding,
                                        uint32_t copy) noexcept;

/// What the field of FieldKind::HeapDataOffset holds to pick that copy: heap_data_offset().
[[nodiscard]] uint32_t heap_data_word(const ResolvedLayout& layout, BindingId binding,
                                      uint32_t copy) noexcept;

/// What a specialization constant of a rewritten shader is to be set to.
[[nodiscard]] uint32_t slot_number(const Manifest& manifest, const ResolvedLayout& layout,
                                   const SlotConstant& constant) noexcept;

/// Byte offset of an external range's first slot, in the heap of its class.
[[nodiscard]] uint64_t external_offset(const Manifest& manifest, const ResolvedLayout& layout,
                                       ExternalRangeId range) noexcept;

}  // namespace heapsmith
