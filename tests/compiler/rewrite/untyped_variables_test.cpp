// SPDX-License-Identifier: MIT
// Variables that untyped pointers lead to (objects.h, buffers.h, descriptors.h).
#include <string>

#include "compiler/rewrite/rewritten.h"

namespace heapsmith::rewrite {
namespace {

using spirv::test::plain;
using test::function_of;
using test::main_of;
using test::place;
using test::rewritten;
using test::shader;

const std::string kCapabilities = "OpCapability UntypedPointersKHR\n";
const std::string kExtensions = "OpExtension \"SPV_KHR_untyped_pointers\"\n";

const std::string kTypes = R"(
  %uint = OpTypeInt 32 0
  %zero = OpConstant %uint 0
  %one = OpConstant %uint 1
  %two = OpConstant %uint 2
  %four = OpConstant %uint 4
  %words = OpTypeRuntimeArray %uint
  %Data = OpTypeStruct %uint %words
  %toStorage = OpTypeUntypedPointerKHR StorageBuffer)";

const std::string kLayout = R"(
  OpName %Data "Data"
  OpDecorate %words ArrayStride 4
  OpDecorate %Data Block
  OpMemberDecorate %Data 0 Offset 0
  OpMemberDecorate %Data 1 Offset 4
)";

test::Parts parts(const std::string& decorations, const std::string& declarations,
                  const std::string& body) {
  return {.capabilities = kCapabilities + kExtensions,
          .decorations = decorations + kLayout,
          .declarations = kTypes + declarations,
          .body = body};
}

Diagnostic refused(const std::string& text, const sample::Options& options = {}) {
  const auto outcome = test::rewrite_words(spirv::test::words_of(text), nullptr, options);
  CHECK(outcome.words.empty());
  REQUIRE(outcome.diagnostics.size() == 1);
  CHECK(outcome.diagnostics[0].code == Code::UnsupportedRewrite);
  return outcome.diagnostics[0];
}

}  // namespace

