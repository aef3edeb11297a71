// SPDX-License-Identifier: MIT
#include "layout/pack_fields.h"

#include <algorithm>
#include <cstddef>
#include <format>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

namespace heapsmith::layout {
namespace {

// Chapter "Limits": maxShaderGroupStride is at least 4096, of which a shader group handle takes 32.
constexpr uint32_t kGuaranteedRecordSize = 4096 - 32;

std::string budget_text(const plan::HeapPlan& plan) {
  return std::format("{} bytes that {}", plan.pushDataBudget,
                     plan.policyFile.empty() ? "every device has" : "the policy allows");
}

// Addresses need it (VUID 11247, 11260, 11266). Data could do with 4, but its 64-bit members could
// not be read from a C++ struct.
uint32_t alignment_of(const PackedField& field) {
  switch (field.kind) {
    case FieldKind::BlockAddress:
    case FieldKind::BufferAddress:
    case FieldKind::Data:
      return 8;
    case FieldKind::TableIndex:
    case FieldKind::SamplerIndex:
    case FieldKind::PackedIndex:
    case FieldKind::ResourceSlots:
    case FieldKind::SamplerSlots:
    case FieldKind::HeapDataOffset:
      return 4;
  }
  return 4;
}

// Addresses, data, words: what is aligned more comes first, so that nothing is padded.
int order_of(const PackedField& field) {
  if (field.kind == FieldKind::Data) return 1;
  return alignment_of(field) == 8 ? 0 : 2;
}

// Which bytes of a space are free.
class Bank {
 public:
  explicit Bank(uint32_t size) : taken_(size) {}

  void take(uint64_t offset, uint64_t size) {
    const auto end = std::min<uint64_t>(offset + size, taken_.size());
    for (uint64_t byte = offset; byte < end; ++byte)
      taken_[byte] = true;
  }

  // The first aligned place from `from` on.
  std::optional<uint32_t> find(uint32_t from, uint32_t size, uint32_t alignment) const {
    for (size_t offset = (size_t{from} + alignment - 1) / alignment * alignment;
         offset + size <= taken_.size(); offset += alignment) {
      const auto begin = taken_.begin() + static_cast<ptrdiff_t>(offset);
      if (std::find(begin, begin + size, true) == begin + size) {
        return static_cast<uint32_t>(offset);
      }
    }
    return std::nullopt;
  }

 private:
  std::vector<bool> taken_;
};

class State {
 public:
  State(const plan::HeapPlan& plan, Diagnostics& diagnostics)
      : plan_(plan), diagnostics_(diagnostics) {}

  Diagnosed<PackedFields> run() {
    for (uint32_t p = 0; p < plan_.programs.size(); ++p)
      note_uses(p);
    for (const plan::PlannedTable& table : plan_.tables) {
      if (!table.indirectBlock.empty()) block_indices_.emplace(table.indirectBlock, 0);
    }
    for (auto& [name, index] : block_indices_) {
      index = static_cast<uint32_t>(packed_.blocks.size());
      packed_.blocks.push_back({.name = name});
    }
    block_programs_.resize(packed_.blocks.size());
    for (uint32_t t = 0; t < plan_.tables.size(); ++t)
      collect_table(t);
    for (uint32_t b = 0; b < packed_.blocks.size(); ++b)
      collect_block_address(b);
    name_fields();
    place_all();
    if (failed_) return diagnostics_.failed();
    finish();
    return std::move(packed_);
  }

 private:
  using Programs = std::set<uint32_t>;

  // A field, and the programs whose shaders read it.
  struct Draft {
    PackedField field;
    Programs programs;
    std::string binding_name;  // where the name is another one's too
  };

  void note_uses(uint32_t program) {
    for (const plan::PlannedUse& use : plan_.programs[program].uses) {
      const plan::PlannedTable& table = plan_.tables[use.table];
      programs_of_binding_[table.firstBinding + use.binding].insert(program);
      if (is_table_residence(table.bindings[use.binding].residence))
        programs_of_table_[use.table].insert(program);
    }
  }

  void add(PackedField field, const Programs& programs, std::string longer_name = {}) {
    if (field.space == FieldSpace::Indirect) {
      field.block = block_indices_.at(plan_.tables[field.table].indirectBlock);
      block_programs_[field.block].insert(programs.begin(), programs.end());
    }
    drafts_.push_back({std::move(field), programs, std::move(longer_name)});
  }

  void collect_table(uint32_t index) {
    const plan::PlannedTable& table = plan_.tables[index];
    if (const auto space = space_of(table.residence)) {
      const auto has_slots = [](const plan::PlannedBinding& binding) {
        return is_resource(binding.type) && is_table_residence(binding.residence);
      };
      const Programs& programs = programs_of_table_[index];
      const auto has_place = [](const plan::PlannedBinding& binding) {
        return is_table_residence(binding.residence);
      };
      if (table.packedIndex && std::ranges::any_of(table.bindings, has_place)) {
        add({.name = table.name, .kind = FieldKind::PackedIndex, .space = *space, .table = index},
            programs);
      } else {
        if (std::ranges::any_of(table.bindings, has_slots)) {
          add({.name = table.name, .kind = FieldKind::TableIndex, .space = *space, .table = index},
              programs);
        }
        if (table.samplerInstances > 1) {
          add({.name = table.name + "Sampler",
               .kind = FieldKind::SamplerIndex,
               .space = *space,
               .table = index},
              programs);
        }
      }
    }
    for (uint32_t b = 0; b < table.bindings.size(); ++b)
      collect_binding(index, b);
  }

