// SPDX-License-Identifier: MIT
#include "rewrite/context.h"

#include <format>

namespace heapsmith::rewrite {

std::unexpected<Failed> refuse(const Context& context, const reflect::Resource& resource,
                               const std::string& what) {
  return context.diagnostics.error(
      Code::UnsupportedRewrite,
      {.file = context.file,
       .resource = resource.name,
       .set = resource.set,
       .binding = resource.binding},
      std::format("variable '{}': {} cannot be rewritten", resource.name, what));
}

bool has_block(const Context& context, uint32_t type, spv::Decoration kind) {
  return context.module.definition(type).op() == spv::Op::OpTypeStruct &&
         context.annotations.has(type, kind);
}

bool is_non_semantic(const Context& context, spirv::Instruction instruction) {
  if (instruction.op() != spv::Op::OpExtInst) return false;
  const std::string set = context.module.definition(instruction.word(3)).string(2);
  return set.starts_with("NonSemantic.") || set.starts_with("OpenCL.DebugInfo.");
}

}  // namespace heapsmith::rewrite
