// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "heapsmith/device_limits.h"
#include "heapsmith/resolve.h"

/// What must hold for every manifest that was made, or accepted by a reader: the rules for mappings
/// of the Vulkan specification, as VUID numbers without their VkDescriptorMappingSource*EXT.
namespace heapsmith::emit::sample {

inline bool in_range(uint32_t index, size_t size) {
  return index == kNone || index < size;
}

inline bool in_range(IndexRange range, size_t size) {
  return range.first <= size && range.count <= size - range.first;
}

/// Whether everything that names something else names something that is there.
inline bool names_what_is_there(const Manifest& m) {
  const auto all = [](const auto& values, const auto& holds) {
    return std::ranges::all_of(values, holds);
  };
  return all(m.tables,
             [&](const Table& t) {
               return in_range(t.bindings, m.bindings.size()) &&
                      in_range(t.indexField, m.fields.size()) &&
                      in_range(t.samplerIndexField, m.fields.size());
             }) &&
         all(m.bindings,
             [&](const Binding& b) {
               return b.table < m.tables.size() &&
                      in_range(b.immutableSamplers, m.immutableSamplers.size());
             }) &&
         all(m.fields,
             [&](const Field& f) {
               return in_range(f.table, m.tables.size()) &&
                      in_range(f.binding, m.bindings.size()) &&
                      in_range(f.block, m.indirectBlocks.size());
             }) &&
         all(m.indirectBlocks,
             [&](const IndirectBlock& b) { return b.addressField < m.fields.size(); }) &&
         all(m.programs,
             [&](const Program& p) {
               return in_range(p.shaders, m.shaders.size()) &&
                      in_range(p.mappings, m.mappings.size());
             }) &&
         all(m.mappings,
             [&](const Mapping& p) {
               return p.binding < m.bindings.size() && in_range(p.field, m.fields.size()) &&
                      in_range(p.samplerField, m.fields.size()) &&
                      in_range(p.embeddedSampler, m.samplers.size());
             }) &&
         all(m.immutableSamplers, [&](uint32_t s) { return s < m.samplers.size(); });
}

struct ByteSpan {
  uint64_t begin;
  uint64_t end;
};

inline bool are_apart(std::vector<ByteSpan> spans) {
  std::ranges::sort(spans, {}, &ByteSpan::begin);
  uint64_t end = 0;
  for (const ByteSpan& span : spans) {
    if (span.begin < end) return false;
    end = std::max(end, span.end);
  }
  return true;
}

/// The fields that a program's mappings read, and the addresses of the blocks that they lie in.
inline std::vector<uint32_t> fields_of(const Manifest& m, const Program& program) {
  std::vector<uint32_t> fields;
  const auto add = [&](uint32_t field) {
    if (field == kNone || std::ranges::contains(fields, field)) return;
    fields.push_back(field);
  };
  for (const Mapping& mapping :
       m.mappings.subspan(program.mappings.first, program.mappings.count)) {
    for (const uint32_t field : {mapping.field, mapping.samplerField}) {
      if (field == kNone) continue;
      add(field);
      if (m.fields[field].space == FieldSpace::Indirect)
        add(m.indirectBlocks[m.fields[field].block].addressField);
    }
  }
  return fields;
}

/// Whether no two fields of a program, and nothing that its shaders declare themselves, overlap.
inline bool fields_are_apart(const Manifest& m, const Program& program) {
  std::vector<ByteSpan> pushed;
  std::vector<ByteSpan> recorded;
  std::vector<std::vector<ByteSpan>> blocks(m.indirectBlocks.size());
  if (program.pushConstantSize != 0) {
    pushed.push_back({program.pushConstantOffset,
                      uint64_t{program.pushConstantOffset} + program.pushConstantSize});
  }
  if (program.recordBlockSize != 0) recorded.push_back({0, program.recordBlockSize});
  for (const uint32_t index : fields_of(m, program)) {
    const Field& field = m.fields[index];
    const ByteSpan span{field.offset, uint64_t{field.offset} + field.size};
    switch (field.space) {
      case FieldSpace::PushData:
        pushed.push_back(span);
        break;
      case FieldSpace::ShaderRecord:
        recorded.push_back(span);
        break;
      case FieldSpace::Indirect:
        if (span.end > m.indirectBlocks[field.block].size) return false;
        blocks[field.block].push_back(span);
        break;
    }
  }
  return are_apart(std::move(pushed)) && are_apart(std::move(recorded)) &&
         std::ranges::all_of(blocks, [](const auto& spans) { return are_apart(spans); });
}

inline uint64_t alignment_of(DescriptorClass of, const DeviceLimits& limits) {
  switch (of) {
    case DescriptorClass::Buffer:
      return limits.bufferDescriptorAlignment;
    case DescriptorClass::Image:
      return limits.imageDescriptorAlignment;
    case DescriptorClass::Sampler:
      return limits.samplerDescriptorAlignment;
    case DescriptorClass::Tensor:
      return limits.tensorDescriptorAlignment;
  }
  return 0;
}

/// One mapping on one device. `mapping` comes from a manifest that names_what_is_there().
class MappingRules {
 public:
  MappingRules(const Manifest& manifest, const ResolvedLayout& layout, const DeviceLimits& limits,
               const Mapping& mapping)
      : manifest_(manifest),
        layout_(layout),
        limits_(limits),
        mapping_(mapping),
        binding_(manifest.bindings[mapping.binding]),
        numbers_(resolve_mapping(manifest, layout, mapping)) {}