  // Where the words of a table are that has any.
  static std::optional<FieldSpace> space_of(Residence residence) {
    if (residence == Residence::Indexed) return FieldSpace::PushData;
    if (residence == Residence::Indirect) return FieldSpace::Indirect;
    if (residence == Residence::Record) return FieldSpace::ShaderRecord;
    return std::nullopt;
  }

  void collect_binding(uint32_t table, uint32_t index) {
    const plan::PlannedBinding& binding = plan_.tables[table].bindings[index];
    const uint32_t flat = plan_.tables[table].firstBinding + index;
    const auto add_one = [&](FieldKind kind, FieldSpace space, uint64_t size,
                             std::string_view suffix = "") {
      const auto bytes = static_cast<uint32_t>(std::min<uint64_t>(size, UINT32_MAX));
      add({.name = binding.name + std::string(suffix),
           .kind = kind,
           .space = space,
           .table = table,
           .binding = flat,
           .size = bytes},
          programs_of_binding_[flat],
          std::format("{}_{}{}", plan_.tables[table].name, binding.name, suffix));
    };
    const uint64_t padded = std::min<uint64_t>(binding.minBufferSize, UINT32_MAX - 3) / 4 * 4 +
                            (binding.minBufferSize % 4 == 0 ? 0 : 4);
    switch (binding.residence) {
      case Residence::Static:
      case Residence::Indexed:
      case Residence::Indirect:
      case Residence::Record:
        return;
      case Residence::Scattered: {
        const uint64_t words = uint64_t{4} * binding.capacity;
        if (is_resource(binding.type))
          add_one(FieldKind::ResourceSlots, FieldSpace::Indirect, words);
        const bool picks_sampler =
            has_samplers(binding.type) && binding.samplerPlacement != SamplerPlacement::Embedded;
        if (picks_sampler) add_one(FieldKind::SamplerSlots, FieldSpace::Indirect, words, "Sampler");
        return;
      }
      case Residence::HeapData:
        return add_one(FieldKind::HeapDataOffset, FieldSpace::PushData, 4);
      case Residence::PushData:
        return add_one(FieldKind::Data, FieldSpace::PushData, padded);
      case Residence::PushAddress:
        return add_one(FieldKind::BufferAddress, FieldSpace::PushData, 8);
      case Residence::IndirectAddress:
        return add_one(FieldKind::BufferAddress, FieldSpace::Indirect, 8);
      case Residence::RecordData:
        return add_one(FieldKind::Data, FieldSpace::ShaderRecord, padded);
      case Residence::RecordAddress:
        return add_one(FieldKind::BufferAddress, FieldSpace::ShaderRecord, 8);
    }
  }

  void collect_block_address(uint32_t block) {
    drafts_.push_back({{.name = packed_.blocks[block].name + "Address",
                        .kind = FieldKind::BlockAddress,
                        .space = FieldSpace::PushData,
                        .block = block,
                        .size = 8},
                       block_programs_[block],
                       {}});
  }

  // A binding may be called like another one, or like a table; then its own table stands before it.
  // A table's index has the first right to its name.
  void name_fields() {
    std::map<std::string, int> count;
    std::set<std::string> names;
    for (const Draft& draft : drafts_) {
      ++count[draft.field.name];
      if (draft.field.binding == kNone && draft.field.kind != FieldKind::SamplerIndex &&
          draft.field.kind != FieldKind::BlockAddress) {
        names.insert(draft.field.name);
      }
    }
    for (Draft& draft : drafts_) {
      PackedField& field = draft.field;
      const bool settled =
          field.kind == FieldKind::TableIndex || field.kind == FieldKind::PackedIndex;
      if (settled) continue;
      if (field.binding != kNone && count[field.name] > 1) field.name = draft.binding_name;
      const std::string wanted = field.name;
      for (int n = 2; !names.insert(field.name).second; ++n)
        field.name = std::format("{}_{}", wanted, n);
    }
  }

  void place_all() {
    check_push_constants();
    std::vector<size_t> order(drafts_.size());
    for (size_t i = 0; i < order.size(); ++i)
      order[i] = i;
    std::ranges::stable_sort(order, {}, [&](size_t i) { return order_of(drafts_[i].field); });
    std::vector<size_t> placed;
    for (const size_t index : order) {
      if (place(index, placed)) placed.push_back(index);
    }
  }

