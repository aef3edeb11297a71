// SPDX-License-Identifier: MIT
#include "rewrite/buffers.h"

#include <string>

#include "compiler/rewrite/rewritten.h"

namespace heapsmith::rewrite {
namespace {

using spirv::test::plain;
using test::has_line;
using test::main_of;
using test::numbered;
using test::place;
using test::rewritten;
using test::shader;

const std::string kTypes = R"(
  %uint = OpTypeInt 32 0
  %zero = OpConstant %uint 0
  %one = OpConstant %uint 1
  %two = OpConstant %uint 2
  %words = OpTypeRuntimeArray %uint
  %Data = OpTypeStruct %uint %words
  %toData = OpTypePointer StorageBuffer %Data
  %toUint = OpTypePointer StorageBuffer %uint)";

const std::string kLayout = R"(
  OpName %Data "Data"
  OpDecorate %words ArrayStride 4
  OpDecorate %Data Block
  OpMemberDecorate %Data 0 Offset 0
  OpMemberDecorate %Data 1 Offset 4
)";

/// An array of buffers, and what `code` does with it.
std::string of_many(const std::string& decorations, const std::string& code) {
  return shader({.capabilities = "OpCapability ShaderNonUniform\n"
                                 "OpExtension \"SPV_EXT_descriptor_indexing\"",
                 .decorations = place("many", 0, 0) + place("out", 0, 1) + kLayout + decorations +
                                "OpName %Out \"Out\"\nOpDecorate %Out Block\n"
                                "OpMemberDecorate %Out 0 Offset 0\n",
                 .declarations = kTypes + R"(
          %four = OpConstant %uint 4
          %array = OpTypeArray %Data %four
          %toArray = OpTypePointer StorageBuffer %array
          %Out = OpTypeStruct %uint
          %toOut = OpTypePointer StorageBuffer %Out
          %many = OpVariable %toArray StorageBuffer
          %out = OpVariable %toOut StorageBuffer)",
                 .body = R"(
          %to = OpAccessChain %toUint %out %zero
          %index = OpLoad %uint %to
          %element = OpAccessChain %toData %many %index
          %length = OpArrayLength %uint %element 1
          OpStore %to %length)" +
                         code});
}

size_t count(const std::string& text, const std::string& part) {
  size_t found = 0;
  for (size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1))
    ++found;
  return found;
}

}  // namespace

