// SPDX-License-Identifier: MIT
#include "rewrite/word_buffers.h"

#include <format>
#include <numeric>
#include <optional>
#include <vector>

#include "rewrite/memory_layout.h"
#include "rewrite/physical_memory.h"
#include "spirv/constants.h"
#include "spirv/grammar.h"
#include "spirv/types.h"

namespace heapsmith::rewrite {
namespace {

using spirv::Instruction;

constexpr uint32_t kWordSize = 4;
/// Of one load: as many as the largest uniform buffer has that every device allows.
constexpr uint32_t kMostWords = 16384 / kWordSize;

/// Of a composite; nothing for other types, and for arrays whose length may be specialized.
std::optional<uint32_t> count_parts(const spirv::Module& module, Instruction type) {
  switch (type.op()) {
    case spv::Op::OpTypeVector:
    case spv::Op::OpTypeMatrix:
      return type.word(3);
    case spv::Op::OpTypeStruct:
      return type.length() - 2;
    case spv::Op::OpTypeArray:
      return spirv::literal_value(module, type.word(3));
    default:
      return std::nullopt;
  }
}

}  // namespace

Diagnosed<void> WordBuffers::replace(const DataPointer& pointer, const spirv::Use& use) {
  const Instruction instruction = context_.module.at(use.instruction);
  switch (instruction.op()) {
    case spv::Op::OpCopyObject:
      positions_[instruction.result_id()] = position_of(use.id);
      break;
    case spv::Op::OpAccessChain:
    case spv::Op::OpInBoundsAccessChain:
      if (auto done = replace_chain(pointer, instruction); !done) return done;
      break;
    case spv::Op::OpLoad: {
      Load target{.pointer = pointer, .word = use.instruction};
      const auto value = load(target, pointer.place, position_of(use.id), instruction.result_id());
      if (!value) return std::unexpected(value.error());
      break;
    }
    case spv::Op::OpCopyMemory:
      if (auto done = replace_copy(pointer, instruction); !done) return done;
      return {};
    case spv::Op::OpExtInst:  // debug information speaks of memory that is no longer there
      if (is_non_semantic(context_, instruction)) break;
      [[fallthrough]];
    default:
      return refuse_use(pointer, std::format("a pointer to {} in {}", name_of(pointer),
                                             spirv::get_rule(instruction.op()).name));
  }
  context_.editor.remove(instruction);
  return {};
}

Position WordBuffers::position_of(uint32_t pointer) const {
  const auto found = positions_.find(pointer);
  return found == positions_.end() ? Position() : found->second;
}

Diagnosed<void> WordBuffers::replace_chain(const DataPointer& pointer, Instruction chain) {
  const uint32_t word = context_.module.word_index(chain);
  Position position = position_of(chain.word(3));
  Place place = pointer.place;
  for (uint32_t i = 4; i < chain.length(); ++i) {
    const Step step = step_into(context_, place, chain.word(i));
    if (step.stride % kWordSize != 0)
      return refuse_use(
          pointer, std::format("an index of numbers of less than 32 bits in {}", name_of(pointer)));
    position.constant += step.offset;
    if (step.stride != 0) add_index(position, word, chain.word(i), step.stride / kWordSize);
    place = step.place;
  }
  positions_[chain.result_id()] = position;
  return {};
}

void WordBuffers::add_index(Position& position, uint32_t word, uint32_t index, uint32_t stride) {
  uint32_t number = slots_.as_uint(word, index);
  if (stride != 1)
    number =
        slots_.operation(word, spv::Op::OpIMul, number, context_.builder.uint_constant(stride));
  position.dynamic = position.dynamic == 0
                         ? number
                         : slots_.operation(word, spv::Op::OpIAdd, position.dynamic, number);
  position.step = std::gcd(position.step, stride);
}

/// Nothing is ever copied to a uniform block.
Diagnosed<void> WordBuffers::replace_copy(const DataPointer& pointer, Instruction copy) {
  const uint32_t target = copy.word(1);
  const bool isPlain =
      spirv::storage_class(context_.module.definition(
          context_.module.definition(target).type_id())) == spv::StorageClass::Function;
  if (!isPlain)
    return refuse_use(
        pointer, std::format("OpCopyMemory of {} to other than local variables", name_of(pointer)));
  const uint32_t word = context_.module.word_index(copy);
  Load load{.pointer = pointer, .word = word};
  const auto value = this->load(load, pointer.place, position_of(copy.word(2)), 0);
  if (!value) return std::unexpected(value.error());
  context_.editor.replace(copy, spv::Op::OpStore, {target, *value});
  return {};
}

// NOLINTNEXTLINE(misc-no-recursion): types are nested at most kMaxTypeDepth deep
Diagnosed<uint32_t> WordBuffers::load(Load& target, const Place& place, const Position& position,
                                      uint32_t id) {
  const bool isNumber = scalar_size(context_, place.type) != 0;
  return isNumber ? load_number(target, place.type, position, id)
                  : load_parts(target, place, position, id);
}

Diagnosed<uint32_t> WordBuffers::load_number(Load& target, uint32_t type, const Position& position,
                                             uint32_t id) {
  const uint32_t words = scalar_size(context_, type) / kWordSize;
  if (words == 0 || words > 2 || position.constant % kWordSize != 0)
    return refuse_use(target.pointer, std::format("a number of other than 32 or 64 bits in {}",
                                                  name_of(target.pointer)));
  target.count += words;
  if (target.count > kMostWords)
    return refuse_use(target.pointer, std::format("a load of more than {} words of {}", kMostWords,
                                                  name_of(target.pointer)));
  const Object& object = *target.pointer.object;
  uint32_t value = words_.load(object, position, target.word);
  if (words == 2) {
    Position high = position;
    high.constant += kWordSize;
    const uint32_t highWord = words_.load(object, high, target.word);
    const uint32_t both = context_.editor.new_id();
    context_.editor.insert(target.word, spv::Op::OpCompositeConstruct,
                           {address_type(context_), both, value, highWord});
    value = both;
  }
  const bool isWord = type == context_.builder.uint_type();
  if (isWord && id == 0) return value;
  const uint32_t result = id != 0 ? id : context_.editor.new_id();
  context_.editor.insert(target.word, isWord ? spv::Op::OpCopyObject : spv::Op::OpBitcast,
                         {type, result, value});
  return result;
}

// NOLINTNEXTLINE(misc-no-recursion): as load()
Diagnosed<uint32_t> WordBuffers::load_parts(Load& target, const Place& place,
                                            const Position& position, uint32_t id) {
  const auto count = count_parts(context_.module, context_.module.definition(place.type));
  if (!count)
    return refuse_use(target.pointer,
                      std::format("a load of what has no literal number of parts from {}",
                                  name_of(target.pointer)));
  const uint32_t result = id != 0 ? id : context_.editor.new_id();
  std::vector<uint32_t> operands = {place.type, result};
  for (uint32_t i = 0; i < *count; ++i) {
    const Step step = step_to(context_, place, i);
    Position part = position;
    part.constant += step.offset;
    const auto value = load(target, step.place, part, 0);
    if (!value) return value;
    operands.push_back(*value);
  }
  context_.editor.insert(target.word, spv::Op::OpCompositeConstruct, operands);
  return result;
}

std::string_view WordBuffers::name_of(const DataPointer& pointer) const {
  return name_of_data(context_, *pointer.object->resource);
}

std::unexpected<Failed> WordBuffers::refuse_use(const DataPointer& pointer,
                                                const std::string& what) const {
  return refuse(context_, *pointer.object->resource, what);
}

}  // namespace heapsmith::rewrite
