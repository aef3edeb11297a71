// SPDX-License-Identifier: MIT
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <format>
#include <string>
#include <vector>

#include "reflect/program_interface.h"
#include "reflect/sample_shaders.h"

namespace heapsmith::reflect {
namespace {

using sample::array;
using sample::block;
using sample::module;
using sample::resource;

struct Shader {
  std::string file;
  ShaderInterface interface;
  uint32_t entryPoint = 0;
};

struct Merged {
  std::string bindings;  ///< a line each
  std::string pushConstants;
  std::string diagnostics;
  bool failed = false;
  friend bool operator==(const Merged&, const Merged&) = default;
};

Merged merge_in_order(const std::vector<const Shader*>& shaders) {
  std::vector<ShaderUse> uses;
  for (const Shader* shader : shaders)
    uses.push_back({&shader->interface, shader->entryPoint, shader->file});
  Diagnostics diagnostics;
  const auto program = merge_stages(uses, diagnostics);
  Merged merged;
  merged.diagnostics = sample::describe(diagnostics);
  merged.failed = !program;
  CHECK(merged.failed == diagnostics.has_errors());
  if (!program) return merged;
  for (const ProgramBinding& binding : program->bindings)
    merged.bindings += sample::describe(binding);
  if (program->pushConstants) {
    merged.pushConstants =
        std::format("{}+{}", program->pushConstants->offset, program->pushConstants->size);
  }
  return merged;
}

// In every order; all must give the same.
Merged merge(const std::vector<Shader>& shaders) {
  std::vector<const Shader*> order;
  for (const Shader& shader : shaders)
    order.push_back(&shader);
  std::ranges::sort(order);
  const Merged first = merge_in_order(order);
  while (std::ranges::next_permutation(order).found) {
    const Merged other = merge_in_order(order);
    CHECK(other.bindings == first.bindings);
    CHECK(other.pushConstants == first.pushConstants);
    CHECK(other.diagnostics == first.diagnostics);
  }
  return first;
}

const Resource kBuffer = block(resource(0, 0, "u", DescriptorType::UniformBuffer), "U", 64);
const Resource kTexture = resource(0, 1, "t", DescriptorType::SampledImage);
const Resource kSampler = resource(0, 1, "s", DescriptorType::Sampler);
const Resource kCombined = resource(0, 1, "c", DescriptorType::CombinedImageSampler);

TEST_CASE("merge: stages are united, whatever the order of the shaders") {
  const Resource other = resource(1, 7, "image", DescriptorType::StorageImage);
  const Merged merged = merge({{"a.vert", module(ShaderStage::Vertex, {kBuffer, other})},
                               {"a.geom", module(ShaderStage::Geometry, {kBuffer})},
                               {"a.tesc", module(ShaderStage::TessellationControl, {other})},
                               {"a.frag", module(ShaderStage::Fragment, {kTexture, kBuffer})}});
  CHECK(merged.diagnostics.empty());
  CHECK(merged.bindings ==
        "0.0 u UNIFORM_BUFFER none x1 stages 0x19 kinds 0x20 size 64 in a.vert views u:U\n"
        "0.1 t SAMPLED_IMAGE none x1 stages 0x10 kinds 0x2 size 0 in a.frag views t:\n"
        "1.7 image STORAGE_IMAGE none x1 stages 0x3 kinds 0x8 size 0 in a.vert views image:\n");
}

TEST_CASE("merge: what no stage uses is declared, without stages and kinds") {
  const Merged merged = merge({{"a.vert", module(ShaderStage::Vertex, {kBuffer}, 0)},
                               {"a.frag", module(ShaderStage::Fragment, {kBuffer, kTexture}, 1)}});
  CHECK(merged.bindings ==
        "0.0 u UNIFORM_BUFFER none x1 stages 0x10 kinds 0x20 size 64 in a.frag views u:U\n"
        "0.1 t SAMPLED_IMAGE none x1 stages 0x0 kinds 0x0 size 0 in a.frag views t:\n");
}

TEST_CASE("merge: a texture and a sampler on one binding are a combined image sampler") {
  const std::string type = "COMBINED_IMAGE_SAMPLER none x1 ";
  CHECK(merge({{"a.frag", module(ShaderStage::Fragment, {kTexture, kSampler})}}).bindings ==
        "0.1 t " + type + "stages 0x10 kinds 0x3 size 0 in a.frag views t: s:\n");
  CHECK(merge({{"a.vert", module(ShaderStage::Vertex, {kSampler})},
               {"a.frag", module(ShaderStage::Fragment, {kTexture})}})
            .bindings == "0.1 s " + type + "stages 0x11 kinds 0x3 size 0 in a.vert views s: t:\n");
  CHECK(merge({{"a.vert", module(ShaderStage::Vertex, {kCombined})},
               {"a.frag", module(ShaderStage::Fragment, {kTexture, kSampler})}})
            .bindings ==
        "0.1 c " + type + "stages 0x11 kinds 0x13 size 0 in a.vert views c: t: s:\n");
}

TEST_CASE("merge: two types on one binding are refused, with both files, sets and bindings") {
  const Resource image = resource(0, 1, "i", DescriptorType::StorageImage);
  const Merged merged = merge({{"a.vert", module(ShaderStage::Vertex, {kTexture})},
                               {"a.frag", module(ShaderStage::Fragment, {image})}});
  CHECK(merged.failed);
  CHECK(merged.diagnostics ==
        "HS2004 a.frag: set 0 binding 1 is STORAGE_IMAGE 'i' here and SAMPLED_IMAGE 't' in "
        "a.vert; one binding of a program has one type\n");
}

TEST_CASE("merge: every conflict is reported, also within one module") {
  const Resource image = resource(0, 1, "i", DescriptorType::StorageImage);
  const Resource storage = block(resource(0, 0, "b", DescriptorType::StorageBuffer), "B", 4);
  const Merged merged =
      merge({{"a.comp", module(ShaderStage::Compute, {kBuffer, kTexture, storage, image})}});
  CHECK(merged.failed);
  CHECK(std::ranges::count(merged.diagnostics, '\n') == 2);
  CHECK(merged.diagnostics.contains("STORAGE_BUFFER 'b' here and UNIFORM_BUFFER 'u'"));
}

TEST_CASE("merge: every pair of types that no descriptor serves is a conflict") {
  constexpr DescriptorType kTypes[] = {
      DescriptorType::Sampler,
      DescriptorType::CombinedImageSampler,
      DescriptorType::SampledImage,
      DescriptorType::StorageImage,
      DescriptorType::UniformTexelBuffer,
      DescriptorType::StorageTexelBuffer,
      DescriptorType::UniformBuffer,
      DescriptorType::StorageBuffer,
      DescriptorType::InputAttachment,
      DescriptorType::AccelerationStructureKHR,
      DescriptorType::TensorARM,
  };
  for (size_t i = 0; i < std::size(kTypes); ++i) {
    for (size_t k = 0; k < std::size(kTypes); ++k) {
      CAPTURE(to_string(kTypes[i]), to_string(kTypes[k]));
      CHECK(common_type(kTypes[i], kTypes[k]) == common_type(kTypes[k], kTypes[i]));
      const bool fits = i == k || (i < 3 && k < 3);
      CHECK(common_type(kTypes[i], kTypes[k]).has_value() == fits);
      const Merged merged =
          merge({{"a.vert", module(ShaderStage::Vertex, {resource(3, 3, "a", kTypes[i])})},
                 {"a.frag", module(ShaderStage::Fragment, {resource(3, 3, "b", kTypes[k])})}});
      CHECK(merged.failed == !fits);
    }
  }
}

TEST_CASE("merge: an unused declaration of another type gives way") {
  const Resource image = resource(0, 1, "i", DescriptorType::StorageImage);
  const Merged merged = merge({{"a.vert", module(ShaderStage::Vertex, {image}, 0)},
                               {"a.frag", module(ShaderStage::Fragment, {kTexture})}});
  CHECK(merged.diagnostics.empty());
  CHECK(merged.bindings ==
        "0.1 t SAMPLED_IMAGE none x1 stages 0x10 kinds 0x2 size 0 in a.frag views t:\n");
}

TEST_CASE("merge: the longest array counts, and a runtime array stays one") {
  const auto fixed = [](std::vector<uint32_t> dims) {
    return array(kTexture, ArrayKind::Fixed, std::move(dims));
  };
  const Resource runtime = array(kTexture, ArrayKind::Runtime, {0});
  const Resource specialized = array(kTexture, ArrayKind::Specialization, {3});
  struct Case {
    const char* what;
    Resource vertex;
    Resource fragment;
    const char* expected;
  };
  const Case cases[] = {
      {"longer", fixed({2}), fixed({4}), "fixed[4] x4"},
      {"single and array", kTexture, fixed({1}), "fixed[1] x1"},
      {"array and single", fixed({4}), kTexture, "fixed[4] x4"},
      {"runtime and sized", runtime, fixed({64}), "runtime[0] x64"},
      {"sized and runtime", fixed({64}), runtime, "runtime[0] x64"},
      {"runtime and single", runtime, kTexture, "runtime[0] x1"},
      {"two runtime", runtime, runtime, "runtime[0] x0"},
      {"nested, more elements", fixed({2, 3}), fixed({7}), "fixed[7] x7"},
      {"nested, as many elements", fixed({2, 3}), fixed({6}), "fixed[2][3] x6"},
      {"specialized and single", specialized, kTexture, "specialization[3] x3"},
      {"specialized and longer", fixed({2}), specialized, "specialization[3] x3"},
      {"specialized and runtime", specialized, runtime, "runtime[0] x3"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.what);
    const Merged merged = merge({{"a.vert", module(ShaderStage::Vertex, {c.vertex})},
                                 {"a.frag", module(ShaderStage::Fragment, {c.fragment})}});
    CHECK(merged.bindings == std::format("0.1 t SAMPLED_IMAGE {} stages 0x11 kinds 0x2 size 0 in "
                                         "a.vert views t:\n",
                                         c.expected));
  }
}

TEST_CASE("merge: a buffer has the largest size that a stage declares, with a warning") {
  const Resource larger = block(kBuffer, "U", 80);
  const Merged merged = merge({{"a.vert", module(ShaderStage::Vertex, {kBuffer})},
                               {"a.frag", module(ShaderStage::Fragment, {larger})}});
  CHECK_FALSE(merged.failed);
  CHECK(merged.bindings ==
        "0.0 u UNIFORM_BUFFER none x1 stages 0x11 kinds 0x20 size 80 in a.vert views u:U\n");
  CHECK(merged.diagnostics ==
        "HS2005 a.frag: 'u' is 80 bytes here and 64 bytes in a.vert; a buffer must have the "
        "larger size\n");
}

TEST_CASE("merge: two views of one shader may differ in size without a warning") {
  const Resource words = block(resource(0, 3, "words", DescriptorType::StorageBuffer), "W", 0, 4);
  const Resource vectors =
      block(resource(0, 3, "vectors", DescriptorType::StorageBuffer), "V", 16, 16);
  const Merged merged = merge({{"a.comp", module(ShaderStage::Compute, {words, vectors})}});
  CHECK(merged.diagnostics.empty());
  CHECK(merged.bindings ==
        "0.3 words STORAGE_BUFFER none x1 stages 0x20 kinds 0x80 size 32 in a.comp views words:W "
        "vectors:V\n");
}

TEST_CASE("merge: a buffer has room for the first element of its runtime array") {
  // { uint head; vec3 tail[]; }: nothing lies between the head's end at 4 and the array at 16.
  Resource items = block(resource(0, 0, "items", DescriptorType::StorageBuffer), "I", 4, 16);
  items.runtimeTailOffset = 16;
  CHECK(
      merge({{"a.comp", module(ShaderStage::Compute, {items})}}).bindings ==
      "0.0 items STORAGE_BUFFER none x1 stages 0x20 kinds 0x80 size 32 in a.comp views items:I\n");
}

TEST_CASE("merge: what only other entry points use does not belong to the program") {
  const Resource image = resource(0, 0, "image", DescriptorType::StorageImage);
  const Resource buffer = block(resource(0, 0, "data", DescriptorType::StorageBuffer), "D", 4);
  const Resource nobodys = resource(0, 2, "spare", DescriptorType::Sampler);
  ShaderInterface both = module(ShaderStage::Compute, {image, buffer, nobodys}, 1);
  both.entryPoints[0].name = "draw";
  both.entryPoints.push_back({.name = "fill", .stage = ShaderStage::Compute, .usedResources = {1}});
  CHECK(merge({{"a.spv", both, 0}}).bindings ==
        "0.0 image STORAGE_IMAGE none x1 stages 0x20 kinds 0x8 size 0 in a.spv views image:\n"
        "0.2 spare SAMPLER none x1 stages 0x0 kinds 0x0 size 0 in a.spv views spare:\n");
  CHECK(merge({{"a.spv", both, 1}}).bindings ==
        "0.0 data STORAGE_BUFFER none x1 stages 0x20 kinds 0x80 size 4 in a.spv views data:D\n"
        "0.2 spare SAMPLER none x1 stages 0x0 kinds 0x0 size 0 in a.spv views spare:\n");
}

TEST_CASE("merge: push constants are the union of the stages' ranges") {
  const auto with_range = [](ShaderStage stage, uint32_t offset, uint32_t size) {
    ShaderInterface made = module(stage, {});
    made.entryPoints[0].pushConstants = PushConstants{"p", offset, size};
    return made;
  };
  CHECK(merge({{"a.vert", with_range(ShaderStage::Vertex, 8, 52)},
               {"a.geom", module(ShaderStage::Geometry, {})},
               {"a.frag", with_range(ShaderStage::Fragment, 64, 16)}})
            .pushConstants == "8+72");
  CHECK(merge({{"a.vert", with_range(ShaderStage::Vertex, 0, 64)},
               {"a.frag", with_range(ShaderStage::Fragment, 16, 16)}})
            .pushConstants == "0+64");
  CHECK(merge({{"a.vert", module(ShaderStage::Vertex, {})}}).pushConstants.empty());
}

TEST_CASE("merge: numbers are exact up to 32 bits, and nothing is as long as they are") {
  const Resource far = resource(0xFFFFFFFE, 0xFFFFFFFF, "far", DescriptorType::SampledImage);
  CHECK(merge({{"a.frag", module(ShaderStage::Fragment, {far, kTexture})}}).bindings ==
        "0.1 t SAMPLED_IMAGE none x1 stages 0x10 kinds 0x2 size 0 in a.frag views t:\n"
        "4294967294.4294967295 far SAMPLED_IMAGE none x1 stages 0x10 kinds 0x2 size 0 in a.frag "
        "views far:\n");
}

}  // namespace
}  // namespace heapsmith::reflect
