// SPDX-License-Identifier: MIT
#include "spirv/grammar.h"

#include <algorithm>
#include <iterator>

namespace heapsmith::spirv {
namespace {

struct EnumerantName {
  uint32_t value = 0;
  std::string_view name;
};

}  // namespace

#include "grammar_tables.inc"

namespace {

std::string_view find_name(std::span<const EnumerantName> names, uint32_t value) noexcept {
  const auto found = std::ranges::lower_bound(names, value, {}, &EnumerantName::value);
  return found != names.end() && found->value == value ? found->name : std::string_view();
}
}  // namespace

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
  // Nearly all values in use are below the first gap of their enumeration, or the second.
  for (const uint32_t guess : {value, value - 1})
    if (guess < all.size() && all[guess].value == value) return &all[guess];
  const auto found = std::ranges::lower_bound(all, value, {}, &EnumerantRule::value);
  return found != all.end() && found->value == value ? &*found : nullptr;
}

std::string_view capability_name(uint32_t value) noexcept {
  return find_name(kCapabilityNames, value);
}

std::string_view image_format_name(uint32_t value) noexcept {
  return find_name(kImageFormatNames, value);
}

std::string_view execution_mode_name(uint32_t value) noexcept {
  return find_name(kExecutionModeNames, value);
}

std::string_view built_in_name(uint32_t value) noexcept {
  return find_name(kBuiltInNames, value);
}

}  // namespace heapsmith::spirv
