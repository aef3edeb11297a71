// SPDX-License-Identifier: MIT
#include "rewrite/block_words.h"

#include <string>

#include "compiler/rewrite/rewritten.h"

namespace heapsmith::rewrite {
namespace {

using spirv::test::plain;
using spirv::test::text_of;
using test::between;
using test::has_line;
using test::main_of;
using test::numbered;
using test::place;
using test::shader;

// buffer Data { uint count; } data, many[4];  set 0, picked by a word
test::Parts parts(const std::string& decorations, const std::string& before,
                  const std::string& body) {
  return {.decorations = place("data", 0, 0) + place("many", 0, 1) +
                         "OpName %Data \"Data\"\nOpDecorate %Data Block\n"
                         "OpMemberDecorate %Data 0 Offset 0\n" +
                         decorations,
          .declarations = before + R"(
          %uint = OpTypeInt 32 0
          %zero = OpConstant %uint 0
          %four = OpConstant %uint 4
          %Data = OpTypeStruct %uint
          %array = OpTypeArray %Data %four
          %toData = OpTypePointer StorageBuffer %Data
          %toArray = OpTypePointer StorageBuffer %array
          %toUint = OpTypePointer StorageBuffer %uint
          %data = OpVariable %toData StorageBuffer
          %many = OpVariable %toArray StorageBuffer)",
          .body = R"(
          %p = OpAccessChain %toUint %data %zero
          %index = OpLoad %uint %p
          %q = OpAccessChain %toUint %many %index %zero
          OpStore %q %index
          %r = OpAccessChain %toUint %many %four %zero
          OpStore %r %index)" +
                  body};
}

Placements placements(InstanceSource source = InstanceSource::PushWord) {
  const Location data{.firstSlot = 7,
                      .source = source,
                      .pushOffset = 20,
                      .addressOffset = 8,
                      .slotsPerInstance = 5,
                      .recordOffset = 12};
  Location many = data;
  many.firstSlot = 8;
  Placements all;
  all.regions.imageSlots.value = 100;
  all.bindings = {{.set = 0, .binding = 0, .resource = data},
                  {.set = 0, .binding = 1, .resource = many}};
  return all;
}

std::string rewritten(const test::Parts& parts, const Placements& all, uint32_t version) {
  return text_of(test::rewritten_words(shader(parts), version, &all));
}

std::string refusal(const test::Parts& parts) {
  const auto all = placements();
  const auto outcome = test::rewrite_words(spirv::test::words_of(shader(parts)), &all, {});
  CHECK(outcome.words.empty());
  REQUIRE(outcome.diagnostics.size() == 1);
  CHECK(outcome.diagnostics[0].code == Code::UnsupportedRewrite);
  return outcome.diagnostics[0].text;
}

// What becomes of those parts where the word is that member of a block.
std::string picked_by(const std::string& storage, const std::string& member) {
  return "%1 = OpAccessChain %_ptr_" + storage + "_uint " + member + R"(
      %2 = OpLoad %uint %1
      %3 = OpIMul %uint %2 %uint_5
      %4 = OpIAdd %uint %3 %5
      %6 = OpUntypedAccessChainKHR %_ptr_UniformConstant %_runtimearr_7 %resourceHeap %4
      %8 = OpBufferPointerEXT %_ptr_StorageBuffer_Data %6
      %9 = OpIAdd %uint %3 %10
      %11 = OpAccessChain %_ptr_StorageBuffer_uint %8 %uint_0
      %12 = OpLoad %uint %11
      %13 = OpIAdd %uint %9 %12
      %14 = OpUntypedAccessChainKHR %_ptr_UniformConstant %_runtimearr_7 %resourceHeap %13
      %15 = OpBufferPointerEXT %_ptr_StorageBuffer_Data %14
      %16 = OpAccessChain %_ptr_StorageBuffer_uint %15 %uint_0
      OpStore %16 %12
      %17 = OpIAdd %uint %9 %uint_4
      %18 = OpUntypedAccessChainKHR %_ptr_UniformConstant %_runtimearr_7 %resourceHeap %17
      %19 = OpBufferPointerEXT %_ptr_StorageBuffer_Data %18
      %20 = OpAccessChain %_ptr_StorageBuffer_uint %19 %uint_0
      OpStore %20 %12)";
}

const std::string kBlockLayout =
    "OpName %Push \"Push\"\nOpName %push \"push\"\nOpDecorate %Push Block\n"
    "OpMemberDecorate %Push 0 Offset 0\n";

