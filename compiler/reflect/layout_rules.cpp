// SPDX-License-Identifier: MIT
#include "reflect/layout_rules.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <unordered_map>

namespace heapsmith::reflect {
namespace {

/// What a type needs under one rule. Nothing, if it breaks the rule somewhere inside.
struct Needs {
  uint64_t alignment = 1;
  uint64_t size = 0;
};

uint64_t round_up(uint64_t value, uint64_t alignment) {
  const uint64_t excess = value % alignment;
  return excess == 0 ? value : value + (alignment - excess);
}

/// Checks structures against one rule; each once.
class Checker {
 public:
  Checker(const std::vector<BlockType>& types, LayoutRule rule) : types_(types), rule_(rule) {}

  // Structures nest at most 255 deep (the parser sees to it) and addresses are not followed, so
  // recursion is safe.
  std::optional<Needs> check(uint32_t index) {
    if (const auto known = known_.find(index); known != known_.end()) return known->second;
    return known_[index] = check_structure(types_[index]);
  }

 private:
  std::optional<Needs> check_structure(const BlockType& structure) {
    std::vector<const BlockMember*> members;
    for (const BlockMember& member : structure.members)
      members.push_back(&member);
    std::ranges::stable_sort(members, {}, &BlockMember::offset);

    Needs all;
    uint64_t free_from = 0;
    for (const BlockMember* member : members) {
      const auto needs = check_type(member->type, *member);
      if (!needs || member->offset % needs->alignment != 0 || member->offset < free_from)
        return std::nullopt;
      all.alignment = std::max(all.alignment, needs->alignment);
      free_from = member->offset + needs->size;
      all.size = free_from;
      // Nothing may lie in the padding behind an array, a matrix or a structure.
      if (rule_ != LayoutRule::Scalar && is_aggregate(types_[member->type].kind))
        free_from = round_up(free_from, needs->alignment);
    }
    if (rule_ == LayoutRule::Std140) all.alignment = round_up(all.alignment, 16);
    return all;
  }

  static bool is_aggregate(TypeKind kind) {
    return kind == TypeKind::Array || kind == TypeKind::Matrix || kind == TypeKind::Structure;
  }

  std::optional<Needs> check_type(uint32_t index, const BlockMember& member) {
    const BlockType& type = types_[index];
    switch (type.kind) {
      case TypeKind::Scalar:
        return vector_needs(type.scalar, 1, member.offset);
      case TypeKind::Vector:
        return vector_needs(type.scalar, type.rows, member.offset);
      case TypeKind::Address:
        return Needs{8, 8};
      case TypeKind::Matrix:
        return matrix_needs(type, member);
      case TypeKind::Array:
      case TypeKind::RuntimeArray:
        return array_needs(type, member);
      case TypeKind::Structure:
        return check(index);
    }
    return std::nullopt;
  }

  std::optional<Needs> vector_needs(const std::string& scalar, uint32_t components,
                                    uint32_t offset) const {
    const uint64_t size = scalar_size(scalar);
    if (size == 0) return std::nullopt;
    if (rule_ == LayoutRule::Scalar || components == 1) return Needs{size, size * components};
    const uint64_t base = components == 2 ? 2 * size : 4 * size;
    // Vulkan lets a vector stand at its scalar's alignment (relaxed block layout) as long as it
    // does not straddle 16 bytes.
    const uint64_t last = offset + size * components - 1;
    if (offset % base != 0 && offset / 16 != last / 16) return std::nullopt;
    return Needs{offset % base == 0 ? base : size, size * components};
  }

  std::optional<Needs> matrix_needs(const BlockType& type, const BlockMember& member) const {
    const uint32_t vectors = member.rowMajor ? type.rows : type.columns;
    const uint32_t components = member.rowMajor ? type.columns : type.rows;
    const auto vector = vector_needs(type.scalar, components, 0);
    if (!vector || member.matrixStride < vector->size) return std::nullopt;
    uint64_t alignment = vector->alignment;
    if (rule_ == LayoutRule::Std140) alignment = round_up(alignment, 16);
    if (member.matrixStride % alignment != 0) return std::nullopt;
    return Needs{alignment, uint64_t{member.matrixStride} * vectors};
  }

  std::optional<Needs> array_needs(const BlockType& type, const BlockMember& member) {
    BlockMember first = member;
    first.offset = 0;
    const auto element = check_type(type.element, first);
    if (!element || type.stride < element->size) return std::nullopt;
    uint64_t alignment = element->alignment;
    if (rule_ == LayoutRule::Std140) alignment = round_up(alignment, 16);
    if (type.stride % alignment != 0) return std::nullopt;
    return Needs{alignment, type.stride * type.length};
  }

  const std::vector<BlockType>& types_;
  LayoutRule rule_;
  std::unordered_map<uint32_t, std::optional<Needs>> known_;
};

}  // namespace

uint32_t scalar_size(std::string_view scalar) {
  const size_t digits = scalar.find_first_of("0123456789");
  if (digits == std::string_view::npos) return 0;
  uint32_t bits = 0;
  std::from_chars(scalar.data() + digits, scalar.data() + scalar.size(), bits);
  return bits / 8;
}

void classify_layouts(std::vector<BlockType>& types, size_t first) {
  for (const LayoutRule rule : {LayoutRule::Std140, LayoutRule::Std430, LayoutRule::Scalar}) {
    Checker checker(types, rule);
    for (size_t i = first; i < types.size(); ++i) {
      BlockType& type = types[i];
      if (type.kind != TypeKind::Structure || type.rule != LayoutRule::None) continue;
      const auto needs = checker.check(static_cast<uint32_t>(i));
      if (!needs) continue;
      type.rule = rule;
      type.paddedSize = round_up(type.size, needs->alignment);
    }
  }
  for (size_t i = first; i < types.size(); ++i) {
    if (types[i].rule == LayoutRule::None) types[i].paddedSize = types[i].size;
  }
}

}  // namespace heapsmith::reflect
