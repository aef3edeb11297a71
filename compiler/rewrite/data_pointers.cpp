// SPDX-License-Identifier: MIT
#include "rewrite/data_pointers.h"

#include <algorithm>
#include <bit>

#include "spirv/types.h"

namespace heapsmith::rewrite {
namespace {

using spirv::Instruction;

/// Whether an instruction makes a pointer of the one at that operand.
bool derives(Instruction instruction, const spirv::Use& use) {
  const uint32_t operand = use.operand - use.instruction;
  switch (instruction.op()) {
    case spv::Op::OpCopyObject:
    case spv::Op::OpAccessChain:
    case spv::Op::OpInBoundsAccessChain:
    case spv::Op::OpPtrAccessChain:
    case spv::Op::OpInBoundsPtrAccessChain:
      return operand == 3;
    case spv::Op::OpSelect:
      return operand > 3;
    case spv::Op::OpPhi:
      return operand % 2 == 1;
    default:  // nothing else does, or is known to
      return false;
  }
}

/// The largest power of two that divides both.
uint32_t align_to(uint32_t alignment, uint32_t bytes) {
  return bytes == 0 ? alignment : std::min(alignment, 1u << std::countr_zero(bytes));
}

}  // namespace

DataPointers DataPointers::find(const Context& context, const Objects& objects) {
  DataPointers pointers;
  if (!objects.has_data()) return pointers;
  pointers.indices_.resize(context.module.bound());
  std::vector<uint32_t> open;
  for (const Object& object : objects.all()) {
    if (object.reach == Reach::Slot || object.shape != Shape::Buffer) continue;
    pointers.add(object.id,
                 {.object = &object,
                  .place = {.type = object.element},
                  .alignment = block_alignment(context, *object.resource, object.element)},
                 open);
  }
  while (!open.empty()) {
    const uint32_t id = open.back();
    open.pop_back();
    for (const spirv::Use& use : objects.uses().of(id)) {
      const Instruction instruction = context.module.at(use.instruction);
      if (!derives(instruction, use)) continue;
      const DataPointer base = *pointers.of(id);
      pointers.add(instruction.result_id(), derive(context, base, instruction), open);
    }
  }
  return pointers;
}

void DataPointers::add(uint32_t id, const DataPointer& pointer, std::vector<uint32_t>& open) {
  if (indices_[id] != 0) return;
  all_.push_back(pointer);
  indices_[id] = static_cast<uint32_t>(all_.size());
  open.push_back(id);
}

DataPointer DataPointers::derive(const Context& context, const DataPointer& base,
                                 Instruction instruction) {
  DataPointer result = base;
  if (instruction.op() == spv::Op::OpCopyObject) return result;
  if (!spirv::is_access_chain(
          instruction.op())) {  // one of several, and perhaps of several buffers
    result.alignment = scalar_alignment(context, result.place.type);
    return result;
  }
  const spirv::AccessChain chain = spirv::read_access_chain(context.module, instruction);
  if (chain.firstIndex > 4)  // another element of an array around the base
    result.alignment = std::min(result.alignment, scalar_alignment(context, result.place.type));
  for (uint32_t i = chain.firstIndex; i < instruction.length(); ++i) {
    const Step step = step_into(context, result.place, instruction.word(i));
    result.place = step.place;
    result.alignment = align_to(align_to(result.alignment, step.offset), step.stride);
  }
  return result;
}

}  // namespace heapsmith::rewrite
