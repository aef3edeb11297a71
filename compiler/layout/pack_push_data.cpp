// SPDX-License-Identifier: MIT
#include "layout/pack_push_data.h"

#include <algorithm>
#include <format>
#include <optional>

namespace heapsmith::layout {
namespace {

struct Interval {
  uint32_t begin = 0;
  uint32_t end = 0;
};

class State {
 public:
  State(const plan::HeapPlan& plan, Diagnostics& diagnostics)
      : plan_(plan), diagnostics_(diagnostics) {}

  Result<std::vector<PackedField>> run() {
    for (uint32_t t = 0; t < plan_.tables.size(); ++t) {
      const plan::PlannedTable& table = plan_.tables[t];
      if (table.residence != Residence::Indexed) continue;
      if (std::ranges::any_of(table.bindings, [](const plan::PlannedBinding& binding) {
            return has_resource_slots(binding.type);
          })) {
        place({.name = table.name, .kind = PushFieldKind::TableIndex, .table = t});
      }
      if (table.samplerInstances > 1) {
        place({.name = table.name + "Sampler", .kind = PushFieldKind::SamplerIndex, .table = t});
      }
    }
    if (failed_) return diagnostics_.failed();
    return std::move(fields_);
  }

 private:
  // What the programs that use `table` have pushed already.
  std::vector<Interval> taken_beside(uint32_t table) const {
    std::vector<Interval> taken;
    for (const plan::PlannedProgram& program : plan_.programs) {
      if (!std::ranges::binary_search(program.tables, table)) continue;
      if (program.pushConstants) {
        const auto& range = *program.pushConstants;
        taken.push_back({range.offset, range.offset + range.size});
      }
      for (const PackedField& field : fields_) {
        if (std::ranges::binary_search(program.tables, field.table)) {
          taken.push_back({field.offset, field.offset + field.size});
        }
      }
    }
    return taken;
  }

  uint32_t end_of_push_constants(uint32_t table) const {
    uint32_t end = 0;
    for (const plan::PlannedProgram& program : plan_.programs) {
      if (program.pushConstants && std::ranges::binary_search(program.tables, table)) {
        end = std::max(end, program.pushConstants->offset + program.pushConstants->size);
      }
    }
    return end;
  }

  std::optional<uint32_t> find_gap(const std::vector<Interval>& taken, uint32_t from,
                                   uint32_t size) const {
    const uint64_t first = (uint64_t{from} + size - 1) / size * size;
    for (uint64_t offset = first; offset + size <= plan_.pushDataBudget; offset += size) {
      const bool free = std::ranges::none_of(taken, [&](Interval interval) {
        return offset < interval.end && interval.begin < offset + size;
      });
      if (free) return static_cast<uint32_t>(offset);
    }
    return std::nullopt;
  }

  void place(PackedField field) {
    const std::vector<Interval> taken = taken_beside(field.table);
    auto offset = find_gap(taken, end_of_push_constants(field.table), field.size);
    if (!offset) offset = find_gap(taken, 0, field.size);
    if (!offset) {
      failed_ = true;
      diagnostics_.error(
          Code::PushDataBudget, {},
          std::format("no room for push word '{}': the push constants and words of its programs "
                      "need more than the {} bytes that the policy allows",
                      field.name, plan_.pushDataBudget));
      return;
    }
    field.offset = *offset;
    fields_.push_back(std::move(field));
  }

  const plan::HeapPlan& plan_;
  Diagnostics& diagnostics_;
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
    diagnostics.error(Code::PushDataBudget, {},
                      std::format("the push constants of program '{}' end at byte {}, beyond the "
                                  "{} bytes that the policy allows",
                                  program.name, end, plan.pushDataBudget));
    fits = false;
  }
  return fits;
}

}  // namespace

Result<std::vector<PackedField>> pack_push_data(const plan::HeapPlan& plan,
                                                Diagnostics& diagnostics) {
  if (!check_push_constants(plan, diagnostics)) return diagnostics.failed();
  return State(plan, diagnostics).run();
}

}  // namespace heapsmith::layout
