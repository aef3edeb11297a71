// SPDX-License-Identifier: MIT
#include "emit/block_json.h"

#include <string_view>
#include <utility>

namespace heapsmith::emit {
namespace {

using Json = nlohmann::ordered_json;
using reflect::BlockMember;
using reflect::BlockType;
using reflect::LayoutRule;
using reflect::TypeKind;

std::string_view rule_name(LayoutRule rule) {
  switch (rule) {
    case LayoutRule::Std140:
      return "std140";
    case LayoutRule::Std430:
      return "std430";
    case LayoutRule::Scalar:
      return "scalar";
    case LayoutRule::None:
      return "none";
  }
  return {};
}

// Arrays nest as deep as types do: at most 255.
Json type_json(const reflect::MergedBlocks& blocks, uint32_t index) {
  const BlockType& type = blocks.types[index];
  switch (type.kind) {
    case TypeKind::Scalar:
      return {{"kind", "scalar"}, {"scalar", type.scalar}};
    case TypeKind::Vector:
      return {{"kind", "vector"}, {"scalar", type.scalar}, {"rows", type.rows}};
    case TypeKind::Matrix:
      return {{"kind", "matrix"},
              {"scalar", type.scalar},
              {"columns", type.columns},
              {"rows", type.rows}};
    case TypeKind::Array: {
      Json json = {{"kind", "array"}, {"length", type.length}};
      if (!type.lengthSpecIds.empty()) json["lengthSpecIds"] = type.lengthSpecIds;
      json["stride"] = type.stride;
      json["element"] = type_json(blocks, type.element);
      return json;
    }
    case TypeKind::RuntimeArray:
      return {{"kind", "array"},
              {"length", "runtime"},
              {"stride", type.stride},
              {"element", type_json(blocks, type.element)}};
    case TypeKind::Address: {
      Json json = {{"kind", "address"}};
      if (type.element != reflect::kNoType) json["structure"] = blocks.types[type.element].name;
      return json;
    }
    case TypeKind::Structure:
      return {{"kind", "structure"}, {"structure", type.name}};
  }
  return {};
}

Json member_json(const reflect::MergedBlocks& blocks, const BlockMember& member) {
  Json json = {
      {"name", member.name}, {"offset", member.offset}, {"type", type_json(blocks, member.type)}};
  if (member.matrixStride != 0) {
    json["matrixStride"] = member.matrixStride;
    json["rowMajor"] = member.rowMajor;
  }
  Json qualifiers = Json::array();
  if (member.nonWritable) qualifiers.push_back("NonWritable");
  if (member.nonReadable) qualifiers.push_back("NonReadable");
  if (member.coherent) qualifiers.push_back("Coherent");
  if (member.isVolatile) qualifiers.push_back("Volatile");
  if (member.isRestrict) qualifiers.push_back("Restrict");
  if (!qualifiers.empty()) json["qualifiers"] = std::move(qualifiers);
  return json;
}

}  // namespace

Json structure_json(const reflect::MergedBlocks& blocks, uint32_t index) {
  const BlockType& type = blocks.types[index];
  Json json = {{"name", type.name}};
  if (blocks.spirvNames[index] != type.name) json["spirvName"] = blocks.spirvNames[index];
  json["size"] = type.size;
  json["paddedSize"] = type.paddedSize;
  json["layout"] = rule_name(type.rule);
  json["members"] = Json::array();
  for (const BlockMember& member : type.members)
    json["members"].push_back(member_json(blocks, member));
  return json;
}

}  // namespace heapsmith::emit
