// SPDX-License-Identifier: MIT
#include "rewrite/slots.h"

#include <optional>

#include "base/check.h"
#include "spirv/types.h"

namespace heapsmith::rewrite {
namespace {

using spirv::Instruction;

/// The value of an integer constant that nobody can change.
std::optional<uint32_t> literal_value(const spirv::Module& module, uint32_t id) {
  const Instruction constant = module.definition(id);
  if (constant.op() == spv::Op::OpConstantNull) return 0;
  if (constant.op() != spv::Op::OpConstant) return std::nullopt;
  return constant.word(3);
}

/// How many elements one step of an index into an array skips, as far as it is known: what the
/// arrays in it have together. Lengths that are not go into `unknown`.
uint32_t step_of(const spirv::Module& module, uint32_t arrayType, std::vector<uint32_t>& unknown) {
  uint32_t step = 1;
  uint32_t type = module.definition(arrayType).word(2);
  for (; module.definition(type).op() == spv::Op::OpTypeArray;
       type = module.definition(type).word(2)) {
    const uint32_t length = module.definition(type).word(3);
    if (const auto known = literal_value(module, length))
      step *= *known;
    else
      unknown.push_back(length);
  }
  return step;
}

bool stays_at_entry(spv::Op op) {
  switch (op) {
    case spv::Op::OpFunction:
    case spv::Op::OpFunctionParameter:
    case spv::Op::OpLabel:
    case spv::Op::OpVariable:
    case spv::Op::OpUntypedVariableKHR:
      return true;
    default:  // variables come first in the first block
      return false;
  }
}

bool may_stand_between(spv::Op op) {
  return op == spv::Op::OpLine || op == spv::Op::OpNoLine || op == spv::Op::OpExtInst ||
         op == spv::Op::OpUndef;
}

}  // namespace

Slots::Slots(const Context& context, const Objects& objects, Heaps& heaps,
             const PushWords& pushWords)
    : context_(context),
      objects_(objects),
      heaps_(heaps),
      pushWords_(pushWords),
      bases_(objects.all().size()) {}

void Slots::enter(const spirv::Function& function) {
  function_ = &function;
  entryWord_ = 0;
}

uint32_t Slots::entry_word() {
  if (entryWord_ != 0) return entryWord_;
  for (const Instruction instruction : context_.module.body(*function_)) {
    if (stays_at_entry(instruction.op()))
      entryWord_ = context_.module.word_index(instruction) + instruction.length();
    else if (!may_stand_between(instruction.op()))
      break;
  }
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
  const uint32_t base = chain.word(3);
  const uint32_t word = context_.module.word_index(chain);
  Walk walk{.element = element_of(base),
            .type = spirv::pointee(context_.module, context_.module.definition(base).type_id()),
            .nextWord = 4};
  for (; walk.nextWord < chain.length(); ++walk.nextWord) {
    const Instruction array = context_.module.definition(walk.type);
    if (!spirv::is_array(array.op())) break;
    add_index(walk.element, word, chain.word(walk.nextWord), walk.type);
    walk.type = array.word(2);
  }
  return walk;
}

void Slots::add_index(Element& element, uint32_t word, uint32_t index, uint32_t arrayType) {
  std::vector<uint32_t> unknown;
  const uint32_t step = step_of(context_.module, arrayType, unknown);
  const auto literal = literal_value(context_.module, index);
  if (literal && unknown.empty()) {
    element.constant += *literal * step;
    return;
  }
  uint32_t number = as_uint(word, index);
  if (step != 1)
    number = operation(word, spv::Op::OpIMul, number, context_.builder.uint_constant(step));
  for (const uint32_t length : unknown)
    number = operation(word, spv::Op::OpIMul, number, as_uint(word, length));
  element.dynamic =
      element.dynamic == 0 ? number : operation(word, spv::Op::OpIAdd, element.dynamic, number);
}

uint32_t Slots::slot_of(const Object& object, Half half, Element element, uint32_t word) {
  if (object.placement == nullptr)
    return add_element(bases_[objects_.index_of(object)][static_cast<size_t>(half)].id, element,
                       word);
  const Location& location =
      half == Half::Sampler ? *object.placement->sampler : *object.placement->resource;
  if (location.source != InstanceSource::None)
    return add_element(base_of(object, half, location), element, word);
  const DescriptorClass region = class_of(object, half);
  const uint32_t constant = location.firstSlot + element.constant;
  if (element.dynamic != 0 && heaps_.is_first_slot(region, constant)) return element.dynamic;
  return add_element(heaps_.constant_slot(region, constant), {.dynamic = element.dynamic}, word);
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

/// How many slots come before the instance's. Tables of one set are picked by one word.
uint32_t Slots::instance_start(const Location& location) {
  Base& start = instanceStarts_[{location.source, location.pushOffset, location.addressOffset,
                                 location.slotsPerInstance}];
  if (start.function == function_->id) return start.id;
  const uint32_t word = entry_word();
  start.function = function_->id;
  start.id = location.source == InstanceSource::IndirectWord
                 ? indirectWords_.load(context_, pushWords_, word, location)
                 : pushWords_.load(context_, word, location.pushOffset);
  if (location.slotsPerInstance != 1)
    start.id = operation(word, spv::Op::OpIMul, start.id,
                         context_.builder.uint_constant(location.slotsPerInstance));
  return start.id;
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
  const uint32_t slot = slot_of(object, half, element, word);
  const uint32_t uint = context_.builder.uint_type();
  const bool isIndex = slot == element.dynamic && slot < context_.module.bound();
  if (!isIndex || context_.module.definition(slot).type_id() == uint) return slot;
  const uint32_t id = context_.editor.new_id();
  context_.editor.insert(word, spv::Op::OpBitcast, {uint, id, slot});
  return id;
}

}  // namespace heapsmith::rewrite
