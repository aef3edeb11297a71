// SPDX-License-Identifier: MIT
#include "rewrite/calls.h"

#include "spirv/types.h"

namespace heapsmith::rewrite {
namespace {

using spirv::Instruction;

constexpr Half kHalves[] = {Half::Resource, Half::Sampler};

}  // namespace

Calls::Calls(const Context& context, const Objects& objects, Slots& slots)
    : context_(context),
      objects_(objects),
      slots_(slots),
      hasObjects_(context.module.functions().size()) {
  for (const Object& object : objects.all())
    if (object.placement == nullptr) hasObjects_[object.function] = 1;
}

bool Calls::has_objects(const spirv::Function& function) const {
  return hasObjects_[static_cast<size_t>(&function - context_.module.functions().data())] != 0;
}

void Calls::replace_head(const spirv::Function& function) {
  context_.editor.replace_id(function.beginWord + 4, function_type(function));
  const uint32_t uint = context_.builder.uint_type();
  for (const uint32_t id : context_.module.parameters(function)) {
    const Object* object = objects_.of(id);
    if (object == nullptr) continue;
    const Instruction parameter = context_.module.definition(id);
    for (const Half half : kHalves) {
      if (!has_half(*object, half)) continue;
      const uint32_t slot = context_.editor.new_id();
      context_.editor.insert(context_.module.word_index(parameter), parameter.op(), {uint, slot});
      slots_.set_parameter(*object, half, slot);
    }
    context_.editor.remove(parameter);
  }
}

uint32_t Calls::function_type(const spirv::Function& function) const {
  const uint32_t returnType = context_.module.at(function.beginWord).type_id();
  std::vector<uint32_t> operands = {returnType};
  for (const uint32_t id : context_.module.parameters(function)) {
    const Object* object = objects_.of(id);
    if (object == nullptr) operands.push_back(context_.module.definition(id).type_id());
    for (const Half half : kHalves)
      if (object != nullptr && has_half(*object, half))
        operands.push_back(context_.builder.uint_type());
  }
  return context_.builder.declare_once(spv::Op::OpTypeFunction, 0, operands);
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
  const uint32_t word = context_.module.word_index(call);
  std::vector<uint32_t> operands = {call.type_id(), call.result_id(), call.word(3)};
  for (uint32_t i = 4; i < call.length(); ++i) {
    const uint32_t argument = call.word(i);
    const Object* parameter = i - 4 < parameters.size() ? objects_.of(parameters[i - 4]) : nullptr;
    if (parameter == nullptr) {
      operands.push_back(argument);
      continue;
    }
    const Object* given = objects_.of(argument);
    if (given == nullptr || given->shape != parameter->shape)
      return refuse(context_, *parameter->resource,
                    "a function that is also handed what is no rewritten resource of that kind");
    for (const Half half : kHalves)
      if (has_half(*parameter, half))
        operands.push_back(slots_.argument_of(*given, half, slots_.element_of(argument), word));
  }
  context_.editor.replace(call, call.op(), operands);
  return {};
}

}  // namespace heapsmith::rewrite
