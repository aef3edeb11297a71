// SPDX-License-Identifier: MIT
#include "rewrite/memory_layout.h"

#include <algorithm>
#include <unordered_set>
#include <vector>

#include "spirv/constants.h"
#include "spirv/types.h"

namespace heapsmith::rewrite {
namespace {

using spirv::Instruction;

constexpr uint32_t kMostAlignment = 16;

bool has_components(spv::Op op) {
  return op == spv::Op::OpTypeMatrix || op == spv::Op::OpTypeVector;
}

uint32_t array_stride(const Context& context, uint32_t type) {
  const auto* stride = context.annotations.find(type, spv::Decoration::ArrayStride);
  return stride == nullptr ? 0 : context.annotations.operand(*stride);
}

/// A member's place and its offset.
Step step_to_member(const Context& context, Instruction structure, uint32_t member) {
  Step step;
  step.place.type = structure.word(2 + member);
  for (const spirv::Annotation& annotation : context.annotations.of(structure.word(1))) {
    if (annotation.member != member) continue;
    if (annotation.kind == spv::Decoration::Offset)
      step.offset = context.annotations.operand(annotation);
    else if (annotation.kind == spv::Decoration::MatrixStride)
      step.place.matrixStride = context.annotations.operand(annotation);
    else if (annotation.kind == spv::Decoration::RowMajor)
      step.place.rowMajor = true;
  }
  return step;
}

/// A place in an array, matrix or vector: all parts are alike. Its stride is always there.
Step step_to_any(const Context& context, const Place& place) {
  const Instruction type = context.module.definition(place.type);
  Step step{.place = place, .offset = 0, .stride = 0};
  step.place.type = type.word(2);
  if (spirv::is_array(type.op())) {
    step.stride = array_stride(context, place.type);
  } else if (type.op() == spv::Op::OpTypeMatrix) {
    const uint32_t component = context.module.definition(type.word(2)).word(2);
    step.stride = place.rowMajor ? scalar_size(context, component) : place.matrixStride;
    step.place.componentStride = place.rowMajor ? place.matrixStride : 0;
  } else {
    const uint32_t packed = scalar_size(context, step.place.type);
    step.stride = place.componentStride != 0 ? place.componentStride : packed;
    step.place.componentStride = 0;
  }
  return step;
}

/// Numbers, vectors and matrices that a type is made of, each at least once. Structures that are
/// part of many others are looked at once.
std::vector<Place> find_leaves(const Context& context, uint32_t type) {
  std::vector<Place> leaves;
  std::vector<Place> open = {{.type = type}};
  std::unordered_set<uint32_t> seen;
  while (!open.empty()) {
    Place place = open.back();
    open.pop_back();
    place.type = spirv::array_element(context.module, place.type);
    const Instruction definition = context.module.definition(place.type);
    if (definition.op() != spv::Op::OpTypeStruct) {
      leaves.push_back(place);
    } else if (seen.insert(place.type).second) {
      for (uint32_t member = 0; member + 2 < definition.length(); ++member)
        open.push_back(step_to_member(context, definition, member).place);
    }
  }
  return leaves;
}

/// The number, or address, that a leaf consists of.
uint32_t scalar_of(const Context& context, const Place& leaf) {
  uint32_t scalar = leaf.type;
  while (has_components(context.module.definition(scalar).op()))
    scalar = context.module.definition(scalar).word(2);
  return scalar;
}

/// Of std430. A row of a row-major matrix has as many components as the matrix has columns.
uint32_t base_alignment(const Context& context, const Place& leaf) {
  Instruction type = context.module.definition(leaf.type);
  uint32_t count = 1;
  if (type.op() == spv::Op::OpTypeMatrix) {
    const uint32_t columns = type.word(3);
    type = context.module.definition(type.word(2));
    count = leaf.rowMajor ? columns : type.word(3);
  } else if (type.op() == spv::Op::OpTypeVector) {
    count = type.word(3);
  }
  return scalar_alignment(context, leaf.type) * (count == 3 ? 4 : count);
}

}  // namespace

Step step_into(const Context& context, const Place& place, uint32_t index) {
  if (const auto number = spirv::literal_value(context.module, index))
    return step_to(context, place, *number);
  return step_to_any(context, place);
}

Step step_to(const Context& context, const Place& place, uint32_t number) {
  const Instruction type = context.module.definition(place.type);
  if (type.op() == spv::Op::OpTypeStruct) return step_to_member(context, type, number);
  Step step = step_to_any(context, place);
  step.offset = number * step.stride;
  step.stride = 0;
  return step;
}

uint32_t scalar_size(const Context& context, uint32_t type) {
  constexpr uint32_t kBitsOfByte = 8;
  constexpr uint32_t kAddressSize = 8;
  const Instruction definition = context.module.definition(type);
  if (definition.op() == spv::Op::OpTypeInt || definition.op() == spv::Op::OpTypeFloat)
    return definition.word(2) / kBitsOfByte;
  return definition.op() == spv::Op::OpTypePointer ? kAddressSize : 0;
}

uint32_t scalar_alignment(const Context& context, uint32_t type) {
  uint32_t largest = 1;
  for (const Place& leaf : find_leaves(context, type))
    largest = std::max(largest, scalar_size(context, scalar_of(context, leaf)));
  return largest;
}

bool may_hold_narrow_numbers(const Context& context, uint32_t type) {
  return std::ranges::any_of(find_leaves(context, type), [&](const Place& leaf) {
    const uint32_t scalar = scalar_of(context, leaf);
    return scalar_size(context, scalar) < 4 ||
           context.module.definition(scalar).op() == spv::Op::OpTypePointer;
  });
}

uint32_t block_alignment(const Context& context, const reflect::Resource& resource, uint32_t type) {
  const bool isKnown = resource.block < context.shader.types.size() &&
                       context.shader.types[resource.block].rule <= reflect::LayoutRule::Std430;
  if (!isKnown) return scalar_alignment(context, type);
  uint32_t largest = 1;
  for (const Place& leaf : find_leaves(context, type))
    largest = std::max(largest, base_alignment(context, leaf));
  return std::min(kMostAlignment, largest);
}

}  // namespace heapsmith::rewrite
