// SPDX-License-Identifier: MIT
#include "rewrite/descriptor_array_capabilities.h"

#include <string>

#include "compiler/rewrite/rewritten.h"

namespace heapsmith::rewrite {
namespace {

// texture2D textures[];  textures[nonuniformEXT(frame.index)]
const std::string kShader =
    test::shader({.capabilities = R"(
          OpCapability ShaderNonUniform
          OpCapability RuntimeDescriptorArray
          OpCapability SampledImageArrayNonUniformIndexing
          OpExtension "SPV_EXT_descriptor_indexing")",
                  .decorations = test::place("textures", 0, 0) + test::place("frame", 1, 0) +
                                 "OpDecorate %Frame Block\nOpMemberDecorate %Frame 0 Offset 0\n"
                                 "OpDecorate %index NonUniform\nOpDecorate %texture NonUniform\n"
                                 "OpDecorate %i NonUniform\n",
                  .declarations = R"(
          %uint = OpTypeInt 32 0
          %float = OpTypeFloat 32
          %zero = OpConstant %uint 0
          %image = OpTypeImage %float 2D 0 0 0 1 Unknown
          %array = OpTypeRuntimeArray %image
          %Frame = OpTypeStruct %uint
          %toArray = OpTypePointer UniformConstant %array
          %toImage = OpTypePointer UniformConstant %image
          %toFrame = OpTypePointer Uniform %Frame
          %toUint = OpTypePointer Uniform %uint
          %textures = OpVariable %toArray UniformConstant
          %frame = OpVariable %toFrame Uniform)",
                  .body = R"(
          %p = OpAccessChain %toUint %frame %zero
          %index = OpLoad %uint %p
          %texture = OpAccessChain %toImage %textures %index
          %i = OpLoad %image %texture)"});

}  // namespace

TEST_CASE("a module that reads heaps alone needs no features for arrays", "[rewrite]") {
  const std::string text = test::rewritten(kShader);
  for (const char* part : {"NonUniform", "RuntimeDescriptorArray", "SPV_EXT_descriptor_indexing"})
    CHECK(text.find(part) == std::string::npos);
}

TEST_CASE("what a dropped capability implied stays", "[rewrite]") {
  std::string text = kShader;
  text.erase(0, text.find('\n'));  // OpCapability Shader, which ShaderNonUniform implies
  CHECK(test::has_line(test::rewritten(text), "OpCapability Shader"));
}

TEST_CASE("arrays that stay mapped keep what they need", "[rewrite]") {
  Placements placements;
  placements.bindings = {{.set = 1, .binding = 0, .resource = Location{}}};
  const std::string text =
      spirv::test::text_of(test::rewritten_words(kShader, 0x00010300, &placements));
  for (const char* line : {"OpCapability ShaderNonUniform", "OpCapability RuntimeDescriptorArray",
                           "OpCapability SampledImageArrayNonUniformIndexing",
                           "OpExtension \"SPV_EXT_descriptor_indexing\""})
    CHECK(test::has_line(text, line));
  CHECK(text.find(" NonUniform\n") != std::string::npos);
}

}  // namespace heapsmith::rewrite
