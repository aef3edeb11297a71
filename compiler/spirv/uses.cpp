// SPDX-License-Identifier: MIT
#include "spirv/uses.h"

#include <algorithm>
#include <utility>

#include "spirv/grammar.h"
#include "spirv/operands.h"

namespace heapsmith::spirv {

uint32_t result_word(Instruction instruction) {
  const InstructionRule& rule = get_rule(instruction.op());
  if (!rule.hasResult) return 0;
  return rule.hasType ? 2 : 1;
}

struct Uses::Scan {
  const Module& module;
  const std::vector<uint8_t>& followedTypes;
  Uses& uses;
  std::vector<uint8_t> followed = {};  // by id: whether its uses are kept
  uint32_t block = 0;

  void run();

 private:
  void declaration(Instruction instruction);
  void annotation(Instruction instruction);
  void body(Instruction instruction);
  void note_result(const InstructionRule& rule, Instruction instruction);
};

/// A result is no use of itself.
inline void Uses::Scan::note_result(const InstructionRule& rule, Instruction instruction) {
  if (!rule.hasResult) return;
  const uint32_t result = instruction.word(rule.hasType ? 2 : 1);
  --uses.counts_[result];
  if (rule.hasType && followedTypes[instruction.word(1)] != 0) followed[result] = 1;
}

/// Who is decorated is not used, but what decorates is: a constant may be an array's stride alone.
inline void Uses::Scan::annotation(Instruction instruction) {
  const bool ofMember = instruction.op() == spv::Op::OpMemberDecorateIdEXT;
  if (!ofMember && instruction.op() != spv::Op::OpDecorateId) return;
  for (const uint32_t id : instruction.words_from(ofMember ? 4 : 3))
    ++uses.counts_[id];
}

inline void Uses::Scan::declaration(Instruction instruction) {
  if (is_annotation(instruction.op())) {
    annotation(instruction);
    return;
  }
  const InstructionRule& rule = get_rule(instruction.op());
  for_each_id(module, instruction, rule,
              [&](uint32_t word) { ++uses.counts_[instruction.word(word)]; });
  note_result(rule, instruction);
}

inline void Uses::Scan::body(Instruction instruction) {
  const InstructionRule& rule = get_rule(instruction.op());
  const uint32_t first = module.word_index(instruction);
  if (instruction.op() == spv::Op::OpLabel) block = first;
  // A value that comes round a loop is used before its definition is seen.
  const bool isFollowedPhi =
      instruction.op() == spv::Op::OpPhi && followedTypes[instruction.word(1)] != 0;
  const uint32_t* const words = instruction.words().data();
  uint32_t* const counts = uses.counts_.data();
  const uint8_t* const isFollowed = followed.data();
  for_each_id(module, instruction, rule, [&](uint32_t word) {
    const uint32_t id = words[word];
    ++counts[id];
    if (isFollowed[id] != 0 || (isFollowedPhi && word >= 3 && word % 2 == 1))
      uses.all_.push_back(
          {.id = id, .instruction = first, .operand = first + word, .block = block});
  });
  note_result(rule, instruction);
}

void Uses::Scan::run() {
  followed.resize(module.bound());
  for (const Instruction instruction : module.declarations())
    declaration(instruction);
  for (const Function& function : module.functions())
    for (const Instruction instruction : module.body(function))
      body(instruction);
}

Uses::Uses(const Module& module, const std::vector<uint8_t>& followed) {
  counts_.resize(module.bound());
  Scan{.module = module, .followedTypes = followed, .uses = *this}.run();
  byId_ = all_;
  std::ranges::sort(byId_, {}, [](const Use& use) { return std::pair(use.id, use.operand); });
}

std::span<const Use> Uses::of(uint32_t id) const {
  const auto found = std::ranges::equal_range(byId_, id, {}, &Use::id);
  return {found.begin(), found.end()};
}

}  // namespace heapsmith::spirv
