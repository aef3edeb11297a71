// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <spirv/unified1/spirv.hpp11>

namespace heapsmith::rewrite {

/// An access chain through an untyped pointer, which says itself what that leads to.
[[nodiscard]] constexpr bool is_untyped_chain(spv::Op op) {
  switch (op) {
    case spv::Op::OpUntypedAccessChainKHR:
    case spv::Op::OpUntypedInBoundsAccessChainKHR:
    case spv::Op::OpUntypedPtrAccessChainKHR:
    case spv::Op::OpUntypedInBoundsPtrAccessChainKHR:
      return true;
    default:
      return false;
  }
}

/// The word of an access chain that holds its base.
[[nodiscard]] constexpr uint32_t base_word(spv::Op accessChain) {
  return is_untyped_chain(accessChain) ? 4 : 3;
}

/// The word that says how many of what the base leads to an access chain skips; 0: none does.
[[nodiscard]] constexpr uint32_t element_word(spv::Op accessChain) {
  switch (accessChain) {
    case spv::Op::OpPtrAccessChain:
    case spv::Op::OpInBoundsPtrAccessChain:
    case spv::Op::OpUntypedPtrAccessChainKHR:
    case spv::Op::OpUntypedInBoundsPtrAccessChainKHR:
      return base_word(accessChain) + 1;
    default:
      return 0;
  }
}

/// The access chain that skips nothing.
[[nodiscard]] constexpr spv::Op without_element(spv::Op accessChain) {
  switch (accessChain) {
    case spv::Op::OpPtrAccessChain:
      return spv::Op::OpAccessChain;
    case spv::Op::OpInBoundsPtrAccessChain:
      return spv::Op::OpInBoundsAccessChain;
    case spv::Op::OpUntypedPtrAccessChainKHR:
      return spv::Op::OpUntypedAccessChainKHR;
    case spv::Op::OpUntypedInBoundsPtrAccessChainKHR:
      return spv::Op::OpUntypedInBoundsAccessChainKHR;
    default:
      return accessChain;
  }
}

}  // namespace heapsmith::rewrite
