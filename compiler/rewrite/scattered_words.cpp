// SPDX-License-Identifier: MIT
#include "rewrite/scattered_words.h"

#include "rewrite/physical_memory.h"

namespace heapsmith::rewrite {
namespace {

using spirv::word_of;

constexpr auto kPhysical = spv::StorageClass::PhysicalStorageBuffer;

///   OpDecorate %words ArrayStride 4
///   OpMemberDecorate %block 0 Offset 0
///   %words = OpTypeRuntimeArray %uint
///   %block = OpTypeStruct %words
uint32_t declare_pointer_type(const Context& context) {
  spirv::Builder& builder = context.builder;
  const uint32_t words = builder.declare(spv::Op::OpTypeRuntimeArray, 0, {builder.uint_type()});
  builder.decorate(words, spv::Decoration::ArrayStride, 4);
  const uint32_t block = builder.declare(spv::Op::OpTypeStruct, 0, {words});
  builder.decorate(block, spv::Decoration::Block);
  builder.decorate_member(block, 0, spv::Decoration::NonWritable);
  context.editor.append(spirv::Section::Annotations, spv::Op::OpMemberDecorate,
                        {block, 0, word_of(spv::Decoration::Offset), 0});
  return builder.pointer_type(kPhysical, block);
}

}  // namespace

uint32_t ScatteredWords::point_to(const Context& context, uint32_t word, uint32_t address) {
  if (pointerType_ == 0) {
    require_addresses(context);
    pointerType_ = declare_pointer_type(context);
  }
  const auto [words, isNew] = pointers_.try_emplace(address);
  if (isNew) {
    words->second = context.editor.new_id();
    context.editor.insert(word, spv::Op::OpBitcast, {pointerType_, words->second, address});
  }
  return words->second;
}

uint32_t ScatteredWords::load(const Context& context, At at, uint32_t address, uint32_t number) {
  const uint32_t words = point_to(context, at.entryWord, address);
  spirv::Builder& builder = context.builder;
  const uint32_t uint = builder.uint_type();
  const uint32_t type = builder.pointer_type(kPhysical, uint);
  const uint32_t pointer = context.editor.new_id();
  const uint32_t value = context.editor.new_id();
  context.editor.insert(at.word, spv::Op::OpAccessChain,
                        {type, pointer, words, builder.uint_constant(0), number});
  context.editor.insert(at.word, spv::Op::OpLoad,
                        {uint, value, pointer, word_of(spv::MemoryAccessMask::Aligned), 4});
  return value;
}

}  // namespace heapsmith::rewrite
