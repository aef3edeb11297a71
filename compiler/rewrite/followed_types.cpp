// SPDX-License-Identifier: MIT
#include "rewrite/followed_types.h"

#include "spirv/types.h"

namespace heapsmith::rewrite {
namespace {

using spirv::Instruction;

/// What an untyped pointer leads to only its users tell.
bool is_of_resources(Instruction pointerType) {
  const spv::StorageClass storage = spirv::storage_class(pointerType);
  return storage == spv::StorageClass::UniformConstant ||
         storage == spv::StorageClass::StorageBuffer || storage == spv::StorageClass::Uniform;
}

/// Pointers that lead to descriptors or to whole blocks.
bool is_followed_pointer(const Context& context, Instruction type,
                         const FollowedContents& contents) {
  if (type.op() == spv::Op::OpTypeUntypedPointerKHR) return is_of_resources(type);
  if (type.op() != spv::Op::OpTypePointer) return false;
  const uint32_t element = spirv::array_element(context.module, type.word(3));
  switch (spirv::storage_class(type)) {
    case spv::StorageClass::UniformConstant:
    case spv::StorageClass::Image:  // into an image
      return true;
    case spv::StorageClass::StorageBuffer:
      return contents.data || has_block(context, element, spv::Decoration::Block);
    case spv::StorageClass::Uniform:
      // Pointers into a BufferBlock change their class, and are of the same types as others.
      return contents.bufferBlocks || contents.data ||
             has_block(context, element, spv::Decoration::Block) ||
             has_block(context, element, spv::Decoration::BufferBlock);
    default:  // no resources
      return false;
  }
}

/// Arrays of descriptors, and images with their samplers.
bool is_followed_value(const Context& context, Instruction type) {
  if (type.op() == spv::Op::OpTypeSampledImage) return true;
  if (!spirv::is_array(type.op())) return false;
  switch (context.module.definition(spirv::array_element(context.module, type.word(1))).op()) {
    case spv::Op::OpTypeImage:
    case spv::Op::OpTypeSampler:
    case spv::Op::OpTypeSampledImage:
    case spv::Op::OpTypeAccelerationStructureKHR:
      return true;
    default:  // data
      return false;
  }
}

}  // namespace

std::vector<uint8_t> followed_types(const Context& context, const FollowedContents& contents) {
  std::vector<uint8_t> followed(context.module.bound());
  for (const Instruction type : context.module.declarations())
    if (is_followed_value(context, type) || is_followed_pointer(context, type, contents))
      followed[type.word(1)] = 1;
  return followed;
}

}  // namespace heapsmith::rewrite
