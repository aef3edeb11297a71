// SPDX-License-Identifier: MIT
#include "rewrite/plain_heap_arrays.h"

#include <algorithm>
#include <utility>

#include "reflect/qualifiers.h"
#include "spirv/types.h"

namespace heapsmith::rewrite {
namespace {

using reflect::Qualifiers;
using spirv::Instruction;
using spirv::Section;

/// Those of the id itself, and of its members where it is a structure.
Qualifiers qualifiers_of(const spirv::Annotations& annotations, uint32_t id) {
  Qualifiers qualifiers;
  for (const spirv::Annotation& annotation : annotations.of(id))
    reflect::add_qualifier(annotation.kind, qualifiers);
  return qualifiers;
}

class Flattening {
 public:
  Flattening(spirv::Editor& editor, const spirv::Annotations& annotations)
      : module_(editor.module()), annotations_(annotations), editor_(editor) {}

  ArrayQualifiers run(const WordNames& names) {
    handsImages_ = std::ranges::any_of(module_.instructions(), [&](Instruction instruction) {
      return instruction.op() == spv::Op::OpFunctionParameter &&
             module_.definition(instruction.word(1)).op() == spv::Op::OpTypeImage;
    });
    for (const Instruction type : module_.declarations()) {
      if (type.op() == spv::Op::OpTypeStruct && is_view(type)) flatten(type);
    }
    for (const Instruction instruction : module_.instructions()) {
      if (instruction.op() == spv::Op::OpBufferPointerEXT) add_buffer(instruction);
      if (instruction.op() == spv::Op::OpUntypedAccessChainKHR && is_flat(instruction.word(3)))
        drop_member(instruction);
      if (is_annotation_of_view(instruction)) editor_.remove(instruction);
    }
    for (const Instruction variable : module_.declarations()) {
      if (variable.op() != spv::Op::OpVariable) continue;
      const spv::StorageClass storage = spirv::storage_class(variable);
      if (storage == spv::StorageClass::PushConstant) name_words(variable, names.push);
      if (storage == spv::StorageClass::ShaderRecordBufferKHR) name_words(variable, names.record);
    }
    return std::move(qualifiers_);
  }

 private:
  /// Of the structures that glslang and rewrite_module() make. All others stay.
  bool is_view(Instruction type) const {
    if (type.length() != 3) return false;
    const Instruction array = module_.definition(type.word(2));
    if (array.op() != spv::Op::OpTypeRuntimeArray) return false;
    return module_.definition(array.word(2)).op() == spv::Op::OpTypeImage && stride_of(array) &&
           begins_at_zero(type.word(1)) && is_read_whole(type.word(1));
  }

  const spirv::Annotation* stride_of(Instruction array) const {
    return annotations_.find(array.word(1), spv::Decoration::ArrayStrideIdEXT);
  }

  bool begins_at_zero(uint32_t view) const {
    return std::ranges::any_of(annotations_.of(view), [&](const spirv::Annotation& annotation) {
      const uint32_t operand = annotations_.operand(annotation);
      if (annotation.kind == spv::Decoration::Offset) return operand == 0;
      const Instruction constant = module_.definition(operand);
      return annotation.kind == spv::Decoration::OffsetIdEXT &&
             constant.op() == spv::Op::OpConstant && constant.word(3) == 0;
    });
  }

  /// Whether every chain goes through the member to an element.
  bool is_read_whole(uint32_t view) const {
    for (const Instruction instruction : module_.instructions()) {
      const bool isChain = instruction.op() == spv::Op::OpUntypedAccessChainKHR;
      if (isChain && instruction.word(3) == view && instruction.length() != 7) return false;
    }
    return true;
  }

  void flatten(Instruction view) {
    const Instruction array = module_.definition(view.word(2));
    const Instruction image = module_.definition(array.word(2));
    const uint32_t own = editor_.new_id();
    std::vector<uint32_t> words(image.words().begin() + 1, image.words().end());
    words[0] = own;
    editor_.insert(module_.word_index(view), spv::Op::OpTypeImage, words);
    editor_.replace(view, spv::Op::OpTypeRuntimeArray, {view.word(1), own});
    editor_.append(Section::Annotations, spv::Op::OpDecorateId,
                   {view.word(1), static_cast<uint32_t>(spv::Decoration::ArrayStrideIdEXT),
                    annotations_.operand(*stride_of(array))});
    flat_.push_back(view.word(1));
    qualifiers_[own] = qualifiers_of_images(view.word(1));
  }

  /// Parameters do not repeat what their images promise, so that these would be no arguments.
  Qualifiers qualifiers_of_images(uint32_t view) const {
    Qualifiers qualifiers = qualifiers_of(annotations_, view);
    if (!handsImages_) return qualifiers;
    return {.coherent = qualifiers.coherent, .isVolatile = qualifiers.isVolatile};
  }

  bool is_flat(uint32_t view) const { return std::ranges::contains(flat_, view); }

  bool is_annotation_of_view(Instruction instruction) const {
    switch (instruction.op()) {
      case spv::Op::OpDecorate:
      case spv::Op::OpDecorateId:
      case spv::Op::OpMemberDecorate:
      case spv::Op::OpMemberDecorateIdEXT:
      case spv::Op::OpMemberName:
        return is_flat(instruction.word(1));
      default:
        return false;
    }
  }

  void drop_member(Instruction chain) {
    editor_.replace(chain, chain.op(),
                    {chain.word(1), chain.word(2), chain.word(3), chain.word(4), chain.word(6)});
  }

  void name_words(Instruction variable, const std::map<uint32_t, std::string>& names) {
    const uint32_t block = spirv::variable_type(module_, variable);
    for (const spirv::Annotation& annotation : annotations_.of(block)) {
      if (annotation.kind != spv::Decoration::Offset) continue;
      const auto name = names.find(annotations_.operand(annotation));
      if (name == names.end() || !annotations_.member_name(block, annotation.member).empty())
        continue;
      std::vector<uint32_t> operands = {block, annotation.member};
      const auto text = spirv::string_words(name->second);
      operands.insert(operands.end(), text.begin(), text.end());
      editor_.append(Section::Names, spv::Op::OpMemberName, operands);
    }
  }

  void add_buffer(Instruction pointer) {
    Qualifiers qualifiers = qualifiers_of(annotations_, pointer.word(2));
    add_parts(spirv::pointee(module_, pointer.word(1)), qualifiers);
    qualifiers_[pointer.word(2)] = qualifiers;
  }

  /// A promise about a part is none about the whole.
  void add_parts(uint32_t type, Qualifiers& qualifiers) const {
    const Instruction structure = module_.definition(spirv::array_element(module_, type));
    if (structure.op() != spv::Op::OpTypeStruct) return;
    const Qualifiers said = qualifiers_of(annotations_, structure.word(1));
    qualifiers.coherent |= said.coherent;
    qualifiers.isVolatile |= said.isVolatile;
    for (const uint32_t member : structure.words_from(2))
      add_parts(member, qualifiers);
  }

  const spirv::Module& module_;
  const spirv::Annotations& annotations_;
  spirv::Editor& editor_;
  bool handsImages_ = false;  // to functions
  std::vector<uint32_t> flat_;
  ArrayQualifiers qualifiers_;
};

}  // namespace

ArrayQualifiers plain_heap_arrays(spirv::Editor& editor, const spirv::Annotations& annotations,
                                  const WordNames& names) {
  return Flattening(editor, annotations).run(names);
}

}  // namespace heapsmith::rewrite
