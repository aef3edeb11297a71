// SPDX-License-Identifier: MIT
#include "spirv/module.h"

#include <algorithm>

#include "spirv/grammar.h"

namespace heapsmith::spirv {

uint32_t Instruction::type_id() const {
  return get_rule(op()).hasType ? word(1) : 0;
}

uint32_t Instruction::result_id() const {
  const InstructionRule& rule = get_rule(op());
  if (!rule.hasResult) return 0;
  return word(rule.hasType ? 2 : 1);
}

std::string string_literal(std::span<const uint32_t> words) {
  std::string text;
  for (const uint32_t word : words) {
    for (uint32_t shift = 0; shift < 32; shift += 8) {
      const auto byte = static_cast<unsigned char>(word >> shift);
      if (byte == 0) return text;
      text.push_back(static_cast<char>(byte));
    }
  }
  return text;
}

uint32_t Module::literal_words(Instruction instruction) const {
  uint32_t type = instruction.word(1);
  if (instruction.op() == spv::Op::OpSwitch) type = definition(instruction.word(1)).type_id();
  const Instruction definition_of_type = definition(type);
  if (definition_of_type.op() != spv::Op::OpTypeInt &&
      definition_of_type.op() != spv::Op::OpTypeFloat)
    return 0;
  const uint64_t width = definition_of_type.word(2);
  return static_cast<uint32_t>(std::max<uint64_t>(1, (width + 31) / 32));
}

bool Module::is_of_literal_set(Instruction instruction) const {
  const bool extended = instruction.op() == spv::Op::OpExtInst ||
                        instruction.op() == spv::Op::OpExtInstWithForwardRefsKHR;
  return extended && std::ranges::find(literalSets_, instruction.word(3)) != literalSets_.end();
}

}  // namespace heapsmith::spirv