  bool place(size_t index, const std::vector<size_t>& placed) {
    PackedField& field = drafts_[index].field;
    const Programs& programs = drafts_[index].programs;
    if (field.space == FieldSpace::Indirect) {
      uint32_t& end = packed_.blocks[field.block].size;
      field.offset = end;
      if (field.size > UINT32_MAX / 2 - end) return report_block(field);
      end += field.size;
      return true;
    }
    const bool push = field.space == FieldSpace::PushData;
    Bank bank(push ? plan_.pushDataBudget : kGuaranteedRecordSize);
    uint32_t behind = 0;  // what the shaders of its programs declare themselves
    for (const uint32_t p : programs) {
      const plan::PlannedProgram& program = plan_.programs[p];
      const uint32_t first = push && program.pushConstants ? program.pushConstants->offset : 0;
      const uint32_t size = push ? (program.pushConstants ? program.pushConstants->size : 0)
                                 : program.recordBlockSize;
      bank.take(first, size);
      if (size != 0) behind = std::max(behind, first + size);
    }
    for (const size_t other : placed) {
      const Draft& draft = drafts_[other];
      if (draft.field.space != field.space) continue;
      const bool together = std::ranges::any_of(
          programs, [&](uint32_t program) { return draft.programs.contains(program); });
      if (together) bank.take(draft.field.offset, draft.field.size);
    }
    auto offset = bank.find(behind, field.size, alignment_of(field));
    if (!offset) offset = bank.find(0, field.size, alignment_of(field));
    if (!offset) return push ? report_push(field) : report_record(field);
    field.offset = *offset;
    return true;
  }

  Place place_of(const PackedField& field) const {
    Place place = {.file = plan_.policyFile};
    if (field.table != kNone) place.set = plan_.tables[field.table].set;
    return place;
  }

  bool report_push(const PackedField& field) {
    failed_ = true;
    diagnostics_.error(
        Code::PushDataBudget, place_of(field),
        std::format("no room for push field '{}': the push constants and fields of its programs "
                    "need more than the {}",
                    field.name, budget_text(plan_)));
    return false;
  }

  bool report_record(const PackedField& field) {
    failed_ = true;
    diagnostics_.error(Code::HeapLimit, place_of(field),
                       std::format("no room for '{}' in the shader record: every device has {} "
                                   "bytes behind the shader group handle",
                                   field.name, kGuaranteedRecordSize));
    return false;
  }

  bool report_block(const PackedField& field) {
    failed_ = true;
    diagnostics_.error(Code::TooManySlots, place_of(field),
                       std::format("'{}' does not fit into its indirect block", field.name));
    return false;
  }

  // Programs may have more push constants than the budget even if no field is needed.
  void check_push_constants() {
    for (const plan::PlannedProgram& program : plan_.programs) {
      if (!program.pushConstants) continue;
      const uint64_t end = uint64_t{program.pushConstants->offset} + program.pushConstants->size;
      if (end <= plan_.pushDataBudget) continue;
      failed_ = true;
      diagnostics_.error(
          Code::PushDataBudget, {.file = plan_.policyFile},
          std::format("the push constants of program '{}' end at byte {}, beyond the {}",
                      program.name, end, budget_text(plan_)));
    }
  }

  void finish() {
    for (Draft& draft : drafts_)
      packed_.fields.push_back(std::move(draft.field));
    std::ranges::sort(packed_.fields, {}, [](const PackedField& field) {
      const uint32_t block = field.space == FieldSpace::Indirect ? field.block : 0;
      return std::tuple(field.space, block, field.offset, field.name);
    });
    for (uint32_t i = 0; i < packed_.fields.size(); ++i) {
      const PackedField& field = packed_.fields[i];
      if (field.kind == FieldKind::BlockAddress) packed_.blocks[field.block].addressField = i;
    }
  }

  const plan::HeapPlan& plan_;
  Diagnostics& diagnostics_;
  std::map<uint32_t, Programs> programs_of_table_;
  std::map<uint32_t, Programs> programs_of_binding_;
  std::map<std::string, uint32_t> block_indices_;
  std::vector<Programs> block_programs_;
  std::vector<Draft> drafts_;
  PackedFields packed_;
  bool failed_ = false;
};

}  // namespace

uint32_t PackedFields::of_table(FieldKind kind, uint32_t table) const {
  const auto found = std::ranges::find_if(fields, [&](const PackedField& field) {
    return field.kind == kind && field.table == table && field.binding == kNone;
  });
  return found == fields.end() ? kNone : static_cast<uint32_t>(found - fields.begin());
}

uint32_t PackedFields::of_binding(FieldKind kind, uint32_t binding) const {
  const auto found = std::ranges::find_if(fields, [&](const PackedField& field) {
    return field.kind == kind && field.binding == binding;
  });
  return found == fields.end() ? kNone : static_cast<uint32_t>(found - fields.begin());
}

Diagnosed<PackedFields> pack_fields(const plan::HeapPlan& plan, Diagnostics& diagnostics) {
  return State(plan, diagnostics).run();
}

}  // namespace heapsmith::layout
