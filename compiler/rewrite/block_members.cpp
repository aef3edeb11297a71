// SPDX-License-Identifier: MIT
#include "rewrite/block_members.h"

#include <vector>

namespace heapsmith::rewrite {

void decorate_members(const Context& context, uint32_t structure, spv::Decoration kind) {
  std::vector<bool> decorated(context.module.definition(structure).length() - 2);
  for (const spirv::Annotation& annotation : context.annotations.of(structure))
    if (annotation.kind == kind && annotation.member < decorated.size())
      decorated[annotation.member] = true;
  for (uint32_t member = 0; member < decorated.size(); ++member)
    if (!decorated[member]) context.builder.decorate_member(structure, member, kind);
}

}  // namespace heapsmith::rewrite
