// SPDX-License-Identifier: MIT
#include "rewrite/place_bindings.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace heapsmith::rewrite {
namespace {

std::pair<uint32_t, uint32_t> key_of(const Placement& placement) {
  return {placement.set, placement.binding};
}

/// The field that picks an instance; kNone: there is one.
Location locate(const Manifest& manifest, uint64_t slot, uint32_t field, const TableSlots& table,
                DescriptorClass region) {
  Location location = {.firstSlot = static_cast<uint32_t>(slot)};
  if (field == kNone) return location;
  const Field& word = manifest.fields[field];
  if (word.space == FieldSpace::Indirect) {
    const IndirectBlock& block = manifest.indirectBlocks[word.block];
    location.source = InstanceSource::IndirectWord;
    location.pushOffset = manifest.fields[block.addressField].offset;
    location.addressOffset = word.offset;
  } else {
    location.source = InstanceSource::PushWord;
    location.pushOffset = word.offset;
  }
  location.slotsPerInstance =
      static_cast<uint32_t>(table.slotsPerInstance[static_cast<size_t>(region)]);
  return location;
}

bool is_packed(const Manifest& manifest, const Table& table) {
  return table.indexField != kNone &&
         manifest.fields[table.indexField].kind == FieldKind::PackedIndex;
}

/// Whether its slots, and the instance that is picked, can be told in the shader.
bool is_reached_by_slots(const Manifest& manifest, const Binding& binding) {
  const Table& table = manifest.tables[binding.table];
  const bool known = table.residence == Residence::Static ||
                     table.residence == Residence::Indexed ||
                     table.residence == Residence::Indirect;
  // Input attachments and images in YCbCr formats can be no others than variables.
  const bool byVariable = binding.type == DescriptorType::InputAttachment ||
                          binding.type == DescriptorType::TensorARM || binding.slotsPerElement != 1;
  return known && !byVariable && !is_packed(manifest, table) &&
         is_table_residence(binding.residence);
}

Placement place(const Manifest& manifest, const SlotLayout& slots, uint32_t index) {
  const Binding& binding = manifest.bindings[index];
  const Table& table = manifest.tables[binding.table];
  const TableSlots& tableSlots = slots.tables[binding.table];
  Placement placement = {.set = table.set,
                         .binding = binding.binding,
                         .resource = std::nullopt,
                         .sampler = std::nullopt};
  if (!is_reached_by_slots(manifest, binding)) return placement;
  if (is_resource(binding.type))
    placement.resource = locate(manifest, resource_slot(manifest, slots, {index}), table.indexField,
                                tableSlots, descriptor_class(binding.type));
  if (has_sampler_slots(binding)) {
    const bool inTuples = binding.samplerPlacement == SamplerPlacement::Table;
    placement.sampler =
        locate(manifest, sampler_slot(manifest, slots, {index}),
               inTuples ? table.samplerIndexField : kNone, tableSlots, DescriptorClass::Sampler);
  }
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

}  // namespace heapsmith::rewrite
