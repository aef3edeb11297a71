// SPDX-License-Identifier: MIT
#include "emit/make_manifest.h"

namespace heapsmith::emit {
namespace {

class State {
 public:
  explicit State(const ManifestContent& content) : content_(content) {}

  ManifestStorage run() {
    for (uint32_t t = 0; t < content_.plan.tables.size(); ++t)
      add_table(t);
    for (const layout::PackedField& field : content_.fields.fields)
      add_field(field);
    for (const layout::PackedBlock& block : content_.fields.blocks) {
      indirect_blocks_.push_back({.name = storage_.keep(block.name),
                                  .size = block.size,
                                  .addressField = block.addressField});
    }
    for (const plan::PlannedSampler& sampler : content_.plan.samplers) {
      samplers_.push_back(sampler.info);
      samplers_.back().name = storage_.keep(sampler.name);
    }
    for (size_t p = 0; p < content_.programs.size(); ++p)
      add_program(p);
    for (const plan::ExternalRangePolicy& range : content_.plan.externalRanges) {
      external_ranges_.push_back({.name = storage_.keep(range.name),
                                  .descriptorClass = range.descriptorClass,
                                  .slots = range.slots});
    }
    Manifest& manifest = storage_.manifest;
    manifest.tables = storage_.keep(tables_);
    manifest.bindings = storage_.keep(bindings_);
    manifest.fields = storage_.keep(fields_);
    manifest.indirectBlocks = storage_.keep(indirect_blocks_);
    manifest.programs = storage_.keep(programs_);
    manifest.shaders = storage_.keep(shaders_);
    manifest.mappings = storage_.keep(mappings_);
    manifest.externalRanges = storage_.keep(external_ranges_);
    manifest.samplers = storage_.keep(samplers_);
    manifest.immutableSamplers = storage_.keep(immutable_samplers_);
    manifest.slotConstants = storage_.keep(slot_constants_);
    manifest.regionBases = content_.regionBases;
    return std::move(storage_);
  }

 private:
  static IndexRange range(size_t first, size_t count) {
    return {static_cast<uint32_t>(first), static_cast<uint32_t>(count)};
  }

  void add_table(uint32_t index) {
    const plan::PlannedTable& planned = content_.plan.tables[index];
    tables_.push_back({.name = storage_.keep(planned.name),
                       .set = planned.set,
                       .residence = planned.residence,
                       .instances = planned.instances,
                       .samplerInstances = planned.samplerInstances,
                       .bindings = range(bindings_.size(), planned.bindings.size())});
    for (const plan::PlannedBinding& binding : planned.bindings) {
      bindings_.push_back(
          {.name = storage_.keep(binding.name),
           .table = index,
           .binding = binding.binding,
           .type = binding.type,
           .arrayKind = binding.arrayKind,
           .capacity = binding.capacity,
           .stages = binding.stages,
           .minBufferSize = binding.minBufferSize,
           .residence = binding.residence,
           .samplerPlacement = binding.samplerPlacement,
           .immutableSamplers = range(immutable_samplers_.size(), binding.immutableSamplers.size()),
           .slotsPerElement = binding.slotsPerElement});
      immutable_samplers_.insert(immutable_samplers_.end(), binding.immutableSamplers.begin(),
                                 binding.immutableSamplers.end());
    }
  }

  void add_field(const layout::PackedField& field) {
    const auto index = static_cast<uint32_t>(fields_.size());
    if (field.kind == FieldKind::TableIndex || field.kind == FieldKind::PackedIndex)
      tables_[field.table].indexField = index;
    if (field.kind == FieldKind::SamplerIndex) tables_[field.table].samplerIndexField = index;
    fields_.push_back({.name = storage_.keep(field.name),
                       .kind = field.kind,
                       .space = field.space,
                       .table = field.table,
                       .binding = field.binding,
                       .block = field.block,
                       .offset = field.offset,
                       .size = field.size});
  }

  void add_program(size_t index) {
    const plan::PlannedProgram& planned = content_.plan.programs[index];
    const EmittedProgram& emitted = content_.programs[index];
    Program program = {.name = storage_.keep(planned.name),
                       .shaders = range(shaders_.size(), emitted.shaders.size()),
                       .mappings = range(mappings_.size(), emitted.mappings.size())};
    if (planned.pushConstants) {
      program.pushConstantOffset = planned.pushConstants->offset;
      program.pushConstantSize = planned.pushConstants->size;
    }
    program.recordBlockSize = planned.recordBlockSize;
    programs_.push_back(program);
    for (const EmittedShader& shader : emitted.shaders) {
      shaders_.push_back(
          {.file = storage_.keep(shader.file),
           .entryPoint = storage_.keep(shader.entryPoint),
           .sha256 = storage_.keep(shader.sha256),
           .stage = shader.stage,
           .rewritten = shader.rewritten,
           .slotConstants = range(slot_constants_.size(), shader.slotConstants.size())});
      slot_constants_.insert(slot_constants_.end(), shader.slotConstants.begin(),
                             shader.slotConstants.end());
    }
    mappings_.insert(mappings_.end(), emitted.mappings.begin(), emitted.mappings.end());
  }

  const ManifestContent& content_;
  ManifestStorage storage_;
  std::vector<Table> tables_;
  std::vector<Binding> bindings_;
  std::vector<Field> fields_;
  std::vector<IndirectBlock> indirect_blocks_;
  std::vector<Program> programs_;
  std::vector<Shader> shaders_;
  std::vector<Mapping> mappings_;
  std::vector<ExternalRange> external_ranges_;
  std::vector<SamplerInfo> samplers_;
  std::vector<uint32_t> immutable_samplers_;
  std::vector<SlotConstant> slot_constants_;
};

}  // namespace

ManifestStorage make_manifest(const ManifestContent& content) {
  return State(content).run();
}

}  // namespace heapsmith::emit
