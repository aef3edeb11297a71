// SPDX-License-Identifier: MIT
#include "check_manifest.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace heapsmith::detail {
namespace {

constexpr DescriptorClass kHeapOrder[] = {DescriptorClass::Image, DescriptorClass::Buffer,
                                          DescriptorClass::Tensor, DescriptorClass::Sampler};

constexpr size_t index_of(DescriptorClass descriptorClass) {
  return static_cast<size_t>(descriptorClass);
}

constexpr uint32_t bits(std::initializer_list<SpirvResourceType> types) {
  uint32_t mask = 0;
  for (const SpirvResourceType type : types)
    mask |= static_cast<uint32_t>(type);
  return mask;
}

/// Shader variables that the resource half of a binding can serve.
uint32_t resource_mask(DescriptorType type) {
  constexpr uint32_t images =
      bits({SpirvResourceType::ReadOnlyImage, SpirvResourceType::ReadWriteImage});
  switch (type) {
    case DescriptorType::Sampler:
      return 0;
    case DescriptorType::CombinedImageSampler:  // a texture of its own on the same binding
    case DescriptorType::SampledImage:
      return bits({SpirvResourceType::SampledImage});
    case DescriptorType::UniformTexelBuffer:  // before SPIR-V 1.6, an OpTypeSampledImage
      return bits({SpirvResourceType::SampledImage, SpirvResourceType::CombinedSampledImage});
    case DescriptorType::StorageImage:
    case DescriptorType::StorageTexelBuffer:
    case DescriptorType::InputAttachment:
      return images;
    case DescriptorType::UniformBuffer:
      return bits({SpirvResourceType::UniformBuffer});
    case DescriptorType::StorageBuffer:
      return bits(
          {SpirvResourceType::ReadOnlyStorageBuffer, SpirvResourceType::ReadWriteStorageBuffer});
    case DescriptorType::AccelerationStructureKHR:
      return bits({SpirvResourceType::AccelerationStructure});
    case DescriptorType::TensorARM:
      return bits({SpirvResourceType::TensorARM});
  }
  return 0;
}

bool mask_fits(const Mapping& mapping, DescriptorType type) {
  constexpr uint32_t combined = bits({SpirvResourceType::CombinedSampledImage});
  const uint32_t mask = mapping.resourceMask;
  switch (mapping.part) {
    case MappingPart::Resource:
      return mask != 0 && (mask & ~resource_mask(type)) == 0;
    case MappingPart::Sampler:
      return has_samplers(type) && mask == bits({SpirvResourceType::Sampler});
    case MappingPart::Combined:
      return type == DescriptorType::CombinedImageSampler && (mask & combined) != 0 &&
             (mask & ~(combined | resource_mask(type))) == 0;
  }
  return false;
}

FieldSpace space_of(MappingSource source) {
  switch (source) {
    case MappingSource::HeapWithConstantOffset:  // reads no field
    case MappingSource::HeapWithPushIndex:
    case MappingSource::ResourceHeapData:
    case MappingSource::PushData:
    case MappingSource::PushAddress:
      return FieldSpace::PushData;
    case MappingSource::HeapWithIndirectIndex:
    case MappingSource::HeapWithIndirectIndexArray:
    case MappingSource::IndirectAddress:
      return FieldSpace::Indirect;
    case MappingSource::HeapWithShaderRecordIndex:
    case MappingSource::ShaderRecordData:
    case MappingSource::ShaderRecordAddress:
      return FieldSpace::ShaderRecord;
  }
  return {};
}

/// What a binding without a descriptor reads.
FieldKind kind_of(Residence residence) {
  if (residence == Residence::HeapData) return FieldKind::HeapDataOffset;
  const bool data = residence == Residence::PushData || residence == Residence::RecordData;
  return data ? FieldKind::Data : FieldKind::BufferAddress;
}

struct Span {
  uint64_t offset;
  uint64_t end;
};

struct State {
  Reader& in;
  const Manifest& manifest;
  const SlotLayout& slots;
  std::map<std::pair<FieldKind, uint32_t>, uint32_t> fieldsOfBindings;

