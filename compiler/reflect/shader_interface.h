// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "heapsmith/manifest.h"

/// What a module says about its interface. Values only; nothing in here is a choice.
namespace heapsmith::reflect {

/// VkSpirvResourceTypeFlagBitsEXT: what a mapping's resourceMask is matched against.
enum class ResourceKind : uint32_t {
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

/// A type that lies in memory.
enum class TypeKind : uint8_t { Scalar, Vector, Matrix, Array, RuntimeArray, Structure, Address };

struct BlockMember {
  std::string name;           ///< OpMemberName, else "member<N>"
  uint32_t type = 0;          ///< index into ShaderInterface::types
  uint32_t offset = 0;        ///< bytes from the structure's start
  uint32_t matrixStride = 0;  ///< bytes between the columns (or rows) of a matrix; 0: it holds none
  bool rowMajor = false;
  bool nonWritable = false;
  bool nonReadable = false;
  bool coherent = false;
  bool isVolatile = false;
  bool isRestrict = false;
};

/// The rules of the Vulkan specification ("Offset and Stride Assignment") that a structure's
/// offsets and strides keep, the strictest first.
enum class LayoutRule : uint8_t { Std140, Std430, Scalar, None };

/// One node of the graph of types that blocks are made of; only Address closes cycles in it.
struct BlockType {
  TypeKind kind{};
  std::string scalar;    ///< "float32", "uint8", ...: of scalars, vectors and matrices
  uint32_t rows = 1;     ///< components of a vector, rows of a matrix
  uint32_t columns = 1;  ///< of a matrix
  uint32_t element = 0;  ///< index of an array's element type, or of what an address points to
  uint64_t length = 0;   ///< elements of an array, specialization constants at their defaults
  std::vector<uint32_t> lengthSpecIds;
  uint32_t stride = 0;  ///< bytes between an array's elements
  std::string name;     ///< of a structure: OpName, empty if it has none
  std::vector<BlockMember> members;
  uint64_t size = 0;        ///< bytes of a structure up to the end of its last sized member
  uint64_t paddedSize = 0;  ///< size, rounded up to the alignment that its rule gives it
  LayoutRule rule = LayoutRule::None;
};

/// "No type", where an index into ShaderInterface::types is optional.
inline constexpr uint32_t kNoType = 0xFFFFFFFFu;

struct ImageFacts {
  uint32_t dim = 0;    ///< spv::Dim
  uint32_t depth = 0;  ///< 0 no, 1 yes, 2 unknown: the Depth operand
  bool arrayed = false;
  bool multisampled = false;
  uint32_t sampled = 0;     ///< 1 with a sampler, 2 storage: the Sampled operand
  uint32_t format = 0;      ///< spv::ImageFormat
  std::string sampledType;  ///< "float32", "uint32", "int64", ...
};

/// What decorations promise about the use of memory.
struct Qualifiers {
  bool nonWritable = false;
  bool nonReadable = false;
  bool coherent = false;
  bool isVolatile = false;
  bool isRestrict = false;
  bool aliased = false;
  friend auto operator<=>(const Qualifiers&, const Qualifiers&) = default;
};

/// Constant indices are listed up to this number of them.
inline constexpr size_t kMaxListedIndices = 64;

/// A variable with DescriptorSet and Binding.
struct Resource {
  uint32_t id = 0;        ///< the OpVariable
  std::string name;       ///< OpName of the variable, else of its block, else "set<S>_binding<B>"
  std::string blockName;  ///< OpName of the block type, for buffers
  uint32_t block = kNoType;  ///< index into ShaderInterface::types, for buffers
  uint32_t set = 0;
  uint32_t binding = 0;
  DescriptorType type{};
  ResourceKind
      kind{};  ///< read-only by the decorations of the variable alone, as drivers look at it
  ArrayKind arrayKind{};
  std::vector<uint32_t>
      dims;            ///< outermost first; empty for a non-array; 0 for a runtime dimension
  uint64_t count = 1;  ///< product of dims; 0 for a runtime array
  std::vector<uint32_t> sizeSpecIds;  ///< SpecIds that the count depends on
  std::string sizeExpression;         ///< "COUNT * 2"; empty if no SpecId sizes it
  std::optional<ImageFacts> image;
  std::optional<uint32_t> inputAttachmentIndex;
  uint64_t blockSize = 0;  ///< bytes up to the end of the last sized member, for buffers
  uint64_t runtimeTailStride =
      0;  ///< bytes of one element of the block's runtime array; 0: it has none
  uint64_t runtimeTailOffset = 0;  ///< bytes before that array
  bool readOnly = false;           ///< NonWritable on the variable, or on every member of the block
  bool writeOnly = false;          ///< NonReadable likewise
  Qualifiers qualifiers;           ///< of the variable, or of every member of its block
  std::vector<uint32_t> aliases;   ///< indices of the other resources on its set and binding
  // What the functions do that an entry point reaches:
  bool isRead = false;     ///< its contents, by a load, a sample or an atomic; queries do not count
  bool isWritten = false;  ///< by a store, an image write or an atomic
  bool comparison = false;  ///< used with a Dref instruction
  bool usesLength = false;  ///< OpArrayLength is applied to it
  bool usesAtomics = false;
  bool usesDerivatives = false;      ///< sampled at a level that derivatives choose
  bool dynamicallyIndexed = false;   ///< an element is picked by something that is no constant
  bool nonUniformlyIndexed = false;  ///< ... and is decorated NonUniform
  /// Flattened, ascending, at most kMaxListedIndices; empty unless literals alone pick elements.
  std::vector<uint64_t> constantIndices;
  std::string counterBuffer;  ///< name of the variable that CounterBuffer links it to
  std::string userType;       ///< UserTypeGOOGLE
};

/// A number of bytes in heap-form code, which only a device may know.
enum class HeapSizeKind : uint8_t {
  Literal,
  SizeOf,          ///< OpConstantSizeOfEXT
  Maximum,         ///< the largest of several of those
  Specialization,  ///< depends on specialization constants alone
  Other,           ///< any other expression of constants
  Dynamic,         ///< no constant
};

struct HeapSize {
  HeapSizeKind kind = HeapSizeKind::Literal;
  std::optional<uint64_t> bytes;  ///< of Literal and, by default values, of Specialization
  std::string text;               ///< "64", "max(sizeOf(image), sizeOf(buffer))"
  std::vector<uint32_t> specIds;  ///< that it depends on
};

struct HeapArray {
  uint64_t length = 0;  ///< 0 for a runtime array
  HeapSize stride;      ///< no text: none is declared
};

/// What picks the elements, the least constant of all uses.
enum class HeapIndexing : uint8_t { Constant, Specialization, Dynamic };

/// One way in which the module reads ResourceHeapEXT or SamplerHeapEXT by itself. Uses that differ
/// in nothing but the index are one.
struct HeapAccess {
  bool samplerHeap = false;
  std::optional<DescriptorType> type;  ///< nothing: the heap's bytes are read as plain data
  ResourceKind kind{};                 ///< of descriptors
  std::optional<ImageFacts> image;
  std::string blockName;
  uint32_t block = kNoType;       ///< index into ShaderInterface::types, where it is known
  std::string dataType;           ///< of plain data: its type
  HeapSize offset;                ///< the heap's bytes before the elements that the indices pick
  std::vector<HeapArray> arrays;  ///< outermost first
  HeapIndexing indexing{};
  std::vector<uint64_t> slots;  ///< constant indices, flattened, ascending, at most
                                ///< kMaxListedIndices
  bool nonUniformlyIndexed = false;
  Qualifiers qualifiers;
  bool isRead = false;
  bool isWritten = false;
  bool comparison = false;
  bool usesLength = false;
  bool usesAtomics = false;
  bool usesDerivatives = false;
};

/// Bytes [begin, end).
struct ByteRange {
  uint64_t begin = 0;
  uint64_t end = 0;
  friend auto operator<=>(const ByteRange&, const ByteRange&) = default;
};

struct PushConstants {
  std::string name;
  uint32_t offset = 0;  ///< bytes: the smallest member offset, rounded down to a multiple of 4
  uint32_t size =
      0;  ///< bytes from there to the end of the last member, rounded up to a multiple of 4
  uint32_t block = kNoType;                ///< index into ShaderInterface::types
  std::vector<ByteRange> usedRanges = {};  ///< of an entry point: ascending, disjoint
};

struct SpecializationConstant {
  uint32_t specId = 0;
  std::string name;
  std::string type;          ///< "bool", "uint32", "float64", ...
  uint64_t defaultBits = 0;  ///< the default value's bit pattern
};

struct ExecutionModeOperand {
  uint32_t value = 0;      ///< specialization constants at their defaults
  std::string expression;  ///< empty if it does not depend on any
};

struct ExecutionMode {
  std::string name;  ///< "LocalSizeId"; the number where it is not known
  std::vector<ExecutionModeOperand> operands;
};

/// Variables of a shader's interface that are no resources.
enum class InterfaceKind : uint8_t {
  Input,
  Output,
  TaskPayload,
  RayPayload,
  IncomingRayPayload,
  HitAttribute,
  CallableData,
  IncomingCallableData,
  ShaderRecord,
};

/// Such a variable, or a member of an input or output block.
struct InterfaceVariable {
  InterfaceKind kind{};
  std::string name;          ///< "block.member" for members; empty if it has none
  std::string type;          ///< "float32x4", "uint32[3]", a structure's name
  bool isStructure = false;  ///< or an array of structures
  std::optional<uint32_t> location;
  std::optional<uint32_t> component;
  std::optional<uint32_t> index;         ///< of dual-source blending
  std::string builtIn;                   ///< "Position"; empty: it is none
  std::vector<std::string> decorations;  ///< "Flat", "NoPerspective", "Patch", ...
  uint32_t block = kNoType;              ///< of a shader record: index into ShaderInterface::types
};

struct EntryPointVariable {
  uint32_t variable = 0;  ///< index into ShaderInterface::variables
  bool used = false;      ///< statically
};

struct EntryPoint {
  std::string name;
  ShaderStage stage{};
  std::vector<ExecutionMode> executionModes;  ///< in module order
  std::vector<uint32_t> usedResources;  ///< indices into ShaderInterface::resources, ascending
  std::vector<uint32_t> heapAccesses;   ///< indices into ShaderInterface::heapAccesses, ascending
  std::vector<EntryPointVariable> variables;   ///< that it lists or uses, ascending
  std::optional<PushConstants> pushConstants;  ///< if it statically uses them
  std::optional<std::vector<uint32_t>>
      workgroupSize;  ///< compute, task, mesh; defaults where specialised
  /// By dimension, the SpecIds that it depends on; empty if none does.
  std::vector<std::vector<uint32_t>> workgroupSizeSpecIds;
};

/// What a capability needs of a device: any one of these members of VkPhysicalDevice*Features.
struct RequiredFeature {
  std::string capability;
  std::vector<std::string> features;
};

struct ShaderInterface {
  uint32_t spirvVersion = 0;  ///< as in the module header: 0x00010300 is 1.3
  std::vector<std::string> capabilities;
  std::vector<std::string> extensions;
  std::vector<RequiredFeature> requiredFeatures;  ///< by the capabilities that need any
  std::vector<Resource> resources;                ///< by set, binding, id; unused ones included
  std::vector<HeapAccess> heapAccesses;           ///< in order of first use
  std::vector<InterfaceVariable> variables;       ///< in module order
  std::vector<BlockType> types;  ///< what blocks are made of, in order of first use
  std::vector<SpecializationConstant> specializationConstants;  ///< by SpecId
  std::vector<EntryPoint> entryPoints;                          ///< in module order
  bool usesResourceHeap = false;                                ///< reads ResourceHeapEXT itself
  bool usesSamplerHeap = false;
};

}  // namespace heapsmith::reflect
