// SPDX-License-Identifier: MIT
#include "rewrite/read_only_blocks.h"

#include <algorithm>
#include <map>

#include "rewrite/access_chains.h"
#include "rewrite/block_members.h"
#include "spirv/types.h"

namespace heapsmith::rewrite {
namespace {

using reflect::Resource;
using spirv::Instruction;

/// Whether a store may go to the memory behind a variable, be it through another one.
bool may_be_written(const Context& context, const Resource& resource) {
  bool written = resource.isWritten;
  for (const uint32_t alias : resource.aliases)
    written |= context.shader.resources[alias].isWritten;
  return written;
}

/// Uniform buffers cannot be written anyway, unless one may think so of their address.
bool may_be_marked(const Objects& objects, const Resource& resource) {
  if (resource.type == DescriptorType::StorageBuffer) return true;
  const Object* object = objects.of(resource.id);
  return resource.type == DescriptorType::UniformBuffer && object != nullptr &&
         object->reach == Reach::Address;
}

uint32_t block_of(const Context& context, const Resource& resource) {
  return spirv::array_element(
      context.module, spirv::variable_type(context.module, context.module.definition(resource.id)));
}

/// What untyped pointers are taken to lead to, whatever their variables hold.
template <typename Exclude>
void exclude_untyped(const Context& context, Exclude exclude) {
  for (const spirv::Function& function : context.module.functions())
    for (const Instruction chain : context.module.body(function))
      if (is_untyped_chain(chain.op()))
        exclude(spirv::array_element(context.module, chain.word(3)));
}

/// Structures that are part of other types, or that pointers of other classes lead to: they may be
/// written there.
void exclude_shared(const Context& context, std::map<uint32_t, bool>& blocks) {
  const auto exclude = [&](uint32_t type) {
    const auto found = blocks.find(type);
    if (found != blocks.end()) found->second = false;
  };
  bool hasUntyped = false;
  for (const Instruction type : context.module.declarations()) {
    if (type.op() == spv::Op::OpTypeStruct)
      for (const uint32_t member : type.words_from(2))
        exclude(spirv::array_element(context.module, member));
    hasUntyped |= type.op() == spv::Op::OpTypeUntypedPointerKHR;
    if (type.op() != spv::Op::OpTypePointer) continue;
    const auto storage = spirv::storage_class(type);
    if (storage != spv::StorageClass::StorageBuffer && storage != spv::StorageClass::Uniform)
      exclude(spirv::array_element(context.module, type.word(3)));
  }
  if (hasUntyped) exclude_untyped(context, exclude);
}

}  // namespace

ReadOnlyBlocks ReadOnlyBlocks::find(const Context& context, const Objects& objects) {
  // What the module finds in the heap by itself may be written, and have blocks of the same type.
  if (context.shader.usesResourceHeap) return {};
  std::map<uint32_t, bool> blocks;  // whether all that is known of it is read only
  for (const Resource& resource : context.shader.resources) {
    if (!may_be_marked(objects, resource)) continue;
    const bool isRewritten = objects.of(resource.id) != nullptr;
    const auto [entry, isNew] = blocks.try_emplace(block_of(context, resource), true);
    entry->second &= isRewritten && !may_be_written(context, resource);
  }
  exclude_shared(context, blocks);
  ReadOnlyBlocks result;
  for (const auto& [block, readOnly] : blocks)
    if (readOnly) result.blocks_.push_back(block);
  return result;
}

bool ReadOnlyBlocks::has(uint32_t block) const {
  return std::ranges::binary_search(blocks_, block);
}

void ReadOnlyBlocks::mark(const Context& context, const std::vector<uint8_t>& gone) const {
  for (const uint32_t block : blocks_)
    if (gone[block] == 0) decorate_members(context, block, spv::Decoration::NonWritable);
}

}  // namespace heapsmith::rewrite