  void run(const Place& root) {
    const Place regionList = in.member(root, "regions");
    regions(regionList);
    const Place rangeList = in.member(root, "externalRanges");
    for (size_t i = 0; i < in.length(rangeList); ++i) {
      const Place range = in.element(rangeList, i);
      expect(in.member(range, "firstSlot"), slots.externalRanges[i]);
    }
    const Place tableList = in.member(root, "tables");
    for (size_t i = 0; i < in.length(tableList); ++i)
      table(in.element(tableList, i), i);
    spaces(root);
    const Place programList = in.member(root, "programs");
    for (size_t i = 0; i < in.length(programList); ++i)
      program(in.element(programList, i), i);
  }

  void expect(const Place& place, uint64_t wanted) {
    const uint64_t stated = in.number(place, 0, UINT64_MAX);
    if (stated != wanted) in.fail(place, "states ", stated, ", but it is ", wanted);
  }
  void expect(const Place& place, std::string_view wanted) {
    const std::string_view stated = in.text(place);
    if (stated != wanted) in.fail(place, "states '", stated, "', but it is '", wanted, "'");
  }
  void expect_absent(const Place& object, std::string_view key) {
    if (in.has(object, key)) in.fail(in.member(object, key), "does not apply here");
  }

  /// {"region": class, "slot": number}
  void slot_term(const Place& object, std::string_view key, DescriptorClass region, uint64_t slot) {
    const Place term = in.member(object, key);
    in.check_keys(term, {"region", "slot"});
    expect(in.member(term, "region"), to_string(region));
    expect(in.member(term, "slot"), slot);
  }
  /// {"class": class, "count": number}
  void size_term(const Place& object, std::string_view key, DescriptorClass descriptorClass,
                 uint64_t count) {
    const Place term = in.member(object, key);
    in.check_keys(term, {"class", "count"});
    expect(in.member(term, "class"), to_string(descriptorClass));
    expect(in.member(term, "count"), count);
  }

  void regions(const Place& list) {
    size_t next = 0;
    for (const DescriptorClass descriptorClass : kHeapOrder) {
      const uint64_t wanted = slots.regionSlots[index_of(descriptorClass)];
      if (wanted == 0) continue;
      if (next == in.length(list)) {
        in.fail(list, "the region of class ", to_string(descriptorClass), " is missing");
        return;
      }
      const Place region = in.element(list, next++);
      in.check_keys(region, {"heap", "class", "slots"});
      const bool sampler = descriptorClass == DescriptorClass::Sampler;
      expect(in.member(region, "heap"), std::string_view(sampler ? "sampler" : "resource"));
      expect(in.member(region, "class"), to_string(descriptorClass));
      expect(in.member(region, "slots"), wanted);
    }
    if (in.length(list) != next) in.fail(list, "there is a region without slots");
  }

  void table(const Place& place, size_t index) {
    const Table& table = manifest.tables[index];
    field_of(place, "indexField", table.indexField, index,
             {FieldKind::TableIndex, FieldKind::PackedIndex});
    field_of(place, "samplerIndexField", table.samplerIndexField, index, {FieldKind::SamplerIndex});
    const bool packed = table.indexField != kNone &&
                        manifest.fields[table.indexField].kind == FieldKind::PackedIndex;
    if (packed &&
        (table.instances > kPackedInstances || table.samplerInstances > kPackedSamplerInstances)) {
      in.fail(place, "has more instances than a packed index can pick");
    }
    const TableSlots& expected = slots.tables[index];
    const Place stated = in.member(place, "slots");
    in.check_keys(stated, {"image", "buffer", "tensor", "sampler"});
    for (const DescriptorClass descriptorClass : kHeapOrder) {
      const std::string_view key = to_string(descriptorClass);
      const uint64_t perInstance = expected.slotsPerInstance[index_of(descriptorClass)];
      if (perInstance == 0) {
        expect_absent(stated, key);
        continue;
      }
      const Place entry = in.member(stated, key);
      in.check_keys(entry, {"first", "perInstance"});
      expect(in.member(entry, "first"), expected.firstSlot[index_of(descriptorClass)]);
      expect(in.member(entry, "perInstance"), perInstance);
    }
    const Place list = in.member(place, "bindings");
    for (size_t i = 0; i < in.length(list); ++i) {
      binding(in.element(list, i), table.bindings.first + static_cast<uint32_t>(i));
    }
  }

