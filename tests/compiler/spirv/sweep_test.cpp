// SPDX-License-Identifier: MIT
#include "spirv/sweep.h"

#include <string>

#include "module_text.h"
#include "spirv/builder.h"

namespace heapsmith::spirv {
namespace {

using test::parsed;
using test::plain;
using test::text_of;
using test::words_of;

Instruction first(const Module& module, spv::Op op) {
  for (const Instruction instruction : module.instructions())
    if (instruction.op() == op) return instruction;
  FAIL("no such instruction");
  return {};
}

Uses counted(const Module& module) {
  return {module, std::vector<uint8_t>(module.bound())};
}

const std::string kDebugged = R"(
  OpCapability Shader
  OpExtension "SPV_KHR_non_semantic_info"
  %debug = OpExtInstImport "NonSemantic.Shader.DebugInfo.100"
  OpMemoryModel Logical GLSL450
  OpEntryPoint GLCompute %main "main"
  OpExecutionMode %main LocalSize 1 1 1
  %file = OpString "a.comp"
  %name = OpString "textures"
  OpName %variable "textures"
  OpName %unused "unused"
  OpDecorate %variable DescriptorSet 0
  OpDecorate %variable Binding 0
  %void = OpTypeVoid
  %function = OpTypeFunction %void
  %uint = OpTypeInt 32 0
  %zero = OpConstant %uint 0
  %one = OpConstant %uint 1
  %three = OpConstant %uint 3
  %five = OpConstant %uint 5
  %hundred = OpConstant %uint 100
  %unused = OpConstant %uint 12345
  %float = OpTypeFloat 32
  %image = OpTypeImage %float 2D 0 0 0 1 Unknown
  %array = OpTypeArray %image %three
  %pointer = OpTypePointer UniformConstant %array
  %variable = OpVariable %pointer UniformConstant
  %source = OpExtInst %void %debug DebugSource %file
  %unit = OpExtInst %void %debug DebugCompilationUnit %hundred %five %source %one
  %type = OpExtInst %void %debug DebugTypeBasic %name %zero %zero %zero
  %global = OpExtInst %void %debug DebugGlobalVariable %name %type %source %one %one %unit %name %variable %zero
  %main = OpFunction %void None %function
  %label = OpLabel
  OpReturn
  OpFunctionEnd)";

}  // namespace

