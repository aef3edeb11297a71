// SPDX-License-Identifier: MIT
#include "rewrite/heap_words.h"

#include <utility>

#include "rewrite/physical_memory.h"

namespace heapsmith::rewrite {
namespace {

constexpr uint32_t kWordSize = 4;
constexpr uint32_t kPairSize = 8;

}  // namespace

HeapWords::HeapWords(const Context& context, const Objects& objects, Slots& slots, Heaps& heaps,
                     const BlockWords& pushWords)
    : context_(context),
      objects_(objects),
      slots_(slots),
      heaps_(heaps),
      pushWords_(pushWords),
      firsts_(objects.all().size()) {}

/// If an index adds whole pairs, it is known which half of a pair is wanted.
uint32_t HeapWords::load(const Object& object, const Position& position, uint32_t word) {
  spirv::Builder& builder = context_.builder;
  const uint32_t uint = builder.uint_type();
  const uint32_t first = position.constant / kWordSize;
  const uint32_t one = builder.uint_constant(1);
  const uint32_t value = context_.editor.new_id();
  if (position.dynamic == 0 || position.step % 2 == 0) {
    const uint32_t pair = load_pair(object, position.dynamic, first / 2, word);
    context_.editor.insert(word, spv::Op::OpCompositeExtract, {uint, value, pair, first % 2});
    return value;
  }
  uint32_t number = position.dynamic;
  if (first != 0)
    number = slots_.operation(word, spv::Op::OpIAdd, number, builder.uint_constant(first));
  const uint32_t pair = load_pair(object, number, 0, word);
  const uint32_t half = slots_.operation(word, spv::Op::OpBitwiseAnd, number, one);
  context_.editor.insert(word, spv::Op::OpVectorExtractDynamic, {uint, value, pair, half});
  return value;
}

/// `dynamic` counts words, `number` pairs. What is loaded as a whole needs both halves of most.
uint32_t HeapWords::load_pair(const Object& object, uint32_t dynamic, uint32_t number,
                              uint32_t word) {
  if (std::exchange(word_, word) != word) pairs_.clear();
  uint32_t& pair = pairs_[{objects_.index_of(object), dynamic, number}];
  if (pair != 0) return pair;
  spirv::Builder& builder = context_.builder;
  uint32_t index = first_pair(object);
  if (number != 0)
    index = slots_.operation(word, spv::Op::OpIAdd, index, builder.uint_constant(number));
  if (dynamic != 0) {
    const uint32_t pairs =
        slots_.operation(word, spv::Op::OpShiftRightLogical, dynamic, builder.uint_constant(1));
    index = slots_.operation(word, spv::Op::OpIAdd, index, pairs);
  }
  const uint32_t pointer = heaps_.point_to_data(word, array_type(), index);
  const uint32_t address = context_.editor.new_id();
  pair = context_.editor.new_id();
  context_.editor.insert(word, spv::Op::OpLoad, {any_address(context_), address, pointer});
  context_.editor.insert(word, spv::Op::OpBitcast, {address_type(context_), pair, address});
  return pair;
}

/// In the function that `slots_` has entered.
uint32_t HeapWords::first_pair(const Object& object) {
  Base& first = firsts_[objects_.index_of(object)];
  if (first.function == slots_.function()) return first.id;
  const uint32_t word = slots_.entry_word();
  const uint32_t bytes = pushWords_.load(context_, word, object.placement->data->pushOffset);
  constexpr uint32_t kPairShift = 3;
  static_assert(1u << kPairShift == kPairSize);
  first = {.id = slots_.operation(word, spv::Op::OpShiftRightLogical, bytes,
                                  context_.builder.uint_constant(kPairShift)),
           .function = slots_.function()};
  return first.id;
}

uint32_t HeapWords::array_type() {
  if (arrayType_ != 0) return arrayType_;
  require_addresses(context_);
  arrayType_ = context_.builder.declare(spv::Op::OpTypeRuntimeArray, 0, {any_address(context_)});
  context_.builder.decorate(arrayType_, spv::Decoration::ArrayStride, kPairSize);
  return arrayType_;
}

}  // namespace heapsmith::rewrite
