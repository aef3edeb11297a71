// SPDX-License-Identifier: MIT
#include "rewrite/indirect_words.h"

namespace heapsmith::rewrite {
namespace {

using spirv::Instruction;

constexpr uint32_t kFirstVersionWithAddresses = 0x00010500;

constexpr uint32_t word_of(auto enumerant) {
  return static_cast<uint32_t>(enumerant);
}

}  // namespace

uint32_t IndirectWords::load(const Context& context, const PushWords& pushWords, uint32_t word,
                             const Location& location) {
  spirv::Builder& builder = context.builder;
  spirv::Editor& editor = context.editor;
  const uint32_t low = pushWords.load(context, word, location.pushOffset);
  const uint32_t high = pushWords.load(context, word, location.pushOffset + 4);
  const uint32_t uint = builder.uint_type();
  const uint32_t pair = builder.declare_once(spv::Op::OpTypeVector, 0, {uint, 2});
  const uint32_t toUint = builder.pointer_type(spv::StorageClass::PhysicalStorageBuffer, uint);
  const uint32_t address = editor.new_id();
  const uint32_t block = editor.new_id();
  const uint32_t pointer = editor.new_id();
  const uint32_t value = editor.new_id();
  const uint32_t toBlock = pointer_type(context, location.addressOffset);
  editor.insert(word, spv::Op::OpCompositeConstruct, {pair, address, low, high});
  editor.insert(word, spv::Op::OpBitcast, {toBlock, block, address});
  editor.insert(word, spv::Op::OpAccessChain, {toUint, pointer, block, builder.uint_constant(0)});
  editor.insert(word, spv::Op::OpLoad,
                {uint, value, pointer, word_of(spv::MemoryAccessMask::Aligned), 4});
  return value;
}

uint32_t IndirectWords::pointer_type(const Context& context, uint32_t offset) {
  if (pointerTypes_.empty()) require_addresses(context);
  const auto [entry, isNew] = pointerTypes_.try_emplace(offset);
  if (!isNew) return entry->second;
  spirv::Builder& builder = context.builder;
  const uint32_t block = builder.declare(spv::Op::OpTypeStruct, 0, {builder.uint_type()});
  builder.decorate(block, spv::Decoration::Block);
  builder.decorate_member(block, 0, spv::Decoration::NonWritable);
  context.editor.append(spirv::Section::Annotations, spv::Op::OpMemberDecorate,
                        {block, 0, word_of(spv::Decoration::Offset), offset});
  entry->second = builder.pointer_type(spv::StorageClass::PhysicalStorageBuffer, block);
  return entry->second;
}

void IndirectWords::require_addresses(const Context& context) {
  context.builder.require(spv::Capability::PhysicalStorageBufferAddresses);
  if (context.editor.version() < kFirstVersionWithAddresses)
    context.builder.require_extension("SPV_KHR_physical_storage_buffer");
  for (const Instruction instruction : context.module.declarations())
    if (instruction.op() == spv::Op::OpMemoryModel)
      context.editor.replace_literal(context.module.word_index(instruction) + 1,
                                     word_of(spv::AddressingModel::PhysicalStorageBuffer64));
}

}  // namespace heapsmith::rewrite
