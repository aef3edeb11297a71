// SPDX-License-Identifier: MIT
#include "spirv/types.h"

namespace heapsmith::spirv {

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
