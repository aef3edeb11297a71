// SPDX-License-Identifier: MIT
#include "rewrite/slots.h"

#include <bit>
#include <optional>

#include "base/check.h"
#include "rewrite/functions.h"
#include "rewrite/physical_memory.h"
#include "spirv/constants.h"
#include "spirv/types.h"

namespace heapsmith::rewrite {
namespace {

using spirv::Instruction;

/// How many elements one step of an index into an array skips, as far as it is known: what the
/// arrays in it have together. Lengths that are not go into `unknown`.
uint32_t step_of(const spirv::Module& module, uint32_t arrayType, std::vector<uint32_t>& unknown) {
  uint32_t step = 1;
  uint32_t type = module.definition(arrayType).word(2);
  for (; module.definition(type).op() == spv::Op::OpTypeArray;
       type = module.definition(type).word(2)) {
    const uint32_t length = module.definition(type).word(3);
    if (const auto known = spirv::literal_value(module, length))
      step *= *known;
    else
      unknown.push_back(length);
  }
  return step;
}

}  // namespace

Slots::WordKey Slots::key_of(const Location& location) {
  return {location.source, location.pushOffset, location.addressOffset, location.recordOffset};
}

Slots::Slots(const Context& context, const Objects& objects, Heaps& heaps, const Words& words)
    : context_(context),
      objects_(objects),
      heaps_(heaps),
      words_(words),
      bases_(objects.all().size()),
      parameterWords_(objects.all().size()) {}

void Slots::enter(const spirv::Function& function) {
  function_ = &function;
  entryWord_ = 0;
}

uint32_t Slots::entry_word() {
  if (entryWord_ == 0) entryWord_ = rewrite::entry_word(context_.module, *function_);
  return entryWord_;
}

void Slots::set_parameter(const Object& parameter, Half half, uint32_t id) {
  bases_[objects_.index_of(parameter)][static_cast<size_t>(half)] = {.id = id,
                                                                     .function = function_->id};
}

Element Slots::element_of(uint32_t pointer) const {
  const auto found = elements_.find(pointer);
  return found == elements_.end() ? Element() : found->second;
}

Slots::Walk Slots::walk(Instruction chain) {
  const spirv::AccessChain parts = spirv::read_access_chain(context_.module, chain);
  const uint32_t word = context_.module.word_index(chain);
  Walk walk{
      .element = element_of(parts.base), .type = parts.baseType, .nextWord = parts.firstIndex};
  for (; walk.nextWord < chain.length(); ++walk.nextWord) {
    const Instruction array = context_.module.definition(walk.type);
    if (!spirv::is_array(array.op())) break;
    add_index(walk.element, word, chain.word(walk.nextWord), walk.type);
    walk.type = array.word(2);
  }
  return walk;
}

Slots::Walk Slots::walk_literals(Instruction extract) {
  const uint32_t base = extract.word(3);
  const uint32_t word = context_.module.word_index(extract);
  Walk walk{.element = element_of(base), .type = type_behind(context_.module, base), .nextWord = 4};
  for (; walk.nextWord < extract.length(); ++walk.nextWord) {
    const Instruction array = context_.module.definition(walk.type);
    if (!spirv::is_array(array.op())) break;
    add_literal(walk.element, word, extract.word(walk.nextWord), walk.type);
    walk.type = array.word(2);
  }
  return walk;
}

void Slots::add_index(Element& element, uint32_t word, uint32_t index, uint32_t arrayType) {
  std::vector<uint32_t> unknown;
  const uint32_t step = step_of(context_.module, arrayType, unknown);
  const auto literal = spirv::literal_value(context_.module, index);
  if (literal && unknown.empty()) {
    element.constant += *literal * step;
    return;
  }
  add_steps(element, word, as_uint(word, index), step, unknown);
}

void Slots::add_literal(Element& element, uint32_t word, uint32_t index, uint32_t arrayType) {
  std::vector<uint32_t> unknown;
  const uint32_t step = step_of(context_.module, arrayType, unknown);
  if (unknown.empty() || index == 0)
    element.constant += index * step;
  else
    add_steps(element, word, context_.builder.uint_constant(index), step, unknown);
}

/// As many steps of an index as that number says, each of which skips so many elements.
void Slots::add_steps(Element& element, uint32_t word, uint32_t number, uint32_t step,
                      const std::vector<uint32_t>& lengths) {
  if (step != 1)
    number = operation(word, spv::Op::OpIMul, number, context_.builder.uint_constant(step));
  for (const uint32_t length : lengths)
    number = operation(word, spv::Op::OpIMul, number, as_uint(word, length));
  element.dynamic =
      element.dynamic == 0 ? number : operation(word, spv::Op::OpIAdd, element.dynamic, number);
}

uint32_t Slots::slot_of(const Object& object, Half half, Element element, uint32_t word) {
  if (object.scattered[static_cast<size_t>(half)])
    return scattered_slot(object, half, element, word);
  if (object.placement == nullptr)
    return add_element(bases_[objects_.index_of(object)][static_cast<size_t>(half)].id, element,
                       word);
  const Location& location =
      half == Half::Sampler ? *object.placement->sampler : *object.placement->resource;
  if (location.source != InstanceSource::None)
    return add_element(base_of(object, half, location), element, word);
  const DescriptorClass region = class_of(object, half);
  const Specializable& first = location.firstSlot;
  if (element.dynamic != 0 && heaps_.is_first_slot(region, first, element.constant))
    return element.dynamic;
  const uint32_t constant = heaps_.constant_slot(region, first, element.constant);
  return add_element(constant, {.dynamic = element.dynamic}, word);
}

uint32_t Slots::add_element(uint32_t base, Element element, uint32_t word) {
  uint32_t slot = base;
  if (element.constant != 0)
    slot = operation(word, spv::Op::OpIAdd, slot, context_.builder.uint_constant(element.constant));
  if (element.dynamic != 0) slot = operation(word, spv::Op::OpIAdd, slot, element.dynamic);
  return slot;
}

/// The slot of element 0, in the function that was entered.
uint32_t Slots::base_of(const Object& object, Half half, const Location& location) {
  Base& base = bases_[objects_.index_of(object)][static_cast<size_t>(half)];
  if (base.function == function_->id) return base.id;
  const DescriptorClass region = class_of(object, half);
  base = {.id = instance_start(location), .function = function_->id};
  if (!heaps_.is_first_slot(region, location.firstSlot))
    base.id = operation(entry_word(), spv::Op::OpIAdd, base.id,
                        heaps_.constant_slot(region, location.firstSlot));
  return base.id;
}

/// How many slots come before the instance's.
uint32_t Slots::instance_start(const Location& location) {
  Base& start = instanceStarts_[{key_of(location), location.part, location.slotsPerInstance}];
  if (start.function == function_->id) return start.id;
  const uint32_t word = entry_word();
  start = {.id = part_of(instance_word(location), location.part), .function = function_->id};
  if (location.slotsPerInstance != 1)
    start.id =
        operation(word, spv::Op::OpIMul, start.id, heaps_.constant(location.slotsPerInstance));
  return start.id;
}

/// Tables of one set are picked by one word.
uint32_t Slots::instance_word(const Location& location) {
  Base& word = instanceWords_[key_of(location)];
  if (word.function != function_->id) word = {.id = load_word(location), .function = function_->id};
  return word.id;
}

uint32_t Slots::load_word(const Location& location) {
  const uint32_t word = entry_word();
  switch (location.source) {
    case InstanceSource::PushWord:
      return words_.push.load(context_, word, location.pushOffset);
    case InstanceSource::IndirectWord:
      return indirectWords_.load(context_, words_.push, word, location);
    case InstanceSource::RecordWord:
      return words_.record.load(context_, word, location.recordOffset);
    case InstanceSource::None:
    case InstanceSource::ScatteredWords:  // each element has its own
      break;
  }
  HEAPSMITH_UNREACHABLE();
}

/// Instance or tuple, where one word holds both.
uint32_t Slots::part_of(uint32_t number, WordPart part) {
  spirv::Builder& builder = context_.builder;
  switch (part) {
    case WordPart::All:
      return number;
    case WordPart::Instance:
      return operation(entry_word(), spv::Op::OpBitwiseAnd, number,
                       builder.uint_constant(kPackedInstances - 1));
    case WordPart::SamplerTuple:
      return operation(entry_word(), spv::Op::OpShiftRightLogical, number,
                       builder.uint_constant(std::countr_zero(kPackedInstances)));
  }
  HEAPSMITH_UNREACHABLE();
}

uint32_t Slots::operation(uint32_t word, spv::Op op, uint32_t a, uint32_t b) {
  const uint32_t id = context_.editor.new_id();
  context_.editor.insert(word, op, {context_.builder.uint_type(), id, a, b});
  return id;
}

/// Indices may be integers of any width and signedness; where a 32-bit one is signed, additions and
/// multiplications do not care.
uint32_t Slots::as_uint(uint32_t word, uint32_t number) {
  const Instruction type = context_.module.definition(context_.module.definition(number).type_id());
  if (type.op() != spv::Op::OpTypeInt || type.word(2) == 32) return number;
  const uint32_t id = context_.editor.new_id();
  const auto op = type.word(3) != 0 ? spv::Op::OpSConvert : spv::Op::OpUConvert;
  context_.editor.insert(word, op, {context_.builder.uint_type(), id, number});
  return id;
}

uint32_t Slots::argument_of(const Object& object, Half half, Element element, uint32_t word) {
  return to_argument(slot_of(object, half, element, word), word);
}

/// Numbers of the module itself may be signed.
uint32_t Slots::to_argument(uint32_t number, uint32_t word) {
  const uint32_t uint = context_.builder.uint_type();
  if (number >= context_.module.bound() || context_.module.definition(number).type_id() == uint)
    return number;
  const uint32_t id = context_.editor.new_id();
  context_.editor.insert(word, spv::Op::OpBitcast, {uint, id, number});
  return id;
}

void Slots::set_parameter(const Object& parameter, Half half, WordArray words) {
  parameterWords_[objects_.index_of(parameter)][static_cast<size_t>(half)] = words;
}

Slots::WordArray Slots::words_of(const Object& object, Half half) {
  if (object.placement == nullptr)
    return parameterWords_[objects_.index_of(object)][static_cast<size_t>(half)];
  const Location& location =
      half == Half::Sampler ? *object.placement->sampler : *object.placement->resource;
  return {.address = pushed_address(location.pushOffset),
          .first = {.constant = location.addressOffset / 4}};
}

Slots::WordArrayArgument Slots::word_array_of(const Object& object, Half half, Element element,
                                              uint32_t word) {
  const WordArray words = words_of(object, half);
  return {.address = words.address, .first = to_argument(sum_of(words.first, element, word), word)};
}

uint32_t Slots::pushed_address(uint32_t pushOffset) {
  Base& address = pushedAddresses_[pushOffset];
  if (address.function != function_->id)
    address = {.id = load_address(context_, words_.push, entry_word(), pushOffset),
               .function = function_->id};
  return address.id;
}

/// What is no array has one slot in the whole function.
uint32_t Slots::scattered_slot(const Object& object, Half half, Element element, uint32_t word) {
  if (object.pointee != object.element) return load_slot(object, half, element, word);
  Base& base = bases_[objects_.index_of(object)][static_cast<size_t>(half)];
  if (base.function != function_->id)
    base = {.id = load_slot(object, half, {}, entry_word()), .function = function_->id};
  return base.id;
}

uint32_t Slots::load_slot(const Object& object, Half half, Element element, uint32_t word) {
  const WordArray words = words_of(object, half);
  const uint32_t number = sum_of(words.first, element, word);
  const DescriptorClass region = class_of(object, half);
  const uint32_t slot = scatteredWords_.load(context_, {.entryWord = entry_word(), .word = word},
                                             words.address, number);
  if (heaps_.is_first_slot(region, 0)) return slot;
  return operation(word, spv::Op::OpIAdd, slot, heaps_.constant_slot(region, 0));
}

uint32_t Slots::sum_of(Element a, Element b, uint32_t word) {
  const uint32_t constant = a.constant + b.constant;
  const uint32_t base = a.dynamic != 0 ? a.dynamic : b.dynamic;
  if (base == 0) return context_.builder.uint_constant(constant);
  return add_element(base, {.constant = constant, .dynamic = a.dynamic != 0 ? b.dynamic : 0}, word);
}

}  // namespace heapsmith::rewrite
