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
inline constexpr uint32_t kFormatVersionMinor = 1;

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

/// How a shader reaches a resource. The first five are of tables: how many instances of a table
/// live in the heap, and how a draw picks one. The others are of single buffer bindings, which then
/// need no descriptor.
enum class Residence : uint8_t {
  Static,           ///< one instance at a constant address
  Indexed,          ///< `instances` of them, picked by a 32-bit word of push data
  Indirect,         ///< likewise, picked by a word in memory whose address is pushed
  Scattered,        ///< each element has a word of its own there: the slot of its descriptor
  Record,           ///< picked by a word of the shader record
  HeapData,         ///< a uniform block's bytes lie in the resource heap
  PushData,         ///< a uniform block's bytes lie in push data
  PushAddress,      ///< the buffer's address is pushed
  IndirectAddress,  ///< the buffer's address lies in memory whose address is pushed
  RecordData,       ///< a uniform block's bytes lie in the shader record
  RecordAddress,    ///< the buffer's address lies in the shader record
};

[[nodiscard]] constexpr bool is_table_residence(Residence residence) noexcept {
  return residence <= Residence::Record;
}

/// Numerically VkDescriptorMappingSourceEXT.
enum class MappingSource : uint32_t {
  HeapWithConstantOffset = 0,
  HeapWithPushIndex = 1,
  HeapWithIndirectIndex = 2,
  HeapWithIndirectIndexArray = 3,
  ResourceHeapData = 4,
  PushData = 5,
  PushAddress = 6,
  IndirectAddress = 7,
  HeapWithShaderRecordIndex = 8,
  ShaderRecordData = 9,
  ShaderRecordAddress = 10,
};

/// What a binding of this residence is mapped with. (A sampler that is the same for all instances
/// of its table is at a constant place all the same.)
[[nodiscard]] constexpr MappingSource mapping_source(Residence residence) noexcept {
  switch (residence) {
    case Residence::Static:
      return MappingSource::HeapWithConstantOffset;
    case Residence::Indexed:
      return MappingSource::HeapWithPushIndex;
    case Residence::Indirect:
      return MappingSource::HeapWithIndirectIndex;
    case Residence::Scattered:
      return MappingSource::HeapWithIndirectIndexArray;
    case Residence::Record:
      return MappingSource::HeapWithShaderRecordIndex;
    case Residence::HeapData:
      return MappingSource::ResourceHeapData;
    case Residence::PushData:
      return MappingSource::PushData;
    case Residence::PushAddress:
      return MappingSource::PushAddress;
    case Residence::IndirectAddress:
      return MappingSource::IndirectAddress;
    case Residence::RecordData:
      return MappingSource::ShaderRecordData;
    case Residence::RecordAddress:
      return MappingSource::ShaderRecordAddress;
  }
  return {};
}

/// Whether a mapping of this source reaches descriptors. The others reach bytes or a buffer.
[[nodiscard]] constexpr bool reaches_descriptors(MappingSource source) noexcept {
  return source <= MappingSource::HeapWithIndirectIndexArray ||
         source == MappingSource::HeapWithShaderRecordIndex;
}

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

/// Where the samplers of a binding lie.
enum class SamplerPlacement : uint8_t {
  Table,      ///< in the table's sampler tuples, or the binding has none
  Immutable,  ///< in slots of their own, one for each element: the same for all instances
  Embedded,   ///< in the mapping (pEmbeddedSampler), which takes no slot
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
  Residence residence = Residence::Static;  ///< its table's, or one that needs no descriptor
  SamplerPlacement samplerPlacement{};
  IndexRange immutableSamplers{};  ///< into Manifest::immutableSamplers, one for each element, or
                                   ///< one for all; none if an application chooses them
  uint32_t slotsPerElement =
      1;  ///< image slots of one element: kYcbcrSlots where its sampler converts from YCbCr
};

