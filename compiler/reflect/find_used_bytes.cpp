// SPDX-License-Identifier: MIT
#include "reflect/find_used_bytes.h"

#include <algorithm>
#include <optional>

#include "reflect/layout_rules.h"
#include "spirv/grammar.h"
#include "spirv/operands.h"
#include "spirv/types.h"

namespace heapsmith::reflect {
namespace {

using spirv::Instruction;

/// What a pointer points to.
struct Region {
  ByteRange bytes;
  uint32_t type = kNoType;  ///< kNoType: somewhere in these bytes
  uint32_t matrixStride = 0;
  bool rowMajor = false;
};

uint64_t size_of(std::span<const BlockType> types, uint32_t index, uint32_t matrixStride,
                 bool rowMajor) {
  uint64_t before = 0;
  while (types[index].kind == TypeKind::Array) {
    const BlockType& array = types[index];
    before += (array.length == 0 ? 0 : array.length - 1) * array.stride;
    index = array.element;
  }
  const BlockType& type = types[index];
  const uint64_t scalar = scalar_size(type.scalar);
  switch (type.kind) {
    case TypeKind::Scalar:
      return before + scalar;
    case TypeKind::Vector:
      return before + scalar * type.rows;
    case TypeKind::Matrix: {
      const uint64_t lines = rowMajor ? type.rows : type.columns;
      const uint64_t length = rowMajor ? type.columns : type.rows;
      return before + (lines == 0 ? 0 : lines - 1) * matrixStride + scalar * length;
    }
    case TypeKind::Structure:
      return before + type.size;
    case TypeKind::Address:
      return before + 8;
    case TypeKind::Array:
    case TypeKind::RuntimeArray:
      break;
  }
  return before;
}

struct State {
  const Context& context;
  std::span<const BlockType> types;
  std::vector<uint32_t> regionOf = {};  // by id, pointers only: index into the regions plus one
  std::vector<Region> regions = {};
  std::vector<ByteRange> used = {};  // by the function at hand

  void scan(Instruction instruction);
  void points_to(uint32_t pointer, const Region& region);

