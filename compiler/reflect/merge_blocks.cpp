// SPDX-License-Identifier: MIT
#include "reflect/merge_blocks.h"

#include <algorithm>
#include <format>
#include <iterator>
#include <map>
#include <set>
#include <utility>

namespace heapsmith::reflect {
namespace {

class Merger {
 public:
  MergedBlocks run(std::span<const ShaderInterface* const> shaders) {
    for (const ShaderInterface* shader : shaders)
      add_shader(*shader);
    order_structures();
    name_structures();
    return std::move(merged_);
  }

 private:
  void add_shader(const ShaderInterface& shader) {
    std::vector<uint32_t>& indices = merged_.indices.emplace_back(shader.types.size(), kNoType);
    const size_t first = merged_.types.size();
    for (uint32_t i = 0; i < shader.types.size(); ++i)
      add_type(shader.types, i, indices);
    // Addresses may point to what came later, themselves included.
    for (size_t i = first; i < merged_.types.size(); ++i) {
      BlockType& type = merged_.types[i];
      if (type.kind == TypeKind::Address && type.element != kNoType)
        type.element = indices[type.element];
    }
  }

  // The merged index of a type; its parts come first. Nesting is at most 255 deep, and addresses do
  // not contain what they point to.
  uint32_t add_type(const std::vector<BlockType>& types, uint32_t index,
                    std::vector<uint32_t>& indices) {
    if (indices[index] != kNoType) return indices[index];
    BlockType type = types[index];
    if (type.kind == TypeKind::Array || type.kind == TypeKind::RuntimeArray)
      type.element = add_type(types, type.element, indices);
    for (BlockMember& member : type.members)
      member.type = add_type(types, member.type, indices);
    const auto [known, isNew] =
        known_.try_emplace(shape_of(type, types), static_cast<uint32_t>(merged_.types.size()));
    indices[index] = known->second;
    if (isNew) merged_.types.push_back(std::move(type));
    return known->second;
  }

  // Everything about a type that its memory shows, as text: equal text, equal type. Parts appear as
  // merged indices, and what an address points to by its name, so that cycles end.
  static std::string shape_of(const BlockType& type, const std::vector<BlockType>& types) {
    switch (type.kind) {
      case TypeKind::Scalar:
      case TypeKind::Vector:
      case TypeKind::Matrix:
        return std::format("{}*{}*{}", type.scalar, type.columns, type.rows);
      case TypeKind::Array:
      case TypeKind::RuntimeArray:
        return std::format("[{}/{}]{}", type.length, type.stride, type.element);
      case TypeKind::Address:
        return std::format("@{}", type.element == kNoType ? "" : types[type.element].name);
      case TypeKind::Structure:
        break;
    }
    std::string text = std::format("{}:{}{{", type.name, type.paddedSize);
    for (const BlockMember& member : type.members) {
      std::format_to(std::back_inserter(text), "{}@{}/{}{}={};", member.name, member.offset,
                     member.matrixStride, member.rowMajor ? "r" : "c", member.type);
    }
    return text + "}";
  }

  void order_structures() {
    std::vector<bool> done(merged_.types.size());
    for (uint32_t i = 0; i < merged_.types.size(); ++i)
      place(i, done);
  }

  // Nesting is at most 255 deep, and addresses do not contain what they point to.
  void place(uint32_t index, std::vector<bool>& done) {
    if (done[index]) return;
    done[index] = true;
    const BlockType& type = merged_.types[index];
    if (type.kind == TypeKind::Array || type.kind == TypeKind::RuntimeArray)
      place(type.element, done);
    if (type.kind != TypeKind::Structure) return;
    for (const BlockMember& member : type.members)
      place(member.type, done);
    merged_.structures.push_back(index);
  }

  void name_structures() {
    std::set<std::string> taken;
    for (const BlockType& type : merged_.types)
      merged_.spirvNames.push_back(type.name);
    for (const uint32_t index : merged_.structures) {
      BlockType& type = merged_.types[index];
      if (type.name.empty()) type.name = "Block";
      const std::string base = type.name;
      for (int n = 2; !taken.insert(type.name).second; ++n)
        type.name = std::format("{}_{}", base, n);
    }
  }

  MergedBlocks merged_;
  std::map<std::string, uint32_t> known_;  // by shape
};

}  // namespace

MergedBlocks merge_blocks(std::span<const ShaderInterface* const> shaders) {
  return Merger().run(shaders);
}

}  // namespace heapsmith::reflect
