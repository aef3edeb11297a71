// SPDX-License-Identifier: MIT
#include "rewrite/block_words.h"

#include <algorithm>
#include <format>
#include <string>
#include <utility>

#include "rewrite/block_variables.h"
#include "rewrite/whole_blocks.h"
#include "spirv/types.h"

namespace heapsmith::rewrite {
namespace {

using spirv::Instruction;
using spirv::Section;

std::string place_of(spv::StorageClass storage) {
  return storage == spv::StorageClass::PushConstant ? "push data" : "the shader record";
}

/// Of what needs a word, the first.
const WordNeeds* first_need(const std::vector<WordNeeds>& needs, const CallTree& tree) {
  for (const uint32_t function : tree.functions)
    if (!needs[function].offsets.empty()) return &needs[function];
  return nullptr;
}

/// Whether nothing but pointers of that class knows the structure: else it is no free choice what
/// members it has.
bool is_only_pointed_to(const Context& context, const Objects& objects, spv::StorageClass storage,
                        uint32_t structure) {
  uint32_t pointers = 0;
  for (const Instruction type : context.module.declarations())
    if (type.op() == spv::Op::OpTypePointer && type.word(3) == structure &&
        spirv::storage_class(type) == storage)
      ++pointers;
  return objects.uses().counts()[structure] == pointers;
}

}  // namespace

Diagnosed<void> BlockWords::plan(const Context& context, const Objects& objects) {
  needs_ = find_word_needs(context, objects, storage_);
  const auto isNeeded = [](const WordNeeds& need) { return !need.offsets.empty(); };
  if (std::ranges::none_of(needs_, isNeeded)) return {};
  trees_ = find_call_trees(context.module);
  const auto variables = find_block_variables(context, trees_, storage_);
  for (size_t i = 0; i < trees_.size(); ++i)
    if (auto done = plan_tree(context, objects, trees_[i], variables[i]); !done) return done;
  plan_functions();
  return {};
}

Diagnosed<void> BlockWords::plan_tree(const Context& context, const Objects& objects,
                                      const CallTree& tree, std::span<const uint32_t> variables) {
  treeBlocks_.emplace_back();
  const WordNeeds* need = first_need(needs_, tree);
  if (need == nullptr) return {};
  const auto refused = [&](const std::string& what) {
    return refuse(context, *need->resource,
                  std::format("an index in {} beside {}", place_of(storage_), what));
  };
  if (variables.size() > 1) return refused("several such blocks of one entry point");
  Block wanted{.need = need->resource};
  if (!variables.empty()) {
    const Instruction variable = context.module.definition(variables[0]);
    wanted.variable = variables[0];
    wanted.structure = spirv::variable_type(context.module, variable);
    if (context.module.definition(wanted.structure).op() != spv::Op::OpTypeStruct)
      return refused("what is there and no block");
    wanted.isWhole = !is_only_pointed_to(context, objects, storage_, wanted.structure);
  }
  auto block = std::ranges::find(blocks_, wanted.variable, &Block::variable);
  if (block == blocks_.end()) block = blocks_.insert(block, wanted);
  for (const uint32_t function : tree.functions)
    block->offsets.insert(needs_[function].offsets.begin(), needs_[function].offsets.end());
  treeBlocks_.back() = static_cast<uint32_t>(block - blocks_.begin());
  return {};
}

/// Functions that no entry point reaches read private variables too, which nobody fills.
void BlockWords::plan_functions() {
  functionBlocks_.resize(needs_.size());
  std::vector<uint8_t> seen(needs_.size());
  for (size_t i = 0; i < trees_.size(); ++i) {
    for (const uint32_t function : trees_[i].functions) {
      const bool isFirst = std::exchange(seen[function], 1) == 0;
      if (isFirst)
        functionBlocks_[function] = treeBlocks_[i];
      else if (functionBlocks_[function] != treeBlocks_[i])
        functionBlocks_[function].reset();
    }
  }
}

std::optional<uint32_t> BlockWords::first_growing_word(const Context& context) const {
  std::optional<uint32_t> first;
  for (const Block& block : blocks_) {
    if (block.variable == 0) continue;
    const uint32_t word = context.module.definition_word(block.structure);
    first = std::min(first.value_or(word), word);
  }
  return first;
}

Diagnosed<void> BlockWords::declare(const Context& context) {
  for (Block& block : blocks_) {
    if (block.variable == 0) {
      make(context, block);
    } else if (block.members.empty()) {  // else it grew with another variable
      if (auto done = grow(context, block); !done) return done;
    }
  }
  fill_private_words(context);
  return {};
}

/// Variables of one structure share its members.
Diagnosed<void> BlockWords::grow(const Context& context, const Block& grown) {
  const uint32_t structure = grown.structure;
  const Instruction type = context.module.definition(structure);
  Members members;
  for (const Block& block : blocks_)
    if (block.structure == structure)
      for (const uint32_t offset : block.offsets)
        members[offset] = 0;
  uint32_t member = type.length() - 2;
  for (auto& [offset, index] : members)
    index = member++;
  uint32_t result = structure;
  if (grown.isWhole) {
    const auto longer = lengthen_whole_block(
        context, {.storage = storage_, .structure = structure, .need = grown.need},
        static_cast<uint32_t>(members.size()));
    if (!longer) return std::unexpected(longer.error());
    result = *longer;
  } else {
    std::vector<uint32_t> operands(type.words_from(1).begin(), type.words_from(1).end());
    operands.insert(operands.end(), members.size(), context.builder.uint_type());
    context.editor.replace(type, type.op(), operands);
  }
  describe_members(context, result, members);
  for (Block& block : blocks_) {
    if (block.structure != structure) continue;
    block.members = members;
    block.grown = result;
  }
  return {};
}

void BlockWords::make(const Context& context, Block& block) const {
  const bool push = storage_ == spv::StorageClass::PushConstant;
  uint32_t member = 0;
  for (const uint32_t offset : block.offsets)
    block.members[offset] = member++;
  const std::vector<uint32_t> members(block.members.size(), context.builder.uint_type());
  block.structure = context.builder.declare(spv::Op::OpTypeStruct, 0, members);
  context.builder.decorate(block.structure, spv::Decoration::Block);
  const uint32_t pointer = context.builder.pointer_type(storage_, block.structure);
  block.variable =
      context.builder.declare(spv::Op::OpVariable, pointer, {static_cast<uint32_t>(storage_)});
  context.builder.name(block.variable, push ? "pushWords" : "recordWords");
  describe_members(context, block.structure, block.members);
}

void BlockWords::describe_members(const Context& context, uint32_t structure,
                                  const Members& members) const {
  for (const auto& [offset, index] : members)
    context.editor.append(
        Section::Annotations, spv::Op::OpMemberDecorate,
        {structure, index, static_cast<uint32_t>(spv::Decoration::Offset), offset});
}

/// The words of functions without a block, which entry points fill in first of all.
void BlockWords::fill_private_words(const Context& context) {
  spirv::Builder& builder = context.builder;
  constexpr auto kPrivate = spv::StorageClass::Private;
  for (size_t function = 0; function < functionBlocks_.size(); ++function) {
    if (functionBlocks_[function]) continue;
    for (const uint32_t offset : needs_[function].offsets) {
      uint32_t& variable = privates_[offset];
      if (variable != 0) continue;
      const uint32_t type = builder.pointer_type(kPrivate, builder.uint_type());
      variable = builder.declare(spv::Op::OpVariable, type, {static_cast<uint32_t>(kPrivate)});
    }
  }
  std::set<uint32_t> filled;  // a function may be several entry points
  for (size_t i = 0; i < trees_.size(); ++i) {
    if (!treeBlocks_[i] || !filled.insert(trees_[i].functions.front()).second) continue;
    const auto& function = context.module.functions()[trees_[i].functions.front()];
    const uint32_t word = entry_word(context.module, function);
    for (const uint32_t offset : private_words_of(trees_[i]))
      context.editor.insert(
          word, spv::Op::OpStore,
          {privates_.at(offset), load_member(context, blocks_[*treeBlocks_[i]], word, offset)});
  }
}

std::set<uint32_t> BlockWords::private_words_of(const CallTree& tree) const {
  std::set<uint32_t> offsets;
  for (const uint32_t function : tree.functions)
    if (!functionBlocks_[function])
      offsets.insert(needs_[function].offsets.begin(), needs_[function].offsets.end());
  return offsets;
}

std::vector<uint32_t> BlockWords::interface_of(size_t entryPoint) const {
  if (entryPoint >= trees_.size() || !treeBlocks_[entryPoint]) return {};
  std::vector<uint32_t> variables = {blocks_[*treeBlocks_[entryPoint]].variable};
  for (const uint32_t offset : private_words_of(trees_[entryPoint]))
    variables.push_back(privates_.at(offset));
  return variables;
}

uint32_t BlockWords::load(const Context& context, uint32_t word, uint32_t offset) const {
  if (const auto& block = functionBlocks_[function_at(context.module, word)])
    return load_member(context, blocks_[*block], word, offset);
  const uint32_t value = context.editor.new_id();
  context.editor.insert(word, spv::Op::OpLoad,
                        {context.builder.uint_type(), value, privates_.at(offset)});
  return value;
}

uint32_t BlockWords::load_member(const Context& context, const Block& block, uint32_t word,
                                 uint32_t offset) const {
  spirv::Builder& builder = context.builder;
  const uint32_t uint = builder.uint_type();
  const uint32_t pointer = context.editor.new_id();
  const uint32_t value = context.editor.new_id();
  const uint32_t member = builder.uint_constant(block.members.at(offset));
  if (context.module.definition(block.variable).op() == spv::Op::OpUntypedVariableKHR) {
    const uint32_t type = builder.untyped_pointer_type(storage_);
    context.editor.insert(word, spv::Op::OpUntypedAccessChainKHR,
                          {type, pointer, block.grown, block.variable, member});
  } else {
    const uint32_t type = builder.pointer_type(storage_, uint);
    context.editor.insert(word, spv::Op::OpAccessChain, {type, pointer, block.variable, member});
  }
  context.editor.insert(word, spv::Op::OpLoad, {uint, value, pointer});
  return value;
}

/// First of all: it may have to move the type of 32-bit numbers, which all others ask for.
Diagnosed<Words> Words::declare(const Context& context, const Objects& objects) {
  Words words;
  std::optional<uint32_t> first;
  for (BlockWords* each : {&words.push, &words.record}) {
    if (auto done = each->plan(context, objects); !done) return std::unexpected(done.error());
    if (const auto word = each->first_growing_word(context))
      first = std::min(first.value_or(*word), *word);
  }
  if (first) context.builder.declare_before(*first, spv::Op::OpTypeInt, {32, 0});
  for (BlockWords* each : {&words.push, &words.record})
    if (auto done = each->declare(context); !done) return std::unexpected(done.error());
  return words;
}

}  // namespace heapsmith::rewrite
