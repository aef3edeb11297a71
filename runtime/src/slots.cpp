// SPDX-License-Identifier: MIT
#include "heapsmith/resolve.h"

#include <algorithm>

#include "text.h"

namespace heapsmith {
namespace {

constexpr size_t index_of(DescriptorClass descriptorClass) {
  return static_cast<size_t>(descriptorClass);
}

template <typename... Parts>
Error invalid_override(const Parts&... parts) {
  return detail::error(ErrorCode::InvalidOverride, parts...);
}

bool packs_index(const Manifest& manifest, const Table& table) {
  return table.indexField != kNone &&
         manifest.fields[table.indexField].kind == FieldKind::PackedIndex;
}

bool is_sized_by_choice(const Binding& binding) {
  return binding.residence == Residence::HeapData || binding.arrayKind == ArrayKind::Runtime ||
         binding.arrayKind == ArrayKind::Specialization;
}

Status override_instances(const Manifest& manifest, const InstanceOverride& wanted,
                          SlotLayout& layout) {
  if (wanted.table.index >= manifest.tables.size()) {
    return invalid_override("an instance override names table ", wanted.table.index, " of ",
                            manifest.tables.size());
  }
  const Table& table = manifest.tables[wanted.table.index];
  if (!can_override_instances(manifest, wanted.table)) {
    return invalid_override("table '", table.name, "' is ", to_string(table.residence),
                            ": it has one instance");
  }
  if (wanted.instances == 0) {
    return invalid_override("table '", table.name, "' cannot have 0 instances");
  }
  const bool packed = packs_index(manifest, table);
  if (packed &&
      (wanted.instances > kPackedInstances || wanted.samplerInstances > kPackedSamplerInstances)) {
    return invalid_override("table '", table.name, "' has a packed index, with room for ",
                            kPackedInstances, " instances and ", kPackedSamplerInstances,
                            " sampler tuples");
  }
  TableSlots& slots = layout.tables[wanted.table.index];
  slots.instances = wanted.instances;
  if (wanted.samplerInstances == 0) return Done{};
  if (!can_override_sampler_instances(manifest, wanted.table) &&
      wanted.samplerInstances != table.samplerInstances) {
    return invalid_override("table '", table.name, "' has no field that picks a sampler tuple, so ",
                            wanted.samplerInstances, " of them cannot be told apart");
  }
  slots.samplerInstances = wanted.samplerInstances;
  return Done{};
}

Status override_capacity(const Manifest& manifest, const CapacityOverride& wanted,
                         SlotLayout& layout) {
  if (wanted.binding.index >= manifest.bindings.size()) {
    return invalid_override("a capacity override names binding ", wanted.binding.index, " of ",
                            manifest.bindings.size());
  }
  const Binding& binding = manifest.bindings[wanted.binding.index];
  if (!is_sized_by_choice(binding)) {
    return invalid_override("binding '", binding.name,
                            "' has a fixed number of elements: ", binding.capacity);
  }
  if (wanted.capacity == 0) {
    return invalid_override("binding '", binding.name, "' cannot have 0 elements");
  }
  if (binding.residence == Residence::Scattered && wanted.capacity > binding.capacity) {
    return invalid_override("binding '", binding.name, "' has words for ", binding.capacity,
                            " elements in its indirect block");
  }
  const uint32_t samplers = binding.immutableSamplers.count;
  if (samplers > 1 && wanted.capacity > samplers) {
    return invalid_override("binding '", binding.name, "' has immutable samplers for ", samplers,
                            " elements");
  }
  layout.bindings[wanted.binding.index].capacity = wanted.capacity;
  return Done{};
}

/// In manifests before format 1.1 all slots are literals of a rewritten shader.
bool has_literal_slots(const Manifest& manifest) {
  return manifest.formatVersionMajor == 1 && manifest.formatVersionMinor == 0;
}

bool moves_regions(const ResolveOptions& options) {
  return std::any_of(options.regionBases.begin(), options.regionBases.end(),
                     [](const std::optional<uint64_t>& base) { return base.has_value(); });
}

/// What is no specialization constant of a rewritten shader cannot move.
Status check_forms(const Manifest& manifest, const ResolveOptions& options) {
  const bool movesSlots = !options.instances.empty() || !options.capacities.empty();
  const bool movesRegions = moves_regions(options);
  for (const Shader& shader : manifest.shaders) {
    if (!shader.rewritten) continue;
    if (movesSlots && has_literal_slots(manifest)) {
      return invalid_override("shader '", shader.file,
                              "' is rewritten: its slots are part of it and cannot move");
    }
    if (movesRegions && manifest.regionBases == RegionBases::Sizes) {
      return invalid_override("shader '", shader.file,
                              "' is rewritten and finds its regions by the descriptors' sizes; "
                              "rewrite it with --base specialization");
    }
  }
  return Done{};
}

Status choose_counts(const Manifest& manifest, const ResolveOptions& options, SlotLayout& layout) {
  for (size_t i = 0; i < manifest.tables.size(); ++i) {
    layout.tables[i].instances = manifest.tables[i].instances;
    layout.tables[i].samplerInstances = manifest.tables[i].samplerInstances;
  }
  for (size_t i = 0; i < manifest.bindings.size(); ++i) {
    layout.bindings[i].capacity = manifest.bindings[i].capacity;
  }
  for (const InstanceOverride& wanted : options.instances) {
    if (Status status = override_instances(manifest, wanted, layout); !status) return status;
  }
  for (const CapacityOverride& wanted : options.capacities) {
    if (Status status = override_capacity(manifest, wanted, layout); !status) return status;
  }
  return Done{};
}

/// Takes `copies * slots` slots of a region and yields the first of them.
Result<uint64_t> take_slots(SlotLayout& layout, DescriptorClass descriptorClass,
                            std::string_view name, uint64_t copies, uint64_t slots) {
  uint64_t& used = layout.regionSlots[index_of(descriptorClass)];
  const uint64_t first = used;
  if (slots != 0 && copies > (kMaxRegionSlots - used) / slots) {
    const bool sampler = descriptorClass == DescriptorClass::Sampler;
    return detail::error(sampler ? ErrorCode::SamplerHeapTooLarge : ErrorCode::ResourceHeapTooLarge,
                         "'", name, "' needs ", copies, " times ", slots, " slots of class ",
                         to_string(descriptorClass), ", which is more than any heap has");
  }
  used += copies * slots;
  return first;
}

/// The sums cannot overflow: fewer than 2^32 bindings of fewer than 2^32 elements.
void place_bindings(const Manifest& manifest, const Table& table, TableSlots& tableSlots,
                    SlotLayout& layout) {
  for (uint32_t i = 0; i < table.bindings.count; ++i) {
    const Binding& binding = manifest.bindings[table.bindings.first + i];
    BindingSlots& slots = layout.bindings[table.bindings.first + i];
    if (has_resource_slots(binding)) {
      uint64_t& used = tableSlots.slotsPerInstance[index_of(descriptor_class(binding.type))];
      slots.firstSlot = used;
      used += uint64_t{slots.capacity} * binding.slotsPerElement;
    }
    if (is_in_sampler_tuples(binding)) {
      uint64_t& used = tableSlots.slotsPerInstance[index_of(DescriptorClass::Sampler)];
      slots.firstSamplerSlot = used;
      used += slots.capacity;
    }
  }
}

Status place_immutable_samplers(const Manifest& manifest, const Table& table, SlotLayout& layout) {
  for (uint32_t i = 0; i < table.bindings.count; ++i) {
    const Binding& binding = manifest.bindings[table.bindings.first + i];
    if (binding.samplerPlacement != SamplerPlacement::Immutable) continue;
    BindingSlots& slots = layout.bindings[table.bindings.first + i];
    Result<uint64_t> first =
        take_slots(layout, DescriptorClass::Sampler, binding.name, 1, slots.capacity);
    if (!first) return std::move(first.error());
    slots.firstSamplerSlot = *first;
  }
  return Done{};
}

Status place_table(const Manifest& manifest, size_t tableIndex, SlotLayout& layout) {
  const Table& table = manifest.tables[tableIndex];
  TableSlots& slots = layout.tables[tableIndex];
  place_bindings(manifest, table, slots, layout);
  if (Status status = place_immutable_samplers(manifest, table, layout); !status) return status;
  for (const DescriptorClass descriptorClass :
       {DescriptorClass::Buffer, DescriptorClass::Image, DescriptorClass::Sampler,
        DescriptorClass::Tensor}) {
    const bool sampler = descriptorClass == DescriptorClass::Sampler;
    Result<uint64_t> first = take_slots(layout, descriptorClass, table.name,
                                        sampler ? slots.samplerInstances : slots.instances,
                                        slots.slotsPerInstance[index_of(descriptorClass)]);
    if (!first) return std::move(first.error());
    slots.firstSlot[index_of(descriptorClass)] = *first;
  }
  return Done{};
}

}  // namespace

bool can_override_instances(const Manifest& manifest, TableId table) noexcept {
  return manifest.tables[table.index].residence != Residence::Static;
}

bool can_override_sampler_instances(const Manifest& manifest, TableId table) noexcept {
  const Table& declared = manifest.tables[table.index];
  return declared.samplerIndexField != kNone || declared.residence == Residence::Scattered ||
         packs_index(manifest, declared);
}

bool can_override_capacity(const Manifest& manifest, BindingId binding) noexcept {
  const Binding& declared = manifest.bindings[binding.index];
  const bool isBounded = declared.residence == Residence::Scattered;
  return is_sized_by_choice(declared) && (!isBounded || declared.capacity > 1);
}

Result<SlotLayout> assign_slots(const Manifest& manifest, const ResolveOptions& options) {
  SlotLayout layout;
  layout.tables.resize(manifest.tables.size());
  layout.bindings.resize(manifest.bindings.size());
  layout.externalRanges.reserve(manifest.externalRanges.size());
  if (Status status = check_forms(manifest, options); !status) return std::move(status.error());
  if (Status status = choose_counts(manifest, options, layout); !status) {
    return std::move(status.error());
  }
  for (const ExternalRange& range : manifest.externalRanges) {
    Result<uint64_t> first = take_slots(layout, range.descriptorClass, range.name, 1, range.slots);
    if (!first) return std::move(first.error());
    layout.externalRanges.push_back(*first);
  }
  for (size_t i = 0; i < manifest.tables.size(); ++i) {
    if (Status status = place_table(manifest, i, layout); !status) {
      return std::move(status.error());
    }
  }
  return layout;
}

uint64_t resource_slot(const Manifest& manifest, const SlotLayout& slots, BindingId binding,
                       uint32_t element, uint32_t instance) noexcept {
  const Binding& declared = manifest.bindings[binding.index];
  const TableSlots& table = slots.tables[declared.table];
  const size_t i = index_of(descriptor_class(declared.type));
  return table.firstSlot[i] + instance * table.slotsPerInstance[i] +
         slots.bindings[binding.index].firstSlot + uint64_t{element} * declared.slotsPerElement;
}

uint64_t sampler_slot(const Manifest& manifest, const SlotLayout& slots, BindingId binding,
                      uint32_t element, uint32_t tuple) noexcept {
  const Binding& declared = manifest.bindings[binding.index];
  const uint64_t first = slots.bindings[binding.index].firstSamplerSlot + element;
  if (declared.samplerPlacement == SamplerPlacement::Immutable) return first;
  const TableSlots& table = slots.tables[declared.table];
  const size_t i = index_of(DescriptorClass::Sampler);
  return table.firstSlot[i] + tuple * table.slotsPerInstance[i] + first;
}

uint64_t slot_number(const Manifest& manifest, const SlotLayout& slots,
                     const SlotConstant& constant) noexcept {
  const size_t i = index_of(constant.descriptorClass);
  switch (constant.number) {
    case SlotNumber::RegionFirstSlot:
      return 0;
    case SlotNumber::RegionSlots:
      return slots.regionSlots[i];
    case SlotNumber::SlotsPerInstance:
      return slots.tables[constant.table].slotsPerInstance[i];
    case SlotNumber::ResourceSlot:
      return resource_slot(manifest, slots, {constant.binding});
    case SlotNumber::SamplerSlot:
      return sampler_slot(manifest, slots, {constant.binding});
  }
  return 0;
}

namespace {

/// The words of a scattered table name slots of the region, whichever table they belong to.
MappingHalf whole_region(const SlotLayout& slots, DescriptorClass descriptorClass) noexcept {
  return {.descriptorClass = descriptorClass,
          .slot = 0,
          .arrayStride = 0,
          .indexStride = 1,
          .end = slots.regionSlots[index_of(descriptorClass)]};
}

}  // namespace

MappingHalf resource_half(const Manifest& manifest, const SlotLayout& slots,
                          const Mapping& mapping) noexcept {
  const Binding& binding = manifest.bindings[mapping.binding];
  const DescriptorClass descriptorClass = descriptor_class(binding.type);
  if (mapping.source == MappingSource::HeapWithIndirectIndexArray) {
    return whole_region(slots, descriptorClass);
  }
  const TableSlots& table = slots.tables[binding.table];
  MappingHalf half{.descriptorClass = descriptorClass,
                   .slot = resource_slot(manifest, slots, {mapping.binding}),
                   .arrayStride = binding.slotsPerElement};
  if (mapping.field != kNone) {
    half.indexStride = table.slotsPerInstance[index_of(descriptorClass)];
  }
  half.end = half.slot + (table.instances - uint64_t{1}) * half.indexStride +
             slots.bindings[mapping.binding].capacity * half.arrayStride;
  return half;
}

MappingHalf sampler_half(const Manifest& manifest, const SlotLayout& slots,
                         const Mapping& mapping) noexcept {
  if (mapping.source == MappingSource::HeapWithIndirectIndexArray) {
    return whole_region(slots, DescriptorClass::Sampler);
  }
  const Binding& binding = manifest.bindings[mapping.binding];
  const TableSlots& table = slots.tables[binding.table];
  const uint32_t field =
      mapping.part == MappingPart::Sampler ? mapping.field : mapping.samplerField;
  const bool picked = field != kNone || mapping.packedIndex;
  MappingHalf half{.descriptorClass = DescriptorClass::Sampler,
                   .slot = sampler_slot(manifest, slots, {mapping.binding}),
                   .arrayStride = 1};
  if (picked && binding.samplerPlacement == SamplerPlacement::Table) {
    half.indexStride = table.slotsPerInstance[index_of(DescriptorClass::Sampler)];
  }
  half.end = half.slot + (table.samplerInstances - uint64_t{1}) * half.indexStride +
             slots.bindings[mapping.binding].capacity;
  return half;
}

}  // namespace heapsmith
