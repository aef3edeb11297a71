// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "spirv/module.h"

namespace heapsmith::spirv {

/// A place inside a function where an id of interest is an operand.
struct Use {
  uint32_t id = 0;
  uint32_t instruction = 0;  ///< index of the using instruction's first word
  uint32_t operand = 0;      ///< index of the word that holds the id
  uint32_t block = 0;        ///< index of the OpLabel of the block that it stands in
};

/// Who uses what. Chains from every definition to every use would be as large as the module, and a
/// transformation asks for few of them: so this is found in one pass when somebody asks, keeps the
/// uses of ids of the chosen types only, and of all others nothing but how many they are.
class Uses {
 public:
  /// `followed[t]` says whether ids whose type is t are of interest; one entry for each id.
  Uses(const Module& module, const std::vector<uint8_t>& followed);

  /// In module order.
  [[nodiscard]] std::span<const Use> all() const { return all_; }
  /// Those of one id, in module order.
  [[nodiscard]] std::span<const Use> of(uint32_t id) const;

  /// How often any id is an operand, in declarations and functions. Its names and decorations do
  /// not count, and neither does its definition.
  [[nodiscard]] const std::vector<uint32_t>& counts() const { return counts_; }

 private:
  struct Scan;

  std::vector<Use> all_;
  std::vector<Use> byId_;         // few, where ids may be many: so found by a search
  std::vector<uint32_t> counts_;  // by id
};

/// Whether an instruction only names or decorates, so that what it refers to can go without it.
[[nodiscard]] inline bool is_annotation(spv::Op op) {
  switch (op) {
    case spv::Op::OpName:
    case spv::Op::OpMemberName:
    case spv::Op::OpDecorate:
    case spv::Op::OpDecorateId:
    case spv::Op::OpDecorateString:
    case spv::Op::OpMemberDecorate:
    case spv::Op::OpMemberDecorateString:
    case spv::Op::OpMemberDecorateIdEXT:
    case spv::Op::OpGroupDecorate:
    case spv::Op::OpGroupMemberDecorate:
      return true;
    default:  // everything else does something
      return false;
  }
}

/// The word that holds an instruction's result; 0: it has none.
[[nodiscard]] uint32_t result_word(Instruction instruction);

}  // namespace heapsmith::spirv
