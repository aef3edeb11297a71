// SPDX-License-Identifier: MIT
#include "reflect/heap_chain.h"

#include <algorithm>
#include <format>
#include <limits>
#include <utility>

#include "reflect/constant_text.h"
#include "reflect/qualifiers.h"
#include "spirv/types.h"

namespace heapsmith::reflect {
namespace {

using spirv::Instruction;

// Longer sums are of no use to anyone, and chains of chains could make them grow without end.
constexpr size_t kMaxTextLength = 240;

HeapSize literal_size(uint64_t bytes) {
  return {.kind = HeapSizeKind::Literal, .bytes = bytes, .text = std::to_string(bytes), .specIds{}};
}

HeapSize dynamic_size() {
  return {.kind = HeapSizeKind::Dynamic, .bytes = std::nullopt, .text = "dynamic", .specIds{}};
}

/// Whether a constant is the largest of several sizes of descriptors.
bool is_maximum_of_sizes(const Context& context, uint32_t constant) {
  constexpr size_t kMaxSizes = 16;
  std::vector<uint32_t> open = {constant};
  for (size_t seen = 0; seen < open.size(); ++seen) {
    if (context.module.definition(open[seen]).op() == spv::Op::OpConstantSizeOfEXT) continue;
    const auto maximum = read_maximum(context, open[seen]);
    if (!maximum || open.size() > kMaxSizes) return false;
    open.push_back(maximum->first);
    open.push_back(maximum->second);
  }
  return true;
}

HeapSizeKind kind_of(const Context& context, uint32_t constant, bool specialized) {
  if (context.module.definition(constant).op() == spv::Op::OpConstantSizeOfEXT)
    return HeapSizeKind::SizeOf;
  if (is_maximum_of_sizes(context, constant)) return HeapSizeKind::Maximum;
  if (!context.constants.value(constant)) return HeapSizeKind::Other;
  return specialized ? HeapSizeKind::Specialization : HeapSizeKind::Literal;
}

/// `count` steps of a size.
HeapSize multiply(const HeapSize& size, uint64_t count) {
  if (count == 0) return literal_size(0);
  if (count == 1) return size;
  if (size.kind == HeapSizeKind::Dynamic) return size;
  if (size.kind == HeapSizeKind::Literal && size.bytes &&
      *size.bytes <= std::numeric_limits<uint64_t>::max() / count)
    return literal_size(*size.bytes * count);
  const bool isSimple = size.text.find(' ') == std::string::npos || size.text.starts_with("max(");
  return {.kind = HeapSizeKind::Other,
          .bytes = std::nullopt,
          .text = isSimple ? std::format("{} * {}", count, size.text)
                           : std::format("{} * ({})", count, size.text),
          .specIds = size.specIds};
}

HeapSize array_stride(const Context& context, uint32_t type) {
  if (const auto* id = context.annotations.find(type, spv::Decoration::ArrayStrideIdEXT))
    return heap_size(context, context.annotations.operand(*id));
  if (const auto* literal = context.annotations.find(type, spv::Decoration::ArrayStride))
    return literal_size(context.annotations.operand(*literal));
  return {};
}

HeapSize member_offset(const Context& context, uint32_t type, uint32_t member) {
  for (const spirv::Annotation& annotation : context.annotations.of(type)) {
    if (annotation.member != member) continue;
    if (annotation.kind == spv::Decoration::OffsetIdEXT)
      return heap_size(context, context.annotations.operand(annotation));
    if (annotation.kind == spv::Decoration::Offset)
      return literal_size(context.annotations.operand(annotation));
  }
  return literal_size(0);
}

struct Reader {
  const Context& context;
  HeapChain result = {};
  HeapSize position = literal_size(0);
  bool isConstant = true;

  void step(uint32_t index);

