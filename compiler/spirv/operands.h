// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "spirv/grammar.h"
#include "spirv/module.h"

namespace heapsmith::spirv {

struct Operand {
  OperandKind kind{};  ///< ResultType, Result, Id, Literal, String or TypedLiteral
  uint32_t word = 0;   ///< index within the instruction
  uint32_t count = 1;  ///< words
};

/// Walks an instruction operand by operand, the parameters of enumerants included. Safe on any
/// words.
class OperandReader {
 public:
  /// `literalWords`: how long a TypedLiteral is (Module::literal_words).
  OperandReader(const InstructionRule& rule, std::span<const uint32_t> words,
                uint32_t literalWords);

  /// False at the end, and at an error.
  bool next(Operand& operand);

  /// What is wrong, or empty.
  [[nodiscard]] std::string_view error() const { return error_; }
  /// The word at which it is wrong.
  [[nodiscard]] uint32_t error_word() const { return word_; }

 private:
  bool fail(std::string_view text);
  bool next_parameter(Operand& operand);
  bool expand_next_mask_bit();
  bool take(const OperandRule& rule, Operand& operand);
  bool take_words(OperandKind kind, uint64_t count, Operand& operand);
  bool take_string(Operand& operand);
  bool take_enumerant(uint8_t enumeration, Operand& operand);
  bool take_spec_opcode(Operand& operand);

  std::span<const uint32_t> words_;
  std::span<const OperandRule> rules_;
  std::span<const OperandRule> parameters_;
  const EnumerationRule* mask_ = nullptr;
  uint32_t maskBits_ = 0;
  OperandKind second_ = OperandKind::Result;  // of a pair; Result: none
  uint32_t word_ = 1;
  uint32_t literalWords_ = 0;
  std::string_view error_;
};

/// A bit for each of the first `length` words.
[[nodiscard]] constexpr uint32_t leading_mask(uint32_t length) {
  return length >= 32 ? ~0u : (1u << length) - 1;
}

/// False only if `byId` is 0 for every operand that is an id. Takes literals for ids too, and so
/// costs a fraction of for_each_id: for those who look for few ids in many instructions.
[[nodiscard]] inline bool may_mention(Instruction instruction, const std::vector<uint32_t>& byId) {
  bool found = false;
  for (const uint32_t word : instruction.words_from(1))
    found |= word < byId.size() && byId[word] != 0;
  return found;
}

/// Whether it computes numbers of numbers, or goes from block to block: half of a shader's
/// instructions, and no operand of them is a pointer or an object.
[[nodiscard]] inline bool is_computation(spv::Op op) {
  const auto is_in = [op](spv::Op first, spv::Op last) { return op >= first && op <= last; };
  return (is_in(spv::Op::OpSNegate, spv::Op::OpFUnordGreaterThanEqual) &&
          op != spv::Op::OpSelect) ||
         is_in(spv::Op::OpShiftRightLogical, spv::Op::OpFwidthCoarse) ||
         is_in(spv::Op::OpConvertFToU, spv::Op::OpFConvert) ||
         is_in(spv::Op::OpLoopMerge, spv::Op::OpReturn);
}

/// Whether all words behind the first one of an instruction that long are ids.
[[nodiscard]] inline bool has_only_ids(const InstructionRule& rule, uint32_t length) {
  return rule.idMask == (leading_mask(rule.leadingWords) & ~1u) &&
         (length <= rule.leadingWords || rule.tail <= Tail::IdPairs);
}

/// Whether an instruction ends with a mask that has no parameters, as most have.
[[nodiscard]] inline bool is_plain_mask(const InstructionRule& rule, Instruction instruction) {
  return rule.tail == Tail::Mask && instruction.length() == rule.leadingWords + 1u &&
         (instruction.word(rule.leadingWords) & ~rule.plainBits) == 0;
}

/// Indices of the words that are ids, found operand by operand.
[[nodiscard]] std::vector<uint32_t> find_ids(const Module& module, Instruction instruction,
                                             const InstructionRule& rule);

/// for_each_id for instructions that have other operands too.
template <typename Visit>
void for_each_id_of_mixed(const Module& module, Instruction instruction,
                          const InstructionRule& rule, Visit& visit) {
  const uint32_t length = instruction.length();
  const bool inLeading = length <= rule.leadingWords;
  if (!inLeading && rule.tail >= Tail::Enumerant && !is_plain_mask(rule, instruction)) {
    for (const uint32_t word : find_ids(module, instruction, rule))
      visit(word);
    return;
  }
  uint32_t mask = inLeading ? rule.idMask & leading_mask(length) : rule.idMask;
  for (; mask != 0; mask &= mask - 1)
    visit(static_cast<uint32_t>(std::countr_zero(mask)));
  if (inLeading || rule.tail > Tail::IdPairs || module.has_literal_operands(instruction)) return;
  for (uint32_t i = rule.leadingWords; i < length; ++i)
    visit(i);
}

/// Calls visit(word index) for each operand that is an id, the result and its type included. The
/// instruction must belong to a parsed module.
template <typename Visit>
void for_each_id(const Module& module, Instruction instruction, const InstructionRule& rule,
                 Visit&& visit) {
  const uint32_t length = instruction.length();
  if (!has_only_ids(rule, length)) return for_each_id_of_mixed(module, instruction, rule, visit);
  for (uint32_t i = 1; i < length; ++i)
    visit(i);
}

}  // namespace heapsmith::spirv