  void field_of(const Place& place, std::string_view key, uint32_t field, size_t table,
                std::initializer_list<FieldKind> kinds) {
    if (field == kNone) return;
    const Field& named = manifest.fields[field];
    const bool fits = std::find(kinds.begin(), kinds.end(), named.kind) != kinds.end();
    if (fits && named.table == table) return;
    in.fail(in.member(place, key), "'", named.name, "' is not a ", to_string(*kinds.begin()),
            " of this table");
  }

  void binding(const Place& place, uint32_t index) {
    const Binding& binding = manifest.bindings[index];
    if (has_resource_slots(binding)) {
      slot_term(place, "slot", descriptor_class(binding.type),
                resource_slot(manifest, slots, {index}));
    } else {
      expect_absent(place, "slot");
    }
    if (has_sampler_slots(binding)) {
      slot_term(place, "samplerSlot", DescriptorClass::Sampler,
                sampler_slot(manifest, slots, {index}));
    } else {
      expect_absent(place, "samplerSlot");
    }
  }

  /// Every list of fields, and the size of the space that it fills.
  void spaces(const Place& root) {
    const Place pushData = in.member(root, "pushData");
    uint64_t pushed = 0;
    for (const Program& program : manifest.programs) {
      if (program.pushConstantSize == 0) continue;
      pushed = std::max(pushed, uint64_t{program.pushConstantOffset} + program.pushConstantSize);
    }
    in.check_keys(pushData, {"size", "fields"});
    uint32_t next = 0;
    expect(in.member(pushData, "size"), fields(in.member(pushData, "fields"), pushed, next));
    if (in.has(root, "shaderRecord")) {
      const Place record = in.member(root, "shaderRecord");
      in.check_keys(record, {"size", "fields"});
      expect(in.member(record, "size"), fields(in.member(record, "fields"), 0, next));
    }
    for (uint32_t i = 0; i < manifest.indirectBlocks.size(); ++i) {
      const Place list = in.member(root, "indirectBlocks");
      const Place block = in.element(list, i);
      const uint32_t first = next;
      expect(in.member(block, "size"), fields(in.member(block, "fields"), 0, next));
      block_fields_do_not_overlap(block, first, next);
      const Field& address = manifest.fields[manifest.indirectBlocks[i].addressField];
      if (address.kind != FieldKind::BlockAddress || address.block != i) {
        in.fail(in.member(block, "addressField"), "'", address.name,
                "' is not the address of this block");
      }
    }
  }

  /// All programs may read the same block at once.
  void block_fields_do_not_overlap(const Place& block, uint32_t first, uint32_t end) {
    std::vector<Span> taken;
    for (const Field& field : manifest.fields.subspan(first, end - first)) {
      taken.push_back({field.offset, uint64_t{field.offset} + field.size});
    }
    check_apart(block, "block", std::move(taken));
  }

  void check_apart(const Place& place, std::string_view space, std::vector<Span> taken) {
    std::sort(taken.begin(), taken.end(),
              [](const Span& a, const Span& b) { return a.offset < b.offset; });
    for (size_t i = 1; i < taken.size(); ++i) {
      if (taken[i].offset >= taken[i - 1].end) continue;
      in.fail(place, space, " byte ", taken[i].offset, " is used twice");
    }
  }