/// The heap form of a descriptor set layout, or of that part of it that has one residence.
struct Table {
  std::string_view name;
  uint32_t set = 0;  ///< the DescriptorSet decoration that programs reach it by
  Residence residence{};
  uint32_t instances = 1;         ///< copies of the buffer, image and tensor slots
  uint32_t samplerInstances = 1;  ///< copies of the sampler slots: different sampler tuples
  IndexRange bindings;            ///< into Manifest::bindings, ascending by binding number
  uint32_t indexField = kNone;    ///< field that holds the instance (FieldKind::TableIndex, or
                                  ///< PackedIndex); none for Static and Scattered
  uint32_t samplerIndexField =
      kNone;  ///< field that holds the sampler tuple, if it has a field of its own
};

/// Where a field's bytes lie.
enum class FieldSpace : uint8_t {
  PushData,
  ShaderRecord,  ///< behind the shader group handle
  Indirect,      ///< in an IndirectBlock
};

enum class FieldKind : uint8_t {
  TableIndex,      ///< 4 bytes: instance of `table`
  SamplerIndex,    ///< 4 bytes: sampler tuple of `table`
  PackedIndex,     ///< 4 bytes: instance in bits 0 to 19, sampler tuple in bits 20 to 31
  ResourceSlots,   ///< 4 bytes for each element of `binding`: slot in the region of its class
  SamplerSlots,    ///< 4 bytes for each element of `binding`: slot in the sampler region
  BlockAddress,    ///< 8 bytes: device address of `block`
  BufferAddress,   ///< 8 bytes: device address of what `binding` declares
  HeapDataOffset,  ///< 4 bytes: heap_data_word() of `binding`
  Data,            ///< the bytes of the uniform block that `binding` declares
};

/// What a word of FieldKind::PackedIndex has room for (useCombinedImageSamplerIndex).
inline constexpr uint32_t kPackedInstances = 1u << 20;
inline constexpr uint32_t kPackedSamplerInstances = 1u << 12;

/// Bytes that mappings read. Fields of programs that can never be bound together may share an
/// offset; within one program they are disjoint, and disjoint from the push constants and the
/// shader-record blocks of all its stages. Names differ over all spaces.
struct Field {
  std::string_view name;
  FieldKind kind{};
  FieldSpace space{};
  uint32_t table = kNone;    ///< index into Manifest::tables; none for BlockAddress
  uint32_t binding = kNone;  ///< index into Manifest::bindings, for kinds of a single binding
  uint32_t block = kNone;    ///< index into Manifest::indirectBlocks: that it lies in, or whose
                             ///< address it is
  uint32_t offset = 0;       ///< bytes: from the start of push data, record or block
  uint32_t size = 4;         ///< bytes
};

/// A layout of memory that the application fills with indices and addresses. Its address, a
/// multiple of 8, is pushed; the buffer needs VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT (VUID 11437), and
/// its bytes stay as they are while shaders run.
struct IndirectBlock {
  std::string_view name;
  uint32_t size = 0;              ///< bytes
  uint32_t addressField = kNone;  ///< of FieldSpace::PushData
};

/// An image in a format that samples as YCbCr takes at most so many consecutive descriptors
/// (Vulkan specification, samplerYcbcrConversionCount).
inline constexpr uint32_t kYcbcrSlots = 3;

/// VkSamplerYcbcrConversionCreateInfo; enums by their Vulkan numbers.
struct YcbcrConversion {
  uint32_t format = 0;
  uint32_t ycbcrModel = 0;
  uint32_t ycbcrRange = 0;
  uint32_t components[4] = {};
  uint32_t xChromaOffset = 0;
  uint32_t yChromaOffset = 0;
  uint32_t chromaFilter = 0;
  bool forceExplicitReconstruction = false;
};