  void check() const {
    switch (mapping_.source) {
      case MappingSource::HeapWithConstantOffset:
        CHECK(numbers_.heapIndexStride == 0);
        return check_descriptors();
      case MappingSource::HeapWithPushIndex:  // 11258, 11259, 12456, 12457
        check_pushed(numbers_.fieldOffset, 4);
        check_pushed(numbers_.samplerFieldOffset, 4);
        return check_descriptors();
      case MappingSource::HeapWithIndirectIndex:       // 11260, 11261, 11262, 12458, 12459, 12460
      case MappingSource::HeapWithIndirectIndexArray:  // 11359, 11360, 11361
        check_pushed(numbers_.fieldOffset, 8);
        check_pushed(numbers_.samplerFieldOffset, 8);
        CHECK(numbers_.addressOffset % 4 == 0);
        CHECK(numbers_.samplerAddressOffset % 4 == 0);
        return check_descriptors();
      case MappingSource::HeapWithShaderRecordIndex:  // 11269, 11270
        check_recorded(numbers_.fieldOffset, 4, 4);
        check_recorded(numbers_.samplerFieldOffset, 4, 4);
        return check_descriptors();
      case MappingSource::ResourceHeapData:
        return check_heap_data();
      case MappingSource::PushData:  // 11246, 12452, 11316
        check_single(true);
        CHECK(numbers_.fieldOffset % 4 == 0);
        CHECK(numbers_.fieldOffset + binding_.minBufferSize <= limits_.maxPushDataSize);
        return;
      case MappingSource::PushAddress:  // 11247, 12453
        check_single(false);
        return check_pushed(numbers_.fieldOffset, 8);
      case MappingSource::IndirectAddress:  // 11266, 11267, 11268
        check_single(false);
        check_pushed(numbers_.fieldOffset, 8);
        CHECK(numbers_.addressOffset % 8 == 0);
        return;
      case MappingSource::ShaderRecordData:  // 11249, 11317
        check_single(true);
        return check_recorded(numbers_.fieldOffset, 4, binding_.minBufferSize);
      case MappingSource::ShaderRecordAddress:  // 11250
        check_single(false);
        return check_recorded(numbers_.fieldOffset, 8, 8);
    }
    FAIL("a source that Vulkan does not have");
  }

 private:
  void check_pushed(uint32_t offset, uint64_t size) const {
    CHECK(offset % size == 0);
    CHECK(offset + size <= limits_.maxPushDataSize);
  }

  void check_recorded(uint32_t offset, uint32_t alignment, uint64_t size) const {
    CHECK(offset % alignment == 0);
    if (limits_.maxShaderRecordSize != 0) CHECK(offset + size <= limits_.maxShaderRecordSize);
  }

  /// 11315, 11318, 11356, 11357
  void check_single(bool block) const {
    CHECK(binding_.arrayKind == ArrayKind::None);
    const bool fits = binding_.type == DescriptorType::UniformBuffer ||
                      (!block && (binding_.type == DescriptorType::StorageBuffer ||
                                  binding_.type == DescriptorType::AccelerationStructureKHR));
    CHECK(fits);
  }

