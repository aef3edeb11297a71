// SPDX-License-Identifier: MIT
#include "rewrite/replace_uses.h"

#include <array>
#include <format>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "rewrite/access_chains.h"
#include "rewrite/addressed_buffers.h"
#include "rewrite/addresses.h"
#include "rewrite/buffers.h"
#include "rewrite/calls.h"
#include "rewrite/data_pointers.h"
#include "rewrite/data_words.h"
#include "rewrite/descriptors.h"
#include "rewrite/slots.h"
#include "rewrite/word_buffers.h"
#include "spirv/constants.h"
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
  const DataPointers& dataPointers;
  AddressedBuffers& addressedBuffers;
  WordBuffers& wordBuffers;
  Descriptors& descriptors;
  const spirv::Function* function = nullptr;
  uint32_t lastCall = 0;
  std::set<const reflect::Resource*> refused = {};

  Diagnosed<void> run();

 private:
  std::span<const Use> rewrite_function(std::span<const Use> uses);
  void enter_function();
  void replace_call(const Use& use);
  void replace_data(const DataPointer& pointer, const Use& use);
  Diagnosed<void> replace(const Object& object, const Use& use);
  Diagnosed<void> replace_of_buffer(const Object& object, const Use& use);
  Diagnosed<void> replace_of_array(const Object& object, const Use& use);
  Diagnosed<void> replace_chain(const Object& object, Instruction chain);
  Diagnosed<void> compare_arrays(const Object& object, Instruction comparison);
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
    const Instruction instruction = context.module.at(use.instruction);
    const Object* object = objects.of(use.id);
    const DataPointer* dataPointer = dataPointers.of(use.id);
    const bool isPart = dataPointer != nullptr && object == nullptr;
    if (object != nullptr && is_non_semantic(context, instruction)) {
      // Debug information speaks of a variable that is no longer there.
      context.editor.remove(instruction);
    } else if (instruction.op() == spv::Op::OpFunctionCall && !isPart) {
      // It may have several such arguments.
      if (std::exchange(lastCall, use.instruction) != use.instruction) replace_call(use);
    } else if (dataPointer != nullptr) {
      replace_data(*dataPointer, use);
    } else if (object != nullptr) {
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
    if (object == nullptr || refused.contains(object->resource)) continue;
    if (object->shape != Shape::Buffer) {
      if (!descriptors.enter_parameter(*object)) refused.insert(object->resource);
    } else if (object->reach == Reach::Slot) {
      buffers.enter_parameter(*object);
    } else if (object->reach == Reach::Words) {
      (void)calls.refuse_data(*object);
      refused.insert(object->resource);
    }
  }
}

/// Whatever its arguments are: the function has new parameters.
void State::replace_call(const Use& use) {
  const Instruction call = context.module.at(use.instruction);
  const reflect::Resource* resource = calls.resource_of_callee(call);
  if (resource == nullptr || refused.contains(resource)) return;
  if (!calls.replace_call(call)) refused.insert(resource);
}

void State::replace_data(const DataPointer& pointer, const Use& use) {
  const reflect::Resource* resource = pointer.object->resource;
  if (refused.contains(resource)) return;
  const auto done = pointer.object->reach == Reach::Address ? addressedBuffers.replace(pointer, use)
                                                            : wordBuffers.replace(pointer, use);
  if (!done) refused.insert(resource);
}

Diagnosed<void> State::replace(const Object& object, const Use& use) {
  if (objects.type_behind(context, use.id) != object.element) return replace_of_array(object, use);
  const bool isValue = context.module.definition(use.id).type_id() == object.element;
  if (isValue) return {};  // whatever made it saw to its uses
  if (object.shape != Shape::Buffer) return replace_of_descriptor(object, use);
  return replace_of_buffer(object, use);
}

Diagnosed<void> State::replace_of_buffer(const Object& object, const Use& use) {
  const Instruction instruction = context.module.at(use.instruction);
  // Elements of an array have distances, and buffers of their own have none.
  if (instruction.op() == spv::Op::OpPtrDiff) return refuse_use(object, instruction, "a buffer");
  // Functions may be handed a copy.
  if (const uint32_t result = instruction.result_id(); objects.of(result) == &object)
    slots.set_element(result, slots.element_of(use.id));
  buffers.replace_operand(object, use, *function);
  return {};
}

