// SPDX-License-Identifier: MIT
#include "reflect/classify_type.h"

#include <format>

#include "spirv/types.h"

namespace heapsmith::reflect {
namespace {

using spirv::Instruction;
using Outcome = std::expected<Classification, ClassificationDefect>;

std::unexpected<ClassificationDefect> unsupported(std::string text) {
  return std::unexpected(ClassificationDefect{Code::UnsupportedResource, std::move(text)});
}

Outcome classify_buffer(const Context& context, uint32_t variable, spv::StorageClass storage,
                        uint32_t type) {
  if (context.module.definition(type).op() != spv::Op::OpTypeStruct)
    return unsupported("its type is no structure");
  const bool block = context.annotations.has(type, spv::Decoration::Block);
  const bool bufferBlock = context.annotations.has(type, spv::Decoration::BufferBlock);
  if (!block && !bufferBlock)
    return std::unexpected(ClassificationDefect{
        Code::ResourceDecoration,
        "its structure type has neither a Block nor a BufferBlock decoration"});
  if (bufferBlock && (block || storage == spv::StorageClass::StorageBuffer))
    return std::unexpected(ClassificationDefect{
        Code::ResourceDecoration,
        "its structure type has a BufferBlock decoration where only Block can be"});

  Classification result{.blockType = type};
  const bool storageBuffer = bufferBlock || storage == spv::StorageClass::StorageBuffer;
  const bool variableReadOnly = context.annotations.has(variable, spv::Decoration::NonWritable);
  result.type = storageBuffer ? DescriptorType::StorageBuffer : DescriptorType::UniformBuffer;
  result.readOnly = variableReadOnly;
  result.writeOnly = context.annotations.has(variable, spv::Decoration::NonReadable);
  result.kind = !storageBuffer     ? ResourceKind::UniformBuffer
                : variableReadOnly ? ResourceKind::ReadOnlyStorageBuffer
                                   : ResourceKind::ReadWriteStorageBuffer;
  return result;
}

ImageFacts image_facts(const spirv::Module& module, Instruction image) {
  return {.dim = image.word(3),
          .depth = image.word(4),
          .arrayed = image.word(5) != 0,
          .multisampled = image.word(6) != 0,
          .sampled = image.word(7),
          .format = image.word(8),
          .sampledType = scalar_name(module, image.word(2))};
}

Outcome classify_image(const Context& context, uint32_t variable, Instruction image) {
  Classification result;
  result.image = image_facts(context.module, image);
  result.readOnly = context.annotations.has(variable, spv::Decoration::NonWritable);
  result.writeOnly = context.annotations.has(variable, spv::Decoration::NonReadable);
  const auto dim = static_cast<spv::Dim>(result.image->dim);
  if (result.image->sampled == 1) {
    result.type =
        dim == spv::Dim::Buffer ? DescriptorType::UniformTexelBuffer : DescriptorType::SampledImage;
    result.kind = ResourceKind::SampledImage;
    return result;
  }
  if (result.image->sampled != 2)
    return unsupported("its image type does not say whether it is used with a sampler");
  result.type = dim == spv::Dim::SubpassData ? DescriptorType::InputAttachment
                : dim == spv::Dim::Buffer    ? DescriptorType::StorageTexelBuffer
                                             : DescriptorType::StorageImage;
  result.kind = result.readOnly ? ResourceKind::ReadOnlyImage : ResourceKind::ReadWriteImage;
  return result;
}

Outcome classify_combined(const Context& context, Instruction sampledImage) {
  const Instruction image = context.module.definition(sampledImage.word(2));
  if (image.op() != spv::Op::OpTypeImage) return unsupported("its sampled image has no image type");
  Classification result{.type = DescriptorType::CombinedImageSampler,
                        .kind = ResourceKind::CombinedSampledImage};
  result.image = image_facts(context.module, image);
  // Front ends for SPIR-V below 1.6 wrap a uniform texel buffer into a sampled image; it has no
  // sampler.
  if (static_cast<spv::Dim>(result.image->dim) == spv::Dim::Buffer)
    result.type = DescriptorType::UniformTexelBuffer;
  return result;
}

}  // namespace

Outcome classify_type(const Context& context, uint32_t variable, spv::StorageClass storage,
                      uint32_t type) {
  if (storage == spv::StorageClass::Uniform || storage == spv::StorageClass::StorageBuffer)
    return classify_buffer(context, variable, storage, type);
  const Instruction definition = context.module.definition(type);
  switch (definition.op()) {
    case spv::Op::OpTypeImage:
      return classify_image(context, variable, definition);
    case spv::Op::OpTypeSampledImage:
      return classify_combined(context, definition);
    case spv::Op::OpTypeSampler:
      return Classification{.type = DescriptorType::Sampler, .kind = ResourceKind::Sampler};
    case spv::Op::OpTypeAccelerationStructureKHR:
      return Classification{.type = DescriptorType::AccelerationStructureKHR,
                            .kind = ResourceKind::AccelerationStructure};
    case spv::Op::OpTypeTensorARM:
      return Classification{.type = DescriptorType::TensorARM, .kind = ResourceKind::TensorARM};
    default:  // a loose uniform of OpenGL, or a type of an extension
      return unsupported("its type is none that a descriptor has");
  }
}

std::string scalar_name(const spirv::Module& module, uint32_t type) {
  const Instruction definition = module.definition(type);
  switch (definition.op()) {
    case spv::Op::OpTypeBool:
      return "bool";
    case spv::Op::OpTypeInt:
      return std::format("{}{}", definition.word(3) != 0 ? "int" : "uint", definition.word(2));
    case spv::Op::OpTypeFloat:
      return std::format("float{}", definition.word(2));
    default:  // no scalar
      return {};
  }
}

}  // namespace heapsmith::reflect
