// SPDX-License-Identifier: MIT
#include "emit/migration_places.h"

#include <algorithm>
#include <format>

#include "emit/text_table.h"

namespace heapsmith::emit {
namespace {

std::string slot_text(DescriptorClass region, uint64_t slot) {
  return std::format("slot {} of the {} region", slot, to_string(region));
}

/// The field of a kind that belongs to a binding; null if it has none.
const Field* field_of(const Manifest& manifest, uint32_t binding, FieldKind kind) {
  const auto found = std::ranges::find_if(manifest.fields, [&](const Field& field) {
    return field.binding == binding && field.kind == kind;
  });
  return found == manifest.fields.end() ? nullptr : &*found;
}

std::string instances_text(const Manifest& manifest, const TableSlots& slots, uint32_t field,
                           DescriptorClass region) {
  if (field == kNone) return {};
  return std::format(", {} more for each instance that {} picks",
                     slots.slotsPerInstance[static_cast<size_t>(region)],
                     field_place_text(manifest, manifest.fields[field]));
}

std::string slots_text(const Manifest& manifest, const SlotLayout& slots, BindingId id) {
  const Binding& binding = manifest.bindings[id.index];
  const Table& table = manifest.tables[binding.table];
  const DescriptorClass region = descriptor_class(binding.type);
  if (const Field* words = field_of(manifest, id.index, FieldKind::ResourceSlots))
    return std::format("slots of the {} region that {} names", to_string(region),
                       field_place_text(manifest, *words));
  return slot_text(region, resource_slot(manifest, slots, id)) +
         instances_text(manifest, slots.tables[binding.table], table.indexField, region);
}

std::string samplers_text(const Manifest& manifest, const SlotLayout& slots, BindingId id) {
  const Binding& binding = manifest.bindings[id.index];
  const Table& table = manifest.tables[binding.table];
  if (const Field* words = field_of(manifest, id.index, FieldKind::SamplerSlots))
    return std::format("slots of the sampler region that {} names",
                       field_place_text(manifest, *words));
  std::string text = slot_text(DescriptorClass::Sampler, sampler_slot(manifest, slots, id));
  if (binding.samplerPlacement != SamplerPlacement::Table) return text;
  const bool packed =
      table.indexField != kNone && manifest.fields[table.indexField].kind == FieldKind::PackedIndex;
  return text + instances_text(manifest, slots.tables[binding.table],
                               packed ? table.indexField : table.samplerIndexField,
                               DescriptorClass::Sampler);
}

std::string quoted(std::string_view name) {
  return std::format("'{}'", printable(name));
}

/// As resolve() places regions, unless it was told where.
std::string first_slot_text(const Manifest& manifest, const SlotLayout& slots,
                            DescriptorClass region) {
  const std::string_view name = region == DescriptorClass::Buffer ? "firstBuffer, " : "";
  const std::string first =
      std::format("{}the first slot of the {} region: ", name, to_string(region));
  if (manifest.regionBases == RegionBases::Specialization)
    return first + "its offset divided by the size of such descriptors";
  return std::format(
      "{}(n * imageDescriptorSize + bufferDescriptorSize - 1) / bufferDescriptorSize, n being the "
      "slots of the image region: {} without overrides",
      first, slots.regionSlots[static_cast<size_t>(DescriptorClass::Image)]);
}

/// Of a buffer without a descriptor.
std::string bytes_text(const Manifest& manifest, BindingId id) {
  const auto at = [&](FieldKind kind) {
    const Field* field = field_of(manifest, id.index, kind);
    return field == nullptr ? std::string() : field_place_text(manifest, *field);
  };
  switch (manifest.bindings[id.index].residence) {
    case Residence::PushData:
    case Residence::RecordData:
      return std::format("its bytes are {}", at(FieldKind::Data));
    case Residence::HeapData:
      return std::format("its bytes lie in the resource heap, where {} says",
                         at(FieldKind::HeapDataOffset));
    default:
      return std::format("its device address is {}", at(FieldKind::BufferAddress));
  }
}

}  // namespace

std::string slot_constant_text(const Manifest& manifest, const SlotLayout& slots,
                               const SlotConstant& constant) {
  const std::string_view region = to_string(constant.descriptorClass);
  switch (constant.number) {
    case SlotNumber::RegionFirstSlot:
      return first_slot_text(manifest, slots, constant.descriptorClass);
    case SlotNumber::RegionSlots:
      return std::format("how many slots the {} region has", region);
    case SlotNumber::SlotsPerInstance:
      return std::format("slots of the {} region for each instance of table {}", region,
                         quoted(manifest.tables[constant.table].name));
    case SlotNumber::ResourceSlot:
      return std::format("the first slot of {} in its region",
                         quoted(manifest.bindings[constant.binding].name));
    case SlotNumber::SamplerSlot:
      return std::format("the first sampler slot of {}",
                         quoted(manifest.bindings[constant.binding].name));
  }
  return {};
}

std::string field_place_text(const Manifest& manifest, const Field& field) {
  std::string name = printable(field.name);
  switch (field.space) {
    case FieldSpace::PushData:
      return std::format("push data at byte {} ('{}')", field.offset, name);
    case FieldSpace::ShaderRecord:
      return std::format("the shader record at byte {} ('{}')", field.offset, name);
    case FieldSpace::Indirect:
      return std::format("indirect block '{}' at byte {} ('{}')",
                         printable(manifest.indirectBlocks[field.block].name), field.offset, name);
  }
  return name;
}

std::string place_text(const Manifest& manifest, const SlotLayout& slots, BindingId id) {
  const Binding& binding = manifest.bindings[id.index];
  if (!is_table_residence(binding.residence)) return bytes_text(manifest, id);
  std::string text;
  if (has_resource_slots(binding)) text = slots_text(manifest, slots, id);
  if (!has_samplers(binding.type)) return text;
  if (!text.empty()) text += "; sampler: ";
  return text + (has_sampler_slots(binding) ? samplers_text(manifest, slots, id)
                                            : std::string("embedded in its mapping"));
}

}  // namespace heapsmith::emit
