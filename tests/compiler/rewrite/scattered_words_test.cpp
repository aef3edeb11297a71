// SPDX-License-Identifier: MIT
#include "rewrite/scattered_words.h"

#include <string>

#include "compiler/rewrite/rewritten.h"

namespace heapsmith::rewrite {
namespace {

using spirv::test::plain;
using spirv::test::text_of;
using test::function_of;
using test::main_of;
using test::place;
using test::shader;

// uniform texture2D one, many[4];
const std::string kTypes = R"(
  %uint = OpTypeInt 32 0
  %float = OpTypeFloat 32
  %four = OpConstant %uint 4
  %image = OpTypeImage %float 2D 0 0 0 1 Unknown
  %all = OpTypeArray %image %four
  %toImage = OpTypePointer UniformConstant %image
  %toAll = OpTypePointer UniformConstant %all
  %three = OpConstant %uint 3
  %index = OpSpecConstant %uint 2
  %one = OpVariable %toImage UniformConstant
  %many = OpVariable %toAll UniformConstant)";

// Five words behind an address in push data, from byte 12 on: of `one` and of `many`.
Placements placements() {
  const Location one{.source = InstanceSource::ScatteredWords,
                     .pushOffset = 8,
                     .addressOffset = 12,
                     .slotsPerInstance = 1};
  Location many = one;
  many.addressOffset = 16;
  Placements all;
  all.bindings = {{.set = 0, .binding = 0, .resource = one},
                  {.set = 0, .binding = 1, .resource = many}};
  return all;
}

std::string scattered(const std::string& functionTypes, const std::string& functions,
                      const std::string& body) {
  const Placements all = placements();
  return text_of(test::rewritten_words(
      shader({.decorations = place("one", 0, 0) + place("many", 0, 1) + "OpName %f \"f\"\n" +
                             "OpName %index \"index\"\n" + "OpDecorate %index SpecId 0\n",
              .declarations = kTypes + functionTypes,
              .functions = functions,
              .body = body}),
      0x00010300, &all));
}

}  // namespace

// An element has a slot of its own, which is all that the function needs of it.
TEST_CASE("a function is handed the slot of a scattered element", "[rewrite]") {
  const std::string text = scattered("\n%fType = OpTypeFunction %void %toImage\n", R"(
      %f = OpFunction %void None %fType
      %p = OpFunctionParameter %toImage
      %in = OpLabel
      %i = OpLoad %image %p
      OpReturn
      OpFunctionEnd)",
                                     R"(
      %r = OpFunctionCall %void %f %one
      %element = OpAccessChain %toImage %many %three
      %s = OpFunctionCall %void %f %element)");
  CHECK(function_of(text, "f") == plain(R"(
      %1 = OpFunctionParameter %uint
      %2 = OpLabel
      %3 = OpUntypedAccessChainKHR %_ptr_UniformConstant %_runtimearr_4 %resourceHeap %1
      %5 = OpLoad %4 %3
      OpReturn)"));
  CHECK(main_of(text) == plain(R"(
      %1 = OpAccessChain %_ptr_PushConstant_uint %pushWords %uint_0
      %2 = OpLoad %uint %1
      %3 = OpAccessChain %_ptr_PushConstant_uint %pushWords %uint_1
      %4 = OpLoad %uint %3
      %5 = OpCompositeConstruct %v2uint %2 %4
      %6 = OpBitcast %_ptr_PhysicalStorageBuffer__struct_7 %5
      %8 = OpAccessChain %_ptr_PhysicalStorageBuffer_uint %6 %uint_0 %uint_3
      %9 = OpLoad %uint %8 Aligned 4
      %10 = OpFunctionCall %void %f %9
      %11 = OpAccessChain %_ptr_PhysicalStorageBuffer_uint %6 %uint_0 %uint_7
      %12 = OpLoad %uint %11 Aligned 4
      %13 = OpFunctionCall %void %f %12)"));
}

// Elements of an array need not follow each other, but their words do.
TEST_CASE("a function is handed the words of a scattered array", "[rewrite]") {
  const std::string text = scattered("\n%fType = OpTypeFunction %void %toAll\n", R"(
      %f = OpFunction %void None %fType
      %p = OpFunctionParameter %toAll
      %in = OpLabel
      %element = OpAccessChain %toImage %p %index
      %i = OpLoad %image %element
      OpReturn
      OpFunctionEnd)",
                                     "%r = OpFunctionCall %void %f %many");
  CHECK(function_of(text, "f") == plain(R"(
      %1 = OpFunctionParameter %v2uint
      %2 = OpFunctionParameter %uint
      %3 = OpLabel
      %4 = OpBitcast %_ptr_PhysicalStorageBuffer__struct_5 %1
      %6 = OpIAdd %uint %2 %index
      %7 = OpAccessChain %_ptr_PhysicalStorageBuffer_uint %4 %uint_0 %6
      %8 = OpLoad %uint %7 Aligned 4
      %9 = OpUntypedAccessChainKHR %_ptr_UniformConstant %_runtimearr_10 %resourceHeap %8
      %11 = OpLoad %10 %9
      OpReturn)"));
  CHECK(main_of(text).ends_with(plain(R"(
      %5 = OpCompositeConstruct %v2uint %2 %4
      %6 = OpFunctionCall %void %f %5 %uint_4)")));
}

}  // namespace heapsmith::rewrite
