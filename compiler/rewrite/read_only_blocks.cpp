// SPDX-License-Identifier: MIT
#include "rewrite/read_only_blocks.h"

#include <map>

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

uint32_t block_of(const Context& context, const Resource& resource) {
  return spirv::array_element(
      context.module, spirv::variable_type(context.module, context.module.definition(resource.id)));
}

/// Structures that are part of other types, or that pointers of other classes lead to: they may be
/// written there.
void exclude_shared(const Context& context, std::map<uint32_t, bool>& blocks) {
  const auto exclude = [&](uint32_t type) {
    const auto found = blocks.find(type);
    if (found != blocks.end()) found->second = false;
  };
  for (const Instruction type : context.module.declarations()) {
    if (type.op() == spv::Op::OpTypeStruct)
      for (const uint32_t member : type.words_from(2))
        exclude(spirv::array_element(context.module, member));
    if (type.op() != spv::Op::OpTypePointer) continue;
    const auto storage = spirv::storage_class(type);
    if (storage != spv::StorageClass::StorageBuffer && storage != spv::StorageClass::Uniform)
      exclude(spirv::array_element(context.module, type.word(3)));
  }
}

void mark_members(const Context& context, uint32_t block) {
  std::vector<bool> marked(context.module.definition(block).length() - 2);
  for (const spirv::Annotation& annotation : context.annotations.of(block))
    if (annotation.kind == spv::Decoration::NonWritable && annotation.member < marked.size())
      marked[annotation.member] = true;
  for (uint32_t member = 0; member < marked.size(); ++member)
    if (!marked[member])
      context.builder.decorate_member(block, member, spv::Decoration::NonWritable);
}

}  // namespace

void mark_read_only_blocks(const Context& context, const Objects& objects,
                           const std::vector<uint8_t>& gone) {
  std::map<uint32_t, bool> blocks;  // whether all that is known of it is read only
  for (const Resource& resource : context.shader.resources) {
    if (resource.type != DescriptorType::StorageBuffer) continue;
    const bool isRewritten = objects.of(resource.id) != nullptr;
    const auto [entry, isNew] = blocks.try_emplace(block_of(context, resource), true);
    entry->second &= isRewritten && !may_be_written(context, resource);
  }
  exclude_shared(context, blocks);
  for (const auto& [block, readOnly] : blocks)
    if (readOnly && gone[block] == 0) mark_members(context, block);
}

}  // namespace heapsmith::rewrite