  /// 11263, 11264, 11265, 11441
  void check_heap_data() const {
    check_single(true);
    check_pushed(numbers_.fieldOffset, 4);
    const uint64_t alignment = limits_.minUniformBufferOffsetAlignment;
    CHECK(numbers_.heapOffset % alignment == 0);
    CHECK(layout_.resourceHeap.alignment % alignment == 0);
    const BindingId id{mapping_.binding};
    const uint32_t last = layout_.slots.bindings[id.index].capacity - 1;
    CHECK(heap_data_word(layout_, id, last) % alignment == 0);
    CHECK(uint64_t{numbers_.heapOffset} + heap_data_word(layout_, id, last) ==
          heap_data_offset(layout_, id, last));
    CHECK(heap_data_offset(layout_, id, last) + binding_.minBufferSize <=
          layout_.resourceHeap.reservedRangeOffset);
  }

  /// 11251, 11252, 11253, 11254, 12406, 11390; 11297, 11298, 11299, 11397; 11309
  void check_descriptors() const {
    const bool sampler = mapping_.part == MappingPart::Sampler;
    if (mapping_.embeddedSampler != kNone) {
      CHECK(binding_.arrayKind == ArrayKind::None);  // 11399
      CHECK(layout_.samplerHeap.reservedRangeSize >=
            limits_.minSamplerHeapReservedRangeWithEmbedded);  // 11375
    }
    if (!sampler || mapping_.embeddedSampler == kNone) {
      const DescriptorClass of =
          sampler ? DescriptorClass::Sampler : descriptor_class(binding_.type);
      check_half(of, {numbers_.heapOffset, numbers_.heapArrayStride, numbers_.heapIndexStride});
    }
    if (mapping_.part == MappingPart::Combined && mapping_.embeddedSampler == kNone) {
      check_half(DescriptorClass::Sampler,
                 {numbers_.samplerHeapOffset, numbers_.samplerHeapArrayStride,
                  numbers_.samplerHeapIndexStride});
    }
  }

  struct Half {
    uint64_t offset, arrayStride, indexStride;
  };

  void check_half(DescriptorClass of, const Half& half) const {
    const uint64_t alignment = alignment_of(of, limits_);
    CHECK(half.offset % alignment == 0);
    CHECK(half.arrayStride % alignment == 0);
    CHECK(half.indexStride % alignment == 0);
    const TableSlots& table = layout_.slots.tables[binding_.table];
    const bool sampler = of == DescriptorClass::Sampler;
    const HeapExtent& heap = sampler ? layout_.samplerHeap : layout_.resourceHeap;
    const uint64_t instances = sampler ? table.samplerInstances : table.instances;
    const uint64_t capacity = layout_.slots.bindings[mapping_.binding].capacity;
    const bool words = mapping_.source == MappingSource::HeapWithIndirectIndexArray;
    const uint64_t last = words ? 0 : (instances - 1) * half.indexStride;
    CHECK(half.offset + last + (capacity - 1) * half.arrayStride + layout_.region(of).stride <=
          heap.reservedRangeOffset);
  }

  const Manifest& manifest_;
  const ResolvedLayout& layout_;
  const DeviceLimits& limits_;
  const Mapping& mapping_;
  const Binding& binding_;
  ResolvedMapping numbers_;
};

inline bool names_a_limit(ErrorCode code) {
  return code == ErrorCode::ResourceHeapTooLarge || code == ErrorCode::SamplerHeapTooLarge ||
         code == ErrorCode::MappingOffsetOverflow || code == ErrorCode::PushDataTooLarge ||
         code == ErrorCode::ShaderRecordTooLarge || code == ErrorCode::TooManyEmbeddedSamplers ||
         code == ErrorCode::UnsupportedClass;
}

/// Whether the device has room; if so, all mappings keep the rules there.
inline bool check_on(const Manifest& manifest, const DeviceLimits& limits) {
  const auto layout = resolve(manifest, limits);
  if (!layout) {
    CHECK(names_a_limit(layout.error().code));
    CHECK_FALSE(layout.error().text.empty());
    return false;
  }
  for (const Mapping& mapping : manifest.mappings)
    MappingRules(manifest, *layout, limits, mapping).check();
  return true;
}

}  // namespace heapsmith::emit::sample
