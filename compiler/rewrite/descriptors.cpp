// SPDX-License-Identifier: MIT
#include "rewrite/descriptors.h"

#include <format>
#include <vector>

#include "spirv/grammar.h"
#include "spirv/types.h"

namespace heapsmith::rewrite {
namespace {

using spirv::Instruction;

/// The instructions that an OpSampledImage may be made for.
bool samples(spv::Op op) {
  const auto between = [op](spv::Op first, spv::Op last) { return op >= first && op <= last; };
  return between(spv::Op::OpImageSampleImplicitLod, spv::Op::OpImageSampleProjDrefExplicitLod) ||
         between(spv::Op::OpImageGather, spv::Op::OpImageDrefGather) ||
         between(spv::Op::OpImageSparseSampleImplicitLod,
                 spv::Op::OpImageSparseSampleProjDrefExplicitLod) ||
         between(spv::Op::OpImageSparseGather, spv::Op::OpImageSparseDrefGather) ||
         op == spv::Op::OpImageQueryLod || op == spv::Op::OpImageSampleFootprintNV;
}

/// Only storage images have any that matter.
reflect::Qualifiers qualifiers_of(const Context& context, const Object& object) {
  const auto has = [&](spv::Decoration kind) { return context.annotations.has(object.id, kind); };
  if (object.shape != Shape::Image) return {};
  return {.nonWritable = has(spv::Decoration::NonWritable),
          .nonReadable = has(spv::Decoration::NonReadable),
          .coherent = object.memory.isCoherent,
          .isVolatile = object.memory.isVolatile,
          .isRestrict = has(spv::Decoration::Restrict)};
}

}  // namespace

void Descriptors::replace_chain(Instruction chain) {
  slots_.set_element(chain.result_id(), slots_.walk(chain).element);
  context_.editor.remove(chain);
}

uint32_t Descriptors::point_to(const Object& object, Half half, Element element, uint32_t type,
                               uint32_t word) {
  const uint32_t slot = slots_.slot_of(object, half, element, word);
  return heaps_.point_to(word, half == Half::Sampler, type, qualifiers_of(context_, object), slot);
}

/// Memory operands stay.
void Descriptors::load_as(const Target& target, Half half, uint32_t type, uint32_t word,
                          uint32_t id) {
  const uint32_t pointer = point_to(target.object, half, target.element, type, word);
  std::vector<uint32_t> operands = {type, id, pointer};
  if (target.instruction.op() == spv::Op::OpLoad) {
    const auto memory = target.instruction.words_from(4);
    operands.insert(operands.end(), memory.begin(), memory.end());
  }
  context_.editor.insert(word, spv::Op::OpLoad, operands);
}

uint32_t Descriptors::load(const Target& target, Half half, uint32_t type, uint32_t word) {
  const uint32_t id = context_.editor.new_id();
  load_as(target, half, type, word, id);
  return id;
}

Diagnosed<void> Descriptors::replace_load(const Object& object, const spirv::Use& use) {
  const Instruction load = context_.module.at(use.instruction);
  const Element element = slots_.element_of(use.id);
  // A uniform texel buffer may come as an image with a sampler, which it does not have.
  if (context_.module.definition(object.element).op() == spv::Op::OpTypeSampledImage)
    return replace_combined(
        {.object = object, .element = element, .instruction = load, .block = use.block});
  if (object.reach == Reach::Address) {
    context_.editor.replace(load, spv::Op::OpConvertUToAccelerationStructureKHR,
                            {load.type_id(), load.result_id(), addresses_.of(object)});
    return {};
  }
  const Half half = object.shape == Shape::Sampler ? Half::Sampler : Half::Resource;
  const uint32_t pointer = point_to(object, half, element, object.element, use.instruction);
  context_.editor.replace_id(use.operand, pointer);
  return {};
}

Diagnosed<void> Descriptors::replace_extract(const Object& object, const spirv::Use& use) {
  const Instruction extract = context_.module.at(use.instruction);
  const Slots::Walk walk = slots_.walk_literals(extract);
  const Target target{
      .object = object, .element = walk.element, .instruction = extract, .block = use.block};
  if (context_.module.definition(walk.type).op() == spv::Op::OpTypeSampledImage)
    return replace_combined(target);
  if (spirv::is_array(context_.module.definition(walk.type).op())) {
    slots_.set_element(extract.result_id(), walk.element);
  } else {
    const Half half = object.shape == Shape::Sampler ? Half::Sampler : Half::Resource;
    load_as(target, half, walk.type, use.instruction, extract.result_id());
  }
  context_.editor.remove(extract);
  return {};
}

Diagnosed<void> Descriptors::enter_parameter(const Object& parameter) {
  const Instruction instruction = context_.module.definition(parameter.id);
  if (context_.module.definition(instruction.type_id()).op() != spv::Op::OpTypeSampledImage)
    return {};
  return replace_combined({.object = parameter, .element = {}, .instruction = instruction});
}

/// Copies of the loaded value are followed, and go. Functions that are handed it make their own,
/// and what only tells something of it goes like whatever tells something of an object.
Diagnosed<void> Descriptors::replace_combined(const Target& target) {
  const uint32_t result = target.instruction.result_id();
  std::vector<uint32_t> values = {result};
  bool isUsedHere = false;
  for (size_t i = 0; i < values.size(); ++i) {
    slots_.set_element(values[i], target.element);
    for (const spirv::Use& sampling : objects_.uses().of(values[i])) {
      const Instruction instruction = context_.module.at(sampling.instruction);
      if (instruction.op() == spv::Op::OpFunctionCall || is_non_semantic(context_, instruction))
        continue;
      if (instruction.op() == spv::Op::OpCopyObject) {
        values.push_back(instruction.result_id());
        context_.editor.remove(instruction);
        continue;
      }
      const bool isHere = sampling.block == target.block;
      if (!replace_sampling(target, sampling, isHere)) return context_.diagnostics.failed();
      isUsedHere |= isHere && instruction.op() != spv::Op::OpImage;
    }
  }
  if (isUsedHere) (void)combine(target, context_.module.word_index(target.instruction), result);
  context_.editor.remove(target.instruction);
  return {};
}

/// An OpSampledImage must be used in its own block, so there is one in each block that needs it.
/// Who asks for the image alone gets the image.
Diagnosed<void> Descriptors::replace_sampling(const Target& target, const spirv::Use& use,
                                              bool isInBlockOfLoad) {
  const Instruction instruction = context_.module.at(use.instruction);
  if (instruction.op() == spv::Op::OpImage) {
    const uint32_t image = context_.module.definition(target.object.element).word(2);
    load_as(target, Half::Resource, image, use.instruction, instruction.result_id());
    context_.editor.remove(instruction);
    return {};
  }
  if (target.object.shape != Shape::CombinedImageSampler || !samples(instruction.op()))
    return refuse(context_, *target.object.resource,
                  std::format("a sampled image in {}", spirv::get_rule(instruction.op()).name));
  const uint32_t result = target.instruction.result_id();
  const uint32_t value =
      isInBlockOfLoad ? result : combine(target, use.instruction, context_.editor.new_id());
  if (value != use.id) context_.editor.replace_id(use.operand, value);
  return {};
}

uint32_t Descriptors::combine(const Target& target, uint32_t word, uint32_t id) {
  const uint32_t type = target.object.element;
  const uint32_t imageType = context_.module.definition(type).word(2);
  const uint32_t samplerType = context_.builder.declare_once(spv::Op::OpTypeSampler, 0, {});
  const uint32_t image = load(target, Half::Resource, imageType, word);
  const uint32_t sampler = load(target, Half::Sampler, samplerType, word);
  context_.editor.insert(word, spv::Op::OpSampledImage, {type, id, image, sampler});
  return id;
}

void Descriptors::replace_texel_pointer(const Object& object, Instruction instruction) {
  const uint32_t word = context_.module.word_index(instruction);
  const Element element = slots_.element_of(instruction.word(3));
  const uint32_t pointer = point_to(object, Half::Resource, element, object.element, word);
  const uint32_t type = context_.builder.untyped_pointer_type(spv::StorageClass::Image);
  context_.editor.replace(instruction, spv::Op::OpUntypedImageTexelPointerEXT,
                          {type, instruction.result_id(), object.element, pointer,
                           instruction.word(4), instruction.word(5)});
  retype_copies(instruction.result_id(), type);
}

void Descriptors::retype_copies(uint32_t pointer, uint32_t type) {
  std::vector<uint32_t> open = {pointer};
  while (!open.empty()) {
    const uint32_t id = open.back();
    open.pop_back();
    for (const spirv::Use& use : objects_.uses().of(id)) {
      const Instruction copy = context_.module.at(use.instruction);
      if (copy.op() != spv::Op::OpCopyObject) continue;
      context_.editor.replace_id(use.instruction + 1, type);
      open.push_back(copy.result_id());
    }
  }
}

}  // namespace heapsmith::rewrite
