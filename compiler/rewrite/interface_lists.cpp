// SPDX-License-Identifier: MIT
#include "rewrite/interface_lists.h"

#include <algorithm>
#include <vector>

#include "rewrite/functions.h"

namespace heapsmith::rewrite {
namespace {

using spirv::Instruction;

constexpr uint32_t kFirstVersionWithAll = 0x00010400;

/// What an entry point's resources are reached through.
struct Needs {
  bool resourceHeap = false;
  bool samplerHeap = false;
};

/// Without a descriptor, it need not lie in the heap.
bool is_in_heap(const Placement& placement) {
  return !placement.data || placement.data->source == DataSource::HeapData;
}

Needs needs_of(const reflect::EntryPoint& entryPoint, const Context& context,
               const Objects& objects) {
  Needs needs;
  for (const uint32_t index : entryPoint.usedResources) {
    const Object* object = objects.of(context.shader.resources[index].id);
    if (object == nullptr) continue;
    needs.resourceHeap |= has_half(*object, Half::Resource) && is_in_heap(*object->placement);
    needs.samplerHeap |= has_half(*object, Half::Sampler);
  }
  return needs;
}

}  // namespace

void update_interface_lists(const Context& context, const Objects& objects, const Heaps& heaps,
                            const Words& words) {
  if (context.editor.version() < kFirstVersionWithAll) return;
  size_t index = 0;
  for (const Instruction entryPoint : context.module.declarations()) {
    if (entryPoint.op() != spv::Op::OpEntryPoint) continue;
    if (index == context.shader.entryPoints.size()) return;
    const Needs needs = needs_of(context.shader.entryPoints[index], context, objects);
    const uint32_t first = first_interface_word(entryPoint);
    const auto head = entryPoint.words().subspan(1, first - 1);
    std::vector<uint32_t> operands(head.begin(), head.end());
    for (const uint32_t id : entryPoint.words_from(first))
      if (objects.of(id) == nullptr) operands.push_back(id);
    const auto add = [&](uint32_t id) {
      if (id != 0 &&
          std::ranges::find(operands.begin() + (first - 1), operands.end(), id) == operands.end())
        operands.push_back(id);
    };
    if (needs.resourceHeap) add(heaps.variable(false));
    if (needs.samplerHeap) add(heaps.variable(true));
    for (const BlockWords* each : {&words.push, &words.record})
      for (const uint32_t variable : each->interface_of(index))
        add(variable);
    if (!std::ranges::equal(operands, entryPoint.words_from(1)))
      context.editor.replace(entryPoint, entryPoint.op(), operands);
    ++index;
  }
}

}  // namespace heapsmith::rewrite
