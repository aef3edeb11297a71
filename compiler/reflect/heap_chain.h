// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "reflect/context.h"
#include "reflect/shader_interface.h"

namespace heapsmith::reflect {

/// A constant that counts bytes.
[[nodiscard]] HeapSize heap_size(const Context& context, uint32_t constant);

/// The sum of two sizes.
[[nodiscard]] HeapSize add_sizes(const HeapSize& a, const HeapSize& b);

/// Where a pointer into a heap leads, as an access chain says it.
struct HeapChain {
  HeapSize offset;                ///< all that is added to the steps of the indices
  std::vector<HeapArray> arrays;  ///< outermost first
  HeapIndexing indexing{};
  uint64_t slot = 0;  ///< flattened, if all indices are constant
  bool nonUniform = false;
  Qualifiers qualifiers;
  std::optional<HeapSize> position;  ///< where it points to, if that is constant
  uint32_t type = 0;                 ///< what it points to
};

/// `base`: where the chain's base pointer leads; null where it is not known.
[[nodiscard]] HeapChain read_heap_chain(const Context& context, spirv::Instruction chain,
                                        const HeapChain* base);

}  // namespace heapsmith::reflect
