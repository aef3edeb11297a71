// SPDX-License-Identifier: MIT
#include "rewrite/heap_words.h"

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

// uniform Data { vec2 at; row_major mat2 turn; uint picked[2]; double deep; } data; std140
const std::string kLayout = R"(
  OpName %Data "Data"
  OpName %index "index"
  OpDecorate %picks ArrayStride 16
  OpDecorate %Data Block
  OpMemberDecorate %Data 0 Offset 0
  OpMemberDecorate %Data 1 Offset 16
  OpMemberDecorate %Data 1 RowMajor
  OpMemberDecorate %Data 1 MatrixStride 16
  OpMemberDecorate %Data 2 Offset 48
  OpMemberDecorate %Data 3 Offset 80
)";

const std::string kTypes = R"(
  %uint = OpTypeInt 32 0
  %int = OpTypeInt 32 1
  %float = OpTypeFloat 32
  %double = OpTypeFloat 64
  %v2float = OpTypeVector %float 2
  %mat2 = OpTypeMatrix %v2float 2
  %zero = OpConstant %uint 0
  %one = OpConstant %uint 1
  %two = OpConstant %uint 2
  %three = OpConstant %uint 3
  %picks = OpTypeArray %uint %two
  %Data = OpTypeStruct %v2float %mat2 %picks %double
  %toData = OpTypePointer Uniform %Data
  %toUint = OpTypePointer Uniform %uint
  %toFloat = OpTypePointer Uniform %float
  %toDouble = OpTypePointer Uniform %double
  %toVector = OpTypePointer Uniform %v2float
  %data = OpVariable %toData Uniform
  %toLocal = OpTypePointer Private %int
  %index = OpVariable %toLocal Private)";

std::string rewritten_body(const std::string& body, uint32_t version = 0x00010300) {
  return rewritten(shader({.capabilities = "OpCapability Float64",
                           .interface = version < 0x00010400 ? "" : "%data %index",
                           .decorations = place("data", 0, 0) + kLayout,
                           .declarations = kTypes,
                           .body = body}),
                   {.data = DataSource::HeapData}, version);
}

}  // namespace

