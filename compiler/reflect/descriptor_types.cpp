// SPDX-License-Identifier: MIT
#include "reflect/descriptor_types.h"

#include "spirv/types.h"

namespace heapsmith::reflect {
namespace {

bool points_into_resources(spv::StorageClass storage) {
  switch (storage) {
    case spv::StorageClass::UniformConstant:
    case spv::StorageClass::Uniform:
    case spv::StorageClass::StorageBuffer:
    case spv::StorageClass::Image:
      return true;
    default:  // memory that is no resource
      return false;
  }
}

}  // namespace

DescriptorTypes::DescriptorTypes(const Context& context)
    : tracked_(context.module.bound()),
      holds_(context.module.bound()),
      levels_(context.module.bound(), kNoDescriptor) {
  for (const spirv::Instruction instruction : context.module.declarations())
    if (spirv::is_type(instruction.op())) read_type(context, instruction);
}

void DescriptorTypes::read_type(const Context& context, spirv::Instruction type) {
  const uint32_t id = type.word(1);
  switch (type.op()) {
    case spv::Op::OpTypeImage:
    case spv::Op::OpTypeSampledImage:
    case spv::Op::OpTypeSampler:
    case spv::Op::OpTypeAccelerationStructureKHR:
    case spv::Op::OpTypeTensorARM:
    case spv::Op::OpTypeBufferEXT:
      tracked_[id] = 1;
      levels_[id] = 0;
      break;
    case spv::Op::OpTypeArray:
    case spv::Op::OpTypeRuntimeArray: {
      // An element type is always an earlier one, or a pointer.
      const uint32_t element = type.word(2);
      tracked_[id] = tracked_[element];
      if (levels_[element] != kNoDescriptor)
        levels_[id] = static_cast<uint16_t>(levels_[element] + 1);
      break;
    }
    case spv::Op::OpTypeStruct:
      if (context.annotations.has(id, spv::Decoration::Block) ||
          context.annotations.has(id, spv::Decoration::BufferBlock))
        levels_[id] = 0;
      for (const uint32_t member : type.words_from(2))
        tracked_[id] |= tracked_[member];
      break;
    case spv::Op::OpTypePointer: {
      const spv::StorageClass storage = spirv::storage_class(type);
      const bool isAddress = storage == spv::StorageClass::PhysicalStorageBuffer;
      holds_[id] = !isAddress && !points_into_resources(storage) && tracked_[type.word(3)];
      tracked_[id] = points_into_resources(storage) || holds_[id];
      break;
    }
    case spv::Op::OpTypeUntypedPointerKHR:
      tracked_[id] = points_into_resources(spirv::storage_class(type));
      break;
    default:  // plain data
      break;
  }
}

}  // namespace heapsmith::reflect
