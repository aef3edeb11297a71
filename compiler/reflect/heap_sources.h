// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "reflect/context.h"
#include "reflect/find_heap_accesses.h"
#include "reflect/uses.h"

namespace heapsmith::reflect {

inline constexpr uint8_t kResourceHeap = 1;
inline constexpr uint8_t kSamplerHeap = 2;

/// A heap variable, or an access chain that leads into a heap.
struct HeapNode {
  uint32_t id = 0;
  uint32_t function = kNoType;  ///< index; kNoType for variables
};

/// Which pointers lead into which heap, and which access chain made them.
class HeapSources {
 public:
  /// Fails where so many chains run together in parameters that following them takes too long.
  [[nodiscard]] static Diagnosed<HeapSources> find(const Context& context, const ModuleUses& uses,
                                                   const std::vector<bool>& reachable,
                                                   std::span<const HeapVariable> heaps);

  /// kResourceHeap and kSamplerHeap bits; 0 for what is no pointer into a heap.
  [[nodiscard]] uint8_t heaps_of(uint32_t id) const { return heaps_[id]; }
  /// Variables first, then chains in module order.
  [[nodiscard]] const std::vector<HeapNode>& nodes() const { return nodes_; }
  /// Indices of the nodes that a pointer may be.
  [[nodiscard]] std::span<const uint32_t> of(uint32_t id) const;

 private:
  HeapSources() = default;
  void list_flows(const Context& context, const ModuleUses& uses,
                  const std::vector<bool>& reachable);
  void spread_heap(uint32_t variable, uint8_t heap);
  void list_nodes(const Context& context, const ModuleUses& uses,
                  const std::vector<bool>& reachable, std::span<const HeapVariable> heaps);
  [[nodiscard]] bool spread_nodes(const Context& context);

  std::vector<uint8_t> heaps_;     // by id
  std::vector<uint32_t> heads_;    // by id: the last flow from it, plus one
  std::vector<uint32_t> targets_;  // by flow
  std::vector<uint32_t> next_;     // by flow: another one from the same id, plus one
  std::vector<HeapNode> nodes_;
  std::unordered_map<uint32_t, std::vector<uint32_t>> sources_;  // by id
};

}  // namespace heapsmith::reflect
