// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

/// The contract between the offline compiler and the application: what `heapsmith map` decided.
///
/// A manifest never holds a byte amount that depends on the device. It speaks of **slots**;
/// resolve() (resolve.h) turns slots into bytes once the device is known. All types are plain
/// constants, so that the generated header is nothing but `constexpr` data, and manifest_json.h
/// yields the very same types.
///
/// Everything refers to everything else by index into the manifest's flat arrays.
namespace heapsmith {

inline constexpr uint32_t kFormatVersionMajor = 1;
inline constexpr uint32_t kFormatVersionMinor = 0;

/// "No such index", in every field that names another element.
inline constexpr uint32_t kNone = 0xFFFFFFFFu;

/// Numerically VkDescriptorType. CombinedImageSampler exists only in shaders: in the heaps it is an
/// image slot and a sampler slot.
enum class DescriptorType : uint32_t {
  Sampler = 0,
  CombinedImageSampler = 1,
  SampledImage = 2,
  StorageImage = 3,
  UniformTexelBuffer = 4,
  StorageTexelBuffer = 5,
  UniformBuffer = 6,
  StorageBuffer = 7,
  InputAttachment = 10,
  AccelerationStructureKHR = 1000150000,
  TensorARM = 1000460000,
};

/// What a device gives one size and one alignment for. Buffer also holds acceleration structures,
/// Image both texel buffer kinds and input attachments (Vulkan specification, "Shader Descriptor
/// Sizes").
enum class DescriptorClass : uint8_t { Buffer, Image, Sampler, Tensor };
inline constexpr uint32_t kDescriptorClassCount = 4;

/// How many instances of a table live in the heap, and how a draw picks one.
enum class Residence : uint8_t {
  Static,   ///< one instance at a constant address
  Indexed,  ///< `instances` of them, picked by a 32-bit word of push data
};

/// Numerically VkDescriptorMappingSourceEXT.
enum class MappingSource : uint32_t {
  HeapWithConstantOffset = 0,
  HeapWithPushIndex = 1,
};

/// Numerically VkShaderStageFlagBits.
enum class ShaderStage : uint32_t {
  Vertex = 0x1,
  TessellationControl = 0x2,
  TessellationEvaluation = 0x4,
  Geometry = 0x8,
  Fragment = 0x10,
  Compute = 0x20,
  Task = 0x40,
  Mesh = 0x80,
  RayGeneration = 0x100,
  AnyHit = 0x200,
  ClosestHit = 0x400,
  Miss = 0x800,
  Intersection = 0x1000,
  Callable = 0x2000,
};

/// Numerically VkSpirvResourceTypeFlagBitsEXT: the kinds of shader variable that a mapping serves.
enum class SpirvResourceType : uint32_t {
  Sampler = 0x1,
  SampledImage = 0x2,
  ReadOnlyImage = 0x4,
  ReadWriteImage = 0x8,
  CombinedSampledImage = 0x10,
  UniformBuffer = 0x20,
  ReadOnlyStorageBuffer = 0x40,
  ReadWriteStorageBuffer = 0x80,
  AccelerationStructure = 0x100,
  TensorARM = 0x200,
};

/// A half-open range of indices into one of the manifest's arrays.
struct IndexRange {
  uint32_t first = 0;
  uint32_t count = 0;
};

enum class ArrayKind : uint8_t {
  None,            ///< not an array; capacity is 1
  Fixed,           ///< the length is part of the type; capacity is that length
  Specialization,  ///< the length is a specialization constant; capacity is its default unless
                   ///< overridden
  Runtime,  ///< unbounded in the shader; capacity is a choice, and can be overridden in resolve()
};

/// One binding of a table. A combined image sampler (and a texture and a sampler that share a
/// binding number) has slots of two classes, `capacity` of each.
struct Binding {
  std::string_view
      name;            ///< the variable's name; if several views share the binding, the first one's
  uint32_t table = 0;  ///< index into Manifest::tables
  uint32_t binding = 0;  ///< the shader's Binding decoration
  DescriptorType type{};
  ArrayKind arrayKind{};
  uint32_t capacity =
      1;  ///< array elements that have slots, nested arrays flattened in row-major order
  uint32_t stages =
      0;  ///< ShaderStage bits of the shaders that use it; 0: declared, but used by none
  uint64_t minBufferSize =
      0;  ///< bytes a uniform or storage buffer must have at least; 0 for other types
};

/// The heap form of a descriptor set layout.
struct Table {
  std::string_view name;
  uint32_t set = 0;  ///< the DescriptorSet decoration that programs reach it by
  Residence residence{};
  uint32_t instances = 1;         ///< copies of the buffer, image and tensor slots
  uint32_t samplerInstances = 1;  ///< copies of the sampler slots: different sampler tuples
  IndexRange bindings;            ///< into Manifest::bindings, ascending by binding number
  uint32_t indexField = kNone;    ///< push field that holds the instance, for Residence::Indexed
  uint32_t samplerIndexField =
      kNone;  ///< push field that holds the sampler tuple, if it has samplers
};

enum class PushFieldKind : uint8_t {
  TableIndex,    ///< instance of `table`
  SamplerIndex,  ///< sampler tuple of `table`
};

/// Bytes of push data that mappings read. Fields of programs that can never be bound together may
/// share an offset; within one program they are disjoint, and disjoint from the push constants of
/// all its stages.
struct PushField {
  std::string_view name;
  PushFieldKind kind{};
  uint32_t table = kNone;
  uint32_t offset = 0;  ///< bytes
  uint32_t size = 4;    ///< bytes
};

/// Which half of a binding's slots a mapping reaches.
enum class MappingPart : uint8_t {
  Resource,  ///< the buffer, image or tensor slots
  Sampler,   ///< the sampler slots, as a resource of its own (an OpTypeSampler variable)
  Combined,  ///< image slots, and sampler slots through the sampler* fields (OpTypeSampledImage)
};

/// One VkDescriptorSetAndBindingMappingEXT, with slots where Vulkan has bytes. bindingCount is
/// always 1: with more, element 1 of an array at binding N and the variable at binding N+1 would
/// get the same index.
struct Mapping {
  uint32_t set = 0;
  uint32_t binding = kNone;   ///< index into Manifest::bindings
  uint32_t resourceMask = 0;  ///< SpirvResourceType bits
  MappingSource source{};
  MappingPart part{};
  uint32_t pushField = kNone;         ///< word behind pushOffset; none for HeapWithConstantOffset
  uint32_t samplerPushField = kNone;  ///< word behind samplerPushOffset, for MappingPart::Combined;
                                      ///< none: one sampler tuple serves all instances
};

/// The strings are NUL-terminated: entryPoint.data() is what VkPipelineShaderStageCreateInfo::pName
/// takes.
struct Shader {
  std::string_view file;  ///< SPIR-V file, relative to the manifest's folder
  std::string_view entryPoint;
  std::string_view sha256;  ///< of the file's bytes, 64 lower-case hexadecimal digits
  ShaderStage stage{};
};

/// Shaders that one pipeline uses together. Its mappings serve all of its stages.
struct Program {
  std::string_view name;
  IndexRange shaders;
  IndexRange mappings;
  uint32_t pushConstantOffset =
      0;  ///< bytes of push data that its shaders' own push constants occupy
  uint32_t pushConstantSize = 0;  ///< bytes, a multiple of 4; 0: none
};

/// A named block of slots for code that is not ours: a UI library, the application's own bindless
/// array.
struct ExternalRange {
  std::string_view name;
  DescriptorClass descriptorClass{};
  uint32_t slots = 0;
};

struct Manifest {
  uint32_t formatVersionMajor = kFormatVersionMajor;
  uint32_t formatVersionMinor = kFormatVersionMinor;
  std::span<const Table> tables;
  std::span<const Binding> bindings;
  std::span<const PushField> pushFields;
  std::span<const Program> programs;
  std::span<const Shader> shaders;
  std::span<const Mapping> mappings;
  std::span<const ExternalRange> externalRanges;
};

/// Typed indices, which the generated header names: `heapsmith::BindingId albedo{2}`.
struct TableId {
  uint32_t index = kNone;
};
struct BindingId {
  uint32_t index = kNone;
};
struct ProgramId {
  uint32_t index = kNone;
};
struct PushFieldId {
  uint32_t index = kNone;
};
struct ExternalRangeId {
  uint32_t index = kNone;
};

[[nodiscard]] constexpr DescriptorClass descriptor_class(DescriptorType type) noexcept {
  switch (type) {
    case DescriptorType::Sampler:
      return DescriptorClass::Sampler;
    case DescriptorType::UniformBuffer:
    case DescriptorType::StorageBuffer:
    case DescriptorType::AccelerationStructureKHR:
      return DescriptorClass::Buffer;
    case DescriptorType::TensorARM:
      return DescriptorClass::Tensor;
    case DescriptorType::CombinedImageSampler:  // its resource half
    case DescriptorType::SampledImage:
    case DescriptorType::StorageImage:
    case DescriptorType::UniformTexelBuffer:
    case DescriptorType::StorageTexelBuffer:
    case DescriptorType::InputAttachment:
      return DescriptorClass::Image;
  }
  return DescriptorClass::Image;
}

[[nodiscard]] constexpr bool has_resource_slots(DescriptorType type) noexcept {
  return type != DescriptorType::Sampler;
}
[[nodiscard]] constexpr bool has_sampler_slots(DescriptorType type) noexcept {
  return type == DescriptorType::Sampler || type == DescriptorType::CombinedImageSampler;
}

/// Look-ups by name, for applications that load a manifest at run time. Linear; an index of kNone
/// means "not there". A binding is named by its table's name and its own.
[[nodiscard]] TableId find_table(const Manifest& manifest, std::string_view name) noexcept;
[[nodiscard]] BindingId find_binding(const Manifest& manifest, std::string_view table,
                                     std::string_view binding) noexcept;
[[nodiscard]] ProgramId find_program(const Manifest& manifest, std::string_view name) noexcept;
[[nodiscard]] PushFieldId find_push_field(const Manifest& manifest, std::string_view name) noexcept;
[[nodiscard]] ExternalRangeId find_external_range(const Manifest& manifest,
                                                  std::string_view name) noexcept;

/// The enumerators' names in manifest JSON: Vulkan's, without prefix ("COMBINED_IMAGE_SAMPLER",
/// "indexed").
[[nodiscard]] std::string_view to_string(DescriptorType type) noexcept;
[[nodiscard]] std::string_view to_string(DescriptorClass descriptorClass) noexcept;
[[nodiscard]] std::string_view to_string(Residence residence) noexcept;
[[nodiscard]] std::string_view to_string(MappingSource source) noexcept;
[[nodiscard]] std::string_view to_string(MappingPart part) noexcept;
[[nodiscard]] std::string_view to_string(PushFieldKind kind) noexcept;
[[nodiscard]] std::string_view to_string(ArrayKind kind) noexcept;
[[nodiscard]] std::string_view to_string(ShaderStage stage) noexcept;
[[nodiscard]] std::string_view to_string(SpirvResourceType type) noexcept;

}  // namespace heapsmith
