// SPDX-License-Identifier: MIT
#include "rewrite/place_bindings.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/check.h"

namespace heapsmith::rewrite {
namespace {

std::pair<uint32_t, uint32_t> key_of(const Placement& placement) {
  return {placement.set, placement.binding};
}

bool is_packed(const Manifest& manifest, uint32_t field) {
  return field != kNone && manifest.fields[field].kind == FieldKind::PackedIndex;
}

/// Where the word is that a field holds, or the first of several.
Location at_field(const Manifest& manifest, uint32_t field) {
  const Field& word = manifest.fields[field];
  Location location;
  switch (word.space) {
    case FieldSpace::PushData:
      location.source = InstanceSource::PushWord;
      location.pushOffset = word.offset;
      break;
    case FieldSpace::ShaderRecord:
      location.source = InstanceSource::RecordWord;
      location.recordOffset = word.offset;
      break;
    case FieldSpace::Indirect: {
      const IndirectBlock& block = manifest.indirectBlocks[word.block];
      location.source = InstanceSource::IndirectWord;
      location.pushOffset = manifest.fields[block.addressField].offset;
      location.addressOffset = word.offset;
      break;
    }
  }
  return location;
}

/// The field that picks an instance; kNone: there is one.
Location locate(const Manifest& manifest, uint64_t slot, uint32_t field, const TableSlots& table,
                DescriptorClass region) {
  Location location;
  if (field != kNone) {
    location = at_field(manifest, field);
    location.slotsPerInstance =
        static_cast<uint32_t>(table.slotsPerInstance[static_cast<size_t>(region)]);
  }
  if (is_packed(manifest, field))
    location.part =
        region == DescriptorClass::Sampler ? WordPart::SamplerTuple : WordPart::Instance;
  location.firstSlot = static_cast<uint32_t>(slot);
  return location;
}

/// The words of a scattered table say slots of the region, whichever table they belong to.
Location locate_words(const Manifest& manifest, uint32_t binding, FieldKind kind) {
  const auto isTheirs = [&](const Field& field) {
    return field.binding == binding && field.kind == kind;
  };
  const auto field = std::ranges::find_if(manifest.fields, isTheirs);
  HEAPSMITH_CHECK(field != manifest.fields.end());
  Location location = at_field(manifest, static_cast<uint32_t>(field - manifest.fields.begin()));
  location.source = InstanceSource::ScatteredWords;
  location.slotsPerInstance = 1;
  return location;
}

/// The field that stands for the descriptor of a binding without one.
const Field& find_data_field(const Manifest& manifest, uint32_t binding) {
  const auto found = std::ranges::find(manifest.fields, binding, &Field::binding);
  HEAPSMITH_CHECK(found != manifest.fields.end());
  return *found;
}

DataSource data_source(const Field& field) {
  const bool isRecord = field.space == FieldSpace::ShaderRecord;
  if (field.space == FieldSpace::Indirect) return DataSource::IndirectAddress;
  if (field.kind == FieldKind::HeapDataOffset) return DataSource::HeapData;
  if (field.kind == FieldKind::Data)
    return isRecord ? DataSource::RecordData : DataSource::PushData;
  return isRecord ? DataSource::RecordAddress : DataSource::PushAddress;
}

DataLocation locate_data(const Manifest& manifest, uint32_t binding) {
  const Field& field = find_data_field(manifest, binding);
  DataLocation location{.source = data_source(field)};
  switch (field.space) {
    case FieldSpace::PushData:
      location.pushOffset = field.offset;
      break;
    case FieldSpace::ShaderRecord:
      location.recordOffset = field.offset;
      break;
    case FieldSpace::Indirect: {
      const IndirectBlock& block = manifest.indirectBlocks[field.block];
      location.pushOffset = manifest.fields[block.addressField].offset;
      location.addressOffset = field.offset;
      break;
    }
  }
  return location;
}

/// Whether its slots, and the instance that is picked, can be told in the shader.
bool is_reached_by_slots(const Binding& binding) {
  // Input attachments and images in YCbCr formats can be no others than variables.
  const bool byVariable = binding.type == DescriptorType::InputAttachment ||
                          binding.type == DescriptorType::TensorARM || binding.slotsPerElement != 1;
  return !byVariable && is_table_residence(binding.residence);
}

Location place_resource(const Manifest& manifest, const SlotLayout& slots, uint32_t index) {
  const Binding& binding = manifest.bindings[index];
  const Table& table = manifest.tables[binding.table];
  if (table.residence == Residence::Scattered)
    return locate_words(manifest, index, FieldKind::ResourceSlots);
  return locate(manifest, resource_slot(manifest, slots, {index}), table.indexField,
                slots.tables[binding.table], descriptor_class(binding.type));
}

Location place_sampler(const Manifest& manifest, const SlotLayout& slots, uint32_t index) {
  const Binding& binding = manifest.bindings[index];
  const Table& table = manifest.tables[binding.table];
  const bool inTuples = binding.samplerPlacement == SamplerPlacement::Table;
  if (inTuples && table.residence == Residence::Scattered)
    return locate_words(manifest, index, FieldKind::SamplerSlots);
  uint32_t field = kNone;
  if (inTuples)
    field = is_packed(manifest, table.indexField) ? table.indexField : table.samplerIndexField;
  return locate(manifest, sampler_slot(manifest, slots, {index}), field,
                slots.tables[binding.table], DescriptorClass::Sampler);
}

Placement place(const Manifest& manifest, const SlotLayout& slots, uint32_t index) {
  const Binding& binding = manifest.bindings[index];
  Placement placement = {.set = manifest.tables[binding.table].set,
                         .binding = binding.binding,
                         .resource = std::nullopt,
                         .sampler = std::nullopt};
  if (!is_table_residence(binding.residence)) placement.data = locate_data(manifest, index);
  if (!is_reached_by_slots(binding)) return placement;
  if (is_resource(binding.type)) placement.resource = place_resource(manifest, slots, index);
  if (has_sampler_slots(binding)) placement.sampler = place_sampler(manifest, slots, index);
  return placement;
}

}  // namespace

Placements place_bindings(const Manifest& manifest, const SlotLayout& slots,
                          std::span<const uint32_t> bindings) {
  Placements placements;
  placements.regions.imageSlots.value =
      static_cast<uint32_t>(slots.regionSlots[static_cast<size_t>(DescriptorClass::Image)]);
  for (const uint32_t binding : bindings)
    placements.bindings.push_back(place(manifest, slots, binding));
  std::ranges::sort(placements.bindings, {}, key_of);
  return placements;
}

const Placement* find_placement(const Placements& placements, uint32_t set, uint32_t binding) {
  const std::pair wanted(set, binding);
  const auto found = std::ranges::lower_bound(placements.bindings, wanted, {}, key_of);
  return found == placements.bindings.end() || key_of(*found) != wanted ? nullptr : &*found;
}

bool has_resource(const Placement& placement) {
  return placement.resource || placement.data;
}

}  // namespace heapsmith::rewrite