/// VkSamplerCreateInfo with the structs that may be chained to it; enums by their Vulkan numbers.
struct SamplerInfo {
  std::string_view name;
  uint32_t flags = 0;
  uint32_t magFilter = 0;
  uint32_t minFilter = 0;
  uint32_t mipmapMode = 0;
  uint32_t addressModeU = 0;
  uint32_t addressModeV = 0;
  uint32_t addressModeW = 0;
  float mipLodBias = 0;
  bool anisotropyEnable = false;
  float maxAnisotropy = 1;
  bool compareEnable = false;
  uint32_t compareOp = 0;
  float minLod = 0;
  float maxLod = 1000;  ///< VK_LOD_CLAMP_NONE
  uint32_t borderColor = 0;
  bool unnormalizedCoordinates = false;
  uint32_t reductionMode = 0;
  uint32_t customBorderColor[4] = {};    ///< bits of VkClearColorValue, for the CUSTOM borderColors
  uint32_t customBorderColorFormat = 0;  ///< VkFormat
  bool convertsYcbcr = false;            ///< then `conversion` counts
  YcbcrConversion conversion{};
};

/// Which half of a binding's slots a mapping reaches.
enum class MappingPart : uint8_t {
  Resource,  ///< the buffer, image or tensor slots, or what stands for a descriptor
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
  uint32_t field = kNone;         ///< what the source reads; none for HeapWithConstantOffset
  uint32_t samplerField = kNone;  ///< what picks the sampler, for MappingPart::Combined; none: it
                                  ///< is the same for all instances, or `packedIndex`
  bool packedIndex = false;       ///< useCombinedImageSamplerIndex
  uint32_t embeddedSampler = kNone;  ///< index into Manifest::samplers: pEmbeddedSampler
};

/// How rewritten shaders know where the regions of the heaps begin.
enum class RegionBases : uint8_t {
  Sizes,           ///< from the descriptors' sizes: the heaps begin with them, in resolve()'s order
  Specialization,  ///< from specialization constants: anywhere (ResolveOptions::regionBases)
};

/// A number of slots that a rewritten shader is told when its pipeline is made.
enum class SlotNumber : uint8_t {
  RegionFirstSlot,   ///< of `descriptorClass`: slots of that class from the heap's start
  RegionSlots,       ///< of `descriptorClass`: how many there are in its region
  SlotsPerInstance,  ///< of `table`, in the region of `descriptorClass`
  ResourceSlot,      ///< resource_slot() of `binding`
  SamplerSlot,       ///< sampler_slot() of `binding`
};

/// A 32-bit specialization constant that a rewritten shader has besides those of its source. Its
/// default is the manifest's own number (of RegionFirstSlot, 0); a SpecId means the same in all
/// shaders of a manifest. vulkan_specialization() (pipeline.h) tells what to set it to.
struct SlotConstant {
  uint32_t specId = 0;
  SlotNumber number{};
  DescriptorClass descriptorClass{};
  uint32_t table = kNone;    ///< index into Manifest::tables
  uint32_t binding = kNone;  ///< index into Manifest::bindings
};

/// The strings are NUL-terminated: entryPoint.data() is what VkPipelineShaderStageCreateInfo::pName
/// takes.
struct Shader {
  std::string_view file;  ///< SPIR-V file, relative to the manifest's folder
  std::string_view entryPoint;
  std::string_view sha256;  ///< of the file's bytes, 64 lower-case hexadecimal digits
  ShaderStage stage{};
  bool rewritten = false;         ///< it reads the heaps by itself
  IndexRange slotConstants = {};  ///< into Manifest::slotConstants, ascending by SpecId
};

