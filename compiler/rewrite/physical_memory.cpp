// SPDX-License-Identifier: MIT
#include "rewrite/physical_memory.h"

namespace heapsmith::rewrite {
namespace {

using spirv::Instruction;
using spirv::word_of;

constexpr uint32_t kFirstVersionWithAddresses = 0x00010500;

}  // namespace

void require_addresses(const Context& context) {
  context.builder.require(spv::Capability::PhysicalStorageBufferAddresses);
  if (context.editor.version() < kFirstVersionWithAddresses)
    context.builder.require_extension("SPV_KHR_physical_storage_buffer");
  for (const Instruction instruction : context.module.declarations())
    if (instruction.op() == spv::Op::OpMemoryModel)
      context.editor.replace_literal(context.module.word_index(instruction) + 1,
                                     word_of(spv::AddressingModel::PhysicalStorageBuffer64));
}

uint32_t address_type(const Context& context) {
  return context.builder.declare_once(spv::Op::OpTypeVector, 0, {context.builder.uint_type(), 2});
}

uint32_t any_address(const Context& context) {
  return context.builder.pointer_type(spv::StorageClass::PhysicalStorageBuffer,
                                      context.builder.uint_type());
}

uint32_t load_address(const Context& context, const BlockWords& words, uint32_t word,
                      uint32_t offset) {
  const uint32_t low = words.load(context, word, offset);
  const uint32_t high = words.load(context, word, offset + 4);
  const uint32_t address = context.editor.new_id();
  context.editor.insert(word, spv::Op::OpCompositeConstruct,
                        {address_type(context), address, low, high});
  return address;
}

uint32_t pointer_to_member(const Context& context, uint32_t type, uint32_t offset) {
  spirv::Builder& builder = context.builder;
  const uint32_t block = builder.declare(spv::Op::OpTypeStruct, 0, {type});
  builder.decorate(block, spv::Decoration::Block);
  builder.decorate_member(block, 0, spv::Decoration::NonWritable);
  context.editor.append(spirv::Section::Annotations, spv::Op::OpMemberDecorate,
                        {block, 0, word_of(spv::Decoration::Offset), offset});
  return builder.pointer_type(spv::StorageClass::PhysicalStorageBuffer, block);
}

uint32_t load_member(const Context& context, uint32_t word, uint32_t address,
                     const MemberAccess& access) {
  spirv::Builder& builder = context.builder;
  spirv::Editor& editor = context.editor;
  const uint32_t toMember =
      builder.pointer_type(spv::StorageClass::PhysicalStorageBuffer, access.type);
  const uint32_t block = editor.new_id();
  const uint32_t pointer = editor.new_id();
  const uint32_t value = editor.new_id();
  editor.insert(word, spv::Op::OpBitcast, {access.pointerType, block, address});
  editor.insert(word, spv::Op::OpAccessChain, {toMember, pointer, block, builder.uint_constant(0)});
  editor.insert(
      word, spv::Op::OpLoad,
      {access.type, value, pointer, word_of(spv::MemoryAccessMask::Aligned), access.alignment});
  return value;
}

}  // namespace heapsmith::rewrite