const std::string kBlock = R"(
          %float = OpTypeFloat 32
          %v4float = OpTypeVector %float 4
          %Push = OpTypeStruct %v4float
          %toPush = OpTypePointer PushConstant %Push
          %toVector = OpTypePointer PushConstant %v4float
          %push = OpVariable %toPush PushConstant)";

const std::string kBlockUse = R"(
          %at = OpInBoundsAccessChain %toVector %push %zero
          %vector = OpLoad %v4float %at)";

}  // namespace

TEST_CASE("an instance is picked once in each function", "[rewrite]") {
  const std::string text = rewritten(parts("", "", ""), placements(), 0x00010300);
  CHECK(main_of(text) == plain(picked_by("PushConstant", "%pushWords %uint_0")));
  CHECK(text.find(" 0 Offset 20\n") != std::string::npos);
  CHECK(text.find("%pushWords = OpVariable") != std::string::npos);
}

TEST_CASE("a push-constant block grows, and 32-bit numbers come before it", "[rewrite]") {
  auto with = parts(kBlockLayout, kBlock, kBlockUse);
  with.interface = "%data %many %push";
  const std::string text = rewritten(with, placements(), 0x00010500);
  CHECK(has_line(text, "OpMemberDecorate %Push 1 Offset 20"));
  CHECK(has_line(text, "OpEntryPoint GLCompute %main \"main\" %push %resourceHeap"));
  CHECK(numbered(between(text, "%v4float = OpTypeVector", "%uint_0 =")) == plain(R"(
      %uint = OpTypeInt 32 0
      %Push = OpTypeStruct %v4float %uint
      %_ptr_PushConstant_Push = OpTypePointer PushConstant %Push
      %_ptr_PushConstant_v4float = OpTypePointer PushConstant %v4float
      %push = OpVariable %_ptr_PushConstant_Push PushConstant)"));
  CHECK(main_of(text) == plain(picked_by("PushConstant", "%push %uint_1") + R"(
      %21 = OpInBoundsAccessChain %_ptr_PushConstant_v4float %push %uint_0
      %22 = OpLoad %v4float %21)"));
}

TEST_CASE("an instance is picked by a word in memory", "[rewrite]") {
  const std::string text =
      rewritten(parts("", "", ""), placements(InstanceSource::IndirectWord), 0x00010300);
  CHECK(has_line(text, "OpCapability PhysicalStorageBufferAddresses"));
  CHECK(has_line(text, "OpExtension \"SPV_KHR_physical_storage_buffer\""));
  CHECK(has_line(text, "OpMemoryModel PhysicalStorageBuffer64 GLSL450"));
  for (const char* member : {" 0 Offset 20\n", " 1 Offset 24\n", " 0 Offset 8\n"})
    CHECK(text.find(member) != std::string::npos);
  CHECK(main_of(text) == plain(R"(
      %1 = OpAccessChain %_ptr_PushConstant_uint %pushWords %uint_0
      %2 = OpLoad %uint %1
      %3 = OpAccessChain %_ptr_PushConstant_uint %pushWords %uint_1
      %4 = OpLoad %uint %3
      %5 = OpCompositeConstruct %v2uint %2 %4
      %6 = OpBitcast %_ptr_PhysicalStorageBuffer__struct_7 %5
      %8 = OpAccessChain %_ptr_PhysicalStorageBuffer_uint %6 %uint_0
      %9 = OpLoad %uint %8 Aligned 4
      %10 = OpIMul %uint %9 %uint_5
      %11 = OpIAdd %uint %10 %12
      %13 = OpUntypedAccessChainKHR %_ptr_UniformConstant %_runtimearr_14 %resourceHeap %11
      %15 = OpBufferPointerEXT %_ptr_StorageBuffer_Data %13
      %16 = OpIAdd %uint %10 %17
      %18 = OpAccessChain %_ptr_StorageBuffer_uint %15 %uint_0
      %19 = OpLoad %uint %18
      %20 = OpIAdd %uint %16 %19
      %21 = OpUntypedAccessChainKHR %_ptr_UniformConstant %_runtimearr_14 %resourceHeap %20
      %22 = OpBufferPointerEXT %_ptr_StorageBuffer_Data %21
      %23 = OpAccessChain %_ptr_StorageBuffer_uint %22 %uint_0
      OpStore %23 %19
      %24 = OpIAdd %uint %16 %uint_4
      %25 = OpUntypedAccessChainKHR %_ptr_UniformConstant %_runtimearr_14 %resourceHeap %24
      %26 = OpBufferPointerEXT %_ptr_StorageBuffer_Data %25
      %27 = OpAccessChain %_ptr_StorageBuffer_uint %26 %uint_0
      OpStore %27 %19)"));
}

namespace {

const std::string kWholeBlock = R"(
          %float = OpTypeFloat 32
          %v4float = OpTypeVector %float 4
          %matrix = OpTypeMatrix %v4float 4
          %Push = OpTypeStruct %v4float %matrix
          %toPush = OpTypePointer PushConstant %Push
          %toLocal = OpTypePointer Function %Push
          %toVector = OpTypePointer PushConstant %v4float
          %push = OpVariable %toPush PushConstant)";

const std::string kWholeLayout =
    kBlockLayout +
    "OpMemberDecorate %Push 1 Offset 32\n"
    "OpMemberDecorate %Push 1 RowMajor\nOpMemberDecorate %Push 1 MatrixStride 16\n";

/// Behind a matrix.
Placements far_placements() {
  Placements all = placements();
  for (Placement& placement : all.bindings)
    placement.resource->pushOffset = 96;
  return all;
}

}  // namespace

// struct Push { vec4 a; layout(row_major) mat4 turn; };  Push copy = push;
TEST_CASE("push constants that are read as a whole are read member by member", "[rewrite]") {
  const auto all = far_placements();
  const std::string text = spirv::test::text_of(test::rewritten_words(
      shader(parts(kWholeLayout, kWholeBlock, "\n%whole = OpLoad %Push %push")), 0x00010300, &all));
  CHECK(has_line(text, "%Push_0 = OpTypeStruct %v4float %mat4v4float %uint"));
  CHECK(has_line(text, "%Push = OpTypeStruct %v4float %mat4v4float"));
  CHECK(has_line(text, "%_ptr_PushConstant_Push_0 = OpTypePointer PushConstant %Push_0"));
  CHECK(text.find("OpMemberDecorate %Push_0 1 MatrixStride 16\n") != std::string::npos);
  CHECK(text.find("OpMemberDecorate %Push_0 1 RowMajor\n") != std::string::npos);
  CHECK(text.find("OpMemberDecorate %Push_0 2 Offset 96\n") != std::string::npos);
  CHECK(text.find("OpDecorate %Push_0 Block\n") != std::string::npos);
  for (const char* part : {" = OpAccessChain %_ptr_PushConstant_v4float %push %uint_0\n",
                           " = OpAccessChain %_ptr_PushConstant_mat4v4float %push %uint_1\n",
                           " = OpCompositeConstruct %Push ",
                           " = OpAccessChain %_ptr_PushConstant_uint %push %uint_2\n"})
    CHECK(text.find(part) != std::string::npos);
  CHECK(text.find("OpLoad %Push ") == std::string::npos);
}

// Push copy; copy = push;  and through a copy of the pointer
TEST_CASE("push constants are copied member by member", "[rewrite]") {
  const auto all = far_placements();
  test::Parts copies = parts(kWholeLayout, kWholeBlock, R"(
          OpCopyMemory %local %push Aligned 16
          %same = OpCopyObject %toPush %push
          %whole = OpLoad %Push %same
          %at = OpAccessChain %toVector %push %zero
          %vector = OpLoad %v4float %at)");
  copies.body = "%local = OpVariable %toLocal Function\n" + copies.body;
  copies.decorations += "OpName %local \"local\"\n";
  const std::string text =
      spirv::test::text_of(test::rewritten_words(shader(copies), 0x00010300, &all));
  CHECK(text.find("OpStore %local ") != std::string::npos);
  CHECK(text.find("OpCopyMemory") == std::string::npos);
  CHECK(text.find("OpLoad %Push ") == std::string::npos);
  const size_t first = text.find("OpCompositeConstruct %Push ");
  CHECK(first != text.rfind("OpCompositeConstruct %Push "));
  CHECK(text.find(" Aligned 16\n", first) != std::string::npos);
}

TEST_CASE("pushed words behind an untyped block", "[rewrite]") {
  const auto all = far_placements();
  test::Parts untyped = parts(kWholeLayout, R"(
          %float = OpTypeFloat 32
          %v4float = OpTypeVector %float 4
          %matrix = OpTypeMatrix %v4float 4
          %Push = OpTypeStruct %v4float %matrix
          %toPush = OpTypeUntypedPointerKHR PushConstant
          %push = OpUntypedVariableKHR %toPush PushConstant %Push)",
                              R"(
          %at = OpUntypedAccessChainKHR %toPush %Push %push %zero
          %vector = OpLoad %v4float %at)");
  untyped.capabilities =
      "OpCapability UntypedPointersKHR\nOpExtension \"SPV_KHR_untyped_pointers\"";
  const std::string text =
      spirv::test::text_of(test::rewritten_words(shader(untyped), 0x00010300, &all));
  CHECK(text.find("%push = OpUntypedVariableKHR %_ptr_PushConstant PushConstant %Push_0\n") !=
        std::string::npos);
  CHECK(text.find(" = OpUntypedAccessChainKHR %_ptr_PushConstant %Push %push %uint_0\n") !=
        std::string::npos);
  CHECK(text.find(" = OpUntypedAccessChainKHR %_ptr_PushConstant %Push_0 %push %uint_2\n") !=
        std::string::npos);
}

TEST_CASE("a block of push data that is copied to a buffer is refused", "[rewrite]") {
  const auto all = far_placements();
  const auto words = spirv::test::words_of(
      shader(parts(kWholeLayout + place("target", 1, 0),
                   kWholeBlock + "\n%toTarget = OpTypePointer StorageBuffer %Push\n"
                                 "%target = OpVariable %toTarget StorageBuffer",
                   "\nOpCopyMemory %target %push")));
  spirv::test::require_valid(words);
  const auto outcome = test::rewrite_words(words, &all, {});
  CHECK(outcome.words.empty());
  REQUIRE(outcome.diagnostics.size() == 1);
  CHECK(outcome.diagnostics[0].code == Code::UnsupportedRewrite);
  CHECK(outcome.diagnostics[0].text ==
        "variable 'many': an index in push data or a shader record beside a block that "
        "OpCopyMemory copies to other than local variables cannot be rewritten");
}

TEST_CASE("several push-constant blocks of one entry point cannot all grow", "[rewrite]") {
  CHECK(refusal(parts(kBlockLayout, kBlock + "\n%other = OpVariable %toPush PushConstant",
                      kBlockUse + "\n%too = OpAccessChain %toVector %other %zero")) ==
        "variable 'many': an index in push data beside several such blocks of one entry point "
        "cannot be rewritten");
}

TEST_CASE("of several push-constant blocks the one that is used grows", "[rewrite]") {
  const std::string text = rewritten(
      parts(kBlockLayout, kBlock + "\n%other = OpVariable %toPush PushConstant", kBlockUse),
      placements(), 0x00010300);
  CHECK(main_of(text).starts_with(plain(picked_by("PushConstant", "%push %uint_1"))));
}

namespace {

// Two entry points, each with push constants of its own or none, and a function that reads a buffer
// of a table which is picked by a word.
std::string two_entry_points(const std::string& uses) {
  return R"(
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %first "first" %data %push
OpEntryPoint GLCompute %second "second" %data)" +
         std::string(uses.empty() ? "" : " %other") + R"(
OpExecutionMode %first LocalSize 1 1 1
OpExecutionMode %second LocalSize 1 1 1
OpName %Data "Data"
OpName %Push "Push"
OpName %Other "Other"
OpName %push "push"
OpName %other "other"
OpName %first "first"
OpName %second "second"
OpName %shared "shared"
OpDecorate %data DescriptorSet 0
OpDecorate %data Binding 0
OpDecorate %Data Block
OpMemberDecorate %Data 0 Offset 0
OpDecorate %Push Block
OpMemberDecorate %Push 0 Offset 0
OpDecorate %Other Block
OpMemberDecorate %Other 0 Offset 8
%void = OpTypeVoid
%voidFunction = OpTypeFunction %void
%uint = OpTypeInt 32 0
%zero = OpConstant %uint 0
%Data = OpTypeStruct %uint
%toData = OpTypePointer StorageBuffer %Data
%toUint = OpTypePointer StorageBuffer %uint
%data = OpVariable %toData StorageBuffer
%Push = OpTypeStruct %uint
%toPush = OpTypePointer PushConstant %Push
%toPushed = OpTypePointer PushConstant %uint
%push = OpVariable %toPush PushConstant
%Other = OpTypeStruct %uint
%toOther = OpTypePointer PushConstant %Other
%other = OpVariable %toOther PushConstant
%shared = OpFunction %void None %voidFunction
%sharedLabel = OpLabel
%p = OpAccessChain %toUint %data %zero
OpStore %p %zero
OpReturn
OpFunctionEnd
%first = OpFunction %void None %voidFunction
%firstLabel = OpLabel
%q = OpAccessChain %toPushed %push %zero
%x = OpLoad %uint %q
%y = OpFunctionCall %void %shared
OpReturn
OpFunctionEnd
%second = OpFunction %void None %voidFunction
%secondLabel = OpLabel
)" + uses +
         R"(
%z = OpFunctionCall %void %shared
OpReturn
OpFunctionEnd)";
}