TEST_CASE("bytes in the heap are read in pairs of words", "[rewrite]") {
  const std::string text = rewritten_body(
      "%p = OpAccessChain %toVector %data %zero\n%v = OpLoad %v2float %p", 0x00010500);
  CHECK(has_line(text, "OpCapability DescriptorHeapEXT"));
  CHECK(has_line(text, "OpCapability PhysicalStorageBufferAddresses"));
  CHECK(has_line(text, "OpMemoryModel PhysicalStorageBuffer64 GLSL450"));
  CHECK(has_line(text, "OpEntryPoint GLCompute %main \"main\" %index %resourceHeap %pushWords"));
  CHECK(text.find(" ArrayStride 8\n") != std::string::npos);
  CHECK(text.find("OpVariable %_ptr_Uniform") == std::string::npos);
  CHECK(main_of(text) == plain(R"(
      %1 = OpAccessChain %_ptr_PushConstant_uint %pushWords %uint_0
      %2 = OpLoad %uint %1
      %3 = OpShiftRightLogical %uint %2 %uint_3
      %4 = OpUntypedAccessChainKHR %_ptr_UniformConstant %_runtimearr__ptr_PhysicalStorageBuffer_uint %resourceHeap %3
      %5 = OpLoad %_ptr_PhysicalStorageBuffer_uint %4
      %6 = OpBitcast %v2uint %5
      %7 = OpCompositeExtract %uint %6 0
      %8 = OpBitcast %float %7
      %9 = OpCompositeExtract %uint %6 1
      %10 = OpBitcast %float %9
      %11 = OpCompositeConstruct %v2float %8 %10)"));
}

// Its two components lie 16 bytes apart, from byte 20 on.
TEST_CASE("a column of a row-major matrix in the heap", "[rewrite]") {
  const std::string text =
      rewritten_body("%p = OpAccessChain %toVector %data %one %one\n%v = OpLoad %v2float %p");
  CHECK(main_of(text).ends_with(plain(R"(
      %3 = OpShiftRightLogical %uint %2 %uint_3
      %4 = OpIAdd %uint %3 %uint_2
      %5 = OpUntypedAccessChainKHR %_ptr_UniformConstant %_runtimearr__ptr_PhysicalStorageBuffer_uint %resourceHeap %4
      %6 = OpLoad %_ptr_PhysicalStorageBuffer_uint %5
      %7 = OpBitcast %v2uint %6
      %8 = OpCompositeExtract %uint %7 1
      %9 = OpBitcast %float %8
      %10 = OpIAdd %uint %3 %uint_4
      %11 = OpUntypedAccessChainKHR %_ptr_UniformConstant %_runtimearr__ptr_PhysicalStorageBuffer_uint %resourceHeap %10
      %12 = OpLoad %_ptr_PhysicalStorageBuffer_uint %11
      %13 = OpBitcast %v2uint %12
      %14 = OpCompositeExtract %uint %13 1
      %15 = OpBitcast %float %14
      %16 = OpCompositeConstruct %v2float %9 %15)")));
}

TEST_CASE("an index that skips whole pairs", "[rewrite]") {
  const std::string text = rewritten_body(R"(
    %i = OpLoad %int %index
    %p = OpAccessChain %toUint %data %two %i
    %u = OpLoad %uint %p)");
  CHECK(main_of(text).ends_with(plain(R"(
      %4 = OpLoad %int %index
      %5 = OpIMul %uint %4 %uint_4
      %6 = OpIAdd %uint %3 %uint_6
      %7 = OpShiftRightLogical %uint %5 %uint_1
      %8 = OpIAdd %uint %6 %7
      %9 = OpUntypedAccessChainKHR %_ptr_UniformConstant %_runtimearr__ptr_PhysicalStorageBuffer_uint %resourceHeap %8
      %10 = OpLoad %_ptr_PhysicalStorageBuffer_uint %9
      %11 = OpBitcast %v2uint %10
      %12 = OpCompositeExtract %uint %11 0
      %13 = OpCopyObject %uint %12)")));
}

// Of the matrix's first row, in which numbers follow each other.
TEST_CASE("an index that skips words picks a half too", "[rewrite]") {
  const std::string text = rewritten_body(R"(
    %i = OpLoad %int %index
    %p = OpAccessChain %toFloat %data %one %i %zero
    %f = OpLoad %float %p)");
  CHECK(main_of(text).ends_with(plain(R"(
      %4 = OpLoad %int %index
      %5 = OpIAdd %uint %4 %uint_4
      %6 = OpShiftRightLogical %uint %5 %uint_1
      %7 = OpIAdd %uint %3 %6
      %8 = OpUntypedAccessChainKHR %_ptr_UniformConstant %_runtimearr__ptr_PhysicalStorageBuffer_uint %resourceHeap %7
      %9 = OpLoad %_ptr_PhysicalStorageBuffer_uint %8
      %10 = OpBitcast %v2uint %9
      %11 = OpBitwiseAnd %uint %5 %uint_1
      %12 = OpVectorExtractDynamic %uint %10 %11
      %13 = OpBitcast %float %12)")));
}

TEST_CASE("a block in the heap can be loaded as a whole, each pair once", "[rewrite]") {
  const std::string text = rewritten_body("%whole = OpLoad %Data %data");
  size_t loads = 0;
  constexpr std::string_view kLoad = "OpLoad %_ptr_PhysicalStorageBuffer_uint";
  for (size_t at = text.find(kLoad); at != text.npos; at = text.find(kLoad, at + 1))
    ++loads;
  CHECK(loads == 1 + 2 + 2 + 1);
  CHECK(text.find("OpCompositeConstruct %Data ") != std::string::npos);
}

}  // namespace heapsmith::rewrite