TEST_CASE("what hangs on a removed variable goes with it, and nothing else", "[spirv]") {
  const auto words = words_of(kDebugged);
  test::require_valid(words);
  const Module module = parsed(words);
  Editor editor(module);
  editor.remove(first(module, spv::Op::OpVariable));
  const auto gone = sweep(editor, counted(module));
  CHECK(gone[first(module, spv::Op::OpTypeArray).result_id()] != 0);
  CHECK(gone[first(module, spv::Op::OpTypeInt).result_id()] == 0);
  const auto swept = editor.write();
  test::require_valid(swept);
  CHECK(text_of(swept) == plain(R"(
      OpCapability Shader
      OpExtension "SPV_KHR_non_semantic_info"
      %1 = OpExtInstImport "NonSemantic.Shader.DebugInfo.100"
      OpMemoryModel Logical GLSL450
      OpEntryPoint GLCompute %2 "main"
      OpExecutionMode %2 LocalSize 1 1 1
      %3 = OpString "a.comp"
      %4 = OpString "textures"
      OpName %unused "unused"
      %void = OpTypeVoid
      %8 = OpTypeFunction %void
      %uint = OpTypeInt 32 0
      %uint_0 = OpConstant %uint 0
      %uint_1 = OpConstant %uint 1
      %uint_5 = OpConstant %uint 5
      %uint_100 = OpConstant %uint 100
      %unused = OpConstant %uint 12345
      %19 = OpExtInst %void %1 DebugSource %3
      %20 = OpExtInst %void %1 DebugCompilationUnit %uint_100 %uint_5 %19 %uint_1
      %21 = OpExtInst %void %1 DebugTypeBasic %4 %uint_0 %uint_0 %uint_0
      %24 = OpExtInst %void %1 DebugInfoNone
      %22 = OpExtInst %void %1 DebugGlobalVariable %4 %21 %19 %uint_1 %uint_1 %20 %4 %24 %uint_0
      %2 = OpFunction %void None %8
      %23 = OpLabel
      OpReturn
      OpFunctionEnd)"));
}

TEST_CASE("what new instructions use stays", "[spirv]") {
  const Module module = parsed(words_of(kDebugged));
  Editor editor(module);
  Builder builder(editor);
  const Instruction variable = first(module, spv::Op::OpVariable);
  editor.remove(variable);
  const uint32_t image = first(module, spv::Op::OpTypeImage).result_id();
  builder.declare(spv::Op::OpTypeRuntimeArray, 0, {image});
  (void)sweep(editor, counted(module));
  const std::string text = text_of(editor.write());
  CHECK(text.find("OpTypeImage") != std::string::npos);
  CHECK(text.find("OpTypeFloat") != std::string::npos);
  CHECK(text.find("OpTypeArray") == std::string::npos);
}

TEST_CASE("a result that is defined anew keeps its name", "[spirv]") {
  const Module module = parsed(words_of(R"(
      OpCapability Shader
      OpCapability Linkage
      OpMemoryModel Logical GLSL450
      OpName %two "two"
      OpName %three "three"
      %uint = OpTypeInt 32 0
      %two = OpConstant %uint 2
      %three = OpSpecConstant %uint 3)"));
  Editor editor(module);
  const Instruction two = first(module, spv::Op::OpConstant);
  editor.replace(two, spv::Op::OpSpecConstant, {two.type_id(), two.result_id(), 2});
  editor.remove(first(module, spv::Op::OpSpecConstant));
  (void)sweep(editor, counted(module));
  const std::string text = text_of(editor.write());
  CHECK(text.find("OpName %two") != std::string::npos);
  CHECK(text.find("OpName %three") == std::string::npos);
}

TEST_CASE("lists of decoration groups lose the targets that are gone", "[spirv]") {
  const Module module = parsed(words_of(R"(
      OpCapability Shader
      OpCapability Linkage
      OpMemoryModel Logical GLSL450
      OpDecorate %group DescriptorSet 4
      %group = OpDecorationGroup
      OpGroupDecorate %group %one %two
      OpGroupDecorate %group %one
      %uint = OpTypeInt 32 0
      %pointer = OpTypePointer Uniform %uint
      %one = OpVariable %pointer Uniform
      %two = OpVariable %pointer Uniform)"));
  Editor editor(module);
  editor.remove(first(module, spv::Op::OpVariable));
  (void)sweep(editor, counted(module));
  CHECK(text_of(editor.write()) == plain(R"(
      OpCapability Shader
      OpCapability Linkage
      OpMemoryModel Logical GLSL450
      OpDecorate %1 DescriptorSet 4
      %1 = OpDecorationGroup
      OpGroupDecorate %1 %3
      %uint = OpTypeInt 32 0
      %_ptr_Uniform_uint = OpTypePointer Uniform %uint
      %3 = OpVariable %_ptr_Uniform_uint Uniform)"));
}

TEST_CASE("an edited declaration stays with what it refers to now", "[spirv]") {
  const Module module = parsed(words_of(R"(
      OpCapability Shader
      OpCapability Linkage
      OpMemoryModel Logical GLSL450
      %uint = OpTypeInt 32 0
      %float = OpTypeFloat 32
      %pointer = OpTypePointer Uniform %uint
      %variable = OpVariable %pointer Uniform)"));
  Editor editor(module);
  const Instruction pointer = first(module, spv::Op::OpTypePointer);
  editor.replace_id(module.word_index(pointer) + 3,
                    first(module, spv::Op::OpTypeFloat).result_id());
  editor.remove(first(module, spv::Op::OpVariable));
  (void)sweep(editor, counted(module));
  CHECK(text_of(editor.write()) == plain(R"(
      OpCapability Shader
      OpCapability Linkage
      OpMemoryModel Logical GLSL450
      %float = OpTypeFloat 32
      %_ptr_Uniform_float = OpTypePointer Uniform %float)"));
}

}  // namespace heapsmith::spirv
