// SPDX-License-Identifier: MIT
#include "layout/pack_push_data.h"

#include <algorithm>
#include <cstddef>
#include <format>
#include <optional>
#include <set>
#include <utility>

namespace heapsmith::layout {
namespace {

std::string budget_text(const plan::HeapPlan& plan) {
  return std::format("{} bytes that {}", plan.pushDataBudget,
                     plan.policyFile.empty() ? "every device has" : "the policy allows");
}

// Which bytes of the budget are free.
class Bank {
 public:
  explicit Bank(uint32_t budget) : taken_(budget) {}

  void take(uint32_t offset, uint32_t size) { std::fill_n(taken_.begin() + offset, size, true); }

  // The first aligned place from `from` on.
  std::optional<uint32_t> find(uint32_t from, uint32_t size) const {
    for (size_t offset = (size_t{from} + size - 1) / size * size; offset + size <= taken_.size();
         offset += size) {
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

  Diagnosed<std::vector<PackedField>> run() {
    programs_of_table_.resize(plan_.tables.size());
    fields_of_table_.resize(plan_.tables.size());
    for (const plan::PlannedProgram& program : plan_.programs) {
      for (const uint32_t table : program.tables)
        programs_of_table_[table].push_back(&program);
    }
    for (uint32_t t = 0; t < plan_.tables.size(); ++t)
      place_table(t);
    if (failed_) return diagnostics_.failed();
    name_fields();
    return std::move(fields_);
  }

 private:
  void place_table(uint32_t t) {
    const plan::PlannedTable& table = plan_.tables[t];
    if (table.residence != Residence::Indexed) return;
    const auto has_resources = [](const plan::PlannedBinding& binding) {
      return has_resource_slots(binding.type);
    };
    if (std::ranges::any_of(table.bindings, has_resources)) {
      place({.name = table.name, .kind = PushFieldKind::TableIndex, .table = t});
    }
    if (table.samplerInstances > 1) {
      place({.name = table.name + "Sampler", .kind = PushFieldKind::SamplerIndex, .table = t});
    }
  }

  void place(PackedField field) {
    // What the programs that use the table have pushed already.
    Bank bank(plan_.pushDataBudget);
    uint32_t end_of_push_constants = 0;
    for (const plan::PlannedProgram* program : programs_of_table_[field.table]) {
      if (program->pushConstants) {
        const auto& range = *program->pushConstants;
        bank.take(range.offset, range.size);
        end_of_push_constants = std::max(end_of_push_constants, range.offset + range.size);
      }
      for (const uint32_t table : program->tables) {
        for (const uint32_t placed : fields_of_table_[table])
          bank.take(fields_[placed].offset, fields_[placed].size);
      }
    }
    auto offset = bank.find(end_of_push_constants, field.size);
    if (!offset) offset = bank.find(0, field.size);
    if (!offset) {
      report_no_room(field);
      return;
    }
    field.offset = *offset;
    fields_of_table_[field.table].push_back(static_cast<uint32_t>(fields_.size()));
    fields_.push_back(std::move(field));
  }

  void report_no_room(const PackedField& field) {
    failed_ = true;
    diagnostics_.error(
        Code::PushDataBudget, {.file = plan_.policyFile, .set = plan_.tables[field.table].set},
        std::format("no room for push word '{}': the push constants and words of its programs need "
                    "more than the {}",
                    field.name, budget_text(plan_)));
  }

  // A table may be called like another one's sampler word; a table's own word has the first right.
  void name_fields() {
    std::set<std::string> names;
    for (const PackedField& field : fields_) {
      if (field.kind == PushFieldKind::TableIndex) names.insert(field.name);
    }
    for (PackedField& field : fields_) {
      if (field.kind == PushFieldKind::TableIndex) continue;
      const std::string wanted = field.name;
      for (int n = 2; !names.insert(field.name).second; ++n)
        field.name = std::format("{}_{}", wanted, n);
    }
  }

  const plan::HeapPlan& plan_;
  Diagnostics& diagnostics_;
  std::vector<std::vector<const plan::PlannedProgram*>> programs_of_table_;
  std::vector<std::vector<uint32_t>> fields_of_table_;  // indices into fields_
  std::vector<PackedField> fields_;
  bool failed_ = false;
};

// Programs may have more push constants than the budget even if no field is needed.
bool check_push_constants(const plan::HeapPlan& plan, Diagnostics& diagnostics) {
  bool fits = true;
  for (const plan::PlannedProgram& program : plan.programs) {
    if (!program.pushConstants) continue;
    const uint64_t end = uint64_t{program.pushConstants->offset} + program.pushConstants->size;
    if (end <= plan.pushDataBudget) continue;
    diagnostics.error(
        Code::PushDataBudget, {.file = plan.policyFile},
        std::format("the push constants of program '{}' end at byte {}, beyond the {}",
                    program.name, end, budget_text(plan)));
    fits = false;
  }
  return fits;
}

}  // namespace

Diagnosed<std::vector<PackedField>> pack_push_data(const plan::HeapPlan& plan,
                                                   Diagnostics& diagnostics) {
  if (!check_push_constants(plan, diagnostics)) return diagnostics.failed();
  return State(plan, diagnostics).run();
}

}  // namespace heapsmith::layout
