// SPDX-License-Identifier: MIT
#include "rewrite/data_words.h"

namespace heapsmith::rewrite {

uint32_t DataWords::load(const Object& object, const Position& position, uint32_t word) {
  spirv::Builder& builder = context_.builder;
  const auto load_at = [&](uint64_t bytes) {
    return pushWords_.load(context_, word,
                           object.placement->data->pushOffset + static_cast<uint32_t>(bytes));
  };
  uint32_t value = load_at(position.constant);
  if (position.dynamic == 0) return value;
  const uint32_t uint = builder.uint_type();
  const uint32_t boolean = builder.declare_once(spv::Op::OpTypeBool, 0, {});
  for (uint64_t words = position.step; position.constant + 4 * words < object.resource->blockSize;
       words += position.step) {
    const uint32_t chosen = load_at(position.constant + 4 * words);
    const uint32_t condition = context_.editor.new_id();
    const uint32_t either = context_.editor.new_id();
    context_.editor.insert(word, spv::Op::OpIEqual,
                           {boolean, condition, position.dynamic,
                            builder.uint_constant(static_cast<uint32_t>(words))});
    context_.editor.insert(word, spv::Op::OpSelect, {uint, either, condition, chosen, value});
    value = either;
  }
  return value;
}

}  // namespace heapsmith::rewrite