  /// The end of the last field, or `end` if that is behind it.
  uint64_t fields(const Place& list, uint64_t end, uint32_t& next) {
    for (size_t i = 0; i < in.length(list); ++i) {
      const Field& field = manifest.fields[next++];
      this->field(in.element(list, i), field);
      end = std::max(end, uint64_t{field.offset} + field.size);
    }
    return end;
  }

  void field(const Place& place, const Field& field) {
    const uint32_t wanted = size_of(field);
    if (field.size != wanted) {
      in.fail(in.member(place, "size"), "a field of this kind takes ", wanted, " bytes");
    }
    const bool address =
        field.kind == FieldKind::BlockAddress || field.kind == FieldKind::BufferAddress;
    const uint32_t alignment = address ? 8 : 4;
    if (field.offset % alignment != 0) {
      in.fail(in.member(place, "offset"), "is no multiple of ", alignment);
    }
    const bool ofBlock = field.kind == FieldKind::BlockAddress;
    const bool ofBinding = field.kind >= FieldKind::ResourceSlots && !ofBlock;
    if (ofBlock != (field.table == kNone)) in.fail(place, "names a table, or none");
    if (ofBinding != (field.binding != kNone)) in.fail(place, "names a binding, or none");
    if (ofBlock && field.space != FieldSpace::PushData) {
      in.fail(place, "the address of a block is pushed");
    }
  }

  [[nodiscard]] uint32_t size_of(const Field& field) const {
    switch (field.kind) {
      case FieldKind::TableIndex:
      case FieldKind::SamplerIndex:
      case FieldKind::PackedIndex:
      case FieldKind::HeapDataOffset:
        return 4;
      case FieldKind::BlockAddress:
      case FieldKind::BufferAddress:
        return 8;
      case FieldKind::ResourceSlots:
      case FieldKind::SamplerSlots:
        return field.binding == kNone ? 4 : 4 * manifest.bindings[field.binding].capacity;
      case FieldKind::Data:
        if (field.binding == kNone) return 4;
        return static_cast<uint32_t>((manifest.bindings[field.binding].minBufferSize + 3) / 4 * 4);
    }
    return 0;
  }

  void program(const Place& place, size_t index) {
    const Program& program = manifest.programs[index];
    const Place list = in.member(place, "mappings");
    for (uint32_t i = 0; i < program.mappings.count; ++i) {
      mapping(in.element(list, i), manifest.mappings[program.mappings.first + i]);
    }
    if (in.failed()) return;
    mappings_do_not_overlap(list, program);
    fields_do_not_overlap(place, program, FieldSpace::PushData,
                          {program.pushConstantOffset,
                           uint64_t{program.pushConstantOffset} + program.pushConstantSize});
    fields_do_not_overlap(place, program, FieldSpace::ShaderRecord, {0, program.recordBlockSize});
  }

  void mapping(const Place& place, const Mapping& mapping) {
    const Binding& binding = manifest.bindings[mapping.binding];
    const Table& table = manifest.tables[binding.table];
    if (mapping.set != table.set) {
      in.fail(in.member(place, "set"), "table '", table.name, "' is set ", table.set);
    }
    if (!mask_fits(mapping, binding.type)) {
      in.fail(in.member(place, "resourceMask"), "does not fit the ", to_string(mapping.part),
              " part of a ", to_string(binding.type));
      return;
    }
    reads(place, mapping, binding, table);
    embeds(place, mapping, binding);
    if (in.failed()) return;
    const bool sampler = mapping.part == MappingPart::Sampler;
    const bool heap = reaches_descriptors(mapping.source);
    if (heap && !sampler) {
      half(place, kMainKeys, resource_half(manifest, slots, mapping));
    } else if (heap && mapping.embeddedSampler == kNone) {
      half(place, kMainKeys, sampler_half(manifest, slots, mapping));
    } else {
      no_half(place, kMainKeys);
    }
    if (heap && mapping.part == MappingPart::Combined && mapping.embeddedSampler == kNone) {
      half(place, kSamplerKeys, sampler_half(manifest, slots, mapping));
    } else {
      no_half(place, kSamplerKeys);
    }
  }