std::string rewritten_entry_points(const std::string& uses) {
  Placements all = placements();
  all.bindings.pop_back();
  return text_of(test::rewritten_words(two_entry_points(uses), 0x00010400, &all));
}

}  // namespace

TEST_CASE("a function that entry points with different blocks share", "[rewrite]") {
  const std::string text =
      rewritten_entry_points("%r = OpAccessChain %toPushed %other %zero\n%s = OpLoad %uint %r");
  CHECK(has_line(text, "OpMemberDecorate %Push 1 Offset 20"));
  CHECK(has_line(text, "OpMemberDecorate %Other 1 Offset 20"));
  CHECK(test::function_of(text, "shared") == plain(R"(
      %1 = OpLabel
      %2 = OpLoad %uint %3
      %4 = OpIMul %uint %2 %uint_5
      %5 = OpIAdd %uint %4 %6
      %7 = OpUntypedAccessChainKHR %_ptr_UniformConstant %_runtimearr_8 %resourceHeap %5
      %9 = OpBufferPointerEXT %_ptr_StorageBuffer_Data %7
      %10 = OpAccessChain %_ptr_StorageBuffer_uint %9 %uint_0
      OpStore %10 %uint_0
      OpReturn)"));
  CHECK(test::function_of(text, "first") == plain(R"(
      %1 = OpLabel
      %2 = OpAccessChain %_ptr_PushConstant_uint %push %uint_1
      %3 = OpLoad %uint %2
      OpStore %4 %3
      %5 = OpAccessChain %_ptr_PushConstant_uint %push %uint_0
      %6 = OpLoad %uint %5
      %7 = OpFunctionCall %void %shared
      OpReturn)"));
  CHECK(test::function_of(text, "second").find("%_ptr_PushConstant_uint %other %uint_1") !=
        std::string::npos);
  CHECK(numbered(between(text, "OpMemoryModel", "OpExecutionMode")) == plain(R"(
      OpEntryPoint GLCompute %first "first" %push %resourceHeap %1
      OpEntryPoint GLCompute %second "second" %other %resourceHeap %1)"));
}

TEST_CASE("an entry point without push constants gets a block of its own", "[rewrite]") {
  const std::string text = rewritten_entry_points("");
  CHECK(text.find("%pushWords = OpVariable") != std::string::npos);
  CHECK(numbered(between(text, "OpMemoryModel", "OpExecutionMode")) == plain(R"(
      OpEntryPoint GLCompute %first "first" %push %resourceHeap %1
      OpEntryPoint GLCompute %second "second" %resourceHeap %pushWords %1)"));
  CHECK(test::function_of(text, "second").find("%_ptr_PushConstant_uint %pushWords %uint_0") !=
        std::string::npos);
  CHECK(text.find("OpMemberDecorate %Other 1") == std::string::npos);
}

TEST_CASE("an instance is picked by a word of the shader record", "[rewrite]") {
  auto with = parts("", "", "");
  with.rays = true;
  with.interface = "%data %many";
  const std::string text = rewritten(with, placements(InstanceSource::RecordWord), 0x00010500);
  CHECK(main_of(text) == plain(picked_by("ShaderRecordBufferKHR", "%recordWords %uint_0")));
  CHECK(text.find(" 0 Offset 12\n") != std::string::npos);
  CHECK(has_line(text, "OpEntryPoint RayGenerationKHR %main \"main\" %resourceHeap %recordWords"));
}

TEST_CASE("the shader's own record block grows", "[rewrite]") {
  auto with = parts(R"(
          OpName %Record "Record"
          OpName %record "record"
          OpDecorate %Record Block
          OpMemberDecorate %Record 0 Offset 0)",
                    R"(
          %float = OpTypeFloat 32
          %Record = OpTypeStruct %float
          %toRecord = OpTypePointer ShaderRecordBufferKHR %Record
          %toFloat = OpTypePointer ShaderRecordBufferKHR %float
          %record = OpVariable %toRecord ShaderRecordBufferKHR)",
                    "\n%at = OpAccessChain %toFloat %record %zero\n%value = OpLoad %float %at");
  with.rays = true;
  with.interface = "%data %many %record";
  const std::string text = rewritten(with, placements(InstanceSource::RecordWord), 0x00010500);
  CHECK(has_line(text, "OpMemberDecorate %Record 1 Offset 12"));
  CHECK(main_of(text).starts_with(plain(picked_by("ShaderRecordBufferKHR", "%record %uint_1"))));
  CHECK(has_line(text, "OpEntryPoint RayGenerationKHR %main \"main\" %record %resourceHeap"));
}

}  // namespace heapsmith::rewrite
