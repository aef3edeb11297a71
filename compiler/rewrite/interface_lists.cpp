// SPDX-License-Identifier: MIT
#include "rewrite/interface_lists.h"

#include <algorithm>
#include <vector>

namespace heapsmith::rewrite {
namespace {

using spirv::Instruction;

constexpr uint32_t kFirstVersionWithAll = 0x00010400;

/// What an entry point's resources are reached through.
struct Needs {
  bool resourceHeap = false;
  bool samplerHeap = false;
  bool pushWords = false;
};

bool reads_push_data(const std::optional<Location>& location) {
  return location && location->source != InstanceSource::None;
}

Needs needs_of(const reflect::EntryPoint& entryPoint, const Context& context,
               const Objects& objects) {
  Needs needs;
  for (const uint32_t index : entryPoint.usedResources) {
    const Object* object = objects.of(context.shader.resources[index].id);
    if (object == nullptr) continue;
    const bool resource = has_half(*object, Half::Resource);
    const bool sampler = has_half(*object, Half::Sampler);
    needs.resourceHeap |= resource;
    needs.samplerHeap |= sampler;
    needs.pushWords |= resource && reads_push_data(object->placement->resource);
    needs.pushWords |= sampler && reads_push_data(object->placement->sampler);
  }
  return needs;
}

/// The word of the first interface variable, behind the name.
uint32_t first_variable(Instruction entryPoint) {
  const size_t length = entryPoint.string(3).size();
  return 3 + static_cast<uint32_t>(length / 4 + 1);
}

}  // namespace

void update_interface_lists(const Context& context, const Objects& objects, const Heaps& heaps,
                            const PushWords& pushWords) {
  if (context.editor.version() < kFirstVersionWithAll) return;
  auto facts = context.shader.entryPoints.begin();
  for (const Instruction entryPoint : context.module.declarations()) {
    if (entryPoint.op() != spv::Op::OpEntryPoint) continue;
    if (facts == context.shader.entryPoints.end()) return;
    const Needs needs = needs_of(*facts++, context, objects);
    const uint32_t first = first_variable(entryPoint);
    const auto head = entryPoint.words().subspan(1, first - 1);
    std::vector<uint32_t> operands(head.begin(), head.end());
    for (const uint32_t id : entryPoint.words_from(first))
      if (objects.of(id) == nullptr) operands.push_back(id);
    const auto add = [&](bool needed, uint32_t id) {
      if (needed && id != 0 &&
          std::ranges::find(operands.begin() + (first - 1), operands.end(), id) == operands.end())
        operands.push_back(id);
    };
    add(needs.resourceHeap, heaps.variable(false));
    add(needs.samplerHeap, heaps.variable(true));
    add(needs.pushWords, pushWords.variable());
    if (!std::ranges::equal(operands, entryPoint.words_from(1)))
      context.editor.replace(entryPoint, entryPoint.op(), operands);
  }
}

}  // namespace heapsmith::rewrite
