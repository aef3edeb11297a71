// SPDX-License-Identifier: MIT
#include "rewrite/slot_constants.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "spirv/module.h"

namespace heapsmith::rewrite {
namespace {

constexpr size_t index_of(DescriptorClass descriptorClass) {
  return static_cast<size_t>(descriptorClass);
}

// In the order of the regions in the heaps; no rewritten shader reads tensors.
constexpr DescriptorClass kRegions[] = {DescriptorClass::Image, DescriptorClass::Buffer,
                                        DescriptorClass::Sampler};

/// The slots with `count` wherever an override may say how many there are.
Result<SlotLayout> slots_with(const Manifest& manifest, uint32_t count) {
  std::vector<InstanceOverride> instances;
  for (uint32_t t = 0; t < manifest.tables.size(); ++t) {
    if (!can_override_instances(manifest, {t})) continue;
    const bool tuples = can_override_sampler_instances(manifest, {t});
    instances.push_back({.table = {t}, .instances = count, .samplerInstances = tuples ? count : 0});
  }
  std::vector<CapacityOverride> capacities;
  for (uint32_t b = 0; b < manifest.bindings.size(); ++b) {
    if (can_override_capacity(manifest, {b}))
      capacities.push_back({.binding = {b}, .capacity = count});
  }
  return assign_slots(manifest, {.instances = instances, .capacities = capacities});
}

}  // namespace

/// All numbers grow with each count that they depend on: so those can change that differ between
/// two layouts whose every such count is 1 and 2.
class SlotConstants::Chooser {
 public:
  Chooser(const Manifest& manifest, const SlotLayout& few, const SlotLayout& more,
          const std::set<uint32_t>& taken)
      : manifest_(manifest), few_(few), more_(more), taken_(taken) {}

  SlotConstants run(RegionBases bases, bool glsl) {
    if (bases == RegionBases::Specialization) {
      for (const DescriptorClass region : kRegions)
        chosen_.regionFirstSlots_[index_of(region)] =
            add({.number = SlotNumber::RegionFirstSlot, .descriptorClass = region});
    } else {
      chosen_.regionSlots_[index_of(DescriptorClass::Image)] = add_if_it_changes(
          {.number = SlotNumber::RegionSlots, .descriptorClass = DescriptorClass::Image});
    }
    chosen_.slotsPerInstance_.resize(manifest_.tables.size());
    for (uint32_t t = 0; t < manifest_.tables.size(); ++t)
      choose_for_table(t);
    for (uint32_t b = 0; b < manifest_.bindings.size(); ++b)
      choose_for_binding(b);
    const bool hasImages = more_.regionSlots[index_of(DescriptorClass::Image)] != 0;
    if (glsl && bases == RegionBases::Sizes && hasImages)
      chosen_.glslFirstBuffer_ =
          add({.number = SlotNumber::RegionFirstSlot, .descriptorClass = DescriptorClass::Buffer});
    return std::move(chosen_);
  }

 private:
  // The words of a scattered table name slots: no number of its own is part of a shader.
  void choose_for_table(uint32_t table) {
    if (manifest_.tables[table].residence == Residence::Scattered) return;
    for (const DescriptorClass region : kRegions)
      chosen_.slotsPerInstance_[table][index_of(region)] = add_if_it_changes(
          {.number = SlotNumber::SlotsPerInstance, .descriptorClass = region, .table = table});
  }

  void choose_for_binding(uint32_t index) {
    const Binding& binding = manifest_.bindings[index];
    BindingIds& ids = chosen_.bindings_.emplace_back();
    if (manifest_.tables[binding.table].residence == Residence::Scattered) return;
    const auto add_slot = [&](SlotNumber number) {
      return add_if_it_changes({.number = number, .table = binding.table, .binding = index});
    };
    if (has_resource_slots(binding)) ids.resource = add_slot(SlotNumber::ResourceSlot);
    if (has_sampler_slots(binding)) ids.sampler = add_slot(SlotNumber::SamplerSlot);
  }