 private:
  void enter_array(Instruction array, uint32_t index);
  void enter_member(Instruction structure, uint32_t index);
};

void Reader::step(uint32_t index) {
  const Instruction type = context.module.definition(result.type);
  switch (type.op()) {
    case spv::Op::OpTypeArray:
    case spv::Op::OpTypeRuntimeArray:
      return enter_array(type, index);
    case spv::Op::OpTypeStruct:
      return enter_member(type, index);
    default:  // a component of plain data: where exactly does not matter
      isConstant = false;
      result.type = type.op() == spv::Op::OpTypeVector || type.op() == spv::Op::OpTypeMatrix
                        ? type.word(2)
                        : 0;
  }
}

void Reader::enter_array(Instruction array, uint32_t index) {
  const bool sized = array.op() == spv::Op::OpTypeArray;
  HeapArray found = {
      .length = sized ? context.constants.value(array.word(3)).value_or(0) : 0,
      .stride = array_stride(context, result.type),
  };
  result.type = array.word(2);
  const auto value = context.constants.value(index);
  const auto specIds = context.constants.spec_ids(index);
  if (!value || !specIds) {
    result.indexing = HeapIndexing::Dynamic;
    result.nonUniform |= context.annotations.has(index, spv::Decoration::NonUniform);
  } else if (!specIds->empty() && result.indexing == HeapIndexing::Constant) {
    result.indexing = HeapIndexing::Specialization;
  }
  if (result.indexing == HeapIndexing::Constant) {
    result.slot = result.slot * found.length + *value;
    position = add_sizes(position, multiply(found.stride, *value));
  } else {
    isConstant = false;
  }
  result.arrays.push_back(std::move(found));
}

void Reader::enter_member(Instruction structure, uint32_t index) {
  const uint64_t member = context.constants.value(index).value_or(0);
  const auto members = structure.words_from(2);
  if (member >= members.size()) {
    result.type = 0;
    return;
  }
  const HeapSize offset = member_offset(context, result.type, static_cast<uint32_t>(member));
  add_qualifiers(context, result.type, static_cast<uint32_t>(member), result.qualifiers);
  result.offset = add_sizes(result.offset, offset);
  position = add_sizes(position, offset);
  result.type = members[member];
}

}  // namespace

HeapSize heap_size(const Context& context, uint32_t constant) {
  const auto specIds = context.constants.spec_ids(constant);
  const bool specialized = !specIds || !specIds->empty();
  HeapSize size;
  size.kind = kind_of(context, constant, specialized);
  size.bytes = context.constants.value(constant);
  size.text = constant_text(context, constant);
  if (size.kind == HeapSizeKind::Literal) size.text = std::to_string(*size.bytes);
  size.specIds = specIds.value_or(std::vector<uint32_t>());
  return size;
}

HeapSize add_sizes(const HeapSize& a, const HeapSize& b) {
  if (a.kind == HeapSizeKind::Dynamic || b.kind == HeapSizeKind::Dynamic) return dynamic_size();
  if (b.bytes == 0u && b.kind == HeapSizeKind::Literal) return a;
  if (a.bytes == 0u && a.kind == HeapSizeKind::Literal) return b;
  if (a.kind == HeapSizeKind::Literal && b.kind == HeapSizeKind::Literal)
    return literal_size(a.bytes.value_or(0) + b.bytes.value_or(0));
  if (a.text.size() + b.text.size() > kMaxTextLength) return dynamic_size();
  HeapSize sum{.kind = HeapSizeKind::Other,
               .bytes = std::nullopt,
               .text = std::format("{} + {}", a.text, b.text),
               .specIds = a.specIds};
  sum.specIds.insert(sum.specIds.end(), b.specIds.begin(), b.specIds.end());
  std::ranges::sort(sum.specIds);
  sum.specIds.erase(std::ranges::unique(sum.specIds).begin(), sum.specIds.end());
  return sum;
}

HeapChain read_heap_chain(const Context& context, Instruction chain, const HeapChain* base) {
  const spirv::AccessChain parts = spirv::read_access_chain(context.module, chain);
  Reader reader{.context = context};
  reader.result.type = parts.baseType;
  reader.result.offset = base != nullptr && base->position ? *base->position : dynamic_size();
  if (base != nullptr) reader.result.qualifiers = base->qualifiers;
  // The element operand of an OpUntypedPtrAccessChainKHR moves the base, whatever it is.
  const bool movesBase = parts.firstIndex == 6;
  if (movesBase) reader.result.offset = dynamic_size();
  reader.position = reader.result.offset;
  for (const uint32_t index : chain.words_from(parts.firstIndex))
    reader.step(index);
  if (reader.isConstant && reader.position.kind != HeapSizeKind::Dynamic)
    reader.result.position = std::move(reader.position);
  return std::move(reader.result);
}

}  // namespace heapsmith::reflect
