// SPDX-License-Identifier: MIT
#pragma once

#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <map>
#include <string>

#include "heapsmith/device_limits.h"
#include "spirv/module.h"

namespace heapsmith::rewrite::test {

/// What a device makes of the slots of a module, with descriptors of its sizes.
struct Device {
  const spirv::Module& module;
  const DeviceLimits& limits;
  std::map<uint32_t, uint32_t> specialization{};  ///< by SpecId; the others keep their defaults
  uint32_t instance = 0;                          ///< what every word of push data holds

  [[nodiscard]] uint64_t size_of(uint32_t type) const {
    switch (module.definition(type).op()) {
      case spv::Op::OpTypeImage:
        return limits.imageDescriptorSize;
      case spv::Op::OpTypeSampler:
        return limits.samplerDescriptorSize;
      case spv::Op::OpTypeBufferEXT:
        return limits.bufferDescriptorSize;
      default:
        FAIL("no descriptor");
        return 0;
    }
  }

  [[nodiscard]] uint32_t value(uint32_t id) const {
    const spirv::Instruction number = module.definition(id);
    switch (number.op()) {
      case spv::Op::OpConstantSizeOfEXT:
        return static_cast<uint32_t>(size_of(number.word(3)));
      case spv::Op::OpConstant:
        return number.word(3);
      case spv::Op::OpSpecConstant:
        return specialized(id, number.word(3));
      case spv::Op::OpSpecConstantOp:
        return operation(static_cast<spv::Op>(number.word(3)), number.word(4), number.word(5));
      case spv::Op::OpLoad:
        return instance;
      default:
        return operation(number.op(), number.word(3), number.word(4));
    }
  }

  /// Bytes from the heap's start, of the n-th pointer into a heap.
  [[nodiscard]] uint64_t offset(size_t n) const {
    for (const spirv::Instruction chain : module.instructions()) {
      if (chain.op() == spv::Op::OpUntypedAccessChainKHR && n-- == 0) return offset_of(chain);
    }
    FAIL("no such pointer");
    return 0;
  }

  /// Likewise, of the descriptor that a named load reads, or reads through.
  [[nodiscard]] uint64_t offset_behind(const std::string& name) const {
    for (const spirv::Instruction named : module.instructions()) {
      if (named.op() != spv::Op::OpName || named.string(2) != name) continue;
      spirv::Instruction pointer = module.definition(named.word(1));
      while (pointer.op() != spv::Op::OpUntypedAccessChainKHR) {
        REQUIRE(pointer.word(3) != 0);
        pointer = module.definition(pointer.word(3));
      }
      return offset_of(pointer);
    }
    FAIL("no such name");
    return 0;
  }

 private:
  [[nodiscard]] uint64_t offset_of(spirv::Instruction chain) const {
    const spirv::Instruction array = module.definition(chain.word(3));
    REQUIRE(array.op() == spv::Op::OpTypeRuntimeArray);
    return value(chain.word(5)) * size_of(array.word(2));
  }

  [[nodiscard]] uint32_t operation(spv::Op op, uint32_t left, uint32_t right) const {
    const uint32_t a = value(left);
    const uint32_t b = value(right);
    switch (op) {
      case spv::Op::OpIAdd:
        return a + b;
      case spv::Op::OpISub:
        return a - b;
      case spv::Op::OpIMul:
        return a * b;
      case spv::Op::OpUDiv:
        return a / b;
      default:
        FAIL("another operation");
        return 0;
    }
  }

  [[nodiscard]] uint32_t specialized(uint32_t id, uint32_t usual) const {
    for (const spirv::Instruction decoration : module.instructions()) {
      const bool isIts = decoration.op() == spv::Op::OpDecorate && decoration.word(1) == id &&
                         decoration.word(2) == static_cast<uint32_t>(spv::Decoration::SpecId);
      if (!isIts) continue;
      const auto found = specialization.find(decoration.word(3));
      return found == specialization.end() ? usual : found->second;
    }
    FAIL("a specialization constant without a SpecId");
    return 0;
  }
};

}  // namespace heapsmith::rewrite::test
