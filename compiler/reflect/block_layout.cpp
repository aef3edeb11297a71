// SPDX-License-Identifier: MIT
#include "reflect/block_layout.h"

#include <algorithm>
#include <format>
#include <limits>
#include <optional>
#include <vector>

#include "reflect/qualifiers.h"
#include "spirv/types.h"

namespace heapsmith::reflect {

using spirv::Instruction;

struct BlockLayouts::Member {
  uint32_t index = 0;
  bool isLast = false;
  std::optional<uint32_t> offset;
  std::optional<uint32_t> matrixStride;
  bool rowMajor = false;
  Qualifiers qualifiers;
};

struct BlockLayouts::Size {
  uint64_t bytes = 0;
  std::string defect;
};

namespace {

constexpr uint64_t kTooLarge = std::numeric_limits<uint64_t>::max();

uint64_t saturating_multiply(uint64_t a, uint64_t b) {
  return b != 0 && a > kTooLarge / b ? kTooLarge : a * b;
}

uint64_t saturating_add(uint64_t a, uint64_t b) {
  return a > kTooLarge - b ? kTooLarge : a + b;
}

}  // namespace

// Without recursion, so that the stack does not limit how deep structures are nested.
const BlockLayout& BlockLayouts::of(uint32_t structType) {
  std::vector<uint32_t> open = {structType};
  while (!open.empty()) {
    const uint32_t type = open.back();
    if (!layouts_.contains(type)) {
      if (push_missing_parts(type, open)) continue;
      layouts_.emplace(type, compute(context_.module.definition(type)));
    }
    open.pop_back();
  }
  return layouts_.at(structType);
}

/// Pushes the structures in a structure that have no layout yet, and says whether there are any.
bool BlockLayouts::push_missing_parts(uint32_t structType, std::vector<uint32_t>& open) const {
  const size_t before = open.size();
  for (const uint32_t member : context_.module.definition(structType).words_from(2)) {
    const uint32_t part = spirv::array_element(context_.module, member);
    if (context_.module.definition(part).op() == spv::Op::OpTypeStruct && !layouts_.contains(part))
      open.push_back(part);
  }
  return open.size() != before;
}

void BlockLayouts::read_annotation(const spirv::Annotation& annotation, Member& member) const {
  switch (annotation.kind) {
    case spv::Decoration::Offset:
      member.offset = context_.annotations.operand(annotation);
      break;
    case spv::Decoration::MatrixStride:
      member.matrixStride = context_.annotations.operand(annotation);
      break;
    case spv::Decoration::RowMajor:
      member.rowMajor = true;
      break;
    default:  // says nothing about the layout
      add_qualifier(annotation.kind, member.qualifiers);
      break;
  }
}

BlockLayout BlockLayouts::compute(Instruction type) {
  const auto types = type.words_from(2);
  std::vector<Member> members(types.size());
  for (const spirv::Annotation& annotation : context_.annotations.of(type.word(1))) {
    if (annotation.member >= members.size()) continue;
    read_annotation(annotation, members[annotation.member]);
  }
  BlockLayout layout;
  layout.begin = members.empty() ? 0 : kTooLarge;
  if (!members.empty()) layout.qualifiers = members.front().qualifiers;
  for (const Member& member : members)
    intersect(layout.qualifiers, member.qualifiers);
  for (uint32_t i = 0; i < members.size() && layout.defect.empty(); ++i) {
    members[i].index = i;
    members[i].isLast = i + 1 == members.size();
    add_member(layout, types[i], members[i]);
  }
  if (layout.defect.empty() && layout.end == kTooLarge)
    layout.defect = "it is larger than 2^64 bytes";
  return layout;
}

void BlockLayouts::add_member(BlockLayout& layout, uint32_t type, const Member& member) {
  if (!member.offset) {
    layout.defect = std::format("member {} has no Offset decoration", member.index);
    return;
  }
  layout.begin = std::min<uint64_t>(layout.begin, *member.offset);
  if (context_.module.definition(type).op() == spv::Op::OpTypeRuntimeArray && member.isLast) {
    const auto* stride = context_.annotations.find(type, spv::Decoration::ArrayStride);
    layout.tailStride = stride == nullptr ? 0 : context_.annotations.operand(*stride);
    layout.tailOffset = *member.offset;
    if (layout.tailStride == 0)
      layout.defect =
          std::format("the array type of member {} has no ArrayStride decoration", member.index);
    else
      layout.defect = size_of(context_.module.definition(type).word(2), member).defect;
    return;
  }
  Size size = size_of(type, member);
  layout.defect = std::move(size.defect);
  layout.end = std::max(layout.end, saturating_add(*member.offset, size.bytes));
}

BlockLayouts::Size BlockLayouts::size_of(uint32_t type, const Member& member) {
  const Instruction definition = context_.module.definition(type);
  switch (definition.op()) {
    case spv::Op::OpTypeInt:
    case spv::Op::OpTypeFloat:
      return {(uint64_t{definition.word(2)} + 7) / 8, {}};
    case spv::Op::OpTypeVector: {
      Size size = size_of(definition.word(2), member);
      size.bytes = saturating_multiply(size.bytes, definition.word(3));
      return size;
    }
    case spv::Op::OpTypeVectorIdEXT: {
      Size size = size_of(definition.word(2), member);
      size.bytes =
          saturating_multiply(size.bytes, context_.constants.value(definition.word(3)).value_or(0));
      return size;
    }
    case spv::Op::OpTypeMatrix:
      return size_of_matrix(definition, member);
    case spv::Op::OpTypeArray:
    case spv::Op::OpTypeRuntimeArray:
      return size_of_array(type, member);
    case spv::Op::OpTypeStruct: {
      // Members' structures come first; one that is a vector's component, in a broken module, does
      // not.
      const auto known = layouts_.find(type);
      if (known == layouts_.end())
        return {0, std::format("member {} has a type without a size in memory", member.index)};
      const BlockLayout& nested = known->second;
      if (!nested.defect.empty())
        return {0, std::format("in the structure of member {}, {}", member.index, nested.defect)};
      if (nested.tailStride != 0)
        return {0, std::format("the structure of member {} ends in a runtime array", member.index)};
      return {nested.end, {}};
    }
    case spv::Op::OpTypePointer:
    case spv::Op::OpTypeUntypedPointerKHR:
      if (spirv::storage_class(definition) == spv::StorageClass::PhysicalStorageBuffer)
        return {8, {}};
      return {0, std::format("member {} is a pointer, which has no size", member.index)};
    default:  // booleans and opaque types
      return {0, std::format("member {} has a type without a size in memory", member.index)};
  }
}

BlockLayouts::Size BlockLayouts::size_of_matrix(Instruction type, const Member& member) {
  if (!member.matrixStride || *member.matrixStride == 0)
    return {0,
            std::format("member {} is a matrix without a MatrixStride decoration", member.index)};
  const uint32_t columns = type.word(3);
  const uint32_t rows = context_.module.definition(type.word(2)).word(3);
  return {uint64_t{*member.matrixStride} * (member.rowMajor ? rows : columns), {}};
}

BlockLayouts::Size BlockLayouts::size_of_array(uint32_t type, const Member& member) {
  std::optional<uint64_t> outermost;
  for (;;) {
    const Instruction array = context_.module.definition(type);
    if (!spirv::is_array(array.op())) break;
    const auto* annotation = context_.annotations.find(type, spv::Decoration::ArrayStride);
    const uint64_t stride = annotation == nullptr ? 0 : context_.annotations.operand(*annotation);
    if (stride == 0)
      return {0, std::format("the array type of member {} has no ArrayStride decoration",
                             member.index)};
    if (array.op() == spv::Op::OpTypeRuntimeArray)
      return {0, std::format("member {} is a runtime array, which only the last member can be",
                             member.index)};
    const auto length = context_.constants.value(array.word(3));
    if (!length)
      return {0, std::format("the length of member {} cannot be evaluated", member.index)};
    if (!outermost) outermost = saturating_multiply(*length, stride);
    type = array.word(2);
  }
  Size element = size_of(type, member);
  return {outermost.value_or(0), std::move(element.defect)};
}

}  // namespace heapsmith::reflect
