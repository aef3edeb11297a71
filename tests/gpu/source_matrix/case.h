// SPDX-License-Identifier: MIT
#pragma once

#include <heapsmith/manifest.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// One case is a program whose shaders read a few resources and write down what they found.
/// Shaders, policy and expectations are all made of the same description.
namespace source_matrix {

using heapsmith::Residence;

enum class Kind : uint8_t {
  UniformBuffer,
  StorageBuffer,
  SampledImage,
  StorageImage,
  Sampler,
  Combined,
  UniformTexelBuffer,
  StorageTexelBuffer,
  InputAttachment,
  AccelerationStructure,
};
inline constexpr uint32_t kKinds = 10;
inline constexpr uint32_t kResidences = 11;

enum class Dim : uint8_t { None, D2, D2Array, Cube, CubeArray, D3, Multisampled, Shadow };
inline constexpr uint32_t kDims = 8;

/// Vulkan allows no arrays of arrays here.
enum class Array : uint8_t { None, Fixed, Specialization, Runtime };
inline constexpr uint32_t kArrays = 4;

enum class Stage : uint8_t {
  Compute,
  Vertex,
  Fragment,
  Task,
  Mesh,
  RayGeneration,
  Miss,
  ClosestHit,
  Callable,
};
inline constexpr uint32_t kStages = 9;

/// Where a resource's samplers come from.
enum class Samplers : uint8_t { Tuples, Embedded, InHeap };

/// What the policy says of a resource. The compiler chooses the rest, and the case says what it
/// must choose.
enum class Said : uint8_t {
  Residence,
  LegacyType,  ///< only what descriptor type it was in Vulkan 1.0
  Nothing,
};

/// What a resource is for.
enum class Role : uint8_t {
  Subject,  ///< it is read, and what is read is checked
  Results,  ///< the shaders' notes
  Partner,  ///< the texture of a lone sampler, or the sampler of a lone texture
  Scene,    ///< what helper shaders trace rays through
};

inline constexpr uint32_t kNobody = UINT32_MAX;

struct Resource {
  Role role = Role::Subject;
  Kind kind{};
  Dim dim = Dim::None;
  Array array = Array::None;
  Residence residence{};
  uint32_t instances = 1;  ///< of its table, or copies of its bytes in the heap
  Samplers samplers{};
  bool written = false;  ///< a shader writes to it as well
  bool null = false;     ///< its descriptors are null, and what is read is 0
  bool large = false;    ///< a uniform block that is too large to be pushed as a whole
  Said said{};
  uint32_t partner = kNobody;      ///< index into Case::resources
  uint32_t sameBinding = kNobody;  ///< the resource whose number it shares
  uint32_t set = 0;                ///< index into Case::sets
  uint32_t number = 0;             ///< index into kNumbers
};

struct Set {
  uint32_t number = 0;                   ///< index into kNumbers
  std::optional<Residence> residence{};  ///< what the policy says of the whole set
  uint32_t instances = 1;
  uint32_t samplerInstances = 0;  ///< 0: the policy says nothing
  bool packed = false;
  std::string indirectBlock{};  ///< empty: the policy says nothing
  bool eachDraw = false;        ///< it changes with every draw
};

struct Case {
  std::string name;
  Stage stage{};
  bool overridden = false;  ///< more instances, copies and elements than the policy says
  bool divergent = false;   ///< each invocation reads another element
  std::string policy{};     ///< members of the policy that are not for sets
  std::vector<Set> sets;
  std::vector<Resource> resources;
};

/// Set and binding numbers. Shaders are written with the indices, since GLSL allows no large
/// numbers, and get the numbers as SPIR-V.
inline constexpr uint32_t kNumbers[] = {0,          1,          2,         7,          40,
                                        65535,      65536,      1000003,   2147483647, 2147483648,
                                        4000000000, 4294967294, 4294967295};
inline constexpr uint32_t kNumberCount = sizeof kNumbers / sizeof *kNumbers;

/// Every launch picks other instances, records, addresses and data.
inline constexpr uint32_t kPicks = 3;

/// The words of the push constants that all shaders declare.
struct OwnConstants {
  uint32_t key = 0;     ///< is written to the first word of the results
  uint32_t record = 0;  ///< that helper shaders pick
};

[[nodiscard]] constexpr uint32_t elements(Array array) {
  return array == Array::None ? 1 : array == Array::Fixed ? 3 : 4;
}
[[nodiscard]] constexpr bool is_ray_stage(Stage stage) {
  return stage >= Stage::RayGeneration;
}
[[nodiscard]] constexpr bool has_image(Kind kind) {
  return kind == Kind::SampledImage || kind == Kind::StorageImage || kind == Kind::Combined;
}
[[nodiscard]] constexpr bool has_sampler(Kind kind) {
  return kind == Kind::Sampler || kind == Kind::Combined;
}

/// What the specification lets reach such a resource, without a word from the compiler.
[[nodiscard]] bool is_allowed(Kind kind, Array array, Residence residence, Stage stage);

[[nodiscard]] std::string_view name_of(Kind kind);
[[nodiscard]] std::string_view name_of(Stage stage);

/// Whether a shader asks a storage buffer for its length. An address has none, and glslang leaves
/// out that the index is non-uniform.
[[nodiscard]] constexpr bool reads_length(const Case& test, const Resource& resource) {
  return is_table_residence(resource.residence) && resource.said == Said::Residence &&
         !test.divergent;
}

/// The name of a resource's variable.
[[nodiscard]] std::string variable(uint32_t resource);

/// Words that a shader writes of one element.
[[nodiscard]] uint32_t words_of(const Case& test, uint32_t resource);

/// The first of them; kFirstWord and up.
inline constexpr uint32_t kFirstWord = 1;
[[nodiscard]] uint32_t word_index(const Case& test, uint32_t resource, uint32_t element);
[[nodiscard]] uint32_t word_count(const Case& test);

/// A family of cases: "compute", "graphics", "ray", "special".
[[nodiscard]] std::vector<Case> cases_of(std::string_view family);

/// The family's stages.
[[nodiscard]] std::vector<Stage> stages_of(std::string_view family);

/// Cases that somebody thought of.
[[nodiscard]] std::vector<Case> special_cases();

/// The policy's samplers that pick level `level`, and that compare by an operator.
inline constexpr uint32_t kLevels = 7;
[[nodiscard]] std::string level_sampler(uint32_t level);
[[nodiscard]] std::string compare_sampler(bool less);

/// How the samplers of a case are told apart: the level that one picks, or whether it compares by
/// less (1) or by greater-or-equal (0).
[[nodiscard]] constexpr uint32_t sampler_trait(Dim dim, uint32_t tuple, uint32_t slot) {
  return dim == Dim::Shadow ? (tuple + slot) % 2 : (3 * tuple + slot + 1) % kLevels;
}
/// Of the element's immutable sampler.
[[nodiscard]] constexpr uint32_t immutable_trait(const Resource& resource, uint32_t element) {
  return sampler_trait(resource.dim, 1, 2 * element);
}

/// File names beside the case's manifest, without ".spv". The first is the shader under test.
struct ShaderText {
  std::string file;
  std::string text;
};
[[nodiscard]] std::vector<ShaderText> write_shaders(const Case& test);
[[nodiscard]] std::string write_policy(const Case& test);

}  // namespace source_matrix
