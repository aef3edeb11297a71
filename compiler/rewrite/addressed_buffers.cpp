// SPDX-License-Identifier: MIT
#include "rewrite/addressed_buffers.h"

#include <algorithm>
#include <array>
#include <format>
#include <set>
#include <utility>

#include "rewrite/block_members.h"
#include "rewrite/memory_operands.h"
#include "rewrite/physical_memory.h"
#include "spirv/grammar.h"
#include "spirv/types.h"

namespace heapsmith::rewrite {
namespace {

using spirv::Instruction;

constexpr spv::StorageClass kPhysical = spv::StorageClass::PhysicalStorageBuffer;

bool is_atomic(spv::Op op) {
  switch (op) {
    case spv::Op::OpAtomicFAddEXT:
    case spv::Op::OpAtomicFMinEXT:
    case spv::Op::OpAtomicFMaxEXT:
      return true;
    default:  // all others follow each other
      return op >= spv::Op::OpAtomicLoad && op <= spv::Op::OpAtomicXor;
  }
}

bool is_narrow_block(const Context& context, uint32_t type) {
  return (context.annotations.has(type, spv::Decoration::Block) ||
          context.annotations.has(type, spv::Decoration::BufferBlock)) &&
         may_hold_narrow_numbers(context, type);
}

}  // namespace

AddressedBuffers::AddressedBuffers(const Context& context, const Objects& objects,
                                   const DataPointers& pointers, Slots& slots, Addresses& addresses)
    : context_(context),
      objects_(objects),
      pointers_(pointers),
      slots_(slots),
      addresses_(addresses),
      roots_(objects.all().size()) {
  move_qualifiers();
}

/// A pointer that comes of an address cannot be decorated as a variable can; members can. It costs
/// other variables with such blocks nothing but speed. That there are no writes is left to
/// ReadOnlyBlocks, and addresses are not taken to be apart anyway.
void AddressedBuffers::move_qualifiers() {
  std::set<std::pair<uint32_t, spv::Decoration>> done;
  for (const Object& object : objects_.all()) {
    if (object.reach != Reach::Address || object.shape != Shape::Buffer) continue;
    for (const auto kind : {spv::Decoration::Coherent, spv::Decoration::Volatile}) {
      if (!context_.annotations.has(object.id, kind)) continue;
      if (!done.emplace(object.element, kind).second) continue;
      decorate_members(context_, object.element, kind);
    }
  }
}

/// What spirv-val takes to be a conversion of 8- and 16-bit numbers if it becomes a pointer to them
/// is none where the pointer's type is announced: it does not look through those.
///
///   OpTypeForwardPointer %toBlock PhysicalStorageBuffer
///   %toBlock = OpTypePointer PhysicalStorageBuffer %block
uint32_t AddressedBuffers::announced_pointer_type(uint32_t pointee) {
  const auto [entry, isNew] = announced_.try_emplace(pointee);
  if (!isNew) return entry->second;
  constexpr auto kStorage = static_cast<uint32_t>(kPhysical);
  const uint32_t id = entry->second = context_.editor.new_id();
  const auto declare = [&](spv::Op op, spirv::Operands operands) {
    context_.editor.append(spirv::Section::Declarations, op, operands);
  };
  declare(spv::Op::OpTypeForwardPointer, {id, kStorage});
  declare(spv::Op::OpTypePointer, {id, kStorage, pointee});
  return id;
}

/// Strides of arrays around what is pointed to are the pointer type's.
uint32_t AddressedBuffers::pointer_type(uint32_t type) {
  const auto [entry, isNew] = types_.try_emplace(type);
  if (!isNew) return entry->second;
  require_addresses(context_);
  const uint32_t pointee = spirv::pointee(context_.module, type);
  const auto* stride = context_.annotations.find(type, spv::Decoration::ArrayStride);
  if (stride == nullptr) {
    entry->second = is_narrow_block(context_, pointee)
                        ? announced_pointer_type(pointee)
                        : context_.builder.pointer_type(kPhysical, pointee);
  } else {
    entry->second = context_.builder.declare(spv::Op::OpTypePointer, 0,
                                             {static_cast<uint32_t>(kPhysical), pointee});
    context_.builder.decorate(entry->second, spv::Decoration::ArrayStride,
                              context_.annotations.operand(*stride));
  }
  return entry->second;
}

uint32_t AddressedBuffers::root(const Object& object) {
  Root& root = roots_[objects_.index_of(object)];
  if (root.function == slots_.function()) return root.id;
  root = {.id = context_.editor.new_id(), .function = slots_.function()};
  const uint32_t type = pointer_type(context_.module.definition(object.id).type_id());
  const uint32_t address = addresses_.of(object);
  context_.editor.insert(slots_.entry_word(), spv::Op::OpBitcast, {type, root.id, address});
  return root.id;
}

/// All but variables and parameters keep their ids: what they are decorated with is nothing that
/// an address can have.
uint32_t AddressedBuffers::replacement_of(uint32_t pointer) {
  const Object* object = objects_.of(pointer);
  return object != nullptr && object->id == pointer ? root(*object) : pointer;
}

void AddressedBuffers::replace_operand(const spirv::Use& use) {
  const uint32_t id = replacement_of(use.id);
  if (id != use.id) context_.editor.replace_id(use.operand, id);
}

Diagnosed<void> AddressedBuffers::replace(const DataPointer& pointer, const spirv::Use& use) {
  const Instruction instruction = context_.module.at(use.instruction);
  const uint32_t operand = use.operand - use.instruction;
  switch (instruction.op()) {
    case spv::Op::OpCopyObject:
    case spv::Op::OpAccessChain:
    case spv::Op::OpInBoundsAccessChain:
    case spv::Op::OpPtrAccessChain:
    case spv::Op::OpInBoundsPtrAccessChain:
      context_.editor.replace_id(use.instruction + 1, pointer_type(instruction.type_id()));
      replace_operand(use);
      return {};
    case spv::Op::OpSelect:
    case spv::Op::OpPhi:
      return replace_choice(pointer, use);
    case spv::Op::OpLoad:
      align(pointer, use, 4);
      return {};
    case spv::Op::OpStore:
      if (operand != 1) break;  // the pointer itself is stored
      align(pointer, use, 3);
      return {};
    case spv::Op::OpCopyMemory:
      return replace_copy(pointer, use);
    case spv::Op::OpCooperativeMatrixLoadKHR:  // memory operands come behind the stride
      if (instruction.length() < 6) break;
      align(pointer, use, 6);
      return {};
    case spv::Op::OpCooperativeMatrixStoreKHR:
      if (instruction.length() < 5) break;
      align(pointer, use, 5);
      return {};
    case spv::Op::OpCooperativeMatrixLoadTensorNV:
      align(pointer, use, 6);
      return {};
    case spv::Op::OpCooperativeMatrixStoreTensorNV:
      align(pointer, use, 4);
      return {};
    case spv::Op::OpExtInst:
      if (!is_non_semantic(context_, instruction)) break;
      return {};
    default:
      if (is_atomic(instruction.op())) return {};  // of a number, whose pointer keeps its id
  }
  return refuse_use(pointer, instruction);
}

/// All that can be chosen must be addresses.
Diagnosed<void> AddressedBuffers::replace_choice(const DataPointer& pointer,
                                                 const spirv::Use& use) {
  const Instruction instruction = context_.module.at(use.instruction);
  const bool isPhi = instruction.op() == spv::Op::OpPhi;
  for (uint32_t i = isPhi ? 3 : 4; i < instruction.length(); i += isPhi ? 2 : 1) {
    const DataPointer* other = pointers_.of(instruction.word(i));
    if (other == nullptr || other->object->reach != Reach::Address)
      return refuse(context_, *pointer.object->resource,
                    std::format("{} of pointers to buffers with and without a descriptor",
                                spirv::get_rule(instruction.op()).name));
  }
  context_.editor.replace_id(use.instruction + 1, pointer_type(instruction.type_id()));
  replace_operand(use);
  return {};
}

uint32_t AddressedBuffers::alignment_of(const DataPointer& pointer) const {
  return std::max(pointer.alignment, scalar_alignment(context_, pointer.place.type));
}

/// What is read or written must be aligned to what it consists of at least.
void AddressedBuffers::align(const DataPointer& pointer, const spirv::Use& use,
                             uint32_t firstMemoryWord) {
  const Instruction instruction = context_.module.at(use.instruction);
  const auto head = instruction.words().subspan(1, firstMemoryWord - 1);
  std::vector<uint32_t> operands(head.begin(), head.end());
  operands[use.operand - use.instruction - 1] = replacement_of(use.id);
  const auto tail = instruction.words_from(firstMemoryWord);
  const size_t length = first_set_length(tail);  // operands of tensors may stand behind
  const auto memory = with_alignment(tail.first(length), alignment_of(pointer));
  operands.insert(operands.end(), memory.begin(), memory.end());
  operands.insert(operands.end(), tail.begin() + static_cast<ptrdiff_t>(length), tail.end());
  context_.editor.replace(instruction, instruction.op(), operands);
}

/// One set of memory operands holds for both sides, of two the first is the target's. Where only
/// one side is an address, what is promised must be true of the other one too.
Diagnosed<void> AddressedBuffers::replace_copy(const DataPointer& pointer, const spirv::Use& use) {
  const Instruction copy = context_.module.at(use.instruction);
  const uint32_t scalar = scalar_alignment(context_, pointer.place.type);
  std::array<uint32_t, 2> alignments = {scalar, scalar};
  std::array<bool, 2> areAddresses{};
  for (uint32_t i = 0; i < 2; ++i) {
    const uint32_t id = copy.word(1 + i);
    const DataPointer* side = pointers_.of(id);
    const bool isOther =
        side == nullptr ? objects_.of(id) != nullptr : side->object->reach != Reach::Address;
    if (isOther)
      return refuse(context_, *pointer.object->resource,
                    "OpCopyMemory between a buffer at an address and one that is found otherwise");
    areAddresses[i] = side != nullptr;
    if (side != nullptr) alignments[i] = alignment_of(*side);
  }
  const auto memory = copy.words_from(3);
  const size_t firstLength = first_set_length(memory);
  std::vector<uint32_t> operands = {replacement_of(copy.word(1)), replacement_of(copy.word(2))};
  const auto add = [&](std::span<const uint32_t> set, bool aligned, uint32_t alignment) {
    std::vector<uint32_t> words(set.begin(), set.end());
    if (aligned) words = with_alignment(set, alignment);
    operands.insert(operands.end(), words.begin(), words.end());
  };
  if (firstLength == memory.size()) {
    const bool both = areAddresses[0] && areAddresses[1];
    add(memory, true, both ? std::min(alignments[0], alignments[1]) : scalar);
  } else {
    add(memory.first(firstLength), areAddresses[0], alignments[0]);
    add(memory.subspan(firstLength), areAddresses[1], alignments[1]);
  }
  context_.editor.replace(copy, copy.op(), operands);
  return {};
}

Diagnosed<void> AddressedBuffers::refuse_use(const DataPointer& pointer, Instruction instruction) {
  return refuse(context_, *pointer.object->resource,
                std::format("a pointer into a buffer at an address in {}",
                            spirv::get_rule(instruction.op()).name));
}

}  // namespace heapsmith::rewrite
