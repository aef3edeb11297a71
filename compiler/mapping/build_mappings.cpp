// SPDX-License-Identifier: MIT
#include "mapping/build_mappings.h"

#include <algorithm>
#include <utility>

namespace heapsmith::mapping {
namespace {

using reflect::ResourceKind;

constexpr uint32_t bit(ResourceKind kind) {
  return static_cast<uint32_t>(kind);
}

constexpr uint32_t kImageBits =
    bit(ResourceKind::ReadOnlyImage) | bit(ResourceKind::ReadWriteImage);
constexpr uint32_t kStorageBufferBits =
    bit(ResourceKind::ReadOnlyStorageBuffer) | bit(ResourceKind::ReadWriteStorageBuffer);

// Before SPIR-V 1.6, front ends wrote a uniform texel buffer as an OpTypeSampledImage, which takes
// no sampler.
constexpr uint32_t kTexelBufferBits =
    bit(ResourceKind::SampledImage) | bit(ResourceKind::CombinedSampledImage);

// Both bits of a pair, always: whether a variable counts as read-only depends on where the front
// end put NonWritable (drivers look at the variable, DXC decorates members), and no two kinds of
// one pair can share a binding.
constexpr uint32_t widen(uint32_t kinds) {
  if (kinds & kImageBits) kinds |= kImageBits;
  if (kinds & kStorageBufferBits) kinds |= kStorageBufferBits;
  return kinds;
}

class State {
 public:
  State(const plan::HeapPlan& plan, const std::vector<layout::PackedField>& fields)
      : plan_(plan), fields_(fields) {}

  std::vector<Mapping> run(const plan::PlannedProgram& program) {
    for (const plan::PlannedUse& use : program.uses)
      map(use);
    return std::move(mappings_);
  }

 private:
  void map(const plan::PlannedUse& use) {
    const DescriptorType type = plan_.tables[use.table].bindings[use.binding].type;
    const uint32_t sampler = use.kinds & bit(ResourceKind::Sampler);
    const uint32_t resource = widen(use.kinds & ~sampler);
    if (sampler != 0) add(use, sampler, MappingPart::Sampler);
    if (resource == 0) return;
    if (type == DescriptorType::UniformTexelBuffer) {
      add(use, kTexelBufferBits, MappingPart::Resource);
      return;
    }
    const bool combined = (resource & bit(ResourceKind::CombinedSampledImage)) != 0;
    add(use, resource, combined ? MappingPart::Combined : MappingPart::Resource);
  }

  void add(const plan::PlannedUse& use, uint32_t mask, MappingPart part) {
    const plan::PlannedTable& table = plan_.tables[use.table];
    Mapping mapping = {.set = table.set,
                       .binding = table.firstBinding + use.binding,
                       .resourceMask = mask,
                       .source = MappingSource::HeapWithConstantOffset,
                       .part = part};
    switch (table.residence) {
      case Residence::Static:
        break;
      case Residence::Indexed:
        pick_instance(mapping, use.table);
        break;
    }
    mappings_.push_back(mapping);
  }

  // A table whose instances all use one sampler tuple has no word for it.
  void pick_instance(Mapping& mapping, uint32_t table) {
    const uint32_t sampler_field = find_field(table, PushFieldKind::SamplerIndex);
    if (mapping.part == MappingPart::Sampler) {
      mapping.pushField = sampler_field;
    } else {
      mapping.pushField = find_field(table, PushFieldKind::TableIndex);
      if (mapping.part == MappingPart::Combined) mapping.samplerPushField = sampler_field;
    }
    if (mapping.pushField != kNone) mapping.source = MappingSource::HeapWithPushIndex;
  }

  uint32_t find_field(uint32_t table, PushFieldKind kind) const {
    const auto key = [](const layout::PackedField& field) {
      return std::pair(field.table, field.kind);
    };
    const auto found = std::ranges::lower_bound(fields_, std::pair(table, kind), {}, key);
    if (found == fields_.end() || key(*found) != std::pair(table, kind)) return kNone;
    return static_cast<uint32_t>(found - fields_.begin());
  }

  const plan::HeapPlan& plan_;
  const std::vector<layout::PackedField>& fields_;
  std::vector<Mapping> mappings_;
};

}  // namespace

std::vector<Mapping> build_mappings(const plan::HeapPlan& plan, const plan::PlannedProgram& program,
                                    const std::vector<layout::PackedField>& fields) {
  return State(plan, fields).run(program);
}

}  // namespace heapsmith::mapping
