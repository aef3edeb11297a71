// SPDX-License-Identifier: MIT
#include "spirv/types.h"

#include "spirv/grammar.h"

namespace heapsmith::spirv {

bool is_type(spv::Op op) {
  const InstructionRule* rule = find_rule(static_cast<uint32_t>(op));
  return rule != nullptr && rule->isType;
}

bool is_array(spv::Op op) {
  return op == spv::Op::OpTypeArray || op == spv::Op::OpTypeRuntimeArray;
}

bool is_constant(spv::Op op) {
  return (op >= spv::Op::OpConstantTrue && op <= spv::Op::OpSpecConstantOp) ||
         op == spv::Op::OpConstantSizeOfEXT;
}

bool is_variable(spv::Op op) {
  return op == spv::Op::OpVariable || op == spv::Op::OpUntypedVariableKHR;
}

bool is_access_chain(spv::Op op) {
  switch (op) {
    case spv::Op::OpAccessChain:
    case spv::Op::OpInBoundsAccessChain:
    case spv::Op::OpPtrAccessChain:
    case spv::Op::OpInBoundsPtrAccessChain:
    case spv::Op::OpUntypedAccessChainKHR:
    case spv::Op::OpUntypedInBoundsAccessChainKHR:
    case spv::Op::OpUntypedPtrAccessChainKHR:
    case spv::Op::OpUntypedInBoundsPtrAccessChainKHR:
      return true;
    default:  // every other instruction is none
      return false;
  }
}

uint32_t pointee(const Module& module, uint32_t pointerType) {
  const Instruction pointer = module.definition(pointerType);
  return pointer.op() == spv::Op::OpTypePointer ? pointer.word(3) : 0;
}

spv::StorageClass storage_class(Instruction instruction) {
  const bool variable = is_variable(instruction.op());
  return static_cast<spv::StorageClass>(instruction.word(variable ? 3 : 2));
}

uint32_t variable_type(const Module& module, Instruction variable) {
  if (variable.op() == spv::Op::OpUntypedVariableKHR) return variable.word(4);
  return pointee(module, variable.word(1));
}

uint32_t array_element(const Module& module, uint32_t type) {
  while (is_array(module.definition(type).op()))
    type = module.definition(type).word(2);
  return type;
}

AccessChain read_access_chain(const Module& module, Instruction chain) {
  uint32_t base = 3;
  uint32_t firstIndex = 4;
  bool untyped = false;
  switch (chain.op()) {
    case spv::Op::OpPtrAccessChain:
    case spv::Op::OpInBoundsPtrAccessChain:
      firstIndex = 5;
      break;
    case spv::Op::OpUntypedAccessChainKHR:
    case spv::Op::OpUntypedInBoundsAccessChainKHR:
      untyped = true;
      base = 4;
      firstIndex = 5;
      break;
    case spv::Op::OpUntypedPtrAccessChainKHR:
    case spv::Op::OpUntypedInBoundsPtrAccessChainKHR:
      untyped = true;
      base = 4;
      firstIndex = 6;
      break;
    default:  // OpAccessChain and OpInBoundsAccessChain
      break;
  }
  const uint32_t id = chain.word(base);
  const uint32_t type = untyped ? chain.word(3) : pointee(module, module.definition(id).type_id());
  return {.base = id, .baseType = type, .firstIndex = firstIndex};
}

}  // namespace heapsmith::spirv
