// SPDX-License-Identifier: MIT
#include "heapsmith/resolve.h"
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

Status override_instances(const Manifest& manifest, const InstanceOverride& wanted,
                          SlotLayout& layout) {
  if (wanted.table.index >= manifest.tables.size()) {
    return invalid_override("an instance override names table ", wanted.table.index, " of ",
                            manifest.tables.size());
  }
  const Table& table = manifest.tables[wanted.table.index];
  if (table.residence != Residence::Indexed) {
    return invalid_override("table '", table.name, "' is ", to_string(table.residence),
                            ": it has one instance");
  }
  if (wanted.instances == 0) {
    return invalid_override("table '", table.name, "' cannot have 0 instances");
  }
  TableSlots& slots = layout.tables[wanted.table.index];
  slots.instances = wanted.instances;
  if (wanted.samplerInstances == 0) return Done{};
  if (table.samplerIndexField == kNone && wanted.samplerInstances != table.samplerInstances) {
    return invalid_override("table '", table.name,
                            "' has no push field that picks a sampler tuple, so ",
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
  if (binding.arrayKind != ArrayKind::Runtime && binding.arrayKind != ArrayKind::Specialization) {
    return invalid_override("binding '", binding.name,
                            "' has a fixed number of elements: ", binding.capacity);
  }
  if (wanted.capacity == 0) {
    return invalid_override("binding '", binding.name, "' cannot have 0 elements");
  }
  layout.bindings[wanted.binding.index].capacity = wanted.capacity;
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
    if (has_resource_slots(binding.type)) {
      uint64_t& used = tableSlots.slotsPerInstance[index_of(descriptor_class(binding.type))];
      slots.firstSlot = used;
      used += slots.capacity;
    }
    if (has_sampler_slots(binding.type)) {
      uint64_t& used = tableSlots.slotsPerInstance[index_of(DescriptorClass::Sampler)];
      slots.firstSamplerSlot = used;
      used += slots.capacity;
    }
  }
}

Status place_table(const Manifest& manifest, size_t tableIndex, SlotLayout& layout) {
  const Table& table = manifest.tables[tableIndex];
  TableSlots& slots = layout.tables[tableIndex];
  place_bindings(manifest, table, slots, layout);
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

Result<SlotLayout> assign_slots(const Manifest& manifest, const ResolveOptions& options) {
  SlotLayout layout;
  layout.tables.resize(manifest.tables.size());
  layout.bindings.resize(manifest.bindings.size());
  layout.externalRanges.reserve(manifest.externalRanges.size());
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

}  // namespace heapsmith
