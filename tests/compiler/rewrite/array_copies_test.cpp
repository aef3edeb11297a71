// SPDX-License-Identifier: MIT
#include "rewrite/array_copies.h"

#include "compiler/rewrite/rewritten.h"

namespace heapsmith::rewrite {
namespace {

using spirv::test::plain;
using test::function_of;
using test::main_of;
using test::shader;

const std::string kArrays = R"(
  %float = OpTypeFloat 32
  %uint = OpTypeInt 32 0
  %int = OpTypeInt 32 1
  %two = OpConstant %uint 2
  %rows = OpSpecConstant %int 3
  %fixed = OpTypeArray %float %two
  %array = OpTypeArray %fixed %rows
  %toArray = OpTypePointer Function %array
  %toFixed = OpTypePointer Function %fixed
  %toShared = OpTypePointer Workgroup %array
  %toOwn = OpTypePointer Private %array
  %shared = OpVariable %toShared Workgroup
  %own = OpVariable %toOwn Private)";

std::string copied(const std::string& body) {
  const auto words = spirv::test::words_of(shader(
      {.decorations = "OpName %a \"a\"\nOpName %b \"b\"\nOpName %own \"own\"\n"
                      "OpName %shared \"shared\"\nOpName %array \"array\"\nOpName %rows "
                      "\"rows\"\nOpDecorate %rows SpecId 0\n",
       .declarations = kArrays,
       .body = "%a = OpVariable %toArray Function\n%b = OpVariable %toArray Function\n" + body}));
  spirv::test::require_valid(words);
  const spirv::Module module = spirv::test::parsed(words);
  spirv::Editor editor(module);
  copy_arrays_by_element(editor);
  const auto made = editor.write();
  spirv::test::require_valid(made);
  return spirv::test::text_of(made);
}

}  // namespace

TEST_CASE("specialized arrays are copied by functions", "[rewrite][glsl]") {
  const std::string text = copied(R"(
      %x = OpLoad %array %a
      OpStore %b %x
      %y = OpLoad %array %b
      OpStore %a %y)");
  CHECK(main_of(text) == plain(R"(
      %a = OpVariable %_ptr_Function_array Function
      %b = OpVariable %_ptr_Function_array Function
      %1 = OpFunctionCall %void %copy %a %b
      %2 = OpFunctionCall %void %copy %b %a
      )"));
  CHECK(function_of(text, "copy") == plain(R"(
      %from = OpFunctionParameter %_ptr_Function_array
      %to = OpFunctionParameter %_ptr_Function_array
      %1 = OpLabel
      %i = OpVariable %_ptr_Function_uint Function
      %i_0 = OpVariable %_ptr_Function_uint Function
      OpStore %i %uint_0
      OpBranch %2
      %2 = OpLabel
      OpLoopMerge %3 %4 None
      OpBranch %5
      %5 = OpLabel
      %6 = OpLoad %uint %i
      %7 = OpULessThan %bool %6 %rows
      OpBranchConditional %7 %8 %3
      %8 = OpLabel
      OpStore %i_0 %uint_0
      OpBranch %9
      %9 = OpLabel
      OpLoopMerge %10 %11 None
      OpBranch %12
      %12 = OpLabel
      %13 = OpLoad %uint %i_0
      %14 = OpULessThan %bool %13 %uint_2
      OpBranchConditional %14 %15 %10
      %15 = OpLabel
      %16 = OpLoad %uint %i
      %17 = OpLoad %uint %i_0
      %18 = OpAccessChain %_ptr_Function_float %from %16 %17
      %19 = OpAccessChain %_ptr_Function_float %to %16 %17
      %20 = OpLoad %float %18
      OpStore %19 %20
      OpBranch %11
      %11 = OpLabel
      %21 = OpLoad %uint %i_0
      %22 = OpIAdd %uint %21 %uint_1
      OpStore %i_0 %22
      OpBranch %9
      %10 = OpLabel
      OpBranch %4
      %4 = OpLabel
      %23 = OpLoad %uint %i
      %24 = OpIAdd %uint %23 %uint_1
      OpStore %i %24
      OpBranch %2
      %3 = OpLabel
      OpReturn
      )"));
}

TEST_CASE("what is stored later waits", "[rewrite][glsl]") {
  CHECK(main_of(copied(R"(
      %x = OpLoad %array %a
      %y = OpLoad %array %own
      OpStore %own %x
      OpStore %a %y)")) == plain(R"(
      %1 = OpVariable %_ptr_Function_array Function
      %2 = OpVariable %_ptr_Function_array Function
      %a = OpVariable %_ptr_Function_array Function
      %b = OpVariable %_ptr_Function_array Function
      %3 = OpFunctionCall %void %copy %a %1
      %4 = OpFunctionCall %void %copy_1 %own %2
      %5 = OpFunctionCall %void %copy_0 %1 %own
      %6 = OpFunctionCall %void %copy %2 %a
      )"));
}

TEST_CASE("arrays of other memory, and other uses, stay", "[rewrite][glsl]") {
  for (const std::string body : {"%x = OpLoad %array %shared\nOpStore %a %x\n",
                                 "%x = OpLoad %array %a\nOpStore %shared %x\n",
                                 "%x = OpLoad %array %a\n%y = OpCompositeExtract %fixed %x 0\n"
                                 "%p = OpAccessChain %toFixed %b %two\nOpStore %p %y\n"}) {
    const std::string text = copied(body);
    CHECK_FALSE(text.contains("OpFunctionCall"));
    CHECK_FALSE(text.contains("%copy"));
  }
}

}  // namespace heapsmith::rewrite
