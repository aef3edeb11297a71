// SPDX-License-Identifier: MIT
#include "rewrite/descriptors.h"

#include <string>

#include "compiler/rewrite/rewritten.h"

namespace heapsmith::rewrite {
namespace {

using spirv::test::plain;
using test::has_line;
using test::main_of;
using test::place;
using test::rewritten;
using test::shader;

const std::string kTypes = R"(
  %bool = OpTypeBool
  %yes = OpConstantTrue %bool
  %uint = OpTypeInt 32 0
  %float = OpTypeFloat 32
  %int = OpTypeInt 32 1
  %v2int = OpTypeVector %int 2
  %v2float = OpTypeVector %float 2
  %v4float = OpTypeVector %float 4
  %v4uint = OpTypeVector %uint 4
  %zero = OpConstant %uint 0
  %one = OpConstant %uint 1
  %two = OpConstant %uint 2
  %three = OpConstant %uint 3
  %five = OpConstant %uint 5
  %half = OpConstant %float 0.5
  %middle = OpConstantComposite %v2float %half %half
  %intZero = OpConstant %int 0
  %corner = OpConstantComposite %v2int %intZero %intZero
  %image = OpTypeImage %float 2D 0 0 0 1 Unknown
  %sampler = OpTypeSampler
  %sampled = OpTypeSampledImage %image
  %toImage = OpTypePointer UniformConstant %image
  %toSampler = OpTypePointer UniformConstant %sampler
  %toSampled = OpTypePointer UniformConstant %sampled)";

}  // namespace

