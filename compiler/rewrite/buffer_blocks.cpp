// SPDX-License-Identifier: MIT
#include "rewrite/buffer_blocks.h"

#include <format>
#include <string>
#include <utility>

#include "rewrite/access_chains.h"
#include "spirv/grammar.h"
#include "spirv/types.h"

namespace heapsmith::rewrite {
namespace {

using spirv::Instruction;

constexpr auto kStorageBuffer = static_cast<uint32_t>(spv::StorageClass::StorageBuffer);
constexpr auto kBlock = static_cast<uint32_t>(spv::Decoration::Block);
constexpr auto kBufferBlock = static_cast<uint32_t>(spv::Decoration::BufferBlock);

bool is_pointer_to_buffer_block(const Context& context, Instruction type) {
  if (type.op() != spv::Op::OpTypePointer ||
      spirv::storage_class(type) != spv::StorageClass::Uniform)
    return false;
  const uint32_t element = spirv::array_element(context.module, type.word(3));
  return context.annotations.has(element, spv::Decoration::BufferBlock);
}

}  // namespace

struct BufferBlocks::State {
  const Context& context;
  const Objects& objects;
  BufferBlocks& blocks;
  std::vector<uint32_t> roots = {};  // by id: the variable or parameter that a pointer leads into

  Diagnosed<void> run();

 private:
  void change_declarations();
  Diagnosed<void> change_pointer(const spirv::Use& use);
  [[nodiscard]] uint32_t root_of(uint32_t id) const;
  [[nodiscard]] const reflect::Resource& resource_of(uint32_t root) const;
};

Diagnosed<void> BufferBlocks::State::run() {
  blocks.changed_.resize(context.module.bound());
  roots.resize(context.module.bound());
  change_declarations();
  for (const spirv::Use& use : objects.uses().all())
    if (root_of(use.id) != 0)
      if (auto done = change_pointer(use); !done) return done;
  return {};
}

void BufferBlocks::State::change_declarations() {
  for (const Instruction instruction : context.module.declarations()) {
    const uint32_t word = context.module.word_index(instruction);
    if (instruction.op() == spv::Op::OpDecorate && instruction.word(2) == kBufferBlock) {
      context.editor.replace_literal(word + 2, kBlock);
    } else if (is_pointer_to_buffer_block(context, instruction)) {
      blocks.changed_[instruction.word(1)] = 1;
      context.editor.replace_literal(word + 2, kStorageBuffer);
    } else if (instruction.op() == spv::Op::OpVariable &&
               blocks.changed_[instruction.word(1)] != 0) {
      context.editor.replace_literal(word + 3, kStorageBuffer);
    }
  }
}

uint32_t BufferBlocks::State::root_of(uint32_t id) const {
  if (roots[id] != 0) return roots[id];
  return blocks.changed_[context.module.definition(id).type_id()] != 0 ? id : 0;
}

/// Of a parameter that no rewritten variable reaches nothing more is known than that the module has
/// such blocks.
const reflect::Resource& BufferBlocks::State::resource_of(uint32_t root) const {
  if (const Object* object = objects.of(root)) return *object->resource;
  for (const reflect::Resource& resource : context.shader.resources)
    if (resource.id == root) return resource;
  return context.shader.resources.front();
}

Diagnosed<void> BufferBlocks::State::change_pointer(const spirv::Use& use) {
  const Instruction instruction = context.module.at(use.instruction);
  const uint32_t type = instruction.type_id();
  // Pointers into those have a class of their own.
  const Object* object = objects.of(root_of(use.id));
  const bool isAddress = object != nullptr && object->reach == Reach::Address;
  const bool derives =
      use.operand == use.instruction + 3 &&
      (instruction.op() == spv::Op::OpCopyObject || spirv::is_access_chain(instruction.op()));
  if (derives) {
    roots[instruction.result_id()] = root_of(use.id);
    if (isAddress) return {};
    const uint32_t changed = blocks.pointer_type(context, type);
    if (changed != type) context.editor.replace_id(use.instruction + 1, changed);
    return {};
  }
  if (isAddress && (instruction.op() == spv::Op::OpPhi || instruction.op() == spv::Op::OpSelect))
    roots[instruction.result_id()] = root_of(use.id);
  // Whatever else makes a pointer of a pointer would need the new class too.
  const bool passesOn =
      instruction.op() == spv::Op::OpPhi || instruction.op() == spv::Op::OpSelect ||
      instruction.op() == spv::Op::OpReturnValue || is_untyped_chain(instruction.op()) ||
      (instruction.op() == spv::Op::OpFunctionCall && roots[use.id] != 0);
  if (!passesOn || isAddress || blocks.changed_[context.module.definition(use.id).type_id()] != 0)
    return {};
  return refuse(
      context, resource_of(root_of(use.id)),
      std::format("a pointer into a BufferBlock in {}", spirv::get_rule(instruction.op()).name));
}

Diagnosed<BufferBlocks> BufferBlocks::modernize(const Context& context, const Objects& objects) {
  BufferBlocks blocks;
  if (!objects.has_buffer_blocks()) return blocks;
  State state{.context = context, .objects = objects, .blocks = blocks};
  if (auto done = state.run(); !done) return std::unexpected(done.error());
  return blocks;
}

uint32_t BufferBlocks::pointer_type(const Context& context, uint32_t type) const {
  const bool isUntyped = context.module.definition(type).op() == spv::Op::OpTypeUntypedPointerKHR;
  if (changed_.empty() || changed_[type] != 0 || isUntyped) return type;
  return context.builder.pointer_type(spv::StorageClass::StorageBuffer,
                                      spirv::pointee(context.module, type));
}

}  // namespace heapsmith::rewrite