  /// The source is the binding's, and the fields are those that it needs.
  void reads(const Place& place, const Mapping& mapping, const Binding& binding,
             const Table& table) {
    const bool sampler = mapping.part == MappingPart::Sampler;
    const bool combined = mapping.part == MappingPart::Combined;
    const bool packed = table.indexField != kNone && is_table_residence(binding.residence) &&
                        manifest.fields[table.indexField].kind == FieldKind::PackedIndex;
    uint32_t field = kNone;
    uint32_t samplerField = kNone;
    if (!is_table_residence(binding.residence)) {
      field = field_of_binding(kind_of(binding.residence), mapping.binding);
    } else {
      const uint32_t picksSampler = sampler_field(binding, mapping.binding, table, packed);
      field = sampler ? picksSampler : resource_field(mapping.binding, table);
      if (combined && !packed) samplerField = picksSampler;
    }
    const bool constant = table.residence == Residence::Static || (sampler && field == kNone);
    if (!constant && field == kNone) {
      in.fail(place, "nothing says which instance of table '", table.name, "' it reaches");
    }
    const bool same = sampler && field == kNone;
    expect(in.member(place, "source"), to_string(same ? MappingSource::HeapWithConstantOffset
                                                      : mapping_source(binding.residence)));
    expect_field(place, "field", mapping.field, field, mapping.source);
    expect_field(place, "samplerField", mapping.samplerField, samplerField, mapping.source);
    const bool packs = packed && (!sampler || field != kNone);
    if (mapping.packedIndex != packs) {
      in.fail(place, "useCombinedImageSamplerIndex contradicts table '", table.name, "'");
    } else if (packs && !has_samplers(binding.type) &&
               binding.type != DescriptorType::SampledImage) {
      in.fail(place, "a ", to_string(binding.type), " reads no packed index (11358)");
    }
  }

  [[nodiscard]] uint32_t resource_field(uint32_t binding, const Table& table) const {
    if (table.residence != Residence::Scattered) return table.indexField;
    return field_of_binding(FieldKind::ResourceSlots, binding);
  }

  /// What picks a sampler; none if it is the same for all instances.
  [[nodiscard]] uint32_t sampler_field(const Binding& binding, uint32_t index, const Table& table,
                                       bool packed) const {
    if (!has_samplers(binding.type) || binding.samplerPlacement == SamplerPlacement::Embedded) {
      return kNone;
    }
    if (table.residence == Residence::Scattered) {
      return field_of_binding(FieldKind::SamplerSlots, index);
    }
    if (binding.samplerPlacement == SamplerPlacement::Immutable) return kNone;
    return packed ? table.indexField : table.samplerIndexField;
  }

  [[nodiscard]] uint32_t field_of_binding(FieldKind kind, uint32_t binding) const {
    const auto found = fieldsOfBindings.find({kind, binding});
    return found == fieldsOfBindings.end() ? kNone : found->second;
  }

  void expect_field(const Place& place, std::string_view key, uint32_t stated, uint32_t wanted,
                    MappingSource source) {
    if (stated != wanted) {
      in.fail(place, "the ", key, " is ",
              wanted == kNone ? std::string_view("absent") : manifest.fields[wanted].name, " here");
    } else if (stated != kNone && manifest.fields[stated].space != space_of(source)) {
      in.fail(in.member(place, key), "does not lie where this source reads");
    }
  }

  void embeds(const Place& place, const Mapping& mapping, const Binding& binding) {
    uint32_t wanted = kNone;
    if (binding.samplerPlacement == SamplerPlacement::Embedded &&
        mapping.part != MappingPart::Resource) {
      wanted = immutable(binding);
    }
    if (mapping.embeddedSampler != wanted) {
      in.fail(place, "the embeddedSampler is not the one of binding '", binding.name, "'");
    } else if (wanted != kNone && binding.arrayKind != ArrayKind::None) {
      in.fail(in.member(place, "embeddedSampler"), "an array's sampler cannot be embedded (11399)");
    }
  }

