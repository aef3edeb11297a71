// SPDX-License-Identifier: MIT
#include "spirv/check_types.h"

#include <algorithm>
#include <format>
#include <vector>

#include "spirv/types.h"

namespace heapsmith::spirv {
namespace {

struct Depth {
  uint8_t structs = 0;
  uint8_t arrays = 0;  // directly around each other
};

struct State {
  const Module& module;
  std::vector<Depth> depths = {};  // by id

  std::optional<TypeDefect> run();

 private:
  std::optional<std::string> check(Instruction type);
  std::optional<std::string> check_part(Instruction type, uint32_t part);
  std::optional<std::string> check_parts(Instruction type);
  std::optional<std::string> check_element(Instruction type);
  std::optional<std::string> check_struct(Instruction type);
  std::optional<std::string> check_length(Instruction array);
};

std::optional<TypeDefect> State::run() {
  depths.resize(module.bound());
  for (const Instruction instruction : module.declarations()) {
    if (!is_type(instruction.op()) && instruction.op() != spv::Op::OpTypeForwardPointer) continue;
    if (auto text = check(instruction)) return TypeDefect{module.word_index(instruction), *text};
  }
  return std::nullopt;
}

std::optional<std::string> State::check(Instruction type) {
  switch (type.op()) {
    case spv::Op::OpTypeForwardPointer:
      if (module.definition(type.word(1)).op() == spv::Op::OpTypePointer) return std::nullopt;
      return std::format("OpTypeForwardPointer names id {}, which is no pointer type",
                         type.word(1));
    case spv::Op::OpTypePointer:
      // A pointer may point to anything, itself included: nobody walks through pointers.
      if (is_type(module.definition(type.word(3)).op())) return std::nullopt;
      return std::format("pointer type {} points to id {}, which is no type", type.word(1),
                         type.word(3));
    case spv::Op::OpTypeStruct:
      return check_struct(type);
    case spv::Op::OpTypeArray:
      if (auto text = check_length(type)) return text;
      return check_element(type);
    case spv::Op::OpTypeRuntimeArray:
    case spv::Op::OpTypeVector:
    case spv::Op::OpTypeMatrix:
    case spv::Op::OpTypeSampledImage:
    case spv::Op::OpTypeImage:
      return check_element(type);
    case spv::Op::OpTypeFunction:
      return check_parts(type);
    default:  // the others are leaves, or of extensions that nobody walks into
      return std::nullopt;
  }
}

std::optional<std::string> State::check_part(Instruction type, uint32_t part) {
  const spv::Op op = module.definition(part).op();
  if (!is_type(op))
    return std::format("type {} is made of id {}, which is no type", type.word(1), part);
  // Only a pointer may come later: by OpTypeForwardPointer.
  if (module.definition_word(part) >= module.word_index(type) && op != spv::Op::OpTypePointer)
    return std::format("type {} is made of type {}, which is not defined before it", type.word(1),
                       part);
  return std::nullopt;
}

std::optional<std::string> State::check_parts(Instruction type) {
  for (const uint32_t part : type.words_from(2))
    if (auto text = check_part(type, part)) return text;
  return std::nullopt;
}

std::optional<std::string> State::check_element(Instruction type) {
  const uint32_t element = type.word(2);
  if (auto text = check_part(type, element)) return text;
  Depth depth = depths[element];
  if (is_array(type.op())) {
    if (depth.arrays == kMaxTypeDepth)
      return std::format("arrays are nested more than {} deep", kMaxTypeDepth);
    ++depth.arrays;
  }
  depths[type.word(1)] = depth;
  return std::nullopt;
}

std::optional<std::string> State::check_struct(Instruction type) {
  if (auto text = check_parts(type)) return text;
  uint8_t deepest = 0;
  for (const uint32_t member : type.words_from(2))
    deepest = std::max(deepest, depths[member].structs);
  if (deepest == kMaxTypeDepth)
    return std::format("structures are nested more than {} deep", kMaxTypeDepth);
  depths[type.word(1)] = {.structs = static_cast<uint8_t>(deepest + 1), .arrays = 0};
  return std::nullopt;
}

std::optional<std::string> State::check_length(Instruction array) {
  const uint32_t length = array.word(3);
  const Instruction definition = module.definition(length);
  if (!is_constant(definition.op()))
    return std::format("the length of array type {} is id {}, which is no constant", array.word(1),
                       length);
  if (module.definition_word(length) >= module.word_index(array))
    return std::format("the length of array type {} is not defined before it", array.word(1));
  return std::nullopt;
}

}  // namespace

std::optional<TypeDefect> find_type_defect(const Module& module) {
  return State{module}.run();
}

}  // namespace heapsmith::spirv
