// SPDX-License-Identifier: MIT
#include "rewrite/data_words.h"

#include "base/check.h"
#include "rewrite/place_bindings.h"

namespace heapsmith::rewrite {

uint32_t DataWords::load(const Object& object, const Position& position, uint32_t word) {
  if (object.placement->data->source == DataSource::HeapData)
    return heapWords_.load(object, position, word);
  return choose_member(object, position, word);
}

uint32_t DataWords::choose_member(const Object& object, const Position& position,
                                  uint32_t word) const {
  spirv::Builder& builder = context_.builder;
  const auto load_at = [&](uint64_t bytes) {
    return load_member(*object.placement->data, static_cast<uint32_t>(bytes), word);
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

uint32_t DataWords::load_member(const DataLocation& location, uint32_t offset,
                                uint32_t word) const {
  if (location.source == DataSource::RecordData)
    return words_.record.load(context_, word, location.recordOffset + offset);
  return words_.push.load(context_, word, location.pushOffset + offset);
}

std::string_view name_of_data(const Context& context, const reflect::Resource& resource) {
  const Placement* placement = find_placement(context.placements, resource.set, resource.binding);
  HEAPSMITH_CHECK(placement != nullptr && placement->data);
  switch (placement->data->source) {
    case DataSource::RecordData:
      return "data in the shader record";
    case DataSource::HeapData:
      return "data in the heap";
    default:
      return "pushed data";
  }
}

}  // namespace heapsmith::rewrite
