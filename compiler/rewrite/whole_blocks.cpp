// SPDX-License-Identifier: MIT
#include "rewrite/whole_blocks.h"

#include <vector>

#include "rewrite/memory_operands.h"
#include "spirv/types.h"
#include "spirv/uses.h"

namespace heapsmith::rewrite {
namespace {

using spirv::Instruction;
using spirv::Section;

struct State {
  const Context& context;
  const WholeBlock& block;
  uint32_t longer = 0;

  Diagnosed<void> run(uint32_t added);

 private:
  void declare(uint32_t added);
  void describe(Instruction annotation) const;
  void describe_group(Instruction annotation, size_t step) const;
  void change_declaration(Instruction instruction) const;
  [[nodiscard]] bool is_pointer_to_block(uint32_t pointer) const;
  void replace_load(Instruction load) const;
  Diagnosed<void> replace_copy(Instruction copy) const;
  void read(uint32_t word, uint32_t pointer, std::vector<uint32_t>& parts) const;
};

Diagnosed<void> State::run(uint32_t added) {
  declare(added);
  for (const Instruction instruction : context.module.declarations())
    change_declaration(instruction);
  for (const spirv::Function& function : context.module.functions()) {
    for (const Instruction instruction : context.module.body(function)) {
      if (instruction.op() == spv::Op::OpLoad && is_pointer_to_block(instruction.word(3)))
        replace_load(instruction);
      if (instruction.op() == spv::Op::OpCopyMemory && is_pointer_to_block(instruction.word(2)))
        if (auto done = replace_copy(instruction); !done) return done;
    }
  }
  return {};
}

/// Where the other one stands: pointers to it come behind.
void State::declare(uint32_t added) {
  const Instruction type = context.module.definition(block.structure);
  longer = context.editor.new_id();
  std::vector<uint32_t> operands = {longer};
  const auto members = type.words_from(2);
  operands.insert(operands.end(), members.begin(), members.end());
  operands.insert(operands.end(), added, context.builder.uint_type());
  context.editor.insert(context.module.word_index(type), type.op(), operands);
}

void State::change_declaration(Instruction instruction) const {
  const uint32_t word = context.module.word_index(instruction);
  if (spirv::is_annotation(instruction.op())) {
    describe(instruction);
  } else if (instruction.op() == spv::Op::OpTypePointer) {
    if (spirv::storage_class(instruction) == block.storage &&
        instruction.word(3) == block.structure)
      context.editor.replace_id(word + 3, longer);
  } else if (instruction.op() == spv::Op::OpUntypedVariableKHR) {
    if (spirv::storage_class(instruction) == block.storage &&
        instruction.word(4) == block.structure)
      context.editor.replace_id(word + 4, longer);
  }
}

/// The longer one has all names and decorations too.
void State::describe(Instruction annotation) const {
  if (annotation.op() == spv::Op::OpGroupDecorate) return describe_group(annotation, 1);
  if (annotation.op() == spv::Op::OpGroupMemberDecorate) return describe_group(annotation, 2);
  if (annotation.word(1) != block.structure) return;
  std::vector<uint32_t> operands(annotation.words_from(1).begin(), annotation.words_from(1).end());
  operands[0] = longer;
  const bool isName =
      annotation.op() == spv::Op::OpName || annotation.op() == spv::Op::OpMemberName;
  context.editor.append(isName ? Section::Names : Section::Annotations, annotation.op(), operands);
}

/// `step`: words of one target.
void State::describe_group(Instruction annotation, size_t step) const {
  std::vector<uint32_t> operands = {annotation.word(1)};
  const auto targets = annotation.words_from(2);
  for (size_t i = 0; i < targets.size(); i += step) {
    if (targets[i] != block.structure) continue;
    operands.push_back(longer);
    if (step > 1) operands.push_back(targets[i + 1]);
  }
  if (operands.size() > 1) context.editor.append(Section::Annotations, annotation.op(), operands);
}

bool State::is_pointer_to_block(uint32_t pointer) const {
  const Instruction type = context.module.definition(context.module.definition(pointer).type_id());
  return type.op() == spv::Op::OpTypePointer && spirv::storage_class(type) == block.storage &&
         type.word(3) == block.structure;
}

/// Emits loads of all members that it had before, and lists them.
void State::read(uint32_t word, uint32_t pointer, std::vector<uint32_t>& parts) const {
  const auto members = context.module.definition(block.structure).words_from(2);
  for (uint32_t i = 0; i < members.size(); ++i) {
    const uint32_t type = context.builder.pointer_type(block.storage, members[i]);
    const uint32_t member = context.editor.new_id();
    const uint32_t value = context.editor.new_id();
    context.editor.insert(word, spv::Op::OpAccessChain,
                          {type, member, pointer, context.builder.uint_constant(i)});
    context.editor.insert(word, spv::Op::OpLoad, {members[i], value, member});
    parts.push_back(value);
  }
}

/// Nobody writes there while the shader runs: memory operands have nothing to say.
void State::replace_load(Instruction load) const {
  std::vector<uint32_t> operands = {load.type_id(), load.result_id()};
  read(context.module.word_index(load), load.word(3), operands);
  context.editor.replace(load, spv::Op::OpCompositeConstruct, operands);
}

Diagnosed<void> State::replace_copy(Instruction copy) const {
  const uint32_t target = copy.word(1);
  const auto storage =
      spirv::storage_class(context.module.definition(context.module.definition(target).type_id()));
  if (storage != spv::StorageClass::Function && storage != spv::StorageClass::Private)
    return refuse(context, *block.need,
                  "an index in push data or a shader record beside a block that OpCopyMemory "
                  "copies to other than local variables");
  const uint32_t word = context.module.word_index(copy);
  const uint32_t value = context.editor.new_id();
  std::vector<uint32_t> parts = {block.structure, value};
  read(word, copy.word(2), parts);
  context.editor.insert(word, spv::Op::OpCompositeConstruct, parts);
  std::vector<uint32_t> operands = {target, value};
  const auto memory = target_operands(copy.words_from(3));
  operands.insert(operands.end(), memory.begin(), memory.end());
  context.editor.replace(copy, spv::Op::OpStore, operands);
  return {};
}

}  // namespace

Diagnosed<uint32_t> lengthen_whole_block(const Context& context, const WholeBlock& block,
                                         uint32_t added) {
  State state{.context = context, .block = block};
  if (auto done = state.run(added); !done) return std::unexpected(done.error());
  return state.longer;
}

}  // namespace heapsmith::rewrite
