// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "spirv/grammar.h"
#include "spirv/module.h"

namespace heapsmith::spirv {

// Asked of every instruction, and so in line.

[[nodiscard]] inline bool is_type(spv::Op op) {
  const InstructionRule* rule = find_rule(static_cast<uint32_t>(op));
  return rule != nullptr && rule->isType;
}

[[nodiscard]] inline bool is_array(spv::Op op) {
  return op == spv::Op::OpTypeArray || op == spv::Op::OpTypeRuntimeArray;
}

/// OpConstantTrue to OpSpecConstantOp, OpConstantSizeOfEXT.
[[nodiscard]] inline bool is_constant(spv::Op op) {
  return (op >= spv::Op::OpConstantTrue && op <= spv::Op::OpSpecConstantOp) ||
         op == spv::Op::OpConstantSizeOfEXT;
}

[[nodiscard]] inline bool is_variable(spv::Op op) {
  return op == spv::Op::OpVariable || op == spv::Op::OpUntypedVariableKHR;
}

/// Whatever OpAccessChain stands for: typed or not, in bounds or not, with an element or not.
[[nodiscard]] inline bool is_access_chain(spv::Op op) {
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

/// The type that a typed pointer type points to; 0 for other types.
[[nodiscard]] uint32_t pointee(const Module& module, uint32_t pointerType);

/// Storage class of OpTypePointer, OpTypeUntypedPointerKHR, OpVariable and OpUntypedVariableKHR.
[[nodiscard]] spv::StorageClass storage_class(Instruction instruction);

/// The type of what a variable holds; 0 for an untyped variable without one.
[[nodiscard]] uint32_t variable_type(const Module& module, Instruction variable);

/// The type without the arrays around it.
[[nodiscard]] uint32_t array_element(const Module& module, uint32_t type);

/// The parts of an access chain that all six instructions have.
struct AccessChain {
  uint32_t base = 0;        ///< pointer
  uint32_t baseType = 0;    ///< type of what the base points to; 0 where it is not known
  uint32_t firstIndex = 0;  ///< word of the first index that goes into the base type
};
[[nodiscard]] AccessChain read_access_chain(const Module& module, Instruction chain);

}  // namespace heapsmith::spirv