  [[nodiscard]] uint32_t immutable(const Binding& binding) const {
    const IndexRange range = binding.immutableSamplers;
    return range.count == 0 ? kNone : manifest.immutableSamplers[range.first];
  }

  struct HalfKeys {
    std::string_view offset;
    std::string_view arrayStride;
    std::string_view indexStride;
  };
  static constexpr HalfKeys kMainKeys{"heapOffset", "heapArrayStride", "heapIndexStride"};
  static constexpr HalfKeys kSamplerKeys{"samplerHeapOffset", "samplerHeapArrayStride",
                                         "samplerHeapIndexStride"};

  void half(const Place& place, const HalfKeys& keys, const MappingHalf& wanted) {
    slot_term(place, keys.offset, wanted.descriptorClass, wanted.slot);
    stride(place, keys.arrayStride, wanted.descriptorClass, wanted.arrayStride);
    stride(place, keys.indexStride, wanted.descriptorClass, wanted.indexStride);
  }

  void stride(const Place& place, std::string_view key, DescriptorClass descriptorClass,
              uint64_t count) {
    if (count == 0) {
      expect_absent(place, key);
    } else {
      size_term(place, key, descriptorClass, count);
    }
  }

  void no_half(const Place& place, const HalfKeys& keys) {
    for (const std::string_view key : {keys.offset, keys.arrayStride, keys.indexStride}) {
      expect_absent(place, key);
    }
  }

  /// VUID-VkShaderDescriptorSetAndBindingMappingInfoEXT 11244
  void mappings_do_not_overlap(const Place& list, const Program& program) {
    std::map<std::pair<uint32_t, uint32_t>, uint32_t> masks;
    for (uint32_t i = 0; i < program.mappings.count; ++i) {
      const Mapping& mapping = manifest.mappings[program.mappings.first + i];
      uint32_t& mask = masks[{mapping.set, manifest.bindings[mapping.binding].binding}];
      if ((mask & mapping.resourceMask) != 0) {
        in.fail(in.element(list, i), "another mapping serves the same set, binding and mask");
      }
      mask |= mapping.resourceMask;
    }
  }

  void fields_do_not_overlap(const Place& place, const Program& program, FieldSpace space,
                             Span own) {
    std::vector<uint32_t> used;
    const auto use = [&](uint32_t field) {
      if (field == kNone) return;
      if (manifest.fields[field].space == space) used.push_back(field);
      if (manifest.fields[field].space != FieldSpace::Indirect || space != FieldSpace::PushData) {
        return;
      }
      used.push_back(manifest.indirectBlocks[manifest.fields[field].block].addressField);
    };
    for (const Mapping& mapping :
         manifest.mappings.subspan(program.mappings.first, program.mappings.count)) {
      use(mapping.field);
      use(mapping.samplerField);
    }
    std::sort(used.begin(), used.end());
    used.erase(std::unique(used.begin(), used.end()), used.end());

    std::vector<Span> taken;
    for (const uint32_t field : used) {
      const Field& bytes = manifest.fields[field];
      taken.push_back({bytes.offset, uint64_t{bytes.offset} + bytes.size});
    }
    if (own.end != own.offset) taken.push_back(own);
    check_apart(place, space == FieldSpace::PushData ? "push data" : "shader record",
                std::move(taken));
  }
};

}  // namespace

void check_manifest(Reader& reader, const Place& root, const Manifest& manifest,
                    const SlotLayout& slots) {
  State state{reader, manifest, slots, {}};
  for (uint32_t i = 0; i < manifest.fields.size(); ++i) {
    const Field& field = manifest.fields[i];
    if (field.binding != kNone)
      state.fieldsOfBindings.emplace(std::pair(field.kind, field.binding), i);
  }
  state.run(root);
}

}  // namespace heapsmith::detail
