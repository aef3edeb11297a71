// SPDX-License-Identifier: MIT
#include <string>

#include "compiler/rewrite/rewritten.h"

/// Arrays of descriptors, and images with their samplers, as values: the heap has neither, so every
/// element is loaded where it is taken.
namespace heapsmith::rewrite {
namespace {

using spirv::test::plain;
using test::function_of;
using test::main_of;
using test::place;
using test::rewritten;
using test::shader;

const std::string kTypes = R"(
  %uint = OpTypeInt 32 0
  %float = OpTypeFloat 32
  %v2float = OpTypeVector %float 2
  %v4float = OpTypeVector %float 4
  %two = OpConstant %uint 2
  %three = OpConstant %uint 3
  %half = OpConstant %float 0.5
  %middle = OpConstantComposite %v2float %half %half
  %image = OpTypeImage %float 2D 0 0 0 1 Unknown
  %sampled = OpTypeSampledImage %image
  %images = OpTypeArray %image %three
  %grid = OpTypeArray %images %two
  %combined = OpTypeArray %sampled %three
  %toImages = OpTypePointer UniformConstant %images
  %toGrid = OpTypePointer UniformConstant %grid
  %toSampled = OpTypePointer UniformConstant %sampled
  %toCombined = OpTypePointer UniformConstant %combined)";

}  // namespace

