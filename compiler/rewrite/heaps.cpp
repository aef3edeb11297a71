// SPDX-License-Identifier: MIT
#include "rewrite/heaps.h"

#include <vector>

#include "spirv/types.h"

namespace heapsmith::rewrite {
namespace {

using spirv::Instruction;
using spirv::Section;
using spirv::word_of;

/// Those that a member of a structure can have: Aliased is none, and says nothing about images.
std::vector<spv::Decoration> member_decorations(const reflect::Qualifiers& qualifiers) {
  std::vector<spv::Decoration> decorations;
  if (qualifiers.nonWritable) decorations.push_back(spv::Decoration::NonWritable);
  if (qualifiers.nonReadable) decorations.push_back(spv::Decoration::NonReadable);
  if (qualifiers.coherent) decorations.push_back(spv::Decoration::Coherent);
  if (qualifiers.isVolatile) decorations.push_back(spv::Decoration::Volatile);
  if (qualifiers.isRestrict) decorations.push_back(spv::Decoration::Restrict);
  return decorations;
}

}  // namespace

Heaps::Heaps(const Context& context) : context_(context), builder_(context.builder) {}

uint32_t Heaps::point_to(uint32_t word, bool samplerHeap, uint32_t descriptorType,
                         const reflect::Qualifiers& qualifiers, uint32_t slot) {
  const uint32_t variable = heap(samplerHeap);
  const View view = view_of(descriptorType, qualifiers);
  std::vector<uint32_t> operands = {
      builder_.untyped_pointer_type(spv::StorageClass::UniformConstant), context_.editor.new_id(),
      view.type, variable};
  if (view.wrapped) operands.push_back(builder_.uint_constant(0));
  operands.push_back(slot);
  context_.editor.insert(word, spv::Op::OpUntypedAccessChainKHR, operands);
  return operands[1];
}

uint32_t Heaps::point_to_data(uint32_t word, uint32_t arrayType, uint32_t index) {
  const uint32_t variable = heap(false);
  const uint32_t type = builder_.untyped_pointer_type(spv::StorageClass::UniformConstant);
  const uint32_t id = context_.editor.new_id();
  context_.editor.insert(word, spv::Op::OpUntypedAccessChainKHR,
                         {type, id, arrayType, variable, index});
  return id;
}

uint32_t Heaps::heap(bool samplerHeap) {
  uint32_t& variable = variables_[samplerHeap];
  if (variable == 0) variable = declare_variable(samplerHeap);
  return variable;
}

/// A module that reads the heaps already has their variables.
uint32_t Heaps::find_variable(spv::BuiltIn builtIn) const {
  for (const Instruction instruction : context_.module.declarations()) {
    if (instruction.op() != spv::Op::OpUntypedVariableKHR) continue;
    const auto* found = context_.annotations.find(instruction.word(2), spv::Decoration::BuiltIn);
    if (found != nullptr && context_.annotations.operand(*found) == word_of(builtIn))
      return instruction.word(2);
  }
  return 0;
}

uint32_t Heaps::declare_variable(bool samplerHeap) {
  const auto builtIn = samplerHeap ? spv::BuiltIn::SamplerHeapEXT : spv::BuiltIn::ResourceHeapEXT;
  if (const uint32_t found = find_variable(builtIn); found != 0) return found;
  builder_.require(spv::Capability::DescriptorHeapEXT);
  builder_.require_extension("SPV_KHR_untyped_pointers");
  builder_.require_extension("SPV_EXT_descriptor_heap");
  const uint32_t pointer = builder_.untyped_pointer_type(spv::StorageClass::UniformConstant);
  const uint32_t id = builder_.declare(spv::Op::OpUntypedVariableKHR, pointer,
                                       {word_of(spv::StorageClass::UniformConstant)});
  builder_.decorate(id, spv::Decoration::BuiltIn, word_of(builtIn));
  builder_.name(id, samplerHeap ? "samplerHeap" : "resourceHeap");
  return id;
}

Heaps::View Heaps::view_of(uint32_t descriptorType, const reflect::Qualifiers& qualifiers) {
  const auto [entry, isNew] = views_.try_emplace({descriptorType, qualifiers});
  if (isNew) entry->second = wrap(array_of(descriptorType), qualifiers);
  return entry->second;
}

///   OpDecorate %view Block
///   OpMemberDecorateIdEXT %view 0 OffsetIdEXT %zero
///   OpMemberDecorate %view 0 NonWritable
///   %view = OpTypeStruct %array
Heaps::View Heaps::wrap(uint32_t array, const reflect::Qualifiers& qualifiers) {
  const auto decorations = member_decorations(qualifiers);
  if (decorations.empty()) return {.type = array, .wrapped = false};
  const uint32_t zero = builder_.uint_constant(0);  // must come before the structure
  const uint32_t view = builder_.declare(spv::Op::OpTypeStruct, 0, {array});
  builder_.decorate(view, spv::Decoration::Block);
  context_.editor.append(Section::Annotations, spv::Op::OpMemberDecorateIdEXT,
                         {view, 0, word_of(spv::Decoration::OffsetIdEXT), zero});
  for (const spv::Decoration decoration : decorations)
    builder_.decorate_member(view, 0, decoration);
  return {.type = view, .wrapped = true};
}

/// One array for each type: two would be two types.
uint32_t Heaps::array_of(uint32_t descriptorType) {
  const auto [entry, isNew] = arrays_.try_emplace(descriptorType);
  if (!isNew) return entry->second;
  const uint32_t size = size_of(descriptorType);
  entry->second = builder_.declare(spv::Op::OpTypeRuntimeArray, 0, {descriptorType});
  builder_.decorate_id(entry->second, spv::Decoration::ArrayStrideIdEXT, size);
  return entry->second;
}

uint32_t Heaps::size_of(uint32_t descriptorType) {
  return builder_.declare_once(spv::Op::OpConstantSizeOfEXT, builder_.uint_type(),
                               {descriptorType});
}

/// All images are equally large. What is read of an attachment in place is none in a heap.
uint32_t Heaps::any_image_type() {
  const auto is_attachment = [](Instruction type) {
    return type.word(3) == word_of(spv::Dim::SubpassData) ||
           type.word(3) == word_of(spv::Dim::TileImageDataEXT);
  };
  for (const Instruction type : context_.module.declarations())
    if (type.op() == spv::Op::OpTypeImage && !is_attachment(type)) return type.word(1);
  const uint32_t floatType = builder_.declare_once(spv::Op::OpTypeFloat, 0, {32});
  return builder_.declare_once(
      spv::Op::OpTypeImage, 0,
      {floatType, word_of(spv::Dim::Dim2D), 0, 0, 0, 1, word_of(spv::ImageFormat::Unknown)});
}

uint32_t Heaps::constant(const Specializable& number) {
  if (!number.specId) return builder_.uint_constant(number.value);
  const auto [entry, isNew] = specConstants_.try_emplace(*number.specId);
  if (isNew) {
    entry->second = builder_.declare(spv::Op::OpSpecConstant, builder_.uint_type(), {number.value});
    builder_.decorate(entry->second, spv::Decoration::SpecId, *number.specId);
  }
  return entry->second;
}

/// The first buffer that begins where the images end or later, counted in buffers:
/// (imageSlots * imageSize + bufferSize - 1) / bufferSize.
uint32_t Heaps::first_buffer_slot(const Specializable& imageSlots) {
  const uint32_t imageSize = size_of(any_image_type());
  const uint32_t bufferSize = size_of(builder_.declare_once(
      spv::Op::OpTypeBufferEXT, 0, {word_of(spv::StorageClass::StorageBuffer)}));
  const uint32_t bytes = builder_.uint_operation(spv::Op::OpIMul, constant(imageSlots), imageSize);
  const uint32_t roundUp =
      builder_.uint_operation(spv::Op::OpISub, bufferSize, builder_.uint_constant(1));
  const uint32_t rounded = builder_.uint_operation(spv::Op::OpIAdd, bytes, roundUp);
  return builder_.uint_operation(spv::Op::OpUDiv, rounded, bufferSize);
}

/// 0: the region begins where its heap does.
uint32_t Heaps::first_slot(DescriptorClass region) {
  auto& first = firsts_[static_cast<size_t>(region)];
  if (!first) first = declare_first_slot(region);
  return *first;
}

uint32_t Heaps::declare_first_slot(DescriptorClass region) {
  const Regions& regions = context_.placements.regions;
  if (const auto& chosen = regions.firstSlots[static_cast<size_t>(region)]) {
    const uint32_t first = constant(*chosen);
    if (chosen->specId && region == DescriptorClass::Buffer) builder_.name(first, "firstBuffer");
    return first;
  }
  const bool isFirst = region != DescriptorClass::Buffer ||
                       (regions.imageSlots.value == 0 && !regions.imageSlots.specId);
  return isFirst ? 0 : first_buffer_slot(regions.imageSlots);
}

uint32_t Heaps::constant_slot(DescriptorClass region, const Specializable& n, uint32_t element) {
  const uint32_t first = first_slot(region);
  if (!n.specId) return add(first, n.value + element);
  const uint32_t own = constant(n);
  return add(first == 0 ? own : builder_.uint_operation(spv::Op::OpIAdd, first, own), element);
}

/// 0 stands for the number 0.
uint32_t Heaps::add(uint32_t id, uint32_t number) {
  if (id == 0) return builder_.uint_constant(number);
  if (number == 0) return id;
  return builder_.uint_operation(spv::Op::OpIAdd, id, builder_.uint_constant(number));
}

bool Heaps::is_first_slot(DescriptorClass region, const Specializable& n, uint32_t element) {
  return n == 0 && element == 0 && first_slot(region) == 0;
}

}  // namespace heapsmith::rewrite
