// SPDX-License-Identifier: MIT
#include "rewrite/calls.h"

#include <format>

#include "rewrite/data_words.h"
#include "rewrite/physical_memory.h"

namespace heapsmith::rewrite {
namespace {

using spirv::Instruction;

constexpr Half kHalves[] = {Half::Resource, Half::Sampler};

bool is_scattered(const Object& object, Half half) {
  return object.scattered[static_cast<size_t>(half)];
}

void append(std::vector<uint32_t>& to, const std::vector<uint32_t>& words) {
  to.insert(to.end(), words.begin(), words.end());
}

/// An array of descriptors, or arrays of them.
bool is_array(const Object& object) {
  return object.pointee != object.element;
}

}  // namespace

Calls::Calls(const Context& context, const Objects& objects, Slots& slots, Addresses& addresses)
    : context_(context),
      objects_(objects),
      slots_(slots),
      addresses_(addresses),
      hasObjects_(context.module.functions().size()) {
  for (const Object& object : objects.all())
    if (object.placement == nullptr) hasObjects_[object.function] = 1;
}

bool Calls::has_objects(const spirv::Function& function) const {
  return hasObjects_[static_cast<size_t>(&function - context_.module.functions().data())] != 0;
}

void Calls::replace_head(const spirv::Function& function) {
  context_.editor.replace_id(function.beginWord + 4, function_type(function));
  for (const uint32_t id : context_.module.parameters(function)) {
    const Object* object = objects_.of(id);
    if (object == nullptr) continue;
    const Instruction parameter = context_.module.definition(id);
    add_parameter(*object, context_.module.word_index(parameter));
    context_.editor.remove(parameter);
  }
}

void Calls::add_parameter(const Object& object, uint32_t word) {
  if (object.reach == Reach::Address) {
    const uint32_t address = context_.editor.new_id();
    context_.editor.insert(word, spv::Op::OpFunctionParameter, {address_type(context_), address});
    addresses_.set_parameter(object, address);
    return;
  }
  for (const Half half : kHalves)
    if (has_half(object, half)) add_parameter_half(object, half, word);
}

void Calls::add_parameter_half(const Object& object, Half half, uint32_t word) {
  std::vector<uint32_t> ids;
  for (const uint32_t type : parameter_types(object, half)) {
    ids.push_back(context_.editor.new_id());
    context_.editor.insert(word, spv::Op::OpFunctionParameter, {type, ids.back()});
  }
  if (is_scattered(object, half))
    slots_.set_parameter(object, half, {.address = ids[0], .first = {.dynamic = ids[1]}});
  else
    slots_.set_parameter(object, half, ids[0]);
}

std::vector<uint32_t> Calls::parameter_types(const Object& object, Half half) const {
  const uint32_t uint = context_.builder.uint_type();
  if (is_scattered(object, half)) return {address_type(context_), uint};
  return {uint};
}

uint32_t Calls::function_type(const spirv::Function& function) const {
  const uint32_t returnType = context_.module.at(function.beginWord).type_id();
  std::vector<uint32_t> operands = {returnType};
  for (const uint32_t id : context_.module.parameters(function)) {
    const Object* object = objects_.of(id);
    if (object == nullptr)
      operands.push_back(context_.module.definition(id).type_id());
    else
      add_types(*object, operands);
  }
  return context_.builder.declare_once(spv::Op::OpTypeFunction, 0, operands);
}

void Calls::add_types(const Object& object, std::vector<uint32_t>& operands) const {
  if (object.reach == Reach::Address) {
    operands.push_back(address_type(context_));
    return;
  }
  for (const Half half : kHalves)
    if (has_half(object, half)) append(operands, parameter_types(object, half));
}

std::span<const uint32_t> Calls::parameters_of_callee(Instruction call) const {
  const auto index = objects_.function_index(call.word(3));
  if (!index) return {};
  return context_.module.parameters(context_.module.functions()[*index]);
}

const reflect::Resource* Calls::resource_of_callee(Instruction call) const {
  for (const uint32_t parameter : parameters_of_callee(call))
    if (const Object* object = objects_.of(parameter)) return object->resource;
  return nullptr;
}

Diagnosed<void> Calls::replace_call(Instruction call) {
  const auto parameters = parameters_of_callee(call);
  std::vector<uint32_t> operands = {call.type_id(), call.result_id(), call.word(3)};
  for (uint32_t i = 4; i < call.length(); ++i) {
    const uint32_t argument = call.word(i);
    const Object* parameter = i - 4 < parameters.size() ? objects_.of(parameters[i - 4]) : nullptr;
    if (parameter == nullptr) {
      operands.push_back(argument);
      continue;
    }
    const Object* given = objects_.of(argument);
    // Functions have been specialized for what they are handed (specialize_functions.h), but for
    // those that call each other in circles.
    const bool isAlike = given != nullptr && given->shape == parameter->shape &&
                         given->reach == parameter->reach &&
                         (!is_array(*parameter) || given->scattered == parameter->scattered);
    if (!isAlike)
      return refuse(context_, *parameter->resource,
                    "a function that is also handed what is no rewritten resource of that kind");
    if (given->reach == Reach::Words) return refuse_data(*given);
    add_arguments(*parameter, *given, call, argument, operands);
  }
  context_.editor.replace(call, call.op(), operands);
  return {};
}

std::unexpected<Failed> Calls::refuse_data(const Object& object) const {
  return refuse(
      context_, *object.resource,
      std::format("a function that is handed {}", name_of_data(context_, *object.resource)));
}

void Calls::add_arguments(const Object& parameter, const Object& given, Instruction call,
                          uint32_t argument, std::vector<uint32_t>& operands) {
  if (given.reach == Reach::Address) {
    operands.push_back(addresses_.of(given));
    return;
  }
  const uint32_t word = context_.module.word_index(call);
  const Element element = slots_.element_of(argument);
  for (const Half half : kHalves) {
    if (!has_half(given, half)) continue;
    if (is_scattered(parameter, half)) {
      const auto words = slots_.word_array_of(given, half, element, word);
      append(operands, {words.address, words.first});
    } else {
      operands.push_back(slots_.argument_of(given, half, element, word));
    }
  }
}

}  // namespace heapsmith::rewrite
