// SPDX-License-Identifier: MIT
#include "rewrite/replace_uses.h"

#include <format>
#include <set>
#include <span>
#include <string>
#include <utility>

#include "rewrite/buffers.h"
#include "rewrite/calls.h"
#include "rewrite/descriptors.h"
#include "rewrite/slots.h"
#include "spirv/grammar.h"
#include "spirv/types.h"

namespace heapsmith::rewrite {
namespace {

using spirv::Instruction;
using spirv::Use;

struct State {
  const Context& context;
  const Objects& objects;
  Slots& slots;
  Calls& calls;
  Buffers& buffers;
  Descriptors& descriptors;
  const spirv::Function* function = nullptr;
  uint32_t lastCall = 0;
  std::set<const reflect::Resource*> refused = {};

  Diagnosed<void> run();

 private:
  std::span<const Use> rewrite_function(std::span<const Use> uses);
  void enter_function();
  void replace_call(const Use& use);
  Diagnosed<void> replace(const Object& object, const Use& use);
  Diagnosed<void> replace_of_array(const Object& object, const Use& use);
  Diagnosed<void> replace_of_descriptor(const Object& object, const Use& use);
  Diagnosed<void> refuse_use(const Object& object, Instruction instruction, const char* of);
};

Diagnosed<void> State::run() {
  std::span<const Use> left = objects.uses().all();
  for (const spirv::Function& each : context.module.functions()) {
    function = &each;
    left = rewrite_function(left);
  }
  if (refused.empty()) return {};
  return context.diagnostics.failed();
}

/// Returns the uses behind the function.
std::span<const Use> State::rewrite_function(std::span<const Use> uses) {
  enter_function();
  for (; !uses.empty() && uses.front().instruction < function->endWord; uses = uses.subspan(1)) {
    const Use& use = uses.front();
    if (context.module.at(use.instruction).op() == spv::Op::OpFunctionCall) {
      // It may have several such arguments.
      if (std::exchange(lastCall, use.instruction) != use.instruction) replace_call(use);
    } else if (const Object* object = objects.of(use.id)) {
      if (!refused.contains(object->resource) && !replace(*object, use))
        refused.insert(object->resource);
    }
  }
  return uses;
}

void State::enter_function() {
  slots.enter(*function);
  if (!calls.has_objects(*function)) return;
  calls.replace_head(*function);
  for (const uint32_t id : context.module.parameters(*function)) {
    const Object* object = objects.of(id);
    if (object != nullptr && object->shape == Shape::Buffer) buffers.enter_parameter(*object);
  }
}

/// Whatever its arguments are: the function has new parameters.
void State::replace_call(const Use& use) {
  const Instruction call = context.module.at(use.instruction);
  const reflect::Resource* resource = calls.resource_of_callee(call);
  if (resource == nullptr || refused.contains(resource)) return;
  if (!calls.replace_call(call)) refused.insert(resource);
}

Diagnosed<void> State::replace(const Object& object, const Use& use) {
  const uint32_t pointee =
      spirv::pointee(context.module, context.module.definition(use.id).type_id());
  if (pointee != object.element) return replace_of_array(object, use);
  if (object.shape != Shape::Buffer) return replace_of_descriptor(object, use);
  buffers.replace_operand(object, use, *function);
  return {};
}

Diagnosed<void> State::replace_of_array(const Object& object, const Use& use) {
  const Instruction instruction = context.module.at(use.instruction);
  switch (instruction.op()) {
    case spv::Op::OpAccessChain:
    case spv::Op::OpInBoundsAccessChain:
      if (object.shape == Shape::Buffer)
        buffers.replace_chain(object, instruction);
      else
        descriptors.replace_chain(instruction);
      return {};
    case spv::Op::OpCopyObject:
      slots.set_element(instruction.result_id(), slots.element_of(use.id));
      context.editor.remove(instruction);
      return {};
    default:  // the whole array
      return refuse_use(object, instruction, "an array of descriptors");
  }
}

Diagnosed<void> State::replace_of_descriptor(const Object& object, const Use& use) {
  const Instruction instruction = context.module.at(use.instruction);
  switch (instruction.op()) {
    case spv::Op::OpLoad:
      return descriptors.replace_load(object, use);
    case spv::Op::OpImageTexelPointer:
      if (object.shape != Shape::Image) break;
      descriptors.replace_texel_pointer(object, instruction);
      return {};
    case spv::Op::OpCopyObject:
      slots.set_element(instruction.result_id(), slots.element_of(use.id));
      context.editor.remove(instruction);
      return {};
    case spv::Op::OpExtInst:  // debug information speaks of memory that is no longer there
      if (!context.module.definition(instruction.word(3)).string(2).starts_with("NonSemantic."))
        break;
      context.editor.remove(instruction);
      return {};
    default:  // the extensions' own ways to use an image or a sampler
      break;
  }
  return refuse_use(object, instruction, "a descriptor");
}

Diagnosed<void> State::refuse_use(const Object& object, Instruction instruction, const char* of) {
  return refuse(context, *object.resource,
                std::format("{} in {}", of, spirv::get_rule(instruction.op()).name));
}

}  // namespace

Diagnosed<void> replace_uses(const Context& context, const Objects& objects, Heaps& heaps,
                             const PushWords& pushWords, const BufferBlocks& blocks) {
  Slots slots(context, objects, heaps, pushWords);
  Calls calls(context, objects, slots);
  Buffers buffers(context, objects, heaps, slots, blocks);
  Descriptors descriptors(context, objects, heaps, slots);
  State state{.context = context,
              .objects = objects,
              .slots = slots,
              .calls = calls,
              .buffers = buffers,
              .descriptors = descriptors};
  return state.run();
}

}  // namespace heapsmith::rewrite
