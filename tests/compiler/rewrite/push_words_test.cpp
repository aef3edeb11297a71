// SPDX-License-Identifier: MIT
#include "rewrite/push_words.h"

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

// buffer Data { uint count; } data, many[4];  set 0, picked by the word at byte 20
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

Placements placements() {
  const Location data{
      .firstSlot = 7, .source = InstanceSource::PushWord, .pushOffset = 20, .slotsPerInstance = 5};
  Location many = data;
  many.firstSlot = 8;
  Placements all;
  all.regions.imageSlots.value = 100;
  all.bindings = {{.set = 0, .binding = 0, .resource = data},
                  {.set = 0, .binding = 1, .resource = many}};
  return all;
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
  const auto all = placements();
  const std::string text =
      text_of(test::rewritten_words(shader(parts("", "", "")), 0x00010300, &all));
  CHECK(main_of(text) == plain(R"(
      %1 = OpAccessChain %_ptr_PushConstant_uint %pushWords %uint_0
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
      OpStore %20 %12)"));
  CHECK(text.find(" 0 Offset 20\n") != std::string::npos);
  CHECK(text.find("%pushWords = OpVariable") != std::string::npos);
}

TEST_CASE("a push-constant block grows, and 32-bit numbers come before it", "[rewrite]") {
  const auto all = placements();
  auto with = parts(kBlockLayout, kBlock, kBlockUse);
  with.interface = "%data %many %push";
  const std::string text = text_of(test::rewritten_words(shader(with), 0x00010500, &all));
  CHECK(has_line(text, "OpMemberDecorate %Push 1 Offset 20"));
  CHECK(has_line(text, "OpEntryPoint GLCompute %main \"main\" %push %resourceHeap"));
  CHECK(numbered(between(text, "%v4float = OpTypeVector", "%uint_0 =")) == plain(R"(
      %uint = OpTypeInt 32 0
      %Push = OpTypeStruct %v4float %uint
      %_ptr_PushConstant_Push = OpTypePointer PushConstant %Push
      %_ptr_PushConstant_v4float = OpTypePointer PushConstant %v4float
      %push = OpVariable %_ptr_PushConstant_Push PushConstant)"));
  CHECK(main_of(text) == plain(R"(
      %1 = OpAccessChain %_ptr_PushConstant_uint %push %uint_1
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
      OpStore %20 %12
      %21 = OpInBoundsAccessChain %_ptr_PushConstant_v4float %push %uint_0
      %22 = OpLoad %v4float %21)"));
}

TEST_CASE("an instance is picked by a word in memory", "[rewrite]") {
  auto all = placements();
  for (Placement& placement : all.bindings) {
    placement.resource->source = InstanceSource::IndirectWord;
    placement.resource->addressOffset = 8;
  }
  const std::string text =
      text_of(test::rewritten_words(shader(parts("", "", "")), 0x00010300, &all));
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

TEST_CASE("push constants that are read as a whole cannot grow", "[rewrite]") {
  const auto all = placements();
  const auto words = spirv::test::words_of(
      shader(parts(kBlockLayout, kBlock, kBlockUse + "\n%whole = OpLoad %Push %push")));
  const auto outcome = test::rewrite_words(words, &all, {});
  CHECK(outcome.words.empty());
  REQUIRE(outcome.diagnostics.size() == 1);
  CHECK(outcome.diagnostics[0].code == Code::UnsupportedRewrite);
  CHECK(outcome.diagnostics[0].text ==
        "variable 'many': an index in push data beside a block that is read as a whole cannot be "
        "rewritten; keep it mapped");
}

TEST_CASE("several push-constant blocks cannot all grow", "[rewrite]") {
  const auto all = placements();
  const auto words = spirv::test::words_of(shader(
      parts(kBlockLayout, kBlock + "\n%other = OpVariable %toPush PushConstant", kBlockUse)));
  const auto outcome = test::rewrite_words(words, &all, {});
  CHECK(outcome.words.empty());
  REQUIRE(outcome.diagnostics.size() == 1);
  CHECK(outcome.diagnostics[0].code == Code::UnsupportedRewrite);
}

}  // namespace heapsmith::rewrite
