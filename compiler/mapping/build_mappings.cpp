// SPDX-License-Identifier: MIT
#include "mapping/build_mappings.h"

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
  State(const plan::HeapPlan& plan, const layout::PackedFields& fields)
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
    const plan::PlannedBinding& binding = table.bindings[use.binding];
    Mapping mapping = {.set = table.set,
                       .binding = table.firstBinding + use.binding,
                       .resourceMask = mask,
                       .source = mapping_source(binding.residence),
                       .part = part};
    if (!is_table_residence(binding.residence)) {
      mapping.field = fields_.of_binding(field_kind(binding.residence), mapping.binding);
    } else {
      if (part != MappingPart::Sampler) reach_resource(mapping, use.table);
      if (part != MappingPart::Resource) reach_sampler(mapping, use.table, binding);
    }
    mappings_.push_back(mapping);
  }

  // What a binding without a descriptor reads.
  static FieldKind field_kind(Residence residence) {
    if (residence == Residence::HeapData) return FieldKind::HeapDataOffset;
    const bool data = residence == Residence::PushData || residence == Residence::RecordData;
    return data ? FieldKind::Data : FieldKind::BufferAddress;
  }

  void reach_resource(Mapping& mapping, uint32_t table) const {
    if (plan_.tables[table].residence == Residence::Scattered) {
      mapping.field = fields_.of_binding(FieldKind::ResourceSlots, mapping.binding);
    } else {
      mapping.packedIndex = plan_.tables[table].packedIndex;
      mapping.field = fields_.of_table(
          mapping.packedIndex ? FieldKind::PackedIndex : FieldKind::TableIndex, table);
    }
  }

  // A sampler that is the same for all instances has no word; a separate one is then at a constant
  // place.
  void reach_sampler(Mapping& mapping, uint32_t table, const plan::PlannedBinding& binding) const {
    const bool alone = mapping.part == MappingPart::Sampler;
    if (binding.samplerPlacement == SamplerPlacement::Embedded) {
      mapping.embeddedSampler = binding.immutableSamplers.front();
      if (alone) mapping.source = MappingSource::HeapWithConstantOffset;
      return;
    }
    uint32_t field = kNone;
    bool packed = false;
    if (plan_.tables[table].residence == Residence::Scattered) {
      field = fields_.of_binding(FieldKind::SamplerSlots, mapping.binding);
    } else if (binding.samplerPlacement == SamplerPlacement::Table) {
      packed = plan_.tables[table].packedIndex;
      field = packed ? fields_.of_table(FieldKind::PackedIndex, table)
                     : fields_.of_table(FieldKind::SamplerIndex, table);
    }
    if (!alone) {
      // The one word that a packed index is in is the mapping's field already.
      if (!packed) mapping.samplerField = field;
      return;
    }
    mapping.field = field;
    mapping.packedIndex = packed;
    if (field == kNone) mapping.source = MappingSource::HeapWithConstantOffset;
  }

  const plan::HeapPlan& plan_;
  const layout::PackedFields& fields_;
  std::vector<Mapping> mappings_;
};

}  // namespace

std::vector<Mapping> build_mappings(const plan::HeapPlan& plan, const plan::PlannedProgram& program,
                                    const layout::PackedFields& fields) {
  return State(plan, fields).run(program);
}

}  // namespace heapsmith::mapping
