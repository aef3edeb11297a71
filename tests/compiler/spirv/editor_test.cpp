// SPDX-License-Identifier: MIT
#include "spirv/editor.h"

#include <string>

#include "module_text.h"
#include "spirv/builder.h"

namespace heapsmith::spirv {
namespace {

using test::parsed;
using test::plain;
using test::text_of;
using test::words_of;

const std::string kShader = R"(
  OpCapability Shader
  OpExtension "SPV_KHR_storage_buffer_storage_class"
  %ext = OpExtInstImport "GLSL.std.450"
  OpMemoryModel Logical GLSL450
  OpEntryPoint GLCompute %main "main"
  OpExecutionMode %main LocalSize 1 1 1
  %file = OpString "a.comp"
  OpName %main "main"
  OpModuleProcessed "nothing"
  OpDecorate %seven SpecId 3
  %void = OpTypeVoid
  %function = OpTypeFunction %void
  %uint = OpTypeInt 32 0
  %seven = OpSpecConstant %uint 7
  %main = OpFunction %void None %function
  %label = OpLabel
  OpLine %file 12 1
  %sum = OpIAdd %uint %seven %seven
  OpLine %file 13 1
  OpReturn
  OpFunctionEnd)";

/// The word of the first instruction with that opcode in the module.
uint32_t word_of(const Module& module, spv::Op op) {
  for (const Instruction instruction : module.instructions())
    if (instruction.op() == op) return module.word_index(instruction);
  FAIL("no such instruction");
  return 0;
}

std::string after(const std::string& text, const std::string& from, const std::string& to) {
  const size_t begin = text.find(from);
  REQUIRE(begin != std::string::npos);
  const size_t end = text.find(to, begin);
  REQUIRE(end != std::string::npos);
  return text.substr(begin, end - begin + to.size());
}

}  // namespace

TEST_CASE("a module without edits is written as it was", "[spirv]") {
  for (const uint32_t version : {0x00010100u, 0x00010300u, 0x00010600u}) {
    const auto words = words_of(kShader, version);
    const Module module = parsed(words);
    CHECK(Editor(module).write() == words);
  }
}

TEST_CASE("insertions and replacements keep their order and their lines", "[spirv]") {
  const Module module = parsed(words_of(kShader));
  Editor editor(module);
  const uint32_t word = word_of(module, spv::Op::OpIAdd);
  const Instruction sum = module.at(word);
  const uint32_t uint = sum.type_id();
  const uint32_t seven = sum.word(3);
  const uint32_t product = editor.new_id();
  editor.replace(sum, spv::Op::OpISub, {uint, sum.result_id(), product, seven});
  editor.insert(word, spv::Op::OpIMul, {uint, product, seven, seven});  // before it all the same
  editor.insert(word_of(module, spv::Op::OpReturn), spv::Op::OpNop, {});
  const auto words = editor.write();
  test::require_valid(words);
  CHECK(after(text_of(words), "OpLine", "OpReturn\n") == plain(R"(
      OpLine %3 12 1
      %10 = OpIMul %uint %4 %4
      %9 = OpISub %uint %10 %4
      OpLine %3 13 1
      OpNop
      OpReturn)"));
}

TEST_CASE("operands are replaced, unless their instruction goes", "[spirv]") {
  const Module module = parsed(words_of(kShader));
  Editor editor(module);
  const uint32_t line = word_of(module, spv::Op::OpLine);
  const uint32_t sum = word_of(module, spv::Op::OpIAdd);
  editor.replace_literal(line + 2, 99);
  editor.replace_literal(sum + 4, 1);
  editor.remove(module.at(sum));
  editor.remove(module.at(sum));
  const auto words = editor.write();
  test::require_valid(words);
  CHECK(after(text_of(words), "OpLine", "OpReturn\n") ==
        plain("OpLine %3 99 1\n OpLine %3 13 1\n OpReturn\n"));
}

TEST_CASE("sections grow at their ends", "[spirv]") {
  const Module module = parsed(words_of(kShader));
  Editor editor(module);
  Builder builder(editor);
  builder.require(spv::Capability::Int64);
  builder.require_extension("SPV_KHR_16bit_storage");
  const uint32_t constant = builder.uint_constant(5);
  builder.name(constant, "five");
  builder.decorate(constant, spv::Decoration::RelaxedPrecision);
  const auto words = editor.write();
  CHECK(text_of(words) == plain(R"(
      OpCapability Shader
      OpCapability Int64
      OpExtension "SPV_KHR_storage_buffer_storage_class"
      OpExtension "SPV_KHR_16bit_storage"
      %1 = OpExtInstImport "GLSL.std.450"
      OpMemoryModel Logical GLSL450
      OpEntryPoint GLCompute %main "main"
      OpExecutionMode %main LocalSize 1 1 1
      %3 = OpString "a.comp"
      OpName %main "main"
      OpName %five "five"
      OpModuleProcessed "nothing"
      OpDecorate %4 SpecId 3
      OpDecorate %five RelaxedPrecision
      %void = OpTypeVoid
      %6 = OpTypeFunction %void
      %uint = OpTypeInt 32 0
      %4 = OpSpecConstant %uint 7
      %five = OpConstant %uint 5
      %main = OpFunction %void None %6
      %8 = OpLabel
      OpLine %3 12 1
      %9 = OpIAdd %uint %4 %4
      OpLine %3 13 1
      OpReturn
      OpFunctionEnd)"));
}

TEST_CASE("empty sections are found too", "[spirv]") {
  const Module module = parsed(words_of(R"(
      OpCapability Shader
      OpCapability Linkage
      OpMemoryModel Logical GLSL450
      %void = OpTypeVoid)"));
  Editor editor(module);
  Builder builder(editor);
  builder.require_extension("SPV_EXT_descriptor_heap");
  const uint32_t uint = builder.uint_type();
  builder.name(uint, "word");
  builder.decorate(uint, spv::Decoration::RelaxedPrecision);
  CHECK(text_of(editor.write()) == plain(R"(
      OpCapability Shader
      OpCapability Linkage
      OpExtension "SPV_EXT_descriptor_heap"
      OpMemoryModel Logical GLSL450
      OpName %word "word"
      OpDecorate %word RelaxedPrecision
      %void = OpTypeVoid
      %word = OpTypeInt 32 0)"));
}

TEST_CASE("the version is only ever raised", "[spirv]") {
  const Module module = parsed(words_of(kShader, 0x00010400));
  Editor editor(module);
  editor.raise_version(0x00010300);
  CHECK(editor.write()[1] == 0x00010400);
  editor.raise_version(0x00010500);
  CHECK(editor.write()[1] == 0x00010500);
}

TEST_CASE("an instruction can become too long, and ids too many", "[spirv]") {
  const Module module = parsed(words_of(kShader));
  Editor editor(module);
  CHECK(editor.fits());
  editor.append(Section::Declarations, spv::Op::OpTypeStruct, std::vector<uint32_t>(0xFFFF, 1));
  CHECK_FALSE(editor.fits());
  Editor counting(module);
  while (counting.bound() < kMaxBound)
    (void)counting.new_id();
  CHECK(counting.fits());
  (void)counting.new_id();
  CHECK_FALSE(counting.fits());
}

}  // namespace heapsmith::spirv
