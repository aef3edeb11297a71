// SPDX-License-Identifier: MIT
#include "rewrite/functions.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace heapsmith::rewrite {
namespace {

using spirv::Instruction;
using spirv::Module;

bool stays_at_entry(spv::Op op) {
  switch (op) {
    case spv::Op::OpFunction:
    case spv::Op::OpFunctionParameter:
    case spv::Op::OpLabel:
    case spv::Op::OpVariable:
    case spv::Op::OpUntypedVariableKHR:
      return true;
    default:  // variables come first in the first block
      return false;
  }
}

bool may_stand_between(spv::Op op) {
  return op == spv::Op::OpLine || op == spv::Op::OpNoLine || op == spv::Op::OpExtInst ||
         op == spv::Op::OpUndef;
}

/// By function: the indices of those that it calls.
using Callees = std::vector<std::vector<uint32_t>>;
using Indices = std::unordered_map<uint32_t, uint32_t>;

Callees find_callees(const Module& module, const Indices& indices) {
  Callees callees;
  for (const spirv::Function& function : module.functions()) {
    callees.emplace_back();
    for (const Instruction instruction : module.body(function)) {
      if (instruction.op() != spv::Op::OpFunctionCall) continue;
      const auto callee = indices.find(instruction.word(3));
      if (callee != indices.end()) callees.back().push_back(callee->second);
    }
  }
  return callees;
}

std::vector<uint32_t> reach(const Callees& callees, uint32_t root) {
  std::vector<uint8_t> seen(callees.size());
  std::vector<uint32_t> reached = {root};
  seen[root] = 1;
  for (size_t i = 0; i < reached.size(); ++i) {
    for (const uint32_t callee : callees[reached[i]])
      if (std::exchange(seen[callee], 1) == 0) reached.push_back(callee);
  }
  return reached;
}

}  // namespace

uint32_t function_at(const Module& module, uint32_t word) {
  const auto behind =
      std::ranges::upper_bound(module.functions(), word, {}, &spirv::Function::beginWord);
  return static_cast<uint32_t>(behind - module.functions().begin()) - 1;
}

bool is_entry_point(const Module& module, uint32_t functionId) {
  return std::ranges::any_of(module.declarations(), [&](Instruction instruction) {
    return instruction.op() == spv::Op::OpEntryPoint && instruction.word(2) == functionId;
  });
}

uint32_t entry_word(const Module& module, const spirv::Function& function) {
  uint32_t word = 0;
  for (const Instruction instruction : module.body(function)) {
    if (stays_at_entry(instruction.op()))
      word = module.word_index(instruction) + instruction.length();
    else if (!may_stand_between(instruction.op()))
      break;
  }
  return word;
}

std::vector<CallTree> find_call_trees(const Module& module) {
  Indices indices;
  for (const spirv::Function& function : module.functions())
    indices.emplace(function.id, static_cast<uint32_t>(indices.size()));
  const Callees callees = find_callees(module, indices);
  std::vector<CallTree> trees;
  for (const Instruction instruction : module.declarations()) {
    if (instruction.op() != spv::Op::OpEntryPoint) continue;
    trees.push_back({.entryPoint = instruction, .functions = {}});
    const auto root = indices.find(instruction.word(2));
    if (root != indices.end()) trees.back().functions = reach(callees, root->second);
  }
  return trees;
}

uint32_t first_interface_word(Instruction entryPoint) {
  const size_t length = entryPoint.string(3).size();
  return 3 + static_cast<uint32_t>(length / 4 + 1);
}

}  // namespace heapsmith::rewrite
