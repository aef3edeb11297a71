// SPDX-License-Identifier: MIT
#include "heapsmith/resolve.h"

#include <algorithm>
#include <limits>

#include "text.h"

namespace heapsmith {
namespace {

constexpr uint64_t kMax64 = std::numeric_limits<uint64_t>::max();
constexpr uint64_t kAddressable32 = uint64_t{1} << 32;

constexpr size_t index_of(DescriptorClass descriptorClass) {
  return static_cast<size_t>(descriptorClass);
}

/// Bytes handed out so far. Limits up to 2^64-1 occur (RADV), so that no value can stand for "too
/// many".
struct Cursor {
  uint64_t offset = 0;
  bool overflow = false;

  void take(uint64_t count, uint64_t bytes) {
    if (bytes != 0 && count > (kMax64 - offset) / bytes) {
      overflow = true;
      return;
    }
    offset += count * bytes;
  }
  void align(uint64_t alignment) {
    const uint64_t excess = offset % alignment;
    if (excess != 0) take(1, alignment - excess);
  }
};

uint64_t class_size(const DeviceLimits& limits, DescriptorClass descriptorClass) {
  switch (descriptorClass) {
    case DescriptorClass::Buffer:
      return limits.bufferDescriptorSize;
    case DescriptorClass::Image:
      return limits.imageDescriptorSize;
    case DescriptorClass::Sampler:
      return limits.samplerDescriptorSize;
    case DescriptorClass::Tensor:
      return limits.tensorDescriptorSize;
  }
  return 0;
}

/// A region starts at a multiple of its class size, not only of its alignment: a shader that
/// indexes the heap itself counts from the heap's start in strides of that size.
void place_region(Cursor& cursor, Region& region) {
  if (region.slots == 0) return;
  cursor.align(region.stride);
  region.offset = cursor.offset;
  cursor.take(region.slots, region.stride);
}

struct HeapRules {
  ErrorCode tooLarge;
  std::string_view name;
  uint64_t heapAlignment;
  uint64_t reservedAlignment;
  uint64_t reservedSize;
  uint64_t maxSize;
};

/// Appends the reserved range. VUID-vkCmdBindResourceHeapEXT 11435 and 11436,
/// vkCmdBindSamplerHeapEXT 11434: its offset is a multiple of the alignments even where its size is
/// 0.
Result<HeapExtent> finish_heap(Cursor cursor, const HeapRules& rules) {
  HeapExtent extent;
  extent.alignment = rules.heapAlignment;
  if (cursor.offset == 0 && !cursor.overflow && rules.reservedSize == 0) return extent;
  cursor.align(rules.reservedAlignment);
  extent.reservedRangeOffset = cursor.offset;
  extent.reservedRangeSize = rules.reservedSize;
  cursor.take(rules.reservedSize, 1);
  extent.size = cursor.offset;
  if (cursor.overflow) {
    return detail::error(rules.tooLarge, "the ", rules.name,
                         " heap needs more than 2^64 bytes, the device allows ", rules.maxSize);
  }
  if (extent.size > rules.maxSize) {
    return detail::error(rules.tooLarge, "the ", rules.name, " heap needs ", extent.size,
                         " bytes, the device allows ", rules.maxSize);
  }
  return extent;
}

Result<HeapExtent> place_resource_heap(const DeviceLimits& limits, ResolvedLayout& layout) {
  Cursor cursor;
  uint64_t reservedAlignment =
      std::max(limits.bufferDescriptorAlignment, limits.imageDescriptorAlignment);
  reservedAlignment = std::max(reservedAlignment, limits.tensorDescriptorAlignment);
  for (const DescriptorClass descriptorClass :
       {DescriptorClass::Image, DescriptorClass::Buffer, DescriptorClass::Tensor}) {
    place_region(cursor, layout.regions[index_of(descriptorClass)]);
  }
  return finish_heap(
      cursor, {ErrorCode::ResourceHeapTooLarge, "resource", limits.resourceHeapAlignment,
               reservedAlignment, limits.minResourceHeapReservedRange, limits.maxResourceHeapSize});
}

Result<HeapExtent> place_sampler_heap(const DeviceLimits& limits, ResolvedLayout& layout) {
  Cursor cursor;
  place_region(cursor, layout.regions[index_of(DescriptorClass::Sampler)]);
  return finish_heap(cursor, {ErrorCode::SamplerHeapTooLarge, "sampler",
                              limits.samplerHeapAlignment, limits.samplerDescriptorAlignment,
                              limits.minSamplerHeapReservedRange, limits.maxSamplerHeapSize});
}

/// Where one half of a mapping lies. None of its sums can overflow once the heaps have been placed.
struct Half {
  uint64_t offset = 0;
  uint64_t arrayStride = 0;
  uint64_t indexStride = 0;
  uint64_t end = 0;  ///< behind the last byte that any instance and element reaches
};

Half locate(const Manifest& manifest, const ResolvedLayout& layout, uint32_t bindingIndex,
            DescriptorClass descriptorClass, bool picked) {
  const bool sampler = descriptorClass == DescriptorClass::Sampler;
  const TableSlots& table = layout.slots.tables[manifest.bindings[bindingIndex].table];
  const BindingSlots& binding = layout.slots.bindings[bindingIndex];
  const Region& region = layout.region(descriptorClass);
  const uint64_t slot = table.firstSlot[index_of(descriptorClass)] +
                        (sampler ? binding.firstSamplerSlot : binding.firstSlot);
  const uint64_t instances = sampler ? table.samplerInstances : table.instances;
  Half half;
  half.offset = region.offset + slot * region.stride;
  half.arrayStride = region.stride;
  half.indexStride = picked ? table.slotsPerInstance[index_of(descriptorClass)] * region.stride : 0;
  const uint64_t lastInstance = instances == 0 ? 0 : instances - 1;
  half.end = half.offset + lastInstance * half.indexStride + binding.capacity * region.stride;
  return half;
}

struct MappingHalves {
  Half main;     ///< what heapOffset and its strides describe
  Half sampler;  ///< what the sampler* fields describe
};

MappingHalves locate(const Manifest& manifest, const ResolvedLayout& layout,
                     const Mapping& mapping) {
  const bool picked = mapping.source == MappingSource::HeapWithPushIndex;
  const DescriptorClass mainClass = mapping.part == MappingPart::Sampler
                                        ? DescriptorClass::Sampler
                                        : descriptor_class(manifest.bindings[mapping.binding].type);
  MappingHalves halves;
  halves.main = locate(manifest, layout, mapping.binding, mainClass, picked);
  if (mapping.part == MappingPart::Combined) {
    halves.sampler = locate(manifest, layout, mapping.binding, DescriptorClass::Sampler,
                            picked && mapping.samplerPushField != kNone);
  }
  return halves;
}

/// The fields are 32 bits wide, and nothing says that a driver multiplies wider: so the last byte
/// must fit as well.
bool fits(const Half& half) {
  return half.end <= kAddressable32 && half.indexStride < kAddressable32 &&
         half.arrayStride < kAddressable32;
}

Status check_mappings(const Manifest& manifest, const ResolvedLayout& layout) {
  // In heaps below 4 GiB, which are all but the most unusual ones, nothing can overflow.
  if (layout.resourceHeap.reservedRangeOffset < kAddressable32 &&
      layout.samplerHeap.reservedRangeOffset < kAddressable32) {
    return Done{};
  }
  for (const Mapping& mapping : manifest.mappings) {
    const MappingHalves halves = locate(manifest, layout, mapping);
    if (fits(halves.main) && fits(halves.sampler)) continue;
    const Binding& binding = manifest.bindings[mapping.binding];
    const bool sampler = mapping.part == MappingPart::Sampler || fits(halves.main);
    const uint64_t end = fits(halves.main) ? halves.sampler.end : halves.main.end;
    return detail::error(ErrorCode::MappingOffsetOverflow, "binding '", binding.name,
                         "' of table '", manifest.tables[binding.table].name, "' reaches up to ",
                         end, " bytes into the ", sampler ? "sampler" : "resource",
                         " heap, more than a mapping's 32 bits express");
  }
  return Done{};
}

Status check_push_data(const Manifest& manifest, const DeviceLimits& limits) {
  const auto check = [&](std::string_view what, std::string_view name, uint32_t offset,
                         uint32_t size) -> Status {
    const uint64_t end = uint64_t{offset} + size;
    if (end <= limits.maxPushDataSize) return Done{};
    return detail::error(ErrorCode::PushDataTooLarge, what, " '", name, "' ends at byte ", end,
                         " of the push data, the device allows ", limits.maxPushDataSize);
  };
  for (const PushField& field : manifest.pushFields) {
    if (Status status = check("push field", field.name, field.offset, field.size); !status) {
      return status;
    }
  }
  for (const Program& program : manifest.programs) {
    if (program.pushConstantSize == 0) continue;
    if (Status status = check("the push constants of program", program.name,
                              program.pushConstantOffset, program.pushConstantSize);
        !status) {
      return status;
    }
  }
  return Done{};
}

uint64_t slot_offset(const ResolvedLayout& layout, DescriptorClass descriptorClass, uint64_t slot) {
  const Region& region = layout.region(descriptorClass);
  return region.offset + slot * region.stride;
}

}  // namespace

Result<ResolvedLayout> resolve(const Manifest& manifest, const DeviceLimits& limits,
                               const ResolveOptions& options) {
  if (Status status = check_limits(limits); !status) return std::move(status.error());
  Result<SlotLayout> slots = assign_slots(manifest, options);
  if (!slots) return std::move(slots.error());

  ResolvedLayout layout;
  layout.slots = std::move(*slots);
  for (uint32_t i = 0; i < kDescriptorClassCount; ++i) {
    layout.regions[i].stride = class_size(limits, static_cast<DescriptorClass>(i));
    layout.regions[i].slots = layout.slots.regionSlots[i];
  }
  const Region& tensors = layout.region(DescriptorClass::Tensor);
  if (tensors.slots != 0 && tensors.stride == 0) {
    return detail::error(ErrorCode::UnsupportedClass, "the manifest has ", tensors.slots,
                         " tensor slots, the device has no tensors");
  }

  Result<HeapExtent> resourceHeap = place_resource_heap(limits, layout);
  if (!resourceHeap) return std::move(resourceHeap.error());
  layout.resourceHeap = *resourceHeap;
  Result<HeapExtent> samplerHeap = place_sampler_heap(limits, layout);
  if (!samplerHeap) return std::move(samplerHeap.error());
  layout.samplerHeap = *samplerHeap;

  if (Status status = check_mappings(manifest, layout); !status) return std::move(status.error());
  if (Status status = check_push_data(manifest, limits); !status) return std::move(status.error());
  return layout;
}

ResolvedMapping resolve_mapping(const Manifest& manifest, const ResolvedLayout& layout,
                                const Mapping& mapping) noexcept {
  const MappingHalves halves = locate(manifest, layout, mapping);
  ResolvedMapping resolved;
  resolved.heapOffset = static_cast<uint32_t>(halves.main.offset);
  resolved.heapArrayStride = static_cast<uint32_t>(halves.main.arrayStride);
  resolved.heapIndexStride = static_cast<uint32_t>(halves.main.indexStride);
  resolved.samplerHeapOffset = static_cast<uint32_t>(halves.sampler.offset);
  resolved.samplerHeapArrayStride = static_cast<uint32_t>(halves.sampler.arrayStride);
  resolved.samplerHeapIndexStride = static_cast<uint32_t>(halves.sampler.indexStride);
  if (mapping.source != MappingSource::HeapWithPushIndex) return resolved;

  resolved.pushOffset = manifest.pushFields[mapping.pushField].offset;
  if (mapping.part != MappingPart::Combined) return resolved;
  // One tuple for all instances: the stride is 0, and the offset must still be one that Vulkan
  // allows (12456, 12457).
  resolved.samplerPushOffset = mapping.samplerPushField == kNone
                                   ? resolved.pushOffset
                                   : manifest.pushFields[mapping.samplerPushField].offset;
  return resolved;
}

uint64_t resource_offset(const Manifest& manifest, const ResolvedLayout& layout, BindingId binding,
                         uint32_t element, uint32_t instance) noexcept {
  const Binding& declared = manifest.bindings[binding.index];
  const DescriptorClass descriptorClass = descriptor_class(declared.type);
  const TableSlots& table = layout.slots.tables[declared.table];
  const size_t i = index_of(descriptorClass);
  return slot_offset(layout, descriptorClass,
                     table.firstSlot[i] + instance * table.slotsPerInstance[i] +
                         layout.slots.bindings[binding.index].firstSlot + element);
}

uint64_t sampler_offset(const Manifest& manifest, const ResolvedLayout& layout, BindingId binding,
                        uint32_t element, uint32_t tuple) noexcept {
  const TableSlots& table = layout.slots.tables[manifest.bindings[binding.index].table];
  const size_t i = index_of(DescriptorClass::Sampler);
  return slot_offset(layout, DescriptorClass::Sampler,
                     table.firstSlot[i] + tuple * table.slotsPerInstance[i] +
                         layout.slots.bindings[binding.index].firstSamplerSlot + element);
}

uint64_t external_offset(const Manifest& manifest, const ResolvedLayout& layout,
                         ExternalRangeId range) noexcept {
  return slot_offset(layout, manifest.externalRanges[range.index].descriptorClass,
                     layout.slots.externalRanges[range.index]);
}

}  // namespace heapsmith
