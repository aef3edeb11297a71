// SPDX-License-Identifier: MIT
#include "heapsmith/resolve.h"

#include <algorithm>
#include <limits>

#include "text.h"

namespace heapsmith {
namespace {

constexpr uint64_t kMax64 = std::numeric_limits<uint64_t>::max();
constexpr uint64_t kAddressable32 = uint64_t{1} << 32;
/// Of blocks in the heap: rewritten shaders read them in pairs of words, of which the last may lie
/// half behind a block.
constexpr uint64_t kLeastDataAlignment = 16;

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
/// indexes the heap itself counts from the heap's start in strides of that size. Where it is given
/// its place, the cursor only moves on to what is behind the last region so far.
void place_region(Cursor& cursor, Region& region, const std::optional<uint64_t>& base) {
  if (region.slots == 0) return;
  Cursor own = cursor;
  if (base) {
    own.offset = 0;
    own.take(*base, region.stride);
  } else {
    own.align(region.stride);
  }
  region.offset = own.offset;
  own.take(region.slots, region.stride);
  cursor.offset = std::max(cursor.offset, own.offset);
  cursor.overflow |= own.overflow;
}

/// Only regions whose place was given can overlap others.
Status check_apart(const ResolvedLayout& layout) {
  constexpr DescriptorClass kResources[] = {DescriptorClass::Image, DescriptorClass::Buffer,
                                            DescriptorClass::Tensor};
  for (const DescriptorClass a : kResources) {
    for (const DescriptorClass b : kResources) {
      const Region& first = layout.region(a);
      const Region& second = layout.region(b);
      const bool isSame = a == b || first.slots == 0 || second.slots == 0;
      if (isSame || first.offset > second.offset) continue;
      if (first.offset + first.slots * first.stride <= second.offset) continue;
      return detail::error(ErrorCode::InvalidOverride, "the ", to_string(a), " region, ",
                           first.slots, " slots from byte ", first.offset, " on, overlaps the ",
                           to_string(b), " region, which begins at byte ", second.offset);
    }
  }
  return Done{};
}

/// The blocks of HeapData bindings, which are bytes, not slots.
void place_data(Cursor& cursor, const Manifest& manifest, uint64_t alignment,
                ResolvedLayout& layout) {
  for (size_t i = 0; i < manifest.bindings.size(); ++i) {
    const Binding& binding = manifest.bindings[i];
    if (binding.residence != Residence::HeapData) continue;
    layout.data.resize(manifest.bindings.size());
    cursor.align(alignment);
    Cursor stride{.offset = binding.minBufferSize};
    stride.align(alignment);
    cursor.overflow |= stride.overflow;
    layout.data[i] = {.offset = cursor.offset, .stride = stride.offset};
    cursor.take(layout.slots.bindings[i].capacity, stride.offset);
  }
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

/// The final address of a block counts (VUID 11441), so that the heap's start has to keep the
/// alignment as well.
Result<HeapExtent> place_resource_heap(const Manifest& manifest, const DeviceLimits& limits,
                                       const ResolveOptions& options, ResolvedLayout& layout) {
  Cursor cursor;
  for (const DescriptorClass descriptorClass :
       {DescriptorClass::Image, DescriptorClass::Buffer, DescriptorClass::Tensor}) {
    place_region(cursor, layout.regions[index_of(descriptorClass)],
                 options.regionBases[index_of(descriptorClass)]);
  }
  const uint64_t dataAlignment =
      std::max(kLeastDataAlignment, limits.minUniformBufferOffsetAlignment);
  place_data(cursor, manifest, dataAlignment, layout);
  HeapRules rules = {ErrorCode::ResourceHeapTooLarge,
                     "resource",
                     limits.resourceHeapAlignment,
                     std::max({limits.bufferDescriptorAlignment, limits.imageDescriptorAlignment,
                               limits.tensorDescriptorAlignment}),
                     limits.minResourceHeapReservedRange,
                     limits.maxResourceHeapSize};
  if (!layout.data.empty()) {
    rules.heapAlignment = std::max(rules.heapAlignment, dataAlignment);
  }
  return finish_heap(cursor, rules);
}

bool embeds_samplers(const Manifest& manifest) {
  return std::any_of(manifest.mappings.begin(), manifest.mappings.end(),
                     [](const Mapping& mapping) { return mapping.embeddedSampler != kNone; });
}

Result<HeapExtent> place_sampler_heap(const Manifest& manifest, const DeviceLimits& limits,
                                      const ResolveOptions& options, ResolvedLayout& layout) {
  constexpr size_t kSampler = index_of(DescriptorClass::Sampler);
  Cursor cursor;
  place_region(cursor, layout.regions[kSampler], options.regionBases[kSampler]);
  return finish_heap(cursor,
                     {ErrorCode::SamplerHeapTooLarge, "sampler", limits.samplerHeapAlignment,
                      limits.samplerDescriptorAlignment,
                      embeds_samplers(manifest) ? limits.minSamplerHeapReservedRangeWithEmbedded
                                                : limits.minSamplerHeapReservedRange,
                      limits.maxSamplerHeapSize});
}

/// Where one half of a mapping lies.
struct Half {
  uint64_t offset = 0;
  uint64_t arrayStride = 0;
  uint64_t indexStride = 0;
  uint64_t end = 0;  ///< behind the last byte that any instance and element reaches
};

/// None of its products can overflow once the heaps have been placed.
Half in_bytes(const ResolvedLayout& layout, const MappingHalf& half) {
  const Region& region = layout.region(half.descriptorClass);
  return {.offset = region.offset + half.slot * region.stride,
          .arrayStride = half.arrayStride * region.stride,
          .indexStride = half.indexStride * region.stride,
          .end = region.offset + half.end * region.stride};
}

struct MappingHalves {
  Half main;     ///< what heapOffset and its strides describe
  Half sampler;  ///< what the sampler* fields describe
};

MappingHalves locate(const Manifest& manifest, const ResolvedLayout& layout,
                     const Mapping& mapping) {
  MappingHalves halves;
  if (mapping.source == MappingSource::ResourceHeapData) {
    // From the heap's start, since the word says it all (heap_data_word).
    const DataPlace& data = layout.data[mapping.binding];
    halves.main.end = data.offset + layout.slots.bindings[mapping.binding].capacity * data.stride;
    return halves;
  }
  if (!reaches_descriptors(mapping.source)) return halves;
  const bool alone = mapping.part == MappingPart::Sampler;
  if (!alone) halves.main = in_bytes(layout, resource_half(manifest, layout.slots, mapping));
  if (mapping.part == MappingPart::Resource || mapping.embeddedSampler != kNone) return halves;
  (alone ? halves.main : halves.sampler) =
      in_bytes(layout, sampler_half(manifest, layout.slots, mapping));
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

/// A rewritten shader computes in 32 bits where its regions begin, and may read any of their slots.
Status check_rewritten(const Manifest& manifest, const ResolvedLayout& layout) {
  const auto rewritten = std::find_if(manifest.shaders.begin(), manifest.shaders.end(),
                                      [](const Shader& shader) { return shader.rewritten; });
  if (rewritten == manifest.shaders.end()) return Done{};
  for (const DescriptorClass descriptorClass :
       {DescriptorClass::Image, DescriptorClass::Buffer, DescriptorClass::Sampler}) {
    const Region& region = layout.region(descriptorClass);
    const uint64_t end = region.offset + region.slots * region.stride;
    if (end <= kAddressable32) continue;
    return detail::error(ErrorCode::MappingOffsetOverflow, "the ", to_string(descriptorClass),
                         " region ends ", end,
                         " bytes into its heap, more than the 32 bits of "
                         "the rewritten shader '",
                         rewritten->file, "' express");
  }
  return Done{};
}

/// VUID-VkGraphicsPipelineCreateInfo 11429 counts unique create-infos, which the manifest's are.
Status check_embedded_samplers(const Manifest& manifest, const DeviceLimits& limits) {
  std::vector<bool> embedded(manifest.samplers.size());
  for (const Mapping& mapping : manifest.mappings) {
    if (mapping.embeddedSampler != kNone) embedded[mapping.embeddedSampler] = true;
  }
  const auto count = static_cast<uint64_t>(std::count(embedded.begin(), embedded.end(), true));
  if (count <= limits.maxDescriptorHeapEmbeddedSamplers) return Done{};
  return detail::error(ErrorCode::TooManyEmbeddedSamplers, "the manifest embeds ", count,
                       " samplers, the device allows ", limits.maxDescriptorHeapEmbeddedSamplers);
}

Status check_field_ends(const Manifest& manifest, const DeviceLimits& limits) {
  for (const Field& field : manifest.fields) {
    const uint64_t end = uint64_t{field.offset} + field.size;
    if (field.space == FieldSpace::PushData && end > limits.maxPushDataSize) {
      return detail::error(ErrorCode::PushDataTooLarge, "push field '", field.name,
                           "' ends at byte ", end, " of the push data, the device allows ",
                           limits.maxPushDataSize);
    }
    if (field.space == FieldSpace::ShaderRecord && limits.maxShaderRecordSize != 0 &&
        end > limits.maxShaderRecordSize) {
      return detail::error(ErrorCode::ShaderRecordTooLarge, "record field '", field.name,
                           "' ends at byte ", end, " of the shader record, the device allows ",
                           limits.maxShaderRecordSize);
    }
  }
  for (const Program& program : manifest.programs) {
    const uint64_t end = uint64_t{program.pushConstantOffset} + program.pushConstantSize;
    if (end <= limits.maxPushDataSize) continue;
    return detail::error(ErrorCode::PushDataTooLarge, "the push constants of program '",
                         program.name, "' end at byte ", end,
                         " of the push data, the device allows ", limits.maxPushDataSize);
  }
  return Done{};
}

/// A field of an indirect block is found through the block's address.
void place_field(const Manifest& manifest, uint32_t index, uint32_t& fieldOffset,
                 uint32_t& addressOffset) {
  const Field& field = manifest.fields[index];
  fieldOffset = field.offset;
  if (field.space != FieldSpace::Indirect) return;
  addressOffset = field.offset;
  fieldOffset = manifest.fields[manifest.indirectBlocks[field.block].addressField].offset;
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

  Result<HeapExtent> resourceHeap = place_resource_heap(manifest, limits, options, layout);
  if (!resourceHeap) return std::move(resourceHeap.error());
  layout.resourceHeap = *resourceHeap;
  Result<HeapExtent> samplerHeap = place_sampler_heap(manifest, limits, options, layout);
  if (!samplerHeap) return std::move(samplerHeap.error());
  layout.samplerHeap = *samplerHeap;

  if (Status status = check_apart(layout); !status) return std::move(status.error());
  if (Status status = check_rewritten(manifest, layout); !status) return std::move(status.error());
  if (Status status = check_mappings(manifest, layout); !status) return std::move(status.error());
  if (Status status = check_field_ends(manifest, limits); !status) return std::move(status.error());
  if (Status status = check_embedded_samplers(manifest, limits); !status) {
    return std::move(status.error());
  }
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
  if (mapping.field == kNone) return resolved;

  place_field(manifest, mapping.field, resolved.fieldOffset, resolved.addressOffset);
  if (mapping.part != MappingPart::Combined) return resolved;
  // One tuple for all instances: the stride is 0, and the offset must still be one that Vulkan
  // allows (12456, 12457).
  place_field(manifest, mapping.samplerField == kNone ? mapping.field : mapping.samplerField,
              resolved.samplerFieldOffset, resolved.samplerAddressOffset);
  return resolved;
}

uint32_t vulkan_resource_mask(const Manifest& manifest, const Mapping& mapping) noexcept {
  constexpr uint32_t all = 0x7FFFFFFF;  // VK_SPIRV_RESOURCE_TYPE_ALL_EXT
  const bool isTexelBuffer =
      manifest.bindings[mapping.binding].type == DescriptorType::UniformTexelBuffer;
  return isTexelBuffer ? all : mapping.resourceMask;
}

uint64_t resource_offset(const Manifest& manifest, const ResolvedLayout& layout, BindingId binding,
                         uint32_t element, uint32_t instance) noexcept {
  return slot_offset(layout, descriptor_class(manifest.bindings[binding.index].type),
                     resource_slot(manifest, layout.slots, binding, element, instance));
}

uint64_t sampler_offset(const Manifest& manifest, const ResolvedLayout& layout, BindingId binding,
                        uint32_t element, uint32_t tuple) noexcept {
  return slot_offset(layout, DescriptorClass::Sampler,
                     sampler_slot(manifest, layout.slots, binding, element, tuple));
}

uint64_t heap_data_offset(const ResolvedLayout& layout, BindingId binding, uint32_t copy) noexcept {
  return layout.data[binding.index].offset + copy * layout.data[binding.index].stride;
}

uint32_t heap_data_word(const ResolvedLayout& layout, BindingId binding, uint32_t copy) noexcept {
  return static_cast<uint32_t>(heap_data_offset(layout, binding, copy));
}

uint32_t slot_number(const Manifest& manifest, const ResolvedLayout& layout,
                     const SlotConstant& constant) noexcept {
  if (constant.number != SlotNumber::RegionFirstSlot) {
    return static_cast<uint32_t>(slot_number(manifest, layout.slots, constant));
  }
  const Region& region = layout.region(constant.descriptorClass);
  return region.slots == 0 ? 0 : static_cast<uint32_t>(region.offset / region.stride);
}

uint64_t external_offset(const Manifest& manifest, const ResolvedLayout& layout,
                         ExternalRangeId range) noexcept {
  return slot_offset(layout, manifest.externalRanges[range.index].descriptorClass,
                     layout.slots.externalRanges[range.index]);
}

}  // namespace heapsmith
