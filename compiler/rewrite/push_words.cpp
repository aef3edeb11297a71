// SPDX-License-Identifier: MIT
#include "rewrite/push_words.h"

#include <vector>

#include "spirv/types.h"

namespace heapsmith::rewrite {
namespace {

using spirv::Instruction;
using spirv::Section;

constexpr auto kPushConstant = static_cast<uint32_t>(spv::StorageClass::PushConstant);

std::vector<Instruction> push_constant_variables(const Context& context) {
  std::vector<Instruction> variables;
  for (const Instruction variable : context.module.declarations())
    if (spirv::is_variable(variable.op()) &&
        spirv::storage_class(variable) == spv::StorageClass::PushConstant)
      variables.push_back(variable);
  return variables;
}

/// Whether nothing but pointers to push constants knows the block: else it is no free choice what
/// members it has.
bool is_only_pointed_to(const Context& context, const Objects& objects, uint32_t block) {
  uint32_t pointers = 0;
  for (const Instruction type : context.module.declarations())
    if (type.op() == spv::Op::OpTypePointer && type.word(3) == block &&
        spirv::storage_class(type) == spv::StorageClass::PushConstant)
      ++pointers;
  return objects.uses().counts()[block] == pointers;
}

}  // namespace

Diagnosed<PushWords> PushWords::declare(const Context& context, const Objects& objects) {
  PushWords words;
  const reflect::Resource* user = nullptr;
  for (const Object& object : objects.all()) {
    if (object.placement == nullptr || objects.uses().of(object.id).empty()) continue;
    for (const auto* location : {&object.placement->resource, &object.placement->sampler}) {
      if (!*location || (*location)->source == InstanceSource::None) continue;
      words.members_[(*location)->pushOffset] = 0;
      if ((*location)->source == InstanceSource::IndirectWord)
        words.members_[(*location)->pushOffset + 4] = 0;
      user = object.resource;
    }
  }
  if (user == nullptr) return words;
  const auto variables = push_constant_variables(context);
  if (variables.size() > 1)
    return refuse(context, *user, "an index in push data beside several push-constant blocks");
  if (variables.empty()) {
    words.make(context);
  } else if (!words.grow(context, objects, variables[0], *user)) {
    return context.diagnostics.failed();
  }
  return words;
}

Diagnosed<void> PushWords::grow(const Context& context, const Objects& objects,
                                Instruction variable, const reflect::Resource& user) {
  const uint32_t block = spirv::variable_type(context.module, variable);
  const Instruction structure = context.module.definition(block);
  if (variable.op() != spv::Op::OpVariable || structure.op() != spv::Op::OpTypeStruct)
    return refuse(context, user, "an index in push data beside push constants that are no block");
  if (!is_only_pointed_to(context, objects, block))
    return refuse(context, user, "an index in push data beside a block that is read as a whole");
  variable_ = variable.result_id();
  const uint32_t uint = context.builder.declare_before(context.module.definition_word(block),
                                                       spv::Op::OpTypeInt, {32, 0});
  std::vector<uint32_t> operands(structure.words_from(1).begin(), structure.words_from(1).end());
  uint32_t member = structure.length() - 2;
  const uint32_t firstMember = member;
  for (auto& [offset, index] : members_) {
    operands.push_back(uint);
    index = member++;
  }
  context.editor.replace(structure, structure.op(), operands);
  describe_members(context, block, firstMember);
  return {};
}

void PushWords::make(const Context& context) {
  std::vector<uint32_t> members(members_.size(), context.builder.uint_type());
  uint32_t member = 0;
  for (auto& [offset, index] : members_)
    index = member++;
  const uint32_t block = context.builder.declare(spv::Op::OpTypeStruct, 0, members);
  context.builder.decorate(block, spv::Decoration::Block);
  const uint32_t pointer = context.builder.pointer_type(spv::StorageClass::PushConstant, block);
  variable_ = context.builder.declare(spv::Op::OpVariable, pointer, {kPushConstant});
  context.builder.name(variable_, "pushWords");
  describe_members(context, block, 0);
}

void PushWords::describe_members(const Context& context, uint32_t block,
                                 uint32_t firstMember) const {
  uint32_t member = firstMember;
  for (const auto& [offset, index] : members_)
    context.editor.append(
        Section::Annotations, spv::Op::OpMemberDecorate,
        {block, member++, static_cast<uint32_t>(spv::Decoration::Offset), offset});
}

uint32_t PushWords::load(const Context& context, uint32_t word, uint32_t offset) const {
  spirv::Builder& builder = context.builder;
  const uint32_t uint = builder.uint_type();
  const uint32_t pointer = context.editor.new_id();
  const uint32_t value = context.editor.new_id();
  const uint32_t type = builder.pointer_type(spv::StorageClass::PushConstant, uint);
  const uint32_t member = builder.uint_constant(members_.at(offset));
  context.editor.insert(word, spv::Op::OpAccessChain, {type, pointer, variable_, member});
  context.editor.insert(word, spv::Op::OpLoad, {uint, value, pointer});
  return value;
}

}  // namespace heapsmith::rewrite