// buffer Data { uint count; uint words[]; } data;
// data.words[2] = data.count;
TEST_CASE("a storage buffer becomes one pointer in each function", "[rewrite]") {
  const std::string text =
      rewritten(shader({.decorations = place("data", 0, 3) + kLayout,
                        .declarations = kTypes + "\n%data = OpVariable %toData StorageBuffer",
                        .body = R"(
          %from = OpAccessChain %toUint %data %zero
          %count = OpLoad %uint %from
          %to = OpInBoundsAccessChain %toUint %data %one %two
          OpStore %to %count)"}));
  CHECK(numbered(text) == plain(R"(
      OpCapability Shader
      OpCapability DescriptorHeapEXT
      OpExtension "SPV_KHR_untyped_pointers"
      OpExtension "SPV_EXT_descriptor_heap"
      OpMemoryModel Logical GLSL450
      OpEntryPoint GLCompute %main "main"
      OpExecutionMode %main LocalSize 1 1 1
      OpName %main "main"
      OpName %Data "Data"
      OpName %resourceHeap "resourceHeap"
      OpDecorate %_runtimearr_uint ArrayStride 4
      OpDecorate %Data Block
      OpMemberDecorate %Data 0 Offset 0
      OpMemberDecorate %Data 1 Offset 4
      OpDecorate %resourceHeap BuiltIn ResourceHeapEXT
      OpDecorateId %_runtimearr_1 ArrayStrideIdEXT %2
      OpDecorate %3 Aliased
      %void = OpTypeVoid
      %4 = OpTypeFunction %void
      %uint = OpTypeInt 32 0
      %uint_0 = OpConstant %uint 0
      %uint_1 = OpConstant %uint 1
      %uint_2 = OpConstant %uint 2
      %_runtimearr_uint = OpTypeRuntimeArray %uint
      %Data = OpTypeStruct %uint %_runtimearr_uint
      %_ptr_StorageBuffer_Data = OpTypePointer StorageBuffer %Data
      %_ptr_StorageBuffer_uint = OpTypePointer StorageBuffer %uint
      %1 = OpTypeBufferEXT StorageBuffer
      %_ptr_UniformConstant = OpTypeUntypedPointerKHR UniformConstant
      %resourceHeap = OpUntypedVariableKHR %_ptr_UniformConstant UniformConstant
      %2 = OpConstantSizeOfEXT %uint %1
      %_runtimearr_1 = OpTypeRuntimeArray %1
      %main = OpFunction %void None %4
      %5 = OpLabel
      %6 = OpUntypedAccessChainKHR %_ptr_UniformConstant %_runtimearr_1 %resourceHeap %uint_0
      %3 = OpBufferPointerEXT %_ptr_StorageBuffer_Data %6
      %7 = OpAccessChain %_ptr_StorageBuffer_uint %3 %uint_0
      %8 = OpLoad %uint %7
      %9 = OpInBoundsAccessChain %_ptr_StorageBuffer_uint %3 %uint_1 %uint_2
      OpStore %9 %8
      OpReturn
      OpFunctionEnd)"));
}

TEST_CASE("a local variable that begins with a buffer's pointer", "[rewrite]") {
  const std::string text =
      rewritten(shader({.capabilities = "OpCapability VariablePointersStorageBuffer",
                        .decorations = place("data", 0, 3) + kLayout,
                        .declarations = kTypes + R"(
          %toPointer = OpTypePointer Function %toData
          %data = OpVariable %toData StorageBuffer)",
                        .body = R"(
          %held = OpVariable %toPointer Function %data
          %p = OpLoad %toData %held
          %to = OpAccessChain %toUint %p %zero
          OpStore %to %one)"}));
  CHECK(main_of(text) == plain(R"(
      %1 = OpVariable %_ptr_Function__ptr_StorageBuffer_Data Function
      %2 = OpUntypedAccessChainKHR %_ptr_UniformConstant %_runtimearr_3 %resourceHeap %uint_0
      %4 = OpBufferPointerEXT %_ptr_StorageBuffer_Data %2
      OpStore %1 %4
      %5 = OpLoad %_ptr_StorageBuffer_Data %1
      %6 = OpAccessChain %_ptr_StorageBuffer_uint %5 %uint_0
      OpStore %6 %uint_1)"));
}

TEST_CASE("a private variable cannot begin with what no constant is", "[rewrite]") {
  const std::string text = shader({.capabilities = "OpCapability VariablePointersStorageBuffer",
                                   .decorations = place("data", 0, 3) + kLayout,
                                   .declarations = kTypes + R"(
          %toPointer = OpTypePointer Private %toData
          %data = OpVariable %toData StorageBuffer
          %held = OpVariable %toPointer Private %data)"});
  const auto words = spirv::test::words_of(text, 0x00010300);
  spirv::test::require_valid(words);
  const auto outcome = test::rewrite_words(words, nullptr, {});
  REQUIRE(outcome.words.empty());
  CHECK(outcome.diagnostics[0].code == Code::UnsupportedRewrite);
  CHECK(outcome.diagnostics[0].text ==
        "variable 'data': the pointer that a private variable begins with cannot be rewritten");
}

// A DebugDeclare wants a variable.
TEST_CASE("debug information about a buffer goes", "[rewrite]") {
  const test::Parts parts{.capabilities = R"(
          OpExtension "SPV_KHR_non_semantic_info"
          %told = OpExtInstImport "NonSemantic.Test")",
                          .decorations = place("data", 0, 0) + kLayout,
                          .declarations = kTypes + "\n%data = OpVariable %toData StorageBuffer",
                          .body = "%d = OpExtInst %void %told 1 %data"};
  CHECK(main_of(rewritten(shader(parts))).empty());
  CHECK(main_of(rewritten(shader(parts), {.data = DataSource::PushAddress})).empty());
}

// readonly and never written: drivers are told
TEST_CASE("blocks that nobody writes are read only", "[rewrite]") {
  const std::string declared = place("data", 0, 0) + kLayout +
                               "OpDecorate %data Restrict\nOpMemberDecorate %Data 1 NonWritable\n";
  const std::string text = rewritten(
      shader({.decorations = declared,
              .declarations = kTypes + "\n%data = OpVariable %toData StorageBuffer",
              .body = "%from = OpAccessChain %toUint %data %zero\n%count = OpLoad %uint %from"}));
  CHECK(has_line(text, "OpMemberDecorate %Data 0 NonWritable"));
  CHECK(text.find("1 NonWritable") == text.rfind("1 NonWritable"));
  CHECK(text.find(" Restrict\n") != std::string::npos);
  CHECK(text.find(" Aliased\n") == std::string::npos);
}

// restrict: data.count = 1;  and of elements that may be the same: many[i].count, many[j].count
TEST_CASE("pointers to what is written through others too are not restricted", "[rewrite]") {
  const auto restricted = [&](const std::string& body) {
    return rewritten(shader({.decorations = place("data", 0, 0) + place("many", 0, 1) + kLayout +
                                            "OpDecorate %data Restrict\nOpDecorate %many Restrict\n"
                                            "OpName %f \"f\"\n",
                             .declarations = kTypes + R"(
          %array = OpTypeArray %Data %two
          %toArray = OpTypePointer StorageBuffer %array
          %data = OpVariable %toData StorageBuffer
          %many = OpVariable %toArray StorageBuffer)",
                             .functions = R"(
          %f = OpFunction %void None %voidFunction
          %fLabel = OpLabel
          %fp = OpAccessChain %toUint %data %zero
          OpStore %fp %two
          OpReturn
          OpFunctionEnd)",
                             .body = body}));
  };
  const std::string store = "%p = OpAccessChain %toUint %data %zero\nOpStore %p %one\n";
  const std::string call = "%done = OpFunctionCall %void %f\n";
  const std::string elements =
      "%a = OpAccessChain %toUint %many %zero %zero\nOpStore %a %one\n"
      "%b = OpAccessChain %toUint %many %one %zero\n%c = OpLoad %uint %b\n";
  CHECK(restricted(store).find(" Restrict\n") == std::string::npos);
  CHECK(restricted(store + call).find(" Restrict\n") == std::string::npos);
  CHECK(restricted(elements + call).find(" Restrict\n") == std::string::npos);
  const std::string text = restricted(elements + call);
  CHECK(text.find(" Aliased\n") != text.rfind(" Aliased\n"));
  const std::string one = rewritten(
      shader({.decorations = place("data", 0, 0) + kLayout + "OpDecorate %data Restrict\n",
              .declarations = kTypes + "\n%data = OpVariable %toData StorageBuffer",
              .body = store}));
  CHECK(one.find(" Restrict\n") != std::string::npos);
  CHECK(one.find(" Aliased\n") == std::string::npos);
}

TEST_CASE("copies and other uses go on with the pointer, lengths have a plain one", "[rewrite]") {
  const std::string text =
      rewritten(shader({.decorations = place("data", 0, 0) + kLayout,
                        .declarations = kTypes + "\n%data = OpVariable %toData StorageBuffer",
                        .body = R"(
          %copy = OpCopyObject %toData %data
          %length = OpArrayLength %uint %copy 1
          %also = OpArrayLength %uint %data 1
          %to = OpAccessChain %toUint %copy %zero
          %old = OpAtomicIAdd %uint %to %one %zero %length
          OpCopyMemory %to %to)"}));
  CHECK(main_of(text) == plain(R"(
      %1 = OpUntypedAccessChainKHR %_ptr_UniformConstant %_runtimearr_2 %resourceHeap %uint_0
      %3 = OpBufferPointerEXT %_ptr_StorageBuffer_Data %1
      %4 = OpBufferPointerEXT %_ptr_StorageBuffer_Data %1
      %5 = OpCopyObject %_ptr_StorageBuffer_Data %3
      %6 = OpArrayLength %uint %5 1
      %7 = OpArrayLength %uint %4 1
      %8 = OpAccessChain %_ptr_StorageBuffer_uint %5 %uint_0
      %9 = OpAtomicIAdd %uint %8 %uint_1 %uint_0 %6
      OpCopyMemory %8 %8)"));
  CHECK(count(text, " Aliased\n") == 1);
}

// buffer Data { ... } many[4];  many[index].words[2] = many[3].count;  many[index].words.length()
TEST_CASE("elements of an array of buffers have pointers of their own", "[rewrite]") {
  const std::string text =
      rewritten(shader({.decorations = place("many", 1, 0) + place("single", 0, 0) + kLayout,
                        .declarations = kTypes + R"(
          %three = OpConstant %uint 3
          %four = OpConstant %uint 4
          %array = OpTypeArray %Data %four
          %toArray = OpTypePointer StorageBuffer %array
          %many = OpVariable %toArray StorageBuffer
          %single = OpVariable %toData StorageBuffer)",
                        .body = R"(
          %a = OpAccessChain %toUint %single %zero
          %index = OpLoad %uint %a
          %from = OpAccessChain %toUint %many %three %zero
          %count = OpLoad %uint %from
          %to = OpAccessChain %toUint %many %index %one %two
          OpStore %to %count
          %element = OpAccessChain %toData %many %index
          %length = OpArrayLength %uint %element 1
          %inner = OpAccessChain %toUint %element %zero
          OpStore %inner %length)"}));
  CHECK(main_of(text) == plain(R"(
      %1 = OpUntypedAccessChainKHR %_ptr_UniformConstant %_runtimearr_2 %resourceHeap %uint_0
      %3 = OpBufferPointerEXT %_ptr_StorageBuffer_Data %1
      %4 = OpAccessChain %_ptr_StorageBuffer_uint %3 %uint_0
      %5 = OpLoad %uint %4
      %6 = OpUntypedAccessChainKHR %_ptr_UniformConstant %_runtimearr_2 %resourceHeap %uint_4
      %7 = OpBufferPointerEXT %_ptr_StorageBuffer_Data %6
      %8 = OpAccessChain %_ptr_StorageBuffer_uint %7 %uint_0
      %9 = OpLoad %uint %8
      %10 = OpIAdd %uint %uint_1 %5
      %11 = OpUntypedAccessChainKHR %_ptr_UniformConstant %_runtimearr_2 %resourceHeap %10
      %12 = OpBufferPointerEXT %_ptr_StorageBuffer_Data %11
      %13 = OpAccessChain %_ptr_StorageBuffer_uint %12 %uint_1 %uint_2
      OpStore %13 %9
      %14 = OpIAdd %uint %uint_1 %5
      %15 = OpUntypedAccessChainKHR %_ptr_UniformConstant %_runtimearr_2 %resourceHeap %14
      %16 = OpBufferPointerEXT %_ptr_StorageBuffer_Data %15
      %17 = OpBufferPointerEXT %_ptr_StorageBuffer_Data %15
      %18 = OpArrayLength %uint %17 1
      %19 = OpAccessChain %_ptr_StorageBuffer_uint %16 %uint_0
      OpStore %19 %18)"));
  CHECK(count(text, " Aliased\n") == 3);  // those of `many`, but %17
  CHECK(text.find("OpTypeArray") == std::string::npos);
}

// readonly buffer Data { ... } many[4];  out = many[index].words.length()
TEST_CASE("a pointer that only tells lengths is plain", "[rewrite]") {
  const std::string text = rewritten(of_many("OpDecorate %many Coherent\n", ""));
  CHECK(count(text, "OpBufferPointerEXT") == 2);
  CHECK(text.find("Coherent") == std::string::npos);
  CHECK(count(text, " Aliased\n") == 1);  // `out`
}

// out = many[nonuniformEXT(index)].words.length()
TEST_CASE("what invocations ask of different buffers is not asked of plain pointers", "[rewrite]") {
  const std::string text = rewritten(of_many("OpDecorate %element NonUniform\n", ""));
  CHECK(count(text, "OpBufferPointerEXT") == 2);
  CHECK(count(text, " Aliased\n") == 2);
  const std::string coherent =
      rewritten(of_many("OpDecorate %element NonUniform\nOpDecorate %many Coherent\n", ""));
  CHECK(count(coherent, "OpBufferPointerEXT") == 2);
  CHECK(count(coherent, " Coherent\n") == 1);
  CHECK(count(coherent, " Aliased\n") == 1);
}

TEST_CASE("pointers say NonWritable where the members of the block cannot", "[rewrite]") {
  const std::string readOnly = rewritten(of_many("OpDecorate %many NonWritable\n", ""));
  CHECK(has_line(readOnly, "OpMemberDecorate %Data 1 NonWritable"));
  CHECK(count(readOnly, " NonWritable\n") == 2);
  const std::string shared =
      rewritten(shader({.decorations = place("in", 0, 0) + place("out", 0, 1) + kLayout +
                                       "OpDecorate %in NonWritable\n",
                        .declarations = kTypes + R"(
          %in = OpVariable %toData StorageBuffer
          %out = OpVariable %toData StorageBuffer)",
                        .body = R"(
          %from = OpAccessChain %toUint %in %zero
          %value = OpLoad %uint %from
          %to = OpAccessChain %toUint %out %zero
          OpStore %to %value)"}));
  CHECK(count(shared, " NonWritable\n") == 1);
  CHECK(shared.find("OpMemberDecorate %Data 1 NonWritable") == std::string::npos);
}

// uint f(buffer Data data) { return data.words.length(); }  f(many[nonuniformEXT(index)]);
TEST_CASE("a function may be asked for lengths of different buffers", "[rewrite]") {
  const auto calling = [](const std::string& decorations) {
    return rewritten(shader({.capabilities = "OpCapability VariablePointersStorageBuffer\n"
                                             "OpCapability ShaderNonUniform\n"
                                             "OpExtension \"SPV_EXT_descriptor_indexing\"",
                             .decorations = place("many", 0, 0) + kLayout + decorations,
                             .declarations = kTypes + R"(
          %four = OpConstant %uint 4
          %array = OpTypeArray %Data %four
          %toArray = OpTypePointer StorageBuffer %array
          %takes = OpTypeFunction %uint %toData
          %many = OpVariable %toArray StorageBuffer)",
                             .functions = R"(
          %f = OpFunction %uint None %takes
          %data = OpFunctionParameter %toData
          %fLabel = OpLabel
          %length = OpArrayLength %uint %data 1
          OpReturnValue %length
          OpFunctionEnd)",
                             .body = R"(
          %element = OpAccessChain %toData %many %two
          %from = OpAccessChain %toUint %element %zero
          %index = OpLoad %uint %from
          %picked = OpAccessChain %toData %many %index
          %x = OpFunctionCall %uint %f %picked)"}));
  };
  CHECK(calling("").find("Aliased") == std::string::npos);
  CHECK(count(calling("OpDecorate %picked NonUniform\n"), " Aliased\n") != 0);
}

// uniform Frame { uint count; } frame[SPEC];   indexed by 64-bit and 16-bit numbers
TEST_CASE("uniform buffers are read only, whatever picks them", "[rewrite]") {
  const std::string text = rewritten(
      shader({.capabilities = "OpCapability Int64\nOpCapability Int16",
              .decorations = place("frame", 0, 0) + place("picks", 0, 1) +
                             "OpDecorate %Frame Block\nOpMemberDecorate %Frame 0 Offset 0\n"
                             "OpName %Frame \"Frame\"\nOpDecorate %Picks Block\n"
                             "OpMemberDecorate %Picks 0 Offset 0\n"
                             "OpDecorate %frame NonWritable\nOpDecorate %frame Aliased\n"
                             "OpDecorate %spec SpecId 7\n",
              .declarations = R"(
          %uint = OpTypeInt 32 0
          %ulong = OpTypeInt 64 0
          %short = OpTypeInt 16 1
          %int = OpTypeInt 32 1
          %zero = OpConstant %uint 0
          %intOne = OpConstant %int 1
          %spec = OpSpecConstant %uint 3
          %Frame = OpTypeStruct %uint
          %toFrame = OpTypePointer Uniform %Frame
          %all = OpTypeArray %Frame %spec
          %toAll = OpTypePointer Uniform %all
          %toUint = OpTypePointer Uniform %uint
          %toUlong = OpTypePointer Uniform %ulong
          %Picks = OpTypeStruct %ulong
          %toPicks = OpTypePointer Uniform %Picks
          %picks = OpVariable %toPicks Uniform
          %frame = OpVariable %toAll Uniform)",
              .body = R"(
          %a = OpAccessChain %toUlong %picks %zero
          %wide = OpLoad %ulong %a
          %p = OpAccessChain %toUint %frame %wide %zero
          %x = OpLoad %uint %p
          %narrow = OpSConvert %short %x
          %q = OpAccessChain %toUint %frame %narrow %zero
          %y = OpLoad %uint %q
          %copy = OpCopyObject %toAll %frame
          %element = OpAccessChain %toFrame %copy %intOne
          %block = OpLoad %Frame %element)"}));
  CHECK(main_of(text) == plain(R"(
      %1 = OpUntypedAccessChainKHR %_ptr_UniformConstant %_runtimearr_2 %resourceHeap %uint_3
      %3 = OpBufferPointerEXT %_ptr_Uniform__struct_4 %1
      %5 = OpAccessChain %_ptr_Uniform_ulong %3 %uint_0
      %6 = OpLoad %ulong %5
      %7 = OpUConvert %uint %6
      %8 = OpUntypedAccessChainKHR %_ptr_UniformConstant %_runtimearr_2 %resourceHeap %7
      %9 = OpBufferPointerEXT %_ptr_Uniform_Frame %8
      %10 = OpAccessChain %_ptr_Uniform_uint %9 %uint_0
      %11 = OpLoad %uint %10
      %12 = OpSConvert %short %11
      %13 = OpSConvert %uint %12
      %14 = OpUntypedAccessChainKHR %_ptr_UniformConstant %_runtimearr_2 %resourceHeap %13
      %15 = OpBufferPointerEXT %_ptr_Uniform_Frame %14
      %16 = OpAccessChain %_ptr_Uniform_uint %15 %uint_0
      %17 = OpLoad %uint %16
      %18 = OpUntypedAccessChainKHR %_ptr_UniformConstant %_runtimearr_2 %resourceHeap %uint_1
      %19 = OpBufferPointerEXT %_ptr_Uniform_Frame %18
      %20 = OpLoad %Frame %19)"));
  CHECK(text.find("NonWritable") == std::string::npos);
  CHECK(text.find("Aliased") == std::string::npos);
}

// Old shaders: buffer in the class Uniform. `other` keeps its set and binding.
TEST_CASE("a BufferBlock becomes a storage buffer", "[rewrite]") {
  const std::string text = shader(
      {.decorations = place("data", 0, 0) + place("other", 0, 1) + place("frame", 0, 2) +
                      "OpName %Data \"Data\"\nOpName %Frame \"Frame\"\n"
                      "OpDecorate %words ArrayStride 16\nOpDecorate %Data BufferBlock\n"
                      "OpMemberDecorate %Data 0 Offset 0\nOpMemberDecorate %Data 1 Offset 16\n"
                      "OpDecorate %Frame Block\nOpMemberDecorate %Frame 0 Offset 0\n",
       .declarations = R"(
          %uint = OpTypeInt 32 0
          %zero = OpConstant %uint 0
          %one = OpConstant %uint 1
          %words = OpTypeRuntimeArray %uint
          %Data = OpTypeStruct %uint %words
          %Frame = OpTypeStruct %uint
          %toData = OpTypePointer Uniform %Data
          %toFrame = OpTypePointer Uniform %Frame
          %toUint = OpTypePointer Uniform %uint
          %toWords = OpTypePointer Uniform %words
          %data = OpVariable %toData Uniform
          %other = OpVariable %toData Uniform
          %frame = OpVariable %toFrame Uniform)",
       .body = R"(
          %a = OpAccessChain %toUint %frame %zero
          %x = OpLoad %uint %a
          %b = OpAccessChain %toWords %other %one
          %c = OpAccessChain %toUint %b %x
          %y = OpLoad %uint %c
          %d = OpAccessChain %toUint %data %one %y
          OpStore %d %x
          %length = OpArrayLength %uint %data 1)"});
  Placements placements;
  placements.bindings = {{.set = 0, .binding = 0, .resource = Location{.firstSlot = 5}},
                         {.set = 0, .binding = 2, .resource = Location{.firstSlot = 6}}};
  const std::string result =
      spirv::test::text_of(test::rewritten_words(text, 0x00010000, &placements));
  CHECK(main_of(result) == plain(R"(
      %1 = OpUntypedAccessChainKHR %_ptr_UniformConstant %_runtimearr_2 %resourceHeap %uint_6
      %3 = OpBufferPointerEXT %_ptr_Uniform_Frame %1
      %4 = OpUntypedAccessChainKHR %_ptr_UniformConstant %_runtimearr_5 %resourceHeap %uint_5
      %6 = OpBufferPointerEXT %_ptr_StorageBuffer_Data %4
      %7 = OpBufferPointerEXT %_ptr_StorageBuffer_Data %4
      %8 = OpAccessChain %_ptr_Uniform_uint %3 %uint_0
      %9 = OpLoad %uint %8
      %10 = OpAccessChain %_ptr_StorageBuffer__runtimearr_uint %other %uint_1
      %11 = OpAccessChain %_ptr_StorageBuffer_uint %10 %9
      %12 = OpLoad %uint %11
      %13 = OpAccessChain %_ptr_StorageBuffer_uint %6 %uint_1 %12
      OpStore %13 %9
      %14 = OpArrayLength %uint %7 1)"));
  CHECK(has_line(result, "OpDecorate %Data Block"));
  CHECK(has_line(result, "OpDecorate %other DescriptorSet 0"));
  CHECK(has_line(result, "%other = OpVariable %_ptr_StorageBuffer_Data StorageBuffer"));
  CHECK(result.find("NonWritable") == std::string::npos);  // `other` has the same block
}

}  // namespace heapsmith::rewrite