/// Shaders that one pipeline uses together. Its mappings serve all of its stages.
struct Program {
  std::string_view name;
  IndexRange shaders;
  IndexRange mappings;
  uint32_t pushConstantOffset =
      0;  ///< bytes of push data that its shaders' own push constants occupy
  uint32_t pushConstantSize = 0;  ///< bytes, a multiple of 4; 0: none
  uint32_t recordBlockSize = 0;   ///< bytes at the record's start that its shaders' own
                                  ///< shader-record blocks occupy; 0: none
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
  std::span<const Field> fields;  ///< by space, block, offset
  std::span<const IndirectBlock> indirectBlocks;
  std::span<const Program> programs;
  std::span<const Shader> shaders;
  std::span<const Mapping> mappings;
  std::span<const ExternalRange> externalRanges;
  std::span<const SamplerInfo> samplers;
  std::span<const uint32_t> immutableSamplers;  ///< indices into `samplers`
  std::span<const SlotConstant> slotConstants = {};
  RegionBases regionBases{};
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
struct FieldId {
  uint32_t index = kNone;
};
struct IndirectBlockId {
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

[[nodiscard]] constexpr bool is_resource(DescriptorType type) noexcept {
  return type != DescriptorType::Sampler;
}
[[nodiscard]] constexpr bool has_samplers(DescriptorType type) noexcept {
  return type == DescriptorType::Sampler || type == DescriptorType::CombinedImageSampler;
}

/// Whether the binding has slots in the resource heap, and in the sampler heap.
[[nodiscard]] constexpr bool has_resource_slots(const Binding& binding) noexcept {
  return is_resource(binding.type) && is_table_residence(binding.residence);
}
[[nodiscard]] constexpr bool has_sampler_slots(const Binding& binding) noexcept {
  return has_samplers(binding.type) && binding.samplerPlacement != SamplerPlacement::Embedded;
}
/// Whether they are part of its table's sampler tuples.
[[nodiscard]] constexpr bool is_in_sampler_tuples(const Binding& binding) noexcept {
  return has_samplers(binding.type) && binding.samplerPlacement == SamplerPlacement::Table;
}

/// Look-ups by name, for applications that load a manifest at run time. Linear; an index of kNone
/// means "not there". A binding is named by its table's name and its own.
[[nodiscard]] TableId find_table(const Manifest& manifest, std::string_view name) noexcept;
[[nodiscard]] BindingId find_binding(const Manifest& manifest, std::string_view table,
                                     std::string_view binding) noexcept;
[[nodiscard]] ProgramId find_program(const Manifest& manifest, std::string_view name) noexcept;
[[nodiscard]] FieldId find_field(const Manifest& manifest, std::string_view name) noexcept;
[[nodiscard]] IndirectBlockId find_indirect_block(const Manifest& manifest,
                                                  std::string_view name) noexcept;
[[nodiscard]] ExternalRangeId find_external_range(const Manifest& manifest,
                                                  std::string_view name) noexcept;

/// The enumerators' names in manifest JSON: Vulkan's, without prefix ("COMBINED_IMAGE_SAMPLER",
/// "indexed").
[[nodiscard]] std::string_view to_string(DescriptorType type) noexcept;
[[nodiscard]] std::string_view to_string(DescriptorClass descriptorClass) noexcept;
[[nodiscard]] std::string_view to_string(Residence residence) noexcept;
[[nodiscard]] std::string_view to_string(MappingSource source) noexcept;
[[nodiscard]] std::string_view to_string(MappingPart part) noexcept;
[[nodiscard]] std::string_view to_string(FieldKind kind) noexcept;
[[nodiscard]] std::string_view to_string(FieldSpace space) noexcept;
[[nodiscard]] std::string_view to_string(SamplerPlacement placement) noexcept;
[[nodiscard]] std::string_view to_string(ArrayKind kind) noexcept;
[[nodiscard]] std::string_view to_string(ShaderStage stage) noexcept;
[[nodiscard]] std::string_view to_string(SpirvResourceType type) noexcept;
[[nodiscard]] std::string_view to_string(RegionBases bases) noexcept;
[[nodiscard]] std::string_view to_string(SlotNumber number) noexcept;

}  // namespace heapsmith
