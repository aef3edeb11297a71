// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "spirv/module.h"

namespace heapsmith::spirv {

[[nodiscard]] bool is_type(spv::Op op);
[[nodiscard]] bool is_array(spv::Op op);
/// OpConstantTrue to OpSpecConstantOp, OpConstantSizeOfEXT.
[[nodiscard]] bool is_constant(spv::Op op);
[[nodiscard]] bool is_variable(spv::Op op);
/// Whatever OpAccessChain stands for: typed or not, in bounds or not, with an element or not.
[[nodiscard]] bool is_access_chain(spv::Op op);

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