  std::optional<uint32_t> add_if_it_changes(const SlotConstant& constant) {
    if (slot_number(manifest_, few_, constant) == slot_number(manifest_, more_, constant))
      return std::nullopt;
    return add(constant);
  }

  uint32_t add(SlotConstant constant) {
    while (taken_.contains(next_))
      ++next_;
    constant.specId = next_++;
    chosen_.constants_.emplace(constant.specId, constant);
    return constant.specId;
  }

  const Manifest& manifest_;
  const SlotLayout& few_;
  const SlotLayout& more_;
  const std::set<uint32_t>& taken_;
  uint32_t next_ = kFirstSlotSpecId;
  SlotConstants chosen_;
};

Result<SlotConstants> SlotConstants::choose(const Manifest& manifest, RegionBases bases,
                                            const std::set<uint32_t>& taken, bool glsl) {
  auto few = slots_with(manifest, 1);
  if (!few) return std::move(few.error());
  auto more = slots_with(manifest, 2);
  if (!more) return std::move(more.error());
  return Chooser(manifest, *few, *more, taken).run(bases, glsl);
}

void SlotConstants::specialize(const Manifest& manifest, std::span<const uint32_t> bindings,
                               Placements& placements) const {
  for (const DescriptorClass region : kRegions) {
    if (const auto id = regionFirstSlots_[index_of(region)])
      placements.regions.firstSlots[index_of(region)] = Specializable(0, id);
  }
  placements.regions.imageSlots.specId = regionSlots_[index_of(DescriptorClass::Image)];
  for (const uint32_t index : bindings) {
    const Binding& binding = manifest.bindings[index];
    const auto placement = std::ranges::lower_bound(
        placements.bindings, std::pair(manifest.tables[binding.table].set, binding.binding), {},
        [](const Placement& placed) { return std::pair(placed.set, placed.binding); });
    HEAPSMITH_CHECK(placement != placements.bindings.end() &&
                    placement->binding == binding.binding);
    specialize(manifest, index, *placement);
  }
}

void SlotConstants::specialize_sizes(Placements& placements) const {
  if (glslFirstBuffer_)
    placements.regions.firstSlots[index_of(DescriptorClass::Buffer)] =
        Specializable(0, glslFirstBuffer_);
}

void SlotConstants::specialize(const Manifest& manifest, uint32_t index,
                               Placement& placement) const {
  const Binding& binding = manifest.bindings[index];
  const auto specialize_one = [&](std::optional<Location>& location, DescriptorClass region,
                                  std::optional<uint32_t> slot) {
    if (!location) return;
    location->firstSlot.specId = slot;
    if (location->source != InstanceSource::None)
      location->slotsPerInstance.specId = slotsPerInstance_[binding.table][index_of(region)];
  };
  specialize_one(placement.resource, descriptor_class(binding.type), bindings_[index].resource);
  specialize_one(placement.sampler, DescriptorClass::Sampler, bindings_[index].sampler);
}

std::vector<SlotConstant> SlotConstants::declared_by(std::span<const uint32_t> words) const {
  const spirv::InstructionRange instructions(words.data() + spirv::kHeaderWords,
                                             words.data() + words.size());
  std::vector<SlotConstant> declared;
  for (const spirv::Instruction instruction : instructions) {
    if (instruction.op() == spv::Op::OpFunction) break;
    const bool isSpecId = instruction.op() == spv::Op::OpDecorate &&
                          instruction.word(2) == static_cast<uint32_t>(spv::Decoration::SpecId);
    if (!isSpecId) continue;
    const auto found = constants_.find(instruction.word(3));
    if (found != constants_.end()) declared.push_back(found->second);
  }
  std::ranges::sort(declared, {}, &SlotConstant::specId);
  return declared;
}

}  // namespace heapsmith::rewrite