// texture(sampler2D(texture, sampler_), vec2(0.5))
TEST_CASE("images and samplers are loaded from their heaps", "[rewrite]") {
  const std::string text =
      rewritten(shader({.interface = "%texture %sampler_",
                        .decorations = place("texture", 0, 0) + place("sampler_", 0, 1),
                        .declarations = kTypes + R"(
          %texture = OpVariable %toImage UniformConstant
          %sampler_ = OpVariable %toSampler UniformConstant)",
                        .body = R"(
          %i = OpLoad %image %texture
          %s = OpLoad %sampler %sampler_
          %c = OpSampledImage %sampled %i %s
          %color = OpImageSampleExplicitLod %v4float %c %middle Lod %half)"}),
                {}, 0x00010400);
  CHECK(main_of(text) == plain(R"(
      %1 = OpUntypedAccessChainKHR %_ptr_UniformConstant %_runtimearr_2 %resourceHeap %uint_0
      %3 = OpLoad %2 %1
      %4 = OpUntypedAccessChainKHR %_ptr_UniformConstant %_runtimearr_5 %samplerHeap %uint_0
      %6 = OpLoad %5 %4
      %7 = OpSampledImage %8 %3 %6
      %9 = OpImageSampleExplicitLod %v4float %7 %10 Lod %float_0_5)"));
  CHECK(has_line(text, "OpEntryPoint GLCompute %main \"main\" %resourceHeap %samplerHeap"));
  CHECK(has_line(text, "OpDecorate %samplerHeap BuiltIn SamplerHeapEXT"));
}

// uniform sampler2D combined[3];  sampled in two blocks, measured in one
TEST_CASE("a combined image sampler is two loads, in each block", "[rewrite]") {
  const std::string text = rewritten(shader({.capabilities = "OpCapability ImageQuery",
                                             .decorations = place("combined", 0, 0),
                                             .declarations = kTypes + R"(
          %all = OpTypeArray %sampled %three
          %toAll = OpTypePointer UniformConstant %all
          %combined = OpVariable %toAll UniformConstant)",
                                             .body = R"(
          %p = OpAccessChain %toSampled %combined %one
          %c = OpLoad %sampled %p
          %copy = OpCopyObject %sampled %c
          %color = OpImageSampleExplicitLod %v4float %copy %middle Lod %half
          OpSelectionMerge %end None
          OpBranchConditional %yes %then %end
          %then = OpLabel
          %again = OpImageSampleExplicitLod %v4float %c %middle Lod %half
          %i = OpImage %image %c
          %size = OpImageQuerySizeLod %v2int %i %intZero
          OpBranch %end
          %end = OpLabel)"}));
  CHECK(test::function_of(text, "main") == plain(R"(
      %1 = OpLabel
      %2 = OpUntypedAccessChainKHR %_ptr_UniformConstant %_runtimearr_3 %resourceHeap %uint_1
      %4 = OpLoad %3 %2
      %5 = OpUntypedAccessChainKHR %_ptr_UniformConstant %_runtimearr_6 %samplerHeap %uint_1
      %7 = OpLoad %6 %5
      %8 = OpSampledImage %9 %4 %7
      %10 = OpImageSampleExplicitLod %v4float %8 %11 Lod %float_0_5
      OpSelectionMerge %12 None
      OpBranchConditional %true %13 %12
      %13 = OpLabel
      %14 = OpUntypedAccessChainKHR %_ptr_UniformConstant %_runtimearr_3 %resourceHeap %uint_1
      %15 = OpLoad %3 %14
      %16 = OpUntypedAccessChainKHR %_ptr_UniformConstant %_runtimearr_6 %samplerHeap %uint_1
      %17 = OpLoad %6 %16
      %18 = OpSampledImage %9 %15 %17
      %19 = OpImageSampleExplicitLod %v4float %18 %11 Lod %float_0_5
      %20 = OpUntypedAccessChainKHR %_ptr_UniformConstant %_runtimearr_3 %resourceHeap %uint_1
      %21 = OpLoad %3 %20
      %22 = OpImageQuerySizeLod %v2int %21 %int_0
      OpBranch %12
      %12 = OpLabel
      OpReturn)"));
}

// uniform texture2D textures[3][SPEC];  Vulkan has no arrays of arrays, some front ends do
TEST_CASE("arrays of arrays are flattened", "[rewrite]") {
  const auto words = spirv::test::words_of(
      shader({.decorations = place("textures", 0, 0) + place("picks", 0, 1) +
                             "OpDecorate %spec SpecId 0\nOpDecorate %Picks Block\n"
                             "OpMemberDecorate %Picks 0 Offset 0\n",
              .declarations = kTypes + R"(
          %spec = OpSpecConstant %uint 2
          %row = OpTypeArray %image %spec
          %rows = OpTypeArray %row %three
          %all = OpTypeArray %rows %five
          %toRow = OpTypePointer UniformConstant %row
          %toAll = OpTypePointer UniformConstant %all
          %Picks = OpTypeStruct %uint
          %toPicks = OpTypePointer Uniform %Picks
          %toUint = OpTypePointer Uniform %uint
          %picks = OpVariable %toPicks Uniform
          %textures = OpVariable %toAll UniformConstant)",
              .body = R"(
          %a = OpAccessChain %toUint %picks %zero
          %pick = OpLoad %uint %a
          %r = OpAccessChain %toRow %textures %pick %two
          %p = OpAccessChain %toImage %r %one
          %i = OpLoad %image %p)"}));
  const auto result = test::rewrite_words(words, nullptr, {}).words;
  spirv::test::require_valid(result);
  CHECK(main_of(spirv::test::text_of(result)) == plain(R"(
      %1 = OpUntypedAccessChainKHR %_ptr_UniformConstant %_runtimearr_2 %resourceHeap %3
      %4 = OpBufferPointerEXT %_ptr_Uniform__struct_5 %1
      %6 = OpAccessChain %_ptr_Uniform_uint %4 %uint_0
      %7 = OpLoad %uint %6
      %8 = OpIMul %uint %7 %uint_3
      %9 = OpIMul %uint %8 %10
      %11 = OpIMul %uint %uint_2 %10
      %12 = OpIAdd %uint %9 %11
      %13 = OpIAdd %uint %uint_1 %12
      %14 = OpUntypedAccessChainKHR %_ptr_UniformConstant %_runtimearr_15 %resourceHeap %13
      %16 = OpLoad %15 %14)"));
}

// layout(r32ui) readonly uniform uimage2D source;  coherent uniform uimage2D target;
TEST_CASE("storage images keep their qualifiers, and have atomics", "[rewrite]") {
  const std::string text = rewritten(
      shader({.decorations = place("source", 0, 0) + place("target", 0, 1) +
                             "OpDecorate %source NonWritable\nOpDecorate %target Coherent\n",
              .declarations = kTypes + R"(
          %storage = OpTypeImage %uint 2D 0 0 0 2 R32ui
          %toStorage = OpTypePointer UniformConstant %storage
          %toTexel = OpTypePointer Image %uint
          %source = OpVariable %toStorage UniformConstant
          %target = OpVariable %toStorage UniformConstant)",
              .body = R"(
          %i = OpLoad %storage %source
          %texel = OpImageRead %v4uint %i %corner
          %t = OpImageTexelPointer %toTexel %target %corner %zero
          %old = OpAtomicIAdd %uint %t %one %zero %five)"}));
  CHECK(main_of(text) == plain(R"(
      %1 = OpUntypedAccessChainKHR %_ptr_UniformConstant %_struct_2 %resourceHeap %uint_0 %uint_0
      %3 = OpLoad %4 %1
      %5 = OpImageRead %v4uint %3 %6
      %7 = OpUntypedAccessChainKHR %_ptr_UniformConstant %_struct_8 %resourceHeap %uint_0 %uint_1
      %9 = OpUntypedImageTexelPointerEXT %_ptr_Image %4 %7 %6 %uint_0
      %10 = OpAtomicIAdd %uint %9 %uint_1 %uint_0 %uint_5)"));
  CHECK(text.find(" 0 NonWritable\n") != std::string::npos);
  CHECK(text.find(" 0 Coherent\n") != std::string::npos);
  CHECK(text.find(" 0 OffsetIdEXT %uint_0\n") != std::string::npos);
}

TEST_CASE("copies of pointers to descriptors and into images", "[rewrite]") {
  const std::string text =
      rewritten(shader({.decorations = place("texture", 0, 0) + place("target", 0, 1),
                        .declarations = kTypes + R"(
          %storage = OpTypeImage %uint 2D 0 0 0 2 R32ui
          %toStorage = OpTypePointer UniformConstant %storage
          %toTexel = OpTypePointer Image %uint
          %texture = OpVariable %toImage UniformConstant
          %target = OpVariable %toStorage UniformConstant)",
                        .body = R"(
          %p = OpAccessChain %toImage %texture
          %q = OpInBoundsAccessChain %toImage %p
          %i = OpLoad %image %q
          %t = OpImageTexelPointer %toTexel %target %corner %zero
          %u = OpCopyObject %toTexel %t
          %v = OpCopyObject %toTexel %u
          %old = OpAtomicIAdd %uint %v %one %zero %five)"}));
  CHECK(main_of(text) == plain(R"(
      %1 = OpUntypedAccessChainKHR %_ptr_UniformConstant %_runtimearr_2 %resourceHeap %uint_0
      %3 = OpLoad %2 %1
      %4 = OpUntypedAccessChainKHR %_ptr_UniformConstant %_runtimearr_5 %resourceHeap %uint_1
      %6 = OpUntypedImageTexelPointerEXT %_ptr_Image %5 %4 %7 %uint_0
      %8 = OpCopyObject %_ptr_Image %6
      %9 = OpCopyObject %_ptr_Image %8
      %10 = OpAtomicIAdd %uint %9 %uint_1 %uint_0 %uint_5)"));
}

TEST_CASE("a footprint is sampled", "[rewrite]") {
  std::string text = shader({.capabilities = R"(
          OpCapability ImageFootprintNV
          OpExtension "SPV_NV_shader_image_footprint")",
                             .decorations = place("combined", 0, 0),
                             .declarations = kTypes + R"(
          %v2uint = OpTypeVector %uint 2
          %footprint = OpTypeStruct %bool %v2uint %v2uint %v2uint %uint %uint
          %combined = OpVariable %toSampled UniformConstant)",
                             .body = R"(
          %c = OpLoad %sampled %combined
          %f = OpImageSampleFootprintNV %footprint %c %middle %one %one)"});
  CHECK(main_of(rewritten(text)).find("OpSampledImage") != std::string::npos);
}

// uniform samplerBuffer, which SPIR-V below 1.6 may wrap; uniform imageBuffer, indexed
TEST_CASE("texel buffers are images", "[rewrite]") {
  const std::string text =
      rewritten(shader({.capabilities = "OpCapability SampledBuffer\nOpCapability ImageBuffer\n"
                                        "OpCapability RuntimeDescriptorArray\n"
                                        "OpExtension \"SPV_EXT_descriptor_indexing\"",
                        .decorations = place("wrapped", 0, 0) + place("many", 0, 1),
                        .declarations = kTypes + R"(
          %texels = OpTypeImage %float Buffer 0 0 0 1 Unknown
          %wrapper = OpTypeSampledImage %texels
          %toWrapper = OpTypePointer UniformConstant %wrapper
          %storage = OpTypeImage %uint Buffer 0 0 0 2 R32ui
          %array = OpTypeRuntimeArray %storage
          %toArray = OpTypePointer UniformConstant %array
          %toStorage = OpTypePointer UniformConstant %storage
          %toTexel = OpTypePointer Image %uint
          %wrapped = OpVariable %toWrapper UniformConstant
          %many = OpVariable %toArray UniformConstant)",
                        .body = R"(
          %w = OpLoad %wrapper %wrapped
          %i = OpImage %texels %w
          %texel = OpImageFetch %v4float %i %intZero
          %x = OpCompositeExtract %float %texel 0
          %n = OpConvertFToU %uint %x
          %p = OpAccessChain %toStorage %many %n
          %copy = OpCopyObject %toStorage %p
          %t = OpImageTexelPointer %toTexel %copy %intZero %zero
          %old = OpAtomicLoad %uint %t %one %zero
          OpAtomicStore %t %one %zero %n)"}));
  CHECK(main_of(text) == plain(R"(
      %1 = OpUntypedAccessChainKHR %_ptr_UniformConstant %_runtimearr_2 %resourceHeap %uint_0
      %3 = OpLoad %2 %1
      %4 = OpImageFetch %v4float %3 %int_0
      %5 = OpCompositeExtract %float %4 0
      %6 = OpConvertFToU %uint %5
      %7 = OpIAdd %uint %uint_1 %6
      %8 = OpUntypedAccessChainKHR %_ptr_UniformConstant %_runtimearr_9 %resourceHeap %7
      %10 = OpUntypedImageTexelPointerEXT %_ptr_Image %9 %8 %int_0 %uint_0
      %11 = OpAtomicLoad %uint %10 %uint_1 %uint_0
      OpAtomicStore %10 %uint_1 %uint_0 %6)"));
  CHECK(text.find("samplerHeap") == std::string::npos);
}

// rayQueryInitializeEXT(query, scene, ...)
TEST_CASE("acceleration structures lie among the buffers", "[rewrite]") {
  const std::string text = rewritten(
      shader({.capabilities = "OpCapability RayQueryKHR\nOpExtension \"SPV_KHR_ray_query\"",
              .interface = "%scene %texture",
              .decorations = place("scene", 0, 0) + place("texture", 0, 1),
              .declarations = kTypes + R"(
          %v3float = OpTypeVector %float 3
          %origin = OpConstantComposite %v3float %half %half %half
          %as = OpTypeAccelerationStructureKHR
          %toAs = OpTypePointer UniformConstant %as
          %query = OpTypeRayQueryKHR
          %toQuery = OpTypePointer Function %query
          %scene = OpVariable %toAs UniformConstant
          %texture = OpVariable %toImage UniformConstant)",
              .body = R"(
          %q = OpVariable %toQuery Function
          %a = OpLoad %as %scene
          OpRayQueryInitializeKHR %q %a %zero %zero %origin %half %origin %half
          %i = OpLoad %image %texture)"}),
      {}, 0x00010400);
  CHECK(main_of(text) == plain(R"(
      %1 = OpVariable %_ptr_Function_2 Function
      %3 = OpUntypedAccessChainKHR %_ptr_UniformConstant %_runtimearr_4 %resourceHeap %5
      %6 = OpLoad %4 %3
      OpRayQueryInitializeKHR %1 %6 %uint_0 %uint_0 %7 %float_0_5 %7 %float_0_5
      %8 = OpUntypedAccessChainKHR %_ptr_UniformConstant %_runtimearr_9 %resourceHeap %uint_0
      %10 = OpLoad %9 %8)"));
  CHECK(test::numbered(test::between(text, "OpTypePointer Function", "%main =")) == plain(R"(
      %1 = OpConstantSizeOfEXT %uint %2
      %3 = OpTypeBufferEXT StorageBuffer
      %4 = OpConstantSizeOfEXT %uint %3
      %5 = OpSpecConstantOp %uint IMul %uint_1 %1
      %6 = OpSpecConstantOp %uint ISub %4 %uint_1
      %7 = OpSpecConstantOp %uint IAdd %5 %6
      %8 = OpSpecConstantOp %uint UDiv %7 %4
      %_ptr_UniformConstant = OpTypeUntypedPointerKHR UniformConstant
      %resourceHeap = OpUntypedVariableKHR %_ptr_UniformConstant UniformConstant
      %9 = OpConstantSizeOfEXT %uint %10
      %_runtimearr_10 = OpTypeRuntimeArray %10
      %_runtimearr_2 = OpTypeRuntimeArray %2)"));
}

}  // namespace heapsmith::rewrite