Diagnosed<void> State::replace_of_array(const Object& object, const Use& use) {
  const Instruction instruction = context.module.at(use.instruction);
  if (spirv::is_access_chain(instruction.op())) return replace_chain(object, instruction);
  switch (instruction.op()) {
    case spv::Op::OpLoad:
      if (object.shape == Shape::Buffer) break;
      [[fallthrough]];
    case spv::Op::OpCopyObject:
      slots.set_element(instruction.result_id(), slots.element_of(use.id));
      context.editor.remove(instruction);
      return {};
    case spv::Op::OpCompositeExtract:
      return descriptors.replace_extract(object, use);
    case spv::Op::OpPtrEqual:
    case spv::Op::OpPtrNotEqual:
      if (use.operand != use.instruction + 3 && objects.of(instruction.word(3)) != nullptr)
        return {};  // the first operand saw to both
      return compare_arrays(object, instruction);
    case spv::Op::OpExtInst:  // debug information speaks of memory that is no longer there
      if (!is_non_semantic(context, instruction)) break;
      context.editor.remove(instruction);
      return {};
    default:  // the whole array
      break;
  }
  return refuse_use(object, instruction, "an array of descriptors");
}

/// An access chain into an array of descriptors.
Diagnosed<void> State::replace_chain(const Object& object, Instruction chain) {
  if (const uint32_t element = element_word(chain.op());
      element != 0 && spirv::literal_value(context.module, chain.word(element)) != 0)
    return refuse_use(object, chain, "an array of descriptors");  // another array
  const uint32_t base = spirv::read_access_chain(context.module, chain).baseType;
  if (spirv::array_element(context.module, base) != object.element)
    return refuse_use(object, chain, "an array of another type than the variable's");
  if (object.shape == Shape::Buffer)
    buffers.replace_chain(object, chain);
  else
    descriptors.replace_chain(chain);
  return {};
}

/// Arrays are the same where their first slots are.
Diagnosed<void> State::compare_arrays(const Object& object, Instruction comparison) {
  std::vector<uint32_t> operands = {comparison.type_id(), comparison.result_id()};
  for (const uint32_t id : {comparison.word(3), comparison.word(4)}) {
    const Object* array = objects.of(id);
    if (array == nullptr || array->scattered != std::array{false, false})
      return refuse_use(object, comparison, "an array of descriptors");
    operands.push_back(slots.slot_of(*array, Half::Resource, slots.element_of(id),
                                     context.module.word_index(comparison)));
  }
  const bool isEqual = comparison.op() == spv::Op::OpPtrEqual;
  context.editor.replace(comparison, isEqual ? spv::Op::OpIEqual : spv::Op::OpINotEqual, operands);
  return {};
}

Diagnosed<void> State::replace_of_descriptor(const Object& object, const Use& use) {
  const Instruction instruction = context.module.at(use.instruction);
  switch (instruction.op()) {
    case spv::Op::OpLoad:
      if (instruction.type_id() != object.element)
        return refuse_use(object, instruction, "a descriptor of another type than the variable's");
      return descriptors.replace_load(object, use);
    case spv::Op::OpImageTexelPointer:
      if (object.shape != Shape::Image) break;
      descriptors.replace_texel_pointer(object, instruction);
      return {};
    case spv::Op::OpAccessChain:  // without indices, for there is nothing to choose
    case spv::Op::OpInBoundsAccessChain:
    case spv::Op::OpCopyObject:
    case spv::Op::OpUntypedAccessChainKHR:
    case spv::Op::OpUntypedInBoundsAccessChainKHR:
      if (objects.of(instruction.result_id()) != &object) break;
      slots.set_element(instruction.result_id(), slots.element_of(use.id));
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
                             const Words& words, const BufferBlocks& blocks,
                             const ReadOnlyBlocks& readOnly) {
  Slots slots(context, objects, heaps, words);
  Addresses addresses(context, objects, slots, words);
  Calls calls(context, objects, slots, addresses);
  const DataPointers dataPointers = DataPointers::find(context, objects);
  AddressedBuffers addressedBuffers(context, objects, dataPointers, slots, addresses);
  WordBuffers wordBuffers(context, slots, DataWords(context, objects, slots, heaps, words));
  Buffers buffers(context, objects, heaps, slots, blocks, readOnly);
  Descriptors descriptors(context, objects, heaps, slots, addresses);
  State state{.context = context,
              .objects = objects,
              .slots = slots,
              .calls = calls,
              .buffers = buffers,
              .dataPointers = dataPointers,
              .addressedBuffers = addressedBuffers,
              .wordBuffers = wordBuffers,
              .descriptors = descriptors};
  return state.run();
}

}  // namespace heapsmith::rewrite
