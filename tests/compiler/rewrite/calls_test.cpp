// SPDX-License-Identifier: MIT
#include "rewrite/calls.h"

#include <string>

#include "compiler/rewrite/rewritten.h"

namespace heapsmith::rewrite {
namespace {

using spirv::test::plain;
using test::function_of;
using test::place;
using test::rewritten;
using test::shader;

const std::string kTypes = R"(
  %uint = OpTypeInt 32 0
  %float = OpTypeFloat 32
  %v2float = OpTypeVector %float 2
  %v4float = OpTypeVector %float 4
  %zero = OpConstant %uint 0
  %one = OpConstant %uint 1
  %four = OpConstant %uint 4
  %half = OpConstant %float 0.5
  %middle = OpConstantComposite %v2float %half %half
  %image = OpTypeImage %float 2D 0 0 0 1 Unknown
  %sampled = OpTypeSampledImage %image
  %toSampled = OpTypePointer UniformConstant %sampled
  %all = OpTypeArray %sampled %four
  %toAll = OpTypePointer UniformConstant %all
  %Data = OpTypeStruct %uint
  %toData = OpTypePointer StorageBuffer %Data
  %toUint = OpTypePointer StorageBuffer %uint)";

const std::string kLayout = R"(
  OpName %Data "Data"
  OpDecorate %Data Block
  OpMemberDecorate %Data 0 Offset 0
)";

}  // namespace