TEST_CASE("elements of an array that was loaded whole are loaded alone", "[rewrite]") {
  const std::string text = rewritten(
      shader({.decorations = place("textures", 0, 0),
              .declarations = kTypes + "\n%textures = OpVariable %toImages UniformConstant",
              .body = R"(
          %all = OpLoad %images %textures
          %copy = OpCopyObject %images %all
          %last = OpCompositeExtract %image %copy 2)"}));
  CHECK(main_of(text) == plain(R"(
      %1 = OpUntypedAccessChainKHR %_ptr_UniformConstant %_runtimearr_2 %resourceHeap %uint_2
      %3 = OpLoad %2 %1)"));
}

TEST_CASE("debug information about what is no longer there goes", "[rewrite]") {
  const std::string text =
      rewritten(shader({.capabilities = R"(
          OpExtension "SPV_KHR_non_semantic_info"
          %told = OpExtInstImport "NonSemantic.Test")",
                        .decorations = place("textures", 0, 0) + place("one", 0, 1),
                        .declarations = kTypes + R"(
          %textures = OpVariable %toImages UniformConstant
          %one = OpVariable %toSampled UniformConstant)",
                        .body = R"(
          %d = OpExtInst %void %told 1 %textures
          %all = OpLoad %images %textures
          %e = OpExtInst %void %told 1 %all
          %i = OpCompositeExtract %image %all 2
          %c = OpLoad %sampled %one
          %f = OpExtInst %void %told 1 %c
          %image_ = OpImage %image %c)"}));
  CHECK(main_of(text) == plain(R"(
      %1 = OpUntypedAccessChainKHR %_ptr_UniformConstant %_runtimearr_2 %resourceHeap %uint_2
      %3 = OpLoad %2 %1
      %4 = OpUntypedAccessChainKHR %_ptr_UniformConstant %_runtimearr_2 %resourceHeap %uint_3
      %5 = OpLoad %2 %4)"));
}

// Vulkan has no arrays of arrays of descriptors, but front ends make some.
TEST_CASE("loaded arrays of arrays are flattened", "[rewrite]") {
  const auto outcome = test::rewrite_words(
      spirv::test::words_of(shader({.decorations = place("more", 0, 1) + place("many", 0, 2) +
                                                   "OpDecorate %length SpecId 4\n",
                                    .declarations = kTypes + R"(
          %length = OpSpecConstant %uint 3
          %line = OpTypeArray %image %length
          %lines = OpTypeArray %line %two
          %toLines = OpTypePointer UniformConstant %lines
          %more = OpVariable %toGrid UniformConstant
          %many = OpVariable %toLines UniformConstant)",
                                    .body = R"(
          %rows = OpLoad %grid %more
          %row = OpCompositeExtract %images %rows 1
          %i = OpCompositeExtract %image %row 1
          %k = OpCompositeExtract %image %rows 0 2
          %others = OpLoad %lines %many
          %o = OpCompositeExtract %image %others 1 2)"}),
                            0x00010300),
      nullptr, {});
  CHECK(main_of(spirv::test::text_of(outcome.words)) == plain(R"(
      %1 = OpUntypedAccessChainKHR %_ptr_UniformConstant %_runtimearr_2 %resourceHeap %uint_4
      %3 = OpLoad %2 %1
      %4 = OpUntypedAccessChainKHR %_ptr_UniformConstant %_runtimearr_2 %resourceHeap %uint_2
      %5 = OpLoad %2 %4
      %6 = OpIMul %uint %uint_1 %7
      %8 = OpIAdd %uint %uint_8 %6
      %9 = OpUntypedAccessChainKHR %_ptr_UniformConstant %_runtimearr_2 %resourceHeap %8
      %10 = OpLoad %2 %9)"));
}

TEST_CASE("an image with its sampler out of an array is made where it is sampled", "[rewrite]") {
  const std::string text = rewritten(
      shader({.decorations = place("textures", 0, 0),
              .declarations = kTypes + "\n%textures = OpVariable %toCombined UniformConstant",
              .body = R"(
          %all = OpLoad %combined %textures
          %c = OpCompositeExtract %sampled %all 1
          %i = OpImage %image %c
          %x = OpImageSampleExplicitLod %v4float %c %middle Lod %half
          OpBranch %next
          %next = OpLabel
          %y = OpImageSampleExplicitLod %v4float %c %middle Lod %half)"}));
  const std::string body = function_of(text, "main");
  // In both blocks.
  CHECK(body.find("OpSampledImage") != body.rfind("OpSampledImage"));
  CHECK(body.find("OpCompositeExtract") == std::string::npos);
}

TEST_CASE("functions are handed arrays and sampled images by value as slots", "[rewrite]") {
  const std::string text =
      rewritten(shader({.decorations = place("textures", 0, 0) + place("one", 0, 1) +
                                       "OpName %f \"f\"\nOpName %g \"g\"\n",
                        .declarations = kTypes + R"(
          %takesAll = OpTypeFunction %v4float %combined
          %takesOne = OpTypeFunction %v4float %sampled
          %textures = OpVariable %toCombined UniformConstant
          %one = OpVariable %toSampled UniformConstant)",
                        .functions = R"(
          %f = OpFunction %v4float None %takesOne
          %s = OpFunctionParameter %sampled
          %inF = OpLabel
          %x = OpImageSampleExplicitLod %v4float %s %middle Lod %half
          OpReturnValue %x
          OpFunctionEnd
          %g = OpFunction %v4float None %takesAll
          %a = OpFunctionParameter %combined
          %inG = OpLabel
          %e = OpCompositeExtract %sampled %a 2
          %y = OpFunctionCall %v4float %f %e
          OpReturnValue %y
          OpFunctionEnd)",
                        .body = R"(
          %all = OpLoad %combined %textures
          %p = OpFunctionCall %v4float %g %all
          %c = OpLoad %sampled %one
          %q = OpFunctionCall %v4float %f %c)"}));
  CHECK(function_of(text, "f") == plain(R"(
      %1 = OpFunctionParameter %uint
      %2 = OpFunctionParameter %uint
      %3 = OpLabel
      %4 = OpUntypedAccessChainKHR %_ptr_UniformConstant %_runtimearr_5 %resourceHeap %1
      %6 = OpLoad %5 %4
      %7 = OpUntypedAccessChainKHR %_ptr_UniformConstant %_runtimearr_8 %samplerHeap %2
      %9 = OpLoad %8 %7
      %10 = OpSampledImage %11 %6 %9
      %12 = OpImageSampleExplicitLod %v4float %10 %13 Lod %float_0_5
      OpReturnValue %12
)"));
  CHECK(function_of(text, "g") == plain(R"(
      %1 = OpFunctionParameter %uint
      %2 = OpFunctionParameter %uint
      %3 = OpLabel
      %4 = OpIAdd %uint %1 %uint_2
      %5 = OpIAdd %uint %2 %uint_2
      %6 = OpFunctionCall %v4float %f %4 %5
      OpReturnValue %6
)"));
  CHECK(main_of(text) == plain(R"(
      %1 = OpFunctionCall %v4float %g %uint_0 %uint_0
      %2 = OpFunctionCall %v4float %f %uint_3 %uint_3)"));
}

}  // namespace heapsmith::rewrite
