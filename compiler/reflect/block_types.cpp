// SPDX-License-Identifier: MIT
#include "reflect/block_types.h"

#include <format>
#include <utility>

#include "reflect/layout_rules.h"
#include "spirv/types.h"

namespace heapsmith::reflect {

using spirv::Instruction;

uint32_t BlockTypes::add(uint32_t structType) {
  const uint32_t index = index_of(structType);
  const size_t first = types_.size() - open_.size();
  // A work list instead of recursion: nesting and chains of references may be deep.
  while (!open_.empty()) {
    const uint32_t type = open_.back();
    open_.pop_back();
    describe(type);
  }
  classify_layouts(types_, first);
  return index;
}

uint32_t BlockTypes::index_of(uint32_t type) {
  const auto [entry, isNew] = indices_.try_emplace(type, static_cast<uint32_t>(types_.size()));
  if (isNew) {
    types_.emplace_back();
    open_.push_back(type);
  }
  return entry->second;
}

void BlockTypes::describe(uint32_t type) {
  const Instruction definition = context_.module.definition(type);
  BlockType description;
  switch (definition.op()) {
    case spv::Op::OpTypeVector:
      description.kind = TypeKind::Vector;
      description.rows = definition.word(3);
      description.scalar = scalar_name(context_.module.definition(definition.word(2)));
      break;
    case spv::Op::OpTypeVectorIdEXT:
      description.kind = TypeKind::Vector;
      description.rows =
          static_cast<uint32_t>(context_.constants.value(definition.word(3)).value_or(0));
      description.scalar = scalar_name(context_.module.definition(definition.word(2)));
      break;
    case spv::Op::OpTypeMatrix: {
      const Instruction column = context_.module.definition(definition.word(2));
      description.kind = TypeKind::Matrix;
      description.columns = definition.word(3);
      description.rows = column.word(3);
      description.scalar = scalar_name(context_.module.definition(column.word(2)));
      break;
    }
    case spv::Op::OpTypeArray:
    case spv::Op::OpTypeRuntimeArray: {
      const bool sized = definition.op() == spv::Op::OpTypeArray;
      const auto* stride = context_.annotations.find(type, spv::Decoration::ArrayStride);
      description.kind = sized ? TypeKind::Array : TypeKind::RuntimeArray;
      description.stride = stride == nullptr ? 0 : context_.annotations.operand(*stride);
      description.element = index_of(definition.word(2));
      if (sized) {
        description.length = context_.constants.value(definition.word(3)).value_or(0);
        description.lengthSpecIds = context_.constants.spec_ids(definition.word(3)).value_or({});
      }
      break;
    }
    case spv::Op::OpTypeStruct:
      describe_structure(type, description);
      break;
    case spv::Op::OpTypePointer:
    case spv::Op::OpTypeUntypedPointerKHR:
      describe_pointee(definition, description);
      break;
    default:
      description.kind = TypeKind::Scalar;
      description.scalar = scalar_name(definition);
      break;
  }
  types_[indices_.at(type)] = std::move(description);
}

void BlockTypes::describe_structure(uint32_t type, BlockType& description) {
  const auto parts = context_.module.definition(type).words_from(2);
  description.kind = TypeKind::Structure;
  description.name = context_.annotations.name(type);
  description.size = layouts_.of(type).end;
  description.members.resize(parts.size());
  for (uint32_t i = 0; i < parts.size(); ++i) {
    description.members[i].name = context_.annotations.member_name(type, i);
    if (description.members[i].name.empty())
      description.members[i].name = std::format("member{}", i);
    description.members[i].type = index_of(parts[i]);
  }
  for (const spirv::Annotation& annotation : context_.annotations.of(type)) {
    if (annotation.member >= parts.size()) continue;
    read_annotation(annotation, description.members[annotation.member]);
  }
}

/// What a reference points to need not be a block with a layout; then nothing is said about it.
void BlockTypes::describe_pointee(Instruction pointer, BlockType& description) {
  description.kind = TypeKind::Address;
  description.element = kNoType;
  const uint32_t pointee = spirv::pointee(context_.module, pointer.word(1));
  if (context_.module.definition(pointee).op() != spv::Op::OpTypeStruct) return;
  if (layouts_.of(pointee).defect.empty()) description.element = index_of(pointee);
}

void BlockTypes::read_annotation(const spirv::Annotation& annotation, BlockMember& member) const {
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
    case spv::Decoration::NonWritable:
      member.nonWritable = true;
      break;
    case spv::Decoration::NonReadable:
      member.nonReadable = true;
      break;
    case spv::Decoration::Coherent:
      member.coherent = true;
      break;
    case spv::Decoration::Volatile:
      member.isVolatile = true;
      break;
    case spv::Decoration::Restrict:
      member.isRestrict = true;
      break;
    default:  // says nothing about memory
      break;
  }
}

std::string BlockTypes::scalar_name(Instruction type) const {
  if (type.op() == spv::Op::OpTypeFloat) {
    // An encoding operand makes it another format of that width (bfloat16, float8).
    return type.length() > 3 ? std::format("float{}_encoding{}", type.word(2), type.word(3))
                             : std::format("float{}", type.word(2));
  }
  if (type.op() == spv::Op::OpTypeInt)
    return std::format("{}int{}", type.word(3) != 0 ? "" : "u", type.word(2));
  return "unknown";
}

}  // namespace heapsmith::reflect
