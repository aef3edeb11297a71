// SPDX-License-Identifier: MIT
#include "spirv/operands.h"

namespace heapsmith::spirv {

OperandReader::OperandReader(const InstructionRule& rule, std::span<const uint32_t> words,
                             uint32_t literalWords)
    : words_(words), rules_(operand_rules(rule)), literalWords_(literalWords) {}

bool OperandReader::next(Operand& operand) {
  if (!error_.empty()) return false;
  if (second_ != OperandKind::Result) {
    const OperandKind kind = second_;
    second_ = OperandKind::Result;
    return take_words(kind, kind == OperandKind::TypedLiteral ? literalWords_ : 1, operand);
  }
  while (parameters_.empty() && maskBits_ != 0)
    if (!expand_next_mask_bit()) return false;
  if (!parameters_.empty()) return next_parameter(operand);

  const bool ended = word_ >= words_.size();
  if (rules_.empty()) return ended ? false : fail("too many operands");
  const OperandRule& rule = rules_.front();
  if (ended) {
    while (!rules_.empty() && rules_.front().quantifier != Quantifier::One)
      rules_ = rules_.subspan(1);
    return rules_.empty() ? false : fail("operands are missing");
  }
  if (rule.quantifier != Quantifier::Any) rules_ = rules_.subspan(1);
  return take(rule, operand);
}

bool OperandReader::fail(std::string_view text) {
  error_ = text;
  return false;
}

bool OperandReader::next_parameter(Operand& operand) {
  const OperandRule& rule = parameters_.front();
  if (rule.quantifier == Quantifier::Any) {
    // Only the last parameter of a decoration; it takes all that is left.
    if (word_ >= words_.size()) {
      parameters_ = {};
      return next(operand);
    }
    return take(rule, operand);
  }
  parameters_ = parameters_.subspan(1);
  return take(rule, operand);
}

bool OperandReader::expand_next_mask_bit() {
  const uint32_t bit = maskBits_ & (~maskBits_ + 1);
  maskBits_ &= maskBits_ - 1;
  const EnumerantRule* enumerant = find_enumerant(*mask_, bit);
  if (enumerant == nullptr) return fail("a mask has a bit that is not known");
  parameters_ = parameter_rules(*enumerant);
  return true;
}

bool OperandReader::take(const OperandRule& rule, Operand& operand) {
  switch (rule.kind) {
    case OperandKind::ResultType:
    case OperandKind::Result:
    case OperandKind::Id:
    case OperandKind::Literal:
      return take_words(rule.kind, 1, operand);
    case OperandKind::String:
      return take_string(operand);
    case OperandKind::TypedLiteral:
      return take_words(rule.kind, literalWords_, operand);
    case OperandKind::SpecOpcode:
      return take_spec_opcode(operand);
    case OperandKind::Enumerant:
      return take_enumerant(rule.enumeration, operand);
    case OperandKind::LiteralIdPair:
      second_ = OperandKind::Id;
      return take_words(OperandKind::TypedLiteral, literalWords_, operand);
    case OperandKind::IdLiteralPair:
      second_ = OperandKind::Literal;
      return take_words(OperandKind::Id, 1, operand);
    case OperandKind::IdIdPair:
      second_ = OperandKind::Id;
      return take_words(OperandKind::Id, 1, operand);
  }
  return fail("an operand of no kind");
}

bool OperandReader::take_words(OperandKind kind, uint64_t count, Operand& operand) {
  if (count == 0) return fail("a literal whose type is no number");
  if (count > words_.size() - word_) return fail("operands are missing");
  operand = {kind, word_, static_cast<uint32_t>(count)};
  word_ += operand.count;
  return true;
}

bool OperandReader::take_string(Operand& operand) {
  for (uint32_t i = word_; i < words_.size(); ++i) {
    const uint32_t word = words_[i];
    const bool ends = (word & 0xFFu) == 0 || (word & 0xFF00u) == 0 || (word & 0xFF0000u) == 0 ||
                      (word & 0xFF000000u) == 0;
    if (ends) return take_words(OperandKind::String, i - word_ + 1, operand);
  }
  return fail(word_ < words_.size() ? "a string has no terminating zero" : "operands are missing");
}

bool OperandReader::take_enumerant(uint8_t enumeration, Operand& operand) {
  if (!take_words(OperandKind::Literal, 1, operand)) return false;
  const EnumerationRule& rule = enumeration_rule(enumeration);
  const uint32_t value = words_[operand.word];
  if (rule.isMask) {
    mask_ = &rule;
    maskBits_ = value;
    return true;
  }
  const EnumerantRule* enumerant = find_enumerant(rule, value);
  if (enumerant == nullptr) {
    word_ = operand.word;
    return fail(rule.name == "Decoration" ? "an unknown decoration" : "an unknown enumerant");
  }
  parameters_ = parameter_rules(*enumerant);
  return true;
}

bool OperandReader::take_spec_opcode(Operand& operand) {
  if (!take_words(OperandKind::Literal, 1, operand)) return false;
  const InstructionRule* nested = find_rule(words_[operand.word]);
  const bool usable = nested != nullptr && nested->hasType && nested->hasResult &&
                      nested->opcode != static_cast<uint32_t>(spv::Op::OpSpecConstantOp);
  if (!usable) return fail("an opcode that OpSpecConstantOp cannot have");
  rules_ = operand_rules(*nested).subspan(2);  // without result type and result
  return true;
}

std::vector<uint32_t> find_ids(const Module& module, Instruction instruction,
                               const InstructionRule& rule) {
  std::vector<uint32_t> ids;
  OperandReader reader(rule, instruction.words(), module.literal_words(instruction));
  for (Operand operand; reader.next(operand);)
    if (operand.kind <= OperandKind::Id) ids.push_back(operand.word);
  return ids;
}

}  // namespace heapsmith::spirv
