// SPDX-License-Identifier: MIT
#include "heapsmith/manifest.h"

namespace heapsmith {
namespace {

template <typename T>
uint32_t find_named(std::span<const T> values, std::string_view name) noexcept {
  for (uint32_t i = 0; i < values.size(); ++i) {
    if (values[i].name == name) return i;
  }
  return kNone;
}

}  // namespace

TableId find_table(const Manifest& manifest, std::string_view name) noexcept {
  return {find_named(manifest.tables, name)};
}

BindingId find_binding(const Manifest& manifest, std::string_view table,
                       std::string_view binding) noexcept {
  const TableId found = find_table(manifest, table);
  if (found.index == kNone) return {};
  const IndexRange range = manifest.tables[found.index].bindings;
  const uint32_t index = find_named(manifest.bindings.subspan(range.first, range.count), binding);
  return index == kNone ? BindingId{} : BindingId{range.first + index};
}

ProgramId find_program(const Manifest& manifest, std::string_view name) noexcept {
  return {find_named(manifest.programs, name)};
}

FieldId find_field(const Manifest& manifest, std::string_view name) noexcept {
  return {find_named(manifest.fields, name)};
}

IndirectBlockId find_indirect_block(const Manifest& manifest, std::string_view name) noexcept {
  return {find_named(manifest.indirectBlocks, name)};
}

ExternalRangeId find_external_range(const Manifest& manifest, std::string_view name) noexcept {
  return {find_named(manifest.externalRanges, name)};
}

std::string_view to_string(DescriptorType type) noexcept {
  switch (type) {
    case DescriptorType::Sampler:
      return "SAMPLER";
    case DescriptorType::CombinedImageSampler:
      return "COMBINED_IMAGE_SAMPLER";
    case DescriptorType::SampledImage:
      return "SAMPLED_IMAGE";
    case DescriptorType::StorageImage:
      return "STORAGE_IMAGE";
    case DescriptorType::UniformTexelBuffer:
      return "UNIFORM_TEXEL_BUFFER";
    case DescriptorType::StorageTexelBuffer:
      return "STORAGE_TEXEL_BUFFER";
    case DescriptorType::UniformBuffer:
      return "UNIFORM_BUFFER";
    case DescriptorType::StorageBuffer:
      return "STORAGE_BUFFER";
    case DescriptorType::InputAttachment:
      return "INPUT_ATTACHMENT";
    case DescriptorType::AccelerationStructureKHR:
      return "ACCELERATION_STRUCTURE_KHR";
    case DescriptorType::TensorARM:
      return "TENSOR_ARM";
  }
  return "unknown";
}

std::string_view to_string(DescriptorClass descriptorClass) noexcept {
  switch (descriptorClass) {
    case DescriptorClass::Buffer:
      return "buffer";
    case DescriptorClass::Image:
      return "image";
    case DescriptorClass::Sampler:
      return "sampler";
    case DescriptorClass::Tensor:
      return "tensor";
  }
  return "unknown";
}

std::string_view to_string(Residence residence) noexcept {
  switch (residence) {
    case Residence::Static:
      return "static";
    case Residence::Indexed:
      return "indexed";
    case Residence::Indirect:
      return "indirect";
    case Residence::Scattered:
      return "scattered";
    case Residence::Record:
      return "record";
    case Residence::HeapData:
      return "heapData";
    case Residence::PushData:
      return "pushData";
    case Residence::PushAddress:
      return "pushAddress";
    case Residence::IndirectAddress:
      return "indirectAddress";
    case Residence::RecordData:
      return "recordData";
    case Residence::RecordAddress:
      return "recordAddress";
  }
  return "unknown";
}

std::string_view to_string(MappingSource source) noexcept {
  switch (source) {
    case MappingSource::HeapWithConstantOffset:
      return "HEAP_WITH_CONSTANT_OFFSET";
    case MappingSource::HeapWithPushIndex:
      return "HEAP_WITH_PUSH_INDEX";
    case MappingSource::HeapWithIndirectIndex:
      return "HEAP_WITH_INDIRECT_INDEX";
    case MappingSource::HeapWithIndirectIndexArray:
      return "HEAP_WITH_INDIRECT_INDEX_ARRAY";
    case MappingSource::ResourceHeapData:
      return "RESOURCE_HEAP_DATA";
    case MappingSource::PushData:
      return "PUSH_DATA";
    case MappingSource::PushAddress:
      return "PUSH_ADDRESS";
    case MappingSource::IndirectAddress:
      return "INDIRECT_ADDRESS";
    case MappingSource::HeapWithShaderRecordIndex:
      return "HEAP_WITH_SHADER_RECORD_INDEX";
    case MappingSource::ShaderRecordData:
      return "SHADER_RECORD_DATA";
    case MappingSource::ShaderRecordAddress:
      return "SHADER_RECORD_ADDRESS";
  }
  return "unknown";
}

std::string_view to_string(MappingPart part) noexcept {
  switch (part) {
    case MappingPart::Resource:
      return "resource";
    case MappingPart::Sampler:
      return "sampler";
    case MappingPart::Combined:
      return "combined";
  }
  return "unknown";
}

std::string_view to_string(FieldKind kind) noexcept {
  switch (kind) {
    case FieldKind::TableIndex:
      return "tableIndex";
    case FieldKind::SamplerIndex:
      return "samplerIndex";
    case FieldKind::PackedIndex:
      return "packedIndex";
    case FieldKind::ResourceSlots:
      return "resourceSlots";
    case FieldKind::SamplerSlots:
      return "samplerSlots";
    case FieldKind::BlockAddress:
      return "blockAddress";
    case FieldKind::BufferAddress:
      return "bufferAddress";
    case FieldKind::HeapDataOffset:
      return "heapDataOffset";
    case FieldKind::Data:
      return "data";
  }
  return "unknown";
}

std::string_view to_string(FieldSpace space) noexcept {
  switch (space) {
    case FieldSpace::PushData:
      return "pushData";
    case FieldSpace::ShaderRecord:
      return "shaderRecord";
    case FieldSpace::Indirect:
      return "indirect";
  }
  return "unknown";
}

std::string_view to_string(SamplerPlacement placement) noexcept {
  switch (placement) {
    case SamplerPlacement::Table:
      return "table";
    case SamplerPlacement::Immutable:
      return "immutable";
    case SamplerPlacement::Embedded:
      return "embedded";
  }
  return "unknown";
}

std::string_view to_string(ArrayKind kind) noexcept {
  switch (kind) {
    case ArrayKind::None:
      return "none";
    case ArrayKind::Fixed:
      return "fixed";
    case ArrayKind::Specialization:
      return "specialization";
    case ArrayKind::Runtime:
      return "runtime";
  }
  return "unknown";
}

std::string_view to_string(ShaderStage stage) noexcept {
  switch (stage) {
    case ShaderStage::Vertex:
      return "VERTEX";
    case ShaderStage::TessellationControl:
      return "TESSELLATION_CONTROL";
    case ShaderStage::TessellationEvaluation:
      return "TESSELLATION_EVALUATION";
    case ShaderStage::Geometry:
      return "GEOMETRY";
    case ShaderStage::Fragment:
      return "FRAGMENT";
    case ShaderStage::Compute:
      return "COMPUTE";
    case ShaderStage::Task:
      return "TASK_EXT";
    case ShaderStage::Mesh:
      return "MESH_EXT";
    case ShaderStage::RayGeneration:
      return "RAYGEN_KHR";
    case ShaderStage::AnyHit:
      return "ANY_HIT_KHR";
    case ShaderStage::ClosestHit:
      return "CLOSEST_HIT_KHR";
    case ShaderStage::Miss:
      return "MISS_KHR";
    case ShaderStage::Intersection:
      return "INTERSECTION_KHR";
    case ShaderStage::Callable:
      return "CALLABLE_KHR";
  }
  return "unknown";
}

std::string_view to_string(SpirvResourceType type) noexcept {
  switch (type) {
    case SpirvResourceType::Sampler:
      return "SAMPLER";
    case SpirvResourceType::SampledImage:
      return "SAMPLED_IMAGE";
    case SpirvResourceType::ReadOnlyImage:
      return "READ_ONLY_IMAGE";
    case SpirvResourceType::ReadWriteImage:
      return "READ_WRITE_IMAGE";
    case SpirvResourceType::CombinedSampledImage:
      return "COMBINED_SAMPLED_IMAGE";
    case SpirvResourceType::UniformBuffer:
      return "UNIFORM_BUFFER";
    case SpirvResourceType::ReadOnlyStorageBuffer:
      return "READ_ONLY_STORAGE_BUFFER";
    case SpirvResourceType::ReadWriteStorageBuffer:
      return "READ_WRITE_STORAGE_BUFFER";
    case SpirvResourceType::AccelerationStructure:
      return "ACCELERATION_STRUCTURE";
    case SpirvResourceType::TensorARM:
      return "TENSOR_ARM";
  }
  return "unknown";
}

std::string_view to_string(RegionBases bases) noexcept {
  switch (bases) {
    case RegionBases::Sizes:
      return "sizes";
    case RegionBases::Specialization:
      return "specialization";
  }
  return "unknown";
}

std::string_view to_string(SlotNumber number) noexcept {
  switch (number) {
    case SlotNumber::RegionFirstSlot:
      return "regionFirstSlot";
    case SlotNumber::RegionSlots:
      return "regionSlots";
    case SlotNumber::SlotsPerInstance:
      return "slotsPerInstance";
    case SlotNumber::ResourceSlot:
      return "resourceSlot";
    case SlotNumber::SamplerSlot:
      return "samplerSlot";
  }
  return "unknown";
}

}  // namespace heapsmith
