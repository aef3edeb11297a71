// SPDX-License-Identifier: MIT
#include "rewrite/buffers.h"

#include <algorithm>

#include "rewrite/access_chains.h"
#include "rewrite/functions.h"
#include "spirv/types.h"

namespace heapsmith::rewrite {

using spirv::Instruction;

Buffers::Buffers(const Context& context, const Objects& objects, Heaps& heaps, Slots& slots,
                 const BufferBlocks& blocks, const ReadOnlyBlocks& readOnly)
    : context_(context),
      objects_(objects),
      heaps_(heaps),
      slots_(slots),
      blocks_(blocks),
      readOnly_(readOnly),
      pointers_(objects.all().size()) {}

void Buffers::enter_parameter(const Object& parameter) {
  if (parameter.pointee != parameter.element) return;
  const uint32_t type = context_.module.definition(parameter.id).type_id();
  emit_pointer(parameter, {}, slots_.entry_word(), type, parameter.id);
}

void Buffers::replace_operand(const Object& object, const spirv::Use& use,
                              const spirv::Function& function) {
  const bool isLength = asks_length(use);
  // A parameter keeps its id, and a pointer to an element has its own.
  if (use.id != object.id || object.placement == nullptr) {
    const auto found = lengthPointers_.find(use.id);
    if (isLength && found != lengthPointers_.end())
      context_.editor.replace_id(use.operand, found->second);
    return;
  }
  Pointers& pointers = pointers_[objects_.index_of(object)];
  if (pointers.function != function.id) pointers = {.function = function.id};
  const bool isPlain = isLength && has_plain_lengths(object);
  uint32_t& pointer = isPlain ? pointers.plain : pointers.decorated;
  if (pointer == 0) {
    pointer = context_.editor.new_id();
    const uint32_t word = slots_.entry_word();
    if (pointers.descriptor == 0) pointers.descriptor = point_to_descriptor(object, {}, word);
    const uint32_t type = context_.module.definition(object.id).type_id();
    context_.editor.insert(word, spv::Op::OpBufferPointerEXT, {type, pointer, pointers.descriptor});
    if (!isPlain) decorate(object, pointer);
  }
  const Instruction user = context_.module.at(use.instruction);
  if (user.op() == spv::Op::OpVariable)
    initialize(user, pointer);
  else
    context_.editor.replace_id(use.operand, pointer);
}

/// A local variable that holds a pointer stands before all that makes one.
void Buffers::initialize(Instruction variable, uint32_t pointer) {
  context_.editor.replace(variable, variable.op(), variable.words().subspan(1, 3));
  context_.editor.insert(slots_.entry_word(), spv::Op::OpStore, {variable.result_id(), pointer});
}

void Buffers::replace_chain(const Object& object, Instruction chain) {
  const uint32_t word = context_.module.word_index(chain);
  const Slots::Walk walk = slots_.walk(chain);
  const uint32_t result = chain.result_id();
  if (spirv::is_array(context_.module.definition(walk.type).op())) {  // of them still
    slots_.set_element(result, walk.element);
    context_.editor.remove(chain);
    return;
  }
  uint32_t type = chain.type_id();
  if (object.storage == spv::StorageClass::StorageBuffer)
    type = blocks_.pointer_type(context_, type);
  if (walk.nextWord == chain.length()) {
    slots_.set_element(result, walk.element);  // for functions that it may be handed to
    emit_pointer(object, walk.element, word, type, result);
    context_.editor.remove(chain);
    return;
  }
  const uint32_t pointer = context_.editor.new_id();
  const uint32_t descriptor = point_to_descriptor(object, walk.element, word);
  const uint32_t pointerType =
      is_untyped_pointer(context_.module, result) ? type : block_pointer_type(object);
  context_.editor.insert(word, spv::Op::OpBufferPointerEXT, {pointerType, pointer, descriptor});
  decorate(object, pointer);
  std::vector<uint32_t> operands = {type, result, pointer};
  const auto rest = chain.words_from(walk.nextWord);
  operands.insert(operands.end(), rest.begin(), rest.end());
  const spv::Op op = without_element(chain.op());
  if (is_untyped_chain(op)) operands.insert(operands.begin() + 2, walk.type);
  context_.editor.replace(chain, op, operands);
}

void Buffers::emit_pointer(const Object& object, Element element, uint32_t word, uint32_t type,
                           uint32_t result) {
  const uint32_t descriptor = point_to_descriptor(object, element, word);
  context_.editor.insert(word, spv::Op::OpBufferPointerEXT, {type, result, descriptor});
  const size_t lengths = count_lengths(result);
  const bool isPlain = lengths != 0 && has_plain_lengths(object);
  if (isPlain && lengths == objects_.uses().of(result).size()) return;
  decorate(object, result);
  if (!isPlain) return;
  const uint32_t plain = context_.editor.new_id();
  context_.editor.insert(word, spv::Op::OpBufferPointerEXT, {type, plain, descriptor});
  lengthPointers_[result] = plain;
}

uint32_t Buffers::block_pointer_type(const Object& object) const {
  return context_.builder.pointer_type(object.storage, object.element);
}

uint32_t Buffers::point_to_descriptor(const Object& object, Element element, uint32_t word) {
  const uint32_t slot = slots_.slot_of(object, Half::Resource, element, word);
  const uint32_t buffer = context_.builder.declare_once(spv::Op::OpTypeBufferEXT, 0,
                                                        {static_cast<uint32_t>(object.storage)});
  return heaps_.point_to(word, false, buffer, {}, slot);
}

/// Members that are NonWritable say enough, but for untyped pointers, whose users choose what they
/// lead to. If the pointer said it again, AMD's driver would not see that the plain one leads to
/// the same buffer.
std::vector<spv::Decoration> Buffers::qualifiers_of(const Object& object) const {
  std::vector<spv::Decoration> qualifiers;
  if (object.storage != spv::StorageClass::StorageBuffer) return qualifiers;
  const auto has = [&](spv::Decoration kind) { return context_.annotations.has(object.id, kind); };
  const auto add = [&](bool holds, spv::Decoration kind) {
    if (holds) qualifiers.push_back(kind);
  };
  const bool isUntyped = is_untyped_pointer(context_.module, object.id);
  const bool isReadOnly = isUntyped && !object.memory.isWritten && object.resource->aliases.empty();
  const bool isSaid = !isUntyped && readOnly_.has(object.element);
  add(isReadOnly || (!isSaid && has(spv::Decoration::NonWritable)), spv::Decoration::NonWritable);
  add(has(spv::Decoration::NonReadable), spv::Decoration::NonReadable);
  add(object.memory.isCoherent, spv::Decoration::Coherent);
  add(object.memory.isVolatile, spv::Decoration::Volatile);
  add(is_apart(object), spv::Decoration::Restrict);
  add(has(spv::Decoration::Aliased), spv::Decoration::Aliased);
  return qualifiers;
}

/// What is written through a restricted pointer must not be read through another one.
bool Buffers::is_apart(const Object& object) const {
  return context_.annotations.has(object.id, spv::Decoration::Restrict) &&
         (!object.memory.isWritten || has_one_pointer(object));
}

/// In an entry point, which nobody calls twice.
bool Buffers::has_one_pointer(const Object& object) const {
  const auto uses = objects_.uses().of(object.id);
  if (object.placement == nullptr || object.pointee != object.element || object.isHandedOn ||
      uses.empty())
    return false;
  const uint32_t function = function_at(context_.module, uses.front().instruction);
  return function == function_at(context_.module, uses.back().instruction) &&
         is_entry_point(context_.module, context_.module.functions()[function].id);
}

/// A buffer pointer declares a memory object of its own, and undecorated ones may be taken not to
/// overlap. A variable that is written and read through several pointers must not be split up so.
/// What a function is handed may be what its caller has a pointer to.
std::vector<spv::Decoration> Buffers::decorations_of(const Object& object) const {
  std::vector<spv::Decoration> decorations = qualifiers_of(object);
  const bool isSettled = std::ranges::any_of(decorations, [](spv::Decoration kind) {
    return kind == spv::Decoration::Restrict || kind == spv::Decoration::Aliased;
  });
  if (object.storage == spv::StorageClass::StorageBuffer && object.memory.isWritten && !isSettled)
    decorations.push_back(spv::Decoration::Aliased);
  return decorations;
}

void Buffers::decorate(const Object& object, uint32_t pointer) {
  std::vector<spv::Decoration> decorations = decorations_of(object);
  if (decorations.empty() && asks_lengths(object) && may_differ(object))
    decorations.push_back(spv::Decoration::Aliased);  // says nothing of what is never written
  for (const spv::Decoration decoration : decorations) {
    if (pointer == object.id)
      add_to_parameter(pointer, decoration);
    else
      context_.builder.decorate(pointer, decoration);
  }
}

/// The pointer of a parameter keeps the parameter's decorations, under its id.
void Buffers::add_to_parameter(uint32_t parameter, spv::Decoration kind) {
  if (context_.annotations.has(parameter, kind)) return;
  const auto* opposite = kind == spv::Decoration::Aliased
                             ? context_.annotations.find(parameter, spv::Decoration::Restrict)
                             : nullptr;
  if (opposite == nullptr)
    context_.builder.decorate(parameter, kind);
  else if (context_.module.words()[opposite->word - 2] == parameter)  // and no group of several ids
    context_.editor.replace_literal(opposite->word - 1, static_cast<uint32_t>(kind));
}

bool Buffers::asks_length(const spirv::Use& use) const {
  const spv::Op op = context_.module.at(use.instruction).op();
  return op == spv::Op::OpArrayLength || op == spv::Op::OpUntypedArrayLengthKHR;
}

size_t Buffers::count_lengths(uint32_t pointer) const {
  return static_cast<size_t>(std::ranges::count_if(
      objects_.uses().of(pointer), [&](const spirv::Use& use) { return asks_length(use); }));
}

bool Buffers::asks_lengths(const Object& object) const {
  return object.placement != nullptr ? object.resource->usesLength : count_lengths(object.id) != 0;
}

/// A parameter may be handed any of the variables.
bool Buffers::may_differ(const Object& object) const {
  if (object.placement == nullptr)
    return std::ranges::any_of(objects_.all(), [&](const Object& other) {
      return other.placement != nullptr && other.shape == Shape::Buffer && may_differ(other);
    });
  const auto& location = object.placement->resource;
  return object.resource->nonUniformlyIndexed ||
         (location && location->source == InstanceSource::RecordWord);
}

bool Buffers::has_plain_lengths(const Object& object) const {
  return !may_differ(object) && !decorations_of(object).empty();
}

}  // namespace heapsmith::rewrite
