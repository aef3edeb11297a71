// SPDX-License-Identifier: MIT
#include "reflect/heap_sources.h"

#include <unordered_set>
#include <utility>

#include "spirv/types.h"

namespace heapsmith::reflect {
namespace {

/// Heap pointers are untyped and of that class; so are functions that return one.
bool is_heap_pointer(const Context& context, uint32_t id) {
  const spirv::Instruction type =
      context.module.definition(context.module.definition(id).type_id());
  return type.op() == spv::Op::OpTypeUntypedPointerKHR &&
         spirv::storage_class(type) == spv::StorageClass::UniformConstant;
}

bool is_chain(const Context& context, uint32_t id) {
  return spirv::is_access_chain(context.module.definition(id).op());
}

}  // namespace

void HeapSources::list_flows(const Context& context, const ModuleUses& uses,
                             const std::vector<bool>& reachable) {
  heaps_.resize(context.module.bound());
  heads_.resize(context.module.bound());
  for (size_t function = 0; function < uses.functions.size(); ++function) {
    if (!reachable[function]) continue;
    const Span flows = uses.functions[function].flows;
    for (uint32_t i = flows.begin; i < flows.end; ++i) {
      const Flow& flow = uses.flows[i];
      if (!is_heap_pointer(context, flow.to) || !is_heap_pointer(context, flow.from)) continue;
      targets_.push_back(flow.to);
      next_.push_back(std::exchange(heads_[flow.from], static_cast<uint32_t>(targets_.size())));
    }
  }
}

void HeapSources::spread_heap(uint32_t variable, uint8_t heap) {
  std::vector<uint32_t> open = {variable};
  heaps_[variable] |= heap;
  while (!open.empty()) {
    const uint32_t id = open.back();
    open.pop_back();
    for (uint32_t i = heads_[id]; i != 0; i = next_[i - 1]) {
      const uint32_t target = targets_[i - 1];
      if ((heaps_[target] & heap) != 0) continue;
      heaps_[target] |= heap;
      open.push_back(target);
    }
  }
}

void HeapSources::list_nodes(const Context& context, const ModuleUses& uses,
                             const std::vector<bool>& reachable,
                             std::span<const HeapVariable> heaps) {
  for (const HeapVariable& heap : heaps)
    nodes_.push_back({.id = heap.id});
  for (uint32_t function = 0; function < uses.functions.size(); ++function) {
    if (!reachable[function]) continue;
    const Span flows = uses.functions[function].flows;
    for (uint32_t i = flows.begin; i < flows.end; ++i) {
      const uint32_t id = uses.flows[i].to;
      if (heaps_[id] != 0 && is_chain(context, id))
        nodes_.push_back({.id = id, .function = function});
    }
  }
}

bool HeapSources::spread_nodes(const Context& context) {
  // Each of these is a chain at a parameter, a copy or a phi.
  const size_t limit = 65536 + 16 * targets_.size();
  std::unordered_set<uint64_t> seen;
  for (uint32_t node = 0; node < nodes_.size(); ++node) {
    std::vector<uint32_t> open = {nodes_[node].id};
    sources_[nodes_[node].id].push_back(node);
    while (!open.empty()) {
      const uint32_t id = open.back();
      open.pop_back();
      for (uint32_t i = heads_[id]; i != 0; i = next_[i - 1]) {
        const uint32_t target = targets_[i - 1];
        if (is_chain(context, target)) continue;  // a node of its own
        if (!seen.insert(uint64_t{target} << 32 | node).second) continue;
        if (seen.size() > limit) return false;
        sources_[target].push_back(node);
        open.push_back(target);
      }
    }
  }
  return true;
}

Diagnosed<HeapSources> HeapSources::find(const Context& context, const ModuleUses& uses,
                                         const std::vector<bool>& reachable,
                                         std::span<const HeapVariable> heaps) {
  HeapSources sources;
  sources.list_flows(context, uses, reachable);
  for (const HeapVariable& heap : heaps)
    sources.spread_heap(heap.id, heap.samplerHeap ? kSamplerHeap : kResourceHeap);
  sources.list_nodes(context, uses, reachable, heaps);
  if (!sources.spread_nodes(context))
    return context.diagnostics.error(
        Code::UnsupportedSpirv, {.file = context.file},
        "functions pass too many pointers into the heaps to each other to tell them apart");
  return sources;
}

std::span<const uint32_t> HeapSources::of(uint32_t id) const {
  const auto found = sources_.find(id);
  if (found == sources_.end()) return {};
  return found->second;
}

}  // namespace heapsmith::reflect