 private:
  [[nodiscard]] const Region* region_of(uint32_t id) const {
    return regionOf[id] == 0 ? nullptr : &regions[regionOf[id] - 1];
  }
  void follow_chain(Instruction chain);
  [[nodiscard]] Region enter(const Region& region, uint32_t index) const;
  [[nodiscard]] Region enter_matrix(const Region& region, std::optional<uint64_t> index) const;
  [[nodiscard]] Region enter_member(const Region& region, std::optional<uint64_t> index) const;
};

void State::scan(Instruction instruction) {
  if (spirv::is_computation(instruction.op()) || !spirv::may_mention(instruction, regionOf)) return;
  const spirv::InstructionRule& rule = spirv::get_rule(instruction.op());
  if (spirv::is_access_chain(instruction.op())) return follow_chain(instruction);
  if (instruction.op() == spv::Op::OpCopyObject) {
    if (const Region* region = region_of(instruction.word(3)))
      points_to(instruction.word(2), Region(*region));
    return;
  }
  // No extended instruction works on push constants; debug information only names them.
  if (instruction.op() == spv::Op::OpExtInst) return;
  spirv::for_each_id(context.module, instruction, rule, [&](uint32_t word) {
    if (const Region* region = region_of(instruction.word(word))) used.push_back(region->bytes);
  });
}

void State::points_to(uint32_t pointer, const Region& region) {
  regions.push_back(region);
  regionOf[pointer] = static_cast<uint32_t>(regions.size());
}

void State::follow_chain(Instruction chain) {
  const spirv::AccessChain parts = spirv::read_access_chain(context.module, chain);
  const Region* base = region_of(parts.base);
  if (base == nullptr) return;
  Region region = *base;
  const bool isPlain =
      chain.op() == spv::Op::OpAccessChain || chain.op() == spv::Op::OpInBoundsAccessChain;
  if (isPlain)
    for (const uint32_t index : chain.words_from(parts.firstIndex))
      region = enter(region, index);
  else
    region.type = kNoType;  // may see the same bytes as another type
  points_to(chain.word(2), region);
}

Region State::enter(const Region& region, uint32_t index) const {
  if (region.type == kNoType) return region;
  const BlockType& type = types[region.type];
  const auto value = context.constants.value(index);
  const bool isLiteral = context.module.definition(index).op() == spv::Op::OpConstant;
  const auto literal = isLiteral ? value : std::nullopt;
  Region inner = region;
  switch (type.kind) {
    case TypeKind::Structure:
      return enter_member(region, value);
    case TypeKind::Array:
      inner.type = kNoType;
      if (!literal || *literal >= type.length) return inner;
      inner.type = type.element;
      inner.bytes.begin += *literal * type.stride;
      break;
    case TypeKind::Vector:
      inner.type = kNoType;
      if (!literal || *literal >= type.rows) return inner;
      inner.bytes.begin += *literal * scalar_size(type.scalar);
      inner.bytes.end = inner.bytes.begin + scalar_size(type.scalar);
      return inner;
    case TypeKind::Matrix:
      return enter_matrix(region, literal);
    default:  // holds nothing that an index could pick
      inner.type = kNoType;
      return inner;
  }
  inner.bytes.end =
      inner.bytes.begin + size_of(types, inner.type, region.matrixStride, region.rowMajor);
  return inner;
}

/// The columns of a row-major matrix lie scattered in all of it.
Region State::enter_matrix(const Region& region, std::optional<uint64_t> index) const {
  const BlockType& type = types[region.type];
  Region column = region;
  column.type = kNoType;
  if (!index || *index >= type.columns || region.rowMajor) return column;
  column.bytes.begin += *index * region.matrixStride;
  column.bytes.end = column.bytes.begin + uint64_t{type.rows} * scalar_size(type.scalar);
  return column;
}

Region State::enter_member(const Region& region, std::optional<uint64_t> index) const {
  const BlockType& type = types[region.type];
  Region inner = region;
  inner.type = kNoType;
  if (!index || *index >= type.members.size()) return inner;
  const BlockMember& member = type.members[*index];
  inner.type = member.type;
  inner.matrixStride = member.matrixStride;
  inner.rowMajor = member.rowMajor;
  inner.bytes.begin += member.offset;
  inner.bytes.end =
      inner.bytes.begin + size_of(types, member.type, member.matrixStride, member.rowMajor);
  return inner;
}

}  // namespace

void merge_ranges(std::vector<ByteRange>& ranges) {
  std::erase_if(ranges, [](const ByteRange& range) { return range.begin >= range.end; });
  std::ranges::sort(ranges);
  size_t kept = 0;
  for (const ByteRange& range : ranges) {
    if (kept != 0 && range.begin <= ranges[kept - 1].end)
      ranges[kept - 1].end = std::max(ranges[kept - 1].end, range.end);
    else
      ranges[kept++] = range;
  }
  ranges.resize(kept);
}

std::vector<std::vector<ByteRange>> find_used_bytes(const Context& context,
                                                    std::span<const BlockVariable> variables,
                                                    std::span<const BlockType> types) {
  State state{.context = context, .types = types};
  state.regionOf.resize(context.module.bound());
  for (const BlockVariable& variable : variables)
    state.points_to(variable.id, {.bytes = {.begin = 0, .end = types[variable.block].size},
                                  .type = variable.block});
  std::vector<std::vector<ByteRange>> result;
  for (const spirv::Function& function : context.module.functions()) {
    for (const Instruction instruction : context.module.body(function))
      state.scan(instruction);
    merge_ranges(state.used);
    result.push_back(std::move(state.used));
    state.used.clear();
  }
  return result;
}

}  // namespace heapsmith::reflect
