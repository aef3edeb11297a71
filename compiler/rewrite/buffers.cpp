// SPDX-License-Identifier: MIT
#include "rewrite/buffers.h"

#include "spirv/types.h"

namespace heapsmith::rewrite {
namespace {

using spirv::Instruction;

/// What a pointer to a storage buffer can be decorated with as its variable was.
constexpr spv::Decoration kQualifiers[] = {
    spv::Decoration::NonWritable, spv::Decoration::NonReadable, spv::Decoration::Coherent,
    spv::Decoration::Volatile,    spv::Decoration::Restrict,    spv::Decoration::Aliased};

}  // namespace

Buffers::Buffers(const Context& context, const Objects& objects, Heaps& heaps, Slots& slots,
                 const BufferBlocks& blocks)
    : context_(context),
      objects_(objects),
      heaps_(heaps),
      slots_(slots),
      blocks_(blocks),
      pointers_(objects.all().size()) {}

void Buffers::enter_parameter(const Object& parameter) {
  if (parameter.pointee != parameter.element) return;
  const uint32_t type = context_.module.definition(parameter.id).type_id();
  emit_pointer(parameter, {}, slots_.entry_word(), type, parameter.id);
}

void Buffers::replace_operand(const Object& object, const spirv::Use& use,
                              const spirv::Function& function) {
  // A parameter keeps its id, and a pointer to an element has its own.
  if (use.id != object.id || object.placement == nullptr) return;
  Pointer& pointer = pointers_[objects_.index_of(object)];
  if (pointer.function != function.id) {
    pointer = {.id = context_.editor.new_id(), .function = function.id};
    const uint32_t type = context_.module.definition(object.id).type_id();
    emit_pointer(object, {}, slots_.entry_word(), type, pointer.id);
    decorate(object, pointer.id);
  }
  context_.editor.replace_id(use.operand, pointer.id);
}

void Buffers::replace_chain(const Object& object, Instruction chain) {
  const uint32_t word = context_.module.word_index(chain);
  const Slots::Walk walk = slots_.walk(chain);
  const uint32_t result = chain.result_id();
  if (walk.type != object.element) {  // an array of them still
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
    decorate(object, result);
    context_.editor.remove(chain);
    return;
  }
  const uint32_t pointer = context_.editor.new_id();
  emit_pointer(object, walk.element, word, block_pointer_type(object), pointer);
  decorate(object, pointer);
  std::vector<uint32_t> operands = {type, result, pointer};
  const auto rest = chain.words_from(walk.nextWord);
  operands.insert(operands.end(), rest.begin(), rest.end());
  context_.editor.replace(chain, chain.op(), operands);
}

uint32_t Buffers::block_pointer_type(const Object& object) const {
  return context_.builder.pointer_type(object.storage, object.element);
}

void Buffers::emit_pointer(const Object& object, Element element, uint32_t word, uint32_t type,
                           uint32_t id) {
  const uint32_t slot = slots_.slot_of(object, Half::Resource, element, word);
  const uint32_t buffer = context_.builder.declare_once(spv::Op::OpTypeBufferEXT, 0,
                                                        {static_cast<uint32_t>(object.storage)});
  const uint32_t descriptor = heaps_.point_to(word, false, buffer, {}, slot);
  context_.editor.insert(word, spv::Op::OpBufferPointerEXT, {type, id, descriptor});
}

/// A buffer pointer declares a memory object of its own, and undecorated ones may be taken not to
/// overlap. A variable that is written and read through several pointers must not be split up so.
void Buffers::decorate(const Object& object, uint32_t pointer) {
  if (object.storage != spv::StorageClass::StorageBuffer) return;
  bool overlaps = object.resource->isWritten;
  for (const spv::Decoration kind : kQualifiers) {
    if (!context_.annotations.has(object.id, kind)) continue;
    context_.builder.decorate(pointer, kind);
    overlaps &= kind != spv::Decoration::Restrict && kind != spv::Decoration::Aliased;
  }
  if (overlaps) context_.builder.decorate(pointer, spv::Decoration::Aliased);
}

}  // namespace heapsmith::rewrite
