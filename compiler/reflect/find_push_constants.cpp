// SPDX-License-Identifier: MIT
#include "reflect/find_push_constants.h"

#include <format>
#include <limits>
#include <utility>

#include "spirv/types.h"

namespace heapsmith::reflect {
namespace {

using spirv::Instruction;

void read_variable(const Context& context, BlockLayouts& layouts, Instruction variable,
                   std::vector<FoundPushConstants>& found) {
  const uint32_t id = variable.word(2);
  const uint32_t type = spirv::variable_type(context.module, variable);
  std::string name = context.annotations.name(id);
  if (name.empty()) name = context.annotations.name(type);
  const std::string shown = name.empty() ? std::format("%{}", id) : name;
  const Place place{.file = context.file, .resource = shown};
  if (context.module.definition(type).op() != spv::Op::OpTypeStruct) {
    (void)context.diagnostics.error(
        Code::UnsupportedResource, place,
        std::format("push constants '{}': their type is no structure", shown));
    return;
  }
  const BlockLayout& layout = layouts.of(type);
  constexpr uint64_t kMaxEnd = std::numeric_limits<uint32_t>::max() - 3;
  std::string defect = layout.defect;
  if (defect.empty() && layout.tailStride != 0) defect = "they end in a runtime array";
  if (defect.empty() && layout.end > kMaxEnd) defect = "they are larger than 4 GiB";
  if (!defect.empty()) {
    (void)context.diagnostics.error(
        Code::BlockLayout, place,
        std::format("push constants '{}': their block has no layout: {}", shown, defect));
    return;
  }
  const uint64_t begin = layout.begin & ~uint64_t{3};
  const uint64_t end = (layout.end + 3) & ~uint64_t{3};
  found.push_back({.id = id,
                   .pushConstants = {.name = std::move(name),
                                     .offset = static_cast<uint32_t>(begin),
                                     .size = static_cast<uint32_t>(end - begin)}});
}

}  // namespace

std::vector<FoundPushConstants> find_push_constants(const Context& context, BlockLayouts& layouts) {
  std::vector<FoundPushConstants> found;
  for (const Instruction instruction : context.module.declarations())
    if (spirv::is_variable(instruction.op()) &&
        spirv::storage_class(instruction) == spv::StorageClass::PushConstant)
      read_variable(context, layouts, instruction, found);
  return found;
}

}  // namespace heapsmith::reflect