// buffer Data { uint count; uint words[]; } data;  data.words[2] = data.count + data.words.length()
TEST_CASE("an untyped buffer becomes an untyped pointer", "[rewrite]") {
  const std::string text = rewritten(shader(parts(
      place("data", 0, 3), "\n%data = OpUntypedVariableKHR %toStorage StorageBuffer %Data", R"(
          %count = OpLoad %uint %data
          %length = OpUntypedArrayLengthKHR %uint %Data %data 1
          %sum = OpIAdd %uint %count %length
          %to = OpUntypedInBoundsAccessChainKHR %toStorage %Data %data %one %two
          OpStore %to %sum
          %also = OpUntypedAccessChainKHR %toStorage %words %data %four
          %old = OpAtomicIAdd %uint %also %one %zero %one)")));
  CHECK(main_of(text) == plain(R"(
      %1 = OpUntypedAccessChainKHR %_ptr_UniformConstant %_runtimearr_2 %resourceHeap %uint_0
      %3 = OpBufferPointerEXT %_ptr_StorageBuffer %1
      %4 = OpBufferPointerEXT %_ptr_StorageBuffer %1
      %5 = OpLoad %uint %3
      %6 = OpUntypedArrayLengthKHR %uint %Data %4 1
      %7 = OpIAdd %uint %5 %6
      %8 = OpUntypedInBoundsAccessChainKHR %_ptr_StorageBuffer %Data %3 %uint_1 %uint_2
      OpStore %8 %7
      %9 = OpUntypedAccessChainKHR %_ptr_StorageBuffer %_runtimearr_uint %3 %uint_4
      %10 = OpAtomicIAdd %uint %9 %uint_1 %uint_0 %uint_1)"));
}

// buffer Data { ... } many[4];  many[index].words[2] = many[1].count + many[index].words.length()
TEST_CASE("elements of an array of untyped buffers have pointers of their own", "[rewrite]") {
  const std::string text = rewritten(shader(parts(place("many", 0, 0) + place("single", 1, 0), R"(
          %array = OpTypeArray %Data %four
          %single = OpUntypedVariableKHR %toStorage StorageBuffer %Data
          %many = OpUntypedVariableKHR %toStorage StorageBuffer %array)",
                                                  R"(
          %index = OpLoad %uint %single
          %from = OpUntypedAccessChainKHR %toStorage %array %many %one %zero
          %count = OpLoad %uint %from
          %copy = OpCopyObject %toStorage %many
          %element = OpUntypedAccessChainKHR %toStorage %array %copy %index
          %length = OpUntypedArrayLengthKHR %uint %Data %element 1
          %sum = OpIAdd %uint %count %length
          %to = OpUntypedAccessChainKHR %toStorage %Data %element %one %two
          OpStore %to %sum)")));
  CHECK(main_of(text) == plain(R"(
      %1 = OpUntypedAccessChainKHR %_ptr_UniformConstant %_runtimearr_2 %resourceHeap %uint_4
      %3 = OpBufferPointerEXT %_ptr_StorageBuffer %1
      %4 = OpLoad %uint %3
      %5 = OpUntypedAccessChainKHR %_ptr_UniformConstant %_runtimearr_2 %resourceHeap %uint_1
      %6 = OpBufferPointerEXT %_ptr_StorageBuffer %5
      %7 = OpUntypedAccessChainKHR %_ptr_StorageBuffer %Data %6 %uint_0
      %8 = OpLoad %uint %7
      %9 = OpUntypedAccessChainKHR %_ptr_UniformConstant %_runtimearr_2 %resourceHeap %4
      %10 = OpBufferPointerEXT %_ptr_StorageBuffer %9
      %11 = OpBufferPointerEXT %_ptr_StorageBuffer %9
      %12 = OpUntypedArrayLengthKHR %uint %Data %11 1
      %13 = OpIAdd %uint %8 %12
      %14 = OpUntypedAccessChainKHR %_ptr_StorageBuffer %Data %10 %uint_1 %uint_2
      OpStore %14 %13)"));
  // The array is written, and single is not.
  CHECK(text.find(" Aliased\n") != std::string::npos);
  CHECK(text.find("OpMemberDecorate %Data 0 NonWritable") == std::string::npos);
}

// A typed variable, reached by untyped chains.
TEST_CASE("untyped chains into typed variables", "[rewrite]") {
  const std::string text = rewritten(shader(parts(place("many", 0, 0) + place("single", 1, 0), R"(
          %array = OpTypeArray %Data %four
          %toArray = OpTypePointer StorageBuffer %array
          %toData = OpTypePointer StorageBuffer %Data
          %single = OpVariable %toData StorageBuffer
          %many = OpVariable %toArray StorageBuffer)",
                                                  R"(
          %at = OpUntypedAccessChainKHR %toStorage %Data %single %zero
          %index = OpLoad %uint %at
          %to = OpUntypedAccessChainKHR %toStorage %array %many %index %one %two
          OpStore %to %index)")));
  CHECK(main_of(text) == plain(R"(
      %1 = OpUntypedAccessChainKHR %_ptr_UniformConstant %_runtimearr_2 %resourceHeap %uint_4
      %3 = OpBufferPointerEXT %_ptr_StorageBuffer_Data %1
      %4 = OpUntypedAccessChainKHR %_ptr_StorageBuffer %Data %3 %uint_0
      %5 = OpLoad %uint %4
      %6 = OpUntypedAccessChainKHR %_ptr_UniformConstant %_runtimearr_2 %resourceHeap %5
      %7 = OpBufferPointerEXT %_ptr_StorageBuffer %6
      %8 = OpUntypedAccessChainKHR %_ptr_StorageBuffer %Data %7 %uint_1 %uint_2
      OpStore %8 %5)"));
}

// f(many[index]); f(single);  g(many)
TEST_CASE("functions are handed untyped buffers as slots", "[rewrite]") {
  test::Parts all =
      parts(place("many", 0, 0) + place("single", 1, 0) + "OpName %f \"f\"\nOpName %g \"g\"\n",
            R"(
          %array = OpTypeArray %Data %four
          %takes = OpTypeFunction %void %toStorage
          %single = OpUntypedVariableKHR %toStorage StorageBuffer %Data
          %many = OpUntypedVariableKHR %toStorage StorageBuffer %array)",
            R"(
          %index = OpLoad %uint %single
          %element = OpUntypedAccessChainKHR %toStorage %array %many %index
          %x = OpFunctionCall %void %f %element
          %y = OpFunctionCall %void %f %single
          %z = OpFunctionCall %void %g %many)");
  all.capabilities = kCapabilities + "OpCapability VariablePointers\n" + kExtensions;
  all.functions = R"(
          %f = OpFunction %void None %takes
          %d = OpFunctionParameter %toStorage
          %fLabel = OpLabel
          %q = OpUntypedAccessChainKHR %toStorage %Data %d %one %two
          OpStore %q %one
          OpReturn
          OpFunctionEnd
          %g = OpFunction %void None %takes
          %a = OpFunctionParameter %toStorage
          %gLabel = OpLabel
          %e = OpUntypedAccessChainKHR %toStorage %array %a %two
          %w = OpFunctionCall %void %f %e
          OpReturn
          OpFunctionEnd)";
  const std::string text = rewritten(shader(all));
  CHECK(function_of(text, "f") == plain(R"(
      %1 = OpFunctionParameter %uint
      %2 = OpLabel
      %3 = OpUntypedAccessChainKHR %_ptr_UniformConstant %_runtimearr_4 %resourceHeap %1
      %5 = OpBufferPointerEXT %_ptr_StorageBuffer %3
      %6 = OpUntypedAccessChainKHR %_ptr_StorageBuffer %Data %5 %uint_1 %uint_2
      OpStore %6 %uint_1
      OpReturn)"));
  CHECK(function_of(text, "g") == plain(R"(
      %1 = OpFunctionParameter %uint
      %2 = OpLabel
      %3 = OpIAdd %uint %1 %uint_2
      %4 = OpUntypedAccessChainKHR %_ptr_UniformConstant %_runtimearr_5 %resourceHeap %3
      %6 = OpBufferPointerEXT %_ptr_StorageBuffer %4
      %7 = OpIAdd %uint %1 %uint_2
      %8 = OpFunctionCall %void %f %7
      OpReturn)"));
  CHECK(function_of(text, "main") == plain(R"(
      %1 = OpLabel
      %2 = OpUntypedAccessChainKHR %_ptr_UniformConstant %_runtimearr_3 %resourceHeap %uint_4
      %4 = OpBufferPointerEXT %_ptr_StorageBuffer %2
      %5 = OpLoad %uint %4
      %6 = OpUntypedAccessChainKHR %_ptr_UniformConstant %_runtimearr_3 %resourceHeap %5
      %7 = OpBufferPointerEXT %_ptr_StorageBuffer %6
      %8 = OpFunctionCall %void %f %5
      %9 = OpFunctionCall %void %f %uint_4
      %10 = OpFunctionCall %void %g %uint_0
      OpReturn)"));
}

TEST_CASE("an untyped buffer that nobody writes is read only", "[rewrite]") {
  const std::string text = rewritten(shader(
      parts(place("data", 0, 3), "\n%data = OpUntypedVariableKHR %toStorage StorageBuffer %Data",
            "%count = OpLoad %uint %data")));
  CHECK(text.find(" NonWritable\n") != std::string::npos);
}

// uniform texture2D textures[4], alone;  Vulkan has such pointers beside heaps only
TEST_CASE("images behind untyped pointers", "[rewrite]") {
  test::Parts all = parts(place("textures", 0, 0) + place("alone", 0, 1) + place("data", 0, 2) +
                              "OpDecorate %images ArrayStride 64\n",
                          R"(
          %float = OpTypeFloat 32
          %image = OpTypeImage %float 2D 0 0 0 1 Unknown
          %images = OpTypeArray %image %four
          %toImages = OpTypeUntypedPointerKHR UniformConstant
          %textures = OpUntypedVariableKHR %toImages UniformConstant %images
          %alone = OpUntypedVariableKHR %toImages UniformConstant %image
          %data = OpUntypedVariableKHR %toStorage StorageBuffer %Data)",
                          R"(
          %index = OpLoad %uint %data
          %p = OpUntypedAccessChainKHR %toImages %images %textures %index
          %i = OpLoad %image %p
          %all = OpLoad %images %textures
          %j = OpCompositeExtract %image %all 1
          %k = OpLoad %image %alone)");
  all.capabilities = "OpCapability DescriptorHeapEXT\n" + kExtensions +
                     "OpExtension \"SPV_EXT_descriptor_heap\"\n";
  const std::string text = rewritten(shader(all));
  CHECK(main_of(text) == plain(R"(
      %1 = OpUntypedAccessChainKHR %_ptr_UniformConstant %_runtimearr_2 %resourceHeap %3
      %4 = OpBufferPointerEXT %_ptr_StorageBuffer %1
      %5 = OpLoad %uint %4
      %6 = OpUntypedAccessChainKHR %_ptr_UniformConstant %_runtimearr_7 %resourceHeap %5
      %8 = OpLoad %7 %6
      %9 = OpUntypedAccessChainKHR %_ptr_UniformConstant %_runtimearr_7 %resourceHeap %uint_1
      %10 = OpLoad %7 %9
      %11 = OpUntypedAccessChainKHR %_ptr_UniformConstant %_runtimearr_7 %resourceHeap %uint_4
      %12 = OpLoad %7 %11)"));
}

TEST_CASE("what untyped variables cannot do is refused", "[rewrite]") {
  const std::string array = R"(
          %Other = OpTypeStruct %uint
          %array = OpTypeArray %Data %four
          %others = OpTypeArray %Other %four
          %many = OpUntypedVariableKHR %toStorage StorageBuffer %array)";
  const std::string layout =
      place("many", 0, 0) + "OpDecorate %Other Block\nOpMemberDecorate %Other 0 Offset 0\n";
  const Diagnostic other = refused(shader(parts(layout, array, R"(
          %p = OpUntypedAccessChainKHR %toStorage %others %many %one %zero
          OpStore %p %one)")));
  CHECK(other.text ==
        "variable 'many': an array of another type than the variable's in OpUntypedAccessChainKHR "
        "cannot be rewritten");
  CHECK(other.place.resource == "many");
  const std::string single = "\n%data = OpUntypedVariableKHR %toStorage StorageBuffer %Data";
  const Diagnostic address =
      refused(shader(parts(place("data", 0, 3), single, "%count = OpLoad %uint %data")),
              {.data = DataSource::PushAddress});
  CHECK(address.text ==
        "variable 'data': an untyped variable without a descriptor cannot be rewritten");
}

}  // namespace heapsmith::rewrite
