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
      return has_sampler_slots(type) && mask == bits({SpirvResourceType::Sampler});
    case MappingPart::Combined:
      return type == DescriptorType::CombinedImageSampler && (mask & combined) != 0 &&
             (mask & ~(combined | resource_mask(type))) == 0;
  }
  return false;
}

struct Span {
  uint64_t offset;
  uint64_t end;
};

struct State {
  Reader& in;
  const Manifest& manifest;
  const SlotLayout& slots;

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
    push_data(in.member(root, "pushData"));
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
    field_of(place, "indexField", table.indexField, PushFieldKind::TableIndex, index);
    field_of(place, "samplerIndexField", table.samplerIndexField, PushFieldKind::SamplerIndex,
             index);
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

  void field_of(const Place& place, std::string_view key, uint32_t field, PushFieldKind kind,
                size_t table) {
    if (field == kNone) return;
    const PushField& named = manifest.pushFields[field];
    if (named.kind == kind && named.table == table) return;
    in.fail(in.member(place, key), "'", named.name, "' is not a ", to_string(kind),
            " of this table");
  }

  void binding(const Place& place, uint32_t index) {
    const DescriptorType type = manifest.bindings[index].type;
    if (has_resource_slots(type)) {
      slot_term(place, "slot", descriptor_class(type), resource_slot(index));
    } else {
      expect_absent(place, "slot");
    }
    if (has_sampler_slots(type)) {
      slot_term(place, "samplerSlot", DescriptorClass::Sampler, sampler_slot(index));
    } else {
      expect_absent(place, "samplerSlot");
    }
  }

  [[nodiscard]] const TableSlots& table_of(uint32_t binding) const {
    return slots.tables[manifest.bindings[binding].table];
  }
  [[nodiscard]] uint64_t resource_slot(uint32_t binding) const {
    const DescriptorClass descriptorClass = descriptor_class(manifest.bindings[binding].type);
    return table_of(binding).firstSlot[index_of(descriptorClass)] +
           slots.bindings[binding].firstSlot;
  }
  [[nodiscard]] uint64_t sampler_slot(uint32_t binding) const {
    return table_of(binding).firstSlot[index_of(DescriptorClass::Sampler)] +
           slots.bindings[binding].firstSamplerSlot;
  }

  void push_data(const Place& place) {
    in.check_keys(place, {"size", "fields"});
    uint64_t end = 0;
    for (const PushField& field : manifest.pushFields) {
      end = std::max(end, uint64_t{field.offset} + field.size);
    }
    for (const Program& program : manifest.programs) {
      if (program.pushConstantSize == 0) continue;
      end = std::max(end, uint64_t{program.pushConstantOffset} + program.pushConstantSize);
    }
    expect(in.member(place, "size"), end);
  }

  void program(const Place& place, size_t index) {
    const Program& program = manifest.programs[index];
    const Place list = in.member(place, "mappings");
    for (uint32_t i = 0; i < program.mappings.count; ++i) {
      mapping(in.element(list, i), manifest.mappings[program.mappings.first + i]);
    }
    if (in.failed()) return;
    mappings_do_not_overlap(list, program);
    push_data_does_not_overlap(place, program);
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
    fields(place, mapping, table);
    const bool sampler = mapping.part == MappingPart::Sampler;
    half(place, {"heapOffset", "heapArrayStride", "heapIndexStride"}, mapping.binding,
         sampler ? DescriptorClass::Sampler : descriptor_class(binding.type),
         mapping.pushField != kNone);
    if (mapping.part == MappingPart::Combined) {
      half(place, {"samplerHeapOffset", "samplerHeapArrayStride", "samplerHeapIndexStride"},
           mapping.binding, DescriptorClass::Sampler, mapping.samplerPushField != kNone);
      return;
    }
    for (const std::string_view key :
         {"samplerHeapOffset", "samplerHeapArrayStride", "samplerHeapIndexStride"}) {
      expect_absent(place, key);
    }
  }

  /// The push fields are the table's, wherever an instance or a tuple has to be picked.
  void fields(const Place& place, const Mapping& mapping, const Table& table) {
    const bool sampler = mapping.part == MappingPart::Sampler;
    const bool combined = mapping.part == MappingPart::Combined;
    const uint32_t field = sampler ? table.samplerIndexField : table.indexField;
    if (mapping.pushField != field) {
      in.fail(place, "the pushField is not the one of table '", table.name, "'");
    }
    if (mapping.samplerPushField != (combined ? table.samplerIndexField : kNone)) {
      in.fail(place, "the samplerPushField is not the one of table '", table.name, "'");
    }
    if (table.residence == Residence::Indexed && !sampler && field == kNone) {
      in.fail(place, "table '", table.name, "' is indexed, and no push field picks an instance");
    }
    expect(in.member(place, "source"),
           to_string(field == kNone ? MappingSource::HeapWithConstantOffset
                                    : MappingSource::HeapWithPushIndex));
  }

  struct HalfKeys {
    std::string_view offset;
    std::string_view arrayStride;
    std::string_view indexStride;
  };

  void half(const Place& place, const HalfKeys& keys, uint32_t binding,
            DescriptorClass descriptorClass, bool picked) {
    const bool sampler = descriptorClass == DescriptorClass::Sampler;
    slot_term(place, keys.offset, descriptorClass,
              sampler ? sampler_slot(binding) : resource_slot(binding));
    size_term(place, keys.arrayStride, descriptorClass, 1);
    if (picked) {
      size_term(place, keys.indexStride, descriptorClass,
                table_of(binding).slotsPerInstance[index_of(descriptorClass)]);
    } else {
      expect_absent(place, keys.indexStride);
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

  void push_data_does_not_overlap(const Place& place, const Program& program) {
    std::vector<uint32_t> used;
    for (const Mapping& mapping :
         manifest.mappings.subspan(program.mappings.first, program.mappings.count)) {
      for (const uint32_t field : {mapping.pushField, mapping.samplerPushField}) {
        if (field != kNone) used.push_back(field);
      }
    }
    std::sort(used.begin(), used.end());
    used.erase(std::unique(used.begin(), used.end()), used.end());

    std::vector<Span> taken;
    for (const uint32_t field : used) {
      const PushField& bytes = manifest.pushFields[field];
      taken.push_back({bytes.offset, uint64_t{bytes.offset} + bytes.size});
    }
    if (program.pushConstantSize != 0) {
      taken.push_back({program.pushConstantOffset,
                       uint64_t{program.pushConstantOffset} + program.pushConstantSize});
    }
    std::sort(taken.begin(), taken.end(),
              [](const Span& a, const Span& b) { return a.offset < b.offset; });
    for (size_t i = 1; i < taken.size(); ++i) {
      if (taken[i].offset >= taken[i - 1].end) continue;
      in.fail(place, "push data byte ", taken[i].offset, " is used twice");
    }
  }
};

}  // namespace

void check_manifest(Reader& reader, const Place& root, const Manifest& manifest,
                    const SlotLayout& slots) {
  State{reader, manifest, slots}.run(root);
}

}  // namespace heapsmith::detail
