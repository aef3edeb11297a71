// SPDX-License-Identifier: MIT
#include "spirv/grammar.h"

#include <algorithm>
#include <iterator>

#include "base/check.h"

namespace heapsmith::spirv {
namespace {
#include "grammar_tables.inc"
}  // namespace

const InstructionRule* find_rule(uint32_t opcode) noexcept {
  if (opcode >= std::size(kRowOfOpcode) || kRowOfOpcode[opcode] == 0) return nullptr;
  return &kInstructionRules[kRowOfOpcode[opcode] - 1];
}

const InstructionRule& get_rule(spv::Op op) noexcept {
  const InstructionRule* rule = find_rule(static_cast<uint32_t>(op));
  HEAPSMITH_CHECK(rule != nullptr);
  return *rule;
}

std::span<const OperandRule> operand_rules(const InstructionRule& rule) noexcept {
  return std::span(kOperandRules).subspan(rule.firstOperand, rule.operandCount);
}

std::span<const OperandRule> parameter_rules(const EnumerantRule& enumerant) noexcept {
  return std::span(kOperandRules).subspan(enumerant.firstParameter, enumerant.parameterCount);
}

const EnumerationRule& enumeration_rule(uint8_t enumeration) noexcept {
  return kEnumerationRules[enumeration];
}

const EnumerantRule* find_enumerant(const EnumerationRule& enumeration, uint32_t value) noexcept {
  const auto all =
      std::span(kEnumerantRules).subspan(enumeration.firstEnumerant, enumeration.enumerantCount);
  const auto found = std::ranges::lower_bound(all, value, {}, &EnumerantRule::value);
  return found != all.end() && found->value == value ? &*found : nullptr;
}

}  // namespace heapsmith::spirv
