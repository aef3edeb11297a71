// SPDX-License-Identifier: MIT
#include "check/explain.h"

#include <algorithm>
#include <format>
#include <iterator>
#include <utility>

namespace heapsmith::check {
namespace {

class Writer {
 public:
  Writer(const plan::HeapPlan& plan, const layout::PackedFields& fields)
      : plan_(plan), fields_(fields) {}

  std::string run() {
    for (const plan::Choice& choice : plan_.choices)
      write_choice(choice);
    for (const plan::PlannedProgram& program : plan_.programs) {
      write_forms(program);
      write_push_data(program);
    }
    return std::move(text_);
  }

 private:
  template <typename... Arguments>
  void line(std::format_string<Arguments...> format, Arguments&&... arguments) {
    std::format_to(std::back_inserter(text_), format, std::forward<Arguments>(arguments)...);
    text_ += '\n';
  }

  void write_choice(const plan::Choice& choice) {
    const std::string where = choice.binding
                                  ? std::format("  set {} binding {}", choice.set, *choice.binding)
                                  : std::format("set {}", choice.set);
    line("{} '{}' is {}: {}", where, choice.name, to_string(choice.residence), choice.reason);
    for (const plan::Refusal& refusal : choice.refused)
      line("      not {}: {}", to_string(refusal.residence), refusal.reason);
  }

  // Where shaders were rewritten.
  void write_forms(const plan::PlannedProgram& program) {
    for (const plan::PlannedUse& use : program.uses) {
      if (use.mappedBecause.empty()) continue;
      const plan::PlannedTable& table = plan_.tables[use.table];
      const plan::PlannedBinding& binding = table.bindings[use.binding];
      line("program '{}' keeps set {} binding {} '{}' mapped: {}", program.name, table.set,
           binding.binding, binding.name, use.mappedBecause);
    }
  }

  void write_push_data(const plan::PlannedProgram& program) {
    uint32_t end =
        program.pushConstants ? program.pushConstants->offset + program.pushConstants->size : 0;
    for (const layout::PackedField& field : fields_.fields) {
      if (field.space == FieldSpace::PushData && reads(program, field))
        end = std::max(end, field.offset + field.size);
    }
    if (end == 0) return;
    line("program '{}' uses push data up to byte {} of {}", program.name, end,
         plan_.pushDataBudget);
  }

  bool reads(const plan::PlannedProgram& program, const layout::PackedField& field) const {
    return std::ranges::any_of(program.uses, [&](const plan::PlannedUse& use) {
      const plan::PlannedTable& table = plan_.tables[use.table];
      if (field.kind == FieldKind::BlockAddress)
        return table.indirectBlock == fields_.blocks[field.block].name;
      if (field.binding != kNone) return field.binding == table.firstBinding + use.binding;
      return field.table == use.table;
    });
  }

  const plan::HeapPlan& plan_;
  const layout::PackedFields& fields_;
  std::string text_;
};

}  // namespace

std::string explain_text(const plan::HeapPlan& plan, const layout::PackedFields& fields) {
  return Writer(plan, fields).run();
}

}  // namespace heapsmith::check
