// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "reflect/block_types.h"
#include "reflect/context.h"
#include "reflect/shader_interface.h"
#include "reflect/uses.h"

namespace heapsmith::reflect {

struct HeapVariable {
  uint32_t id = 0;
  bool samplerHeap = false;
};

/// Who reaches an access: those that reach the function that reads, and the one whose chain it
/// reads through.
struct HeapUse {
  uint32_t access = 0;
  uint32_t reader = 0;       ///< index of a function
  uint32_t chain = kNoType;  ///< likewise; kNoType: it reads from the heap's first byte
};

struct FoundHeapAccesses {
  std::vector<HeapAccess> accesses;  ///< in order of first use
  std::vector<HeapUse> uses;         ///< ascending by reader
};

/// What the module reads of its heaps, through access chains of chains, copies and parameters.
/// `facts`: what trace_facts found. Adds the blocks of buffers to `types`.
[[nodiscard]] Diagnosed<FoundHeapAccesses> find_heap_accesses(
    const Context& context, const ModuleUses& uses, const std::vector<bool>& reachable,
    const std::vector<uint16_t>& facts, std::span<const HeapVariable> heaps, BlockLayouts& layouts,
    BlockTypes& types);

}  // namespace heapsmith::reflect