// vec4 f(sampler2D t) { return texture(t, vec2(0.5)); }  f(one); f(many[3]); f(many[index]);
// vec4 g(sampler2D t[4]) { return f(t[1]); }  g(many);
TEST_CASE("a function is handed slots in place of descriptors", "[rewrite]") {
  const std::string text = rewritten(
      shader({.decorations = place("one_", 0, 0) + place("many", 0, 1) + place("data", 0, 2) +
                             kLayout + "OpName %f \"f\"\nOpName %g \"g\"\nOpName %t \"t\"\n",
              .declarations = kTypes + R"(
          %takesOne = OpTypeFunction %v4float %v2float %toSampled
          %takesAll = OpTypeFunction %v4float %toAll
          %three = OpConstant %uint 3
          %one_ = OpVariable %toSampled UniformConstant
          %many = OpVariable %toAll UniformConstant
          %data = OpVariable %toData StorageBuffer)",
              .functions = R"(
          %f = OpFunction %v4float None %takesOne
          %at = OpFunctionParameter %v2float
          %t = OpFunctionParameter %toSampled
          %fLabel = OpLabel
          %c = OpLoad %sampled %t
          %color = OpImageSampleExplicitLod %v4float %c %at Lod %half
          OpReturnValue %color
          OpFunctionEnd
          %g = OpFunction %v4float None %takesAll
          %a = OpFunctionParameter %toAll
          %gLabel = OpLabel
          %element = OpAccessChain %toSampled %a %one
          %passed = OpFunctionCall %v4float %f %middle %element
          OpReturnValue %passed
          OpFunctionEnd)",
              .body = R"(
          %p = OpAccessChain %toUint %data %zero
          %index = OpLoad %uint %p
          %fixed = OpAccessChain %toSampled %many %three
          %picked = OpAccessChain %toSampled %many %index
          %w = OpFunctionCall %v4float %f %middle %one_
          %x = OpFunctionCall %v4float %f %middle %fixed
          %y = OpFunctionCall %v4float %f %middle %picked
          %z = OpFunctionCall %v4float %g %many)"}));
  CHECK(function_of(text, "f") == plain(R"(
      %1 = OpFunctionParameter %v2float
      %2 = OpFunctionParameter %uint
      %3 = OpFunctionParameter %uint
      %4 = OpLabel
      %5 = OpUntypedAccessChainKHR %_ptr_UniformConstant %_runtimearr_6 %resourceHeap %2
      %7 = OpLoad %6 %5
      %8 = OpUntypedAccessChainKHR %_ptr_UniformConstant %_runtimearr_9 %samplerHeap %3
      %10 = OpLoad %9 %8
      %11 = OpSampledImage %12 %7 %10
      %13 = OpImageSampleExplicitLod %v4float %11 %1 Lod %float_0_5
      OpReturnValue %13)"));
  CHECK(function_of(text, "g") == plain(R"(
      %1 = OpFunctionParameter %uint
      %2 = OpFunctionParameter %uint
      %3 = OpLabel
      %4 = OpIAdd %uint %1 %uint_1
      %5 = OpIAdd %uint %2 %uint_1
      %6 = OpFunctionCall %v4float %f %7 %4 %5
      OpReturnValue %6)"));
  CHECK(function_of(text, "main") == plain(R"(
      %1 = OpLabel
      %2 = OpUntypedAccessChainKHR %_ptr_UniformConstant %_runtimearr_3 %resourceHeap %4
      %5 = OpBufferPointerEXT %_ptr_StorageBuffer_Data %2
      %6 = OpAccessChain %_ptr_StorageBuffer_uint %5 %uint_0
      %7 = OpLoad %uint %6
      %8 = OpFunctionCall %v4float %f %9 %uint_0 %uint_0
      %10 = OpFunctionCall %v4float %f %9 %uint_4 %uint_4
      %11 = OpIAdd %uint %uint_1 %7
      %12 = OpIAdd %uint %uint_1 %7
      %13 = OpFunctionCall %v4float %f %9 %11 %12
      %14 = OpFunctionCall %v4float %g %uint_1 %uint_1
      OpReturn)"));
  CHECK(text.find("OpName %t ") == std::string::npos);  // what had that name is gone
}

// void f(texture2D t) {}  f(many[int(index)]);  the first in its heap
TEST_CASE("slots that functions are handed are unsigned", "[rewrite]") {
  const std::string text =
      rewritten(shader({.decorations = place("many", 0, 0) + place("data", 0, 1) + kLayout,
                        .declarations = kTypes + R"(
          %int = OpTypeInt 32 1
          %toImage = OpTypePointer UniformConstant %image
          %images = OpTypeArray %image %four
          %toImages = OpTypePointer UniformConstant %images
          %takesImage = OpTypeFunction %void %toImage
          %many = OpVariable %toImages UniformConstant
          %data = OpVariable %toData StorageBuffer)",
                        .functions = R"(
          %f = OpFunction %void None %takesImage
          %t = OpFunctionParameter %toImage
          %label = OpLabel
          %i = OpLoad %image %t
          OpReturn
          OpFunctionEnd)",
                        .body = R"(
          %p = OpAccessChain %toUint %data %zero
          %index = OpLoad %uint %p
          %signed = OpBitcast %int %index
          %element = OpAccessChain %toImage %many %signed
          %x = OpFunctionCall %void %f %element)"}));
  CHECK(function_of(text, "main") == plain(R"(
      %1 = OpLabel
      %2 = OpUntypedAccessChainKHR %_ptr_UniformConstant %_runtimearr_3 %resourceHeap %4
      %5 = OpBufferPointerEXT %_ptr_StorageBuffer_Data %2
      %6 = OpAccessChain %_ptr_StorageBuffer_uint %5 %uint_0
      %7 = OpLoad %uint %6
      %8 = OpBitcast %int %7
      %9 = OpBitcast %uint %8
      %10 = OpFunctionCall %void %11 %9
      OpReturn)"));
}

// HLSL's globallycoherent is not repeated at parameters.
TEST_CASE("parameters that only read are as coherent as what they are handed, but not Aliased",
          "[rewrite]") {
  const std::string text =
      rewritten(shader({.capabilities = "OpCapability VariablePointersStorageBuffer",
                        .decorations = place("first", 0, 0) + place("second", 0, 1) + kLayout +
                                       "OpDecorate %second Coherent\nOpDecorate %second Volatile\n",
                        .declarations = kTypes + R"(
          %takesOne = OpTypeFunction %uint %toData
          %first = OpVariable %toData StorageBuffer
          %second = OpVariable %toData StorageBuffer)",
                        .functions = R"(
          %g = OpFunction %uint None %takesOne
          %e = OpFunctionParameter %toData
          %gLabel = OpLabel
          %p = OpAccessChain %toUint %e %zero
          %x = OpLoad %uint %p
          OpReturnValue %x
          OpFunctionEnd
          %f = OpFunction %uint None %takesOne
          %d = OpFunctionParameter %toData
          %fLabel = OpLabel
          %y = OpFunctionCall %uint %g %d
          OpReturnValue %y
          OpFunctionEnd)",
                        .body = "%a = OpFunctionCall %uint %f %first\n"
                                "%b = OpFunctionCall %uint %f %second"}));
  // Of g's pointer: all others are numbers by now.
  CHECK(text.find(" Coherent\n") != std::string::npos);
  CHECK(text.find(" Volatile\n") != std::string::npos);
  CHECK(text.find(" Aliased\n") == std::string::npos);
}

// uint f(Data d[4], Data e) { return d[3].count + e.count; }  f(many, single);
TEST_CASE("a function makes its buffer pointers itself", "[rewrite]") {
  const std::string text =
      rewritten(shader({.capabilities = "OpCapability VariablePointersStorageBuffer",
                        .decorations = place("single", 0, 0) + place("many", 0, 1) + kLayout +
                                       "OpName %f \"f\"\nOpDecorate %e Restrict\n",
                        .declarations = kTypes + R"(
          %three = OpConstant %uint 3
          %array = OpTypeArray %Data %four
          %toArray = OpTypePointer StorageBuffer %array
          %takesBoth = OpTypeFunction %uint %toArray %toData
          %single = OpVariable %toData StorageBuffer
          %many = OpVariable %toArray StorageBuffer)",
                        .functions = R"(
          %f = OpFunction %uint None %takesBoth
          %d = OpFunctionParameter %toArray
          %e = OpFunctionParameter %toData
          %fLabel = OpLabel
          %p = OpAccessChain %toUint %d %three %zero
          %x = OpLoad %uint %p
          %q = OpAccessChain %toUint %e %zero
          OpStore %q %x
          OpReturnValue %x
          OpFunctionEnd)",
                        .body = "%x_ = OpFunctionCall %uint %f %many %single"}));
  // One may be the other's element; the other one says that it is not.
  CHECK(text.find(" Aliased\n") == text.rfind(" Aliased\n"));
  CHECK(text.find(" Restrict\n") == text.rfind(" Restrict\n"));
  CHECK(function_of(text, "f") == plain(R"(
      %1 = OpFunctionParameter %uint
      %2 = OpFunctionParameter %uint
      %3 = OpLabel
      %4 = OpUntypedAccessChainKHR %_ptr_UniformConstant %_runtimearr_5 %resourceHeap %2
      %6 = OpBufferPointerEXT %_ptr_StorageBuffer_Data %4
      %7 = OpIAdd %uint %1 %uint_3
      %8 = OpUntypedAccessChainKHR %_ptr_UniformConstant %_runtimearr_5 %resourceHeap %7
      %9 = OpBufferPointerEXT %_ptr_StorageBuffer_Data %8
      %10 = OpAccessChain %_ptr_StorageBuffer_uint %9 %uint_0
      %11 = OpLoad %uint %10
      %12 = OpAccessChain %_ptr_StorageBuffer_uint %6 %uint_0
      OpStore %12 %11
      OpReturnValue %11)"));
  CHECK(function_of(text, "main") == plain(R"(
      %1 = OpLabel
      %2 = OpFunctionCall %uint %f %uint_1 %uint_0
      OpReturn)"));
  // The caller may have pointers of its own to what f writes.
  CHECK(text.find(" Restrict\n") == std::string::npos);
  CHECK(text.find(" Aliased\n") != std::string::npos);
}

// f(copy of many[1]); f(many[2]) and f(many[3]), each through a chain without indices
TEST_CASE("a copy of a pointer hands on the element", "[rewrite]") {
  const std::string text =
      rewritten(shader({.capabilities = "OpCapability VariablePointers",
                        .decorations = place("many", 0, 0) + kLayout +
                                       "OpName %f \"f\"\nOpDecorate %toData ArrayStride 16\n"
                                       "OpDecorate %toArray ArrayStride 64\n",
                        .declarations = kTypes + R"(
          %two = OpConstant %uint 2
          %three = OpConstant %uint 3
          %void_ = OpTypeFunction %void %toData
          %array = OpTypeArray %Data %four
          %toArray = OpTypePointer StorageBuffer %array
          %many = OpVariable %toArray StorageBuffer)",
                        .functions = R"(
          %f = OpFunction %void None %void_
          %d = OpFunctionParameter %toData
          %fLabel = OpLabel
          %q = OpAccessChain %toUint %d %zero
          OpStore %q %one
          OpReturn
          OpFunctionEnd)",
                        .body = R"(
          %a = OpAccessChain %toData %many %one
          %copy = OpCopyObject %toData %a
          %x = OpFunctionCall %void %f %copy
          %b = OpAccessChain %toData %many %two
          %same = OpAccessChain %toData %b
          %y = OpFunctionCall %void %f %same
          %c = OpPtrAccessChain %toData %many %zero %three
          %also = OpPtrAccessChain %toData %c %zero
          %z = OpFunctionCall %void %f %also)"}));
  CHECK(text.find("OpFunctionCall %void %f %uint_1\n") != std::string::npos);
  CHECK(text.find("OpFunctionCall %void %f %uint_2\n") != std::string::npos);
  CHECK(text.find("OpFunctionCall %void %f %uint_3\n") != std::string::npos);
}

// void f(Data d, image2D i), where it is coherent, volatile memory that is handed on twice
TEST_CASE("what a function makes pointers to is as coherent as what it is handed", "[rewrite]") {
  const std::string text =
      rewritten(shader({.capabilities = "OpCapability VariablePointersStorageBuffer\n"
                                        "OpCapability StorageImageReadWithoutFormat",
                        .decorations = place("plain_", 0, 0) + place("shared", 0, 1) +
                                       place("picture", 0, 2) + kLayout +
                                       "OpName %d \"d\"\nOpDecorate %shared Coherent\n"
                                       "OpDecorate %shared Volatile\n"
                                       "OpDecorate %picture Coherent\n",
                        .declarations = kTypes + R"(
          %storage = OpTypeImage %float 2D 0 0 0 2 Unknown
          %toStorage = OpTypePointer UniformConstant %storage
          %takesBoth = OpTypeFunction %void %toData %toStorage
          %v2uint = OpTypeVector %uint 2
          %corner = OpConstantComposite %v2uint %zero %zero
          %plain_ = OpVariable %toData StorageBuffer
          %shared = OpVariable %toData StorageBuffer
          %picture = OpVariable %toStorage UniformConstant)",
                        .functions = R"(
          %g = OpFunction %void None %takesBoth
          %d = OpFunctionParameter %toData
          %i = OpFunctionParameter %toStorage
          %gLabel = OpLabel
          %q = OpAccessChain %toUint %d %zero
          OpStore %q %one
          %image_ = OpLoad %storage %i
          %texel = OpImageRead %v4float %image_ %corner
          OpReturn
          OpFunctionEnd
          %f = OpFunction %void None %takesBoth
          %e = OpFunctionParameter %toData
          %j = OpFunctionParameter %toStorage
          %fLabel = OpLabel
          %w = OpFunctionCall %void %g %e %j
          OpReturn
          OpFunctionEnd)",
                        .body = R"(
          %x = OpFunctionCall %void %f %plain_ %picture
          %y = OpFunctionCall %void %f %shared %picture)"}));
  for (const char* kind : {"Aliased", "Coherent", "Volatile"})
    CHECK(text.find(std::string("OpDecorate %d ") + kind + "\n") != std::string::npos);
  CHECK(text.find(" 0 Coherent\n") != std::string::npos);
}

}  // namespace heapsmith::rewrite
