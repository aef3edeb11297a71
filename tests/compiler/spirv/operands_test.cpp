// SPDX-License-Identifier: MIT
#include "spirv/operands.h"

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "spirv/assemble.h"
#include "spirv/parse.h"

namespace heapsmith::spirv {
namespace {

struct Case {
  spv::Op op;
  std::vector<uint32_t> idWords;
};

// Ids are numbered so that what is no id is told from what is one.
constexpr std::string_view kText = R"(
               OpCapability Shader
               OpCapability Addresses
               OpMemoryModel Logical GLSL450
               OpEntryPoint GLCompute %100 "a name of some length" %101 %102
               OpExecutionModeId %100 LocalSizeId %103 %103 %103
               OpDecorateId %101 CounterBuffer %102
               OpGroupMemberDecorate %104 %105 0 %106 1
        %110 = OpSpecConstantOp %111 CompositeExtract %112 3 2
        %100 = OpFunction %113 None %114
        %115 = OpLabel
        %116 = OpImageSampleExplicitLod %117 %118 %119 Lod|ConstOffset|MinLod %120 %121 %122
        %123 = OpLoad %117 %101 Aligned|MakePointerVisible 16 %103
               OpCopyMemory %101 %102 Aligned 4 Aligned 8
        %124 = OpCompositeExtract %117 %123 1 2
        %125 = OpVectorShuffle %117 %123 %123 0 1
               OpLoopMerge %115 %126 MinIterations|PartialCount 7 9
               OpSwitch %103 %115 1 %126 2 %115
        %126 = OpLabel
        %127 = OpPhi %117 %123 %115 %124 %126
               OpBranchConditional %127 %115 %126 30 70
               OpFunctionEnd
)";

const Case kCases[] = {
    {spv::Op::OpEntryPoint, {2, 9, 10}},
    {spv::Op::OpExecutionModeId, {1, 3, 4, 5}},
    {spv::Op::OpDecorateId, {1, 3}},
    {spv::Op::OpGroupMemberDecorate, {1, 2, 4}},
    {spv::Op::OpSpecConstantOp, {1, 2, 4}},
    {spv::Op::OpFunction, {1, 2, 4}},
    {spv::Op::OpImageSampleExplicitLod, {1, 2, 3, 4, 6, 7, 8}},
    {spv::Op::OpLoad, {1, 2, 3, 6}},
    {spv::Op::OpCopyMemory, {1, 2}},
    {spv::Op::OpCompositeExtract, {1, 2, 3}},
    {spv::Op::OpVectorShuffle, {1, 2, 3, 4}},
    {spv::Op::OpLoopMerge, {1, 2}},
    {spv::Op::OpSwitch, {1, 2, 4, 6}},
    {spv::Op::OpPhi, {1, 2, 3, 4, 5, 6}},
    {spv::Op::OpBranchConditional, {1, 2, 3}},
};

}  // namespace

TEST_CASE("every id operand is found and no literal", "[spirv]") {
  Diagnostics diagnostics;
  // The constant that OpSwitch switches on needs its type.
  std::string text(kText);
  text.insert(text.find("        %110"),
              "        %130 = OpTypeInt 32 0\n        %103 = OpConstant %130 1\n");
  const auto words = spirv::assemble(text, {.version = 0x00010600, .preserveNumericIds = true},
                                     "test.spvasm", diagnostics);
  for (const Diagnostic& diagnostic : diagnostics.all())
    UNSCOPED_INFO(diagnostic.text);
  REQUIRE(words.has_value());
  const auto module =
      spirv::parse_module(std::as_bytes(std::span(*words)), "test.spv", diagnostics);
  for (const Diagnostic& diagnostic : diagnostics.all())
    UNSCOPED_INFO(diagnostic.text);
  REQUIRE(module.has_value());
  for (const Case& each : kCases) {
    bool found = false;
    for (const spirv::Instruction instruction : module->instructions()) {
      if (instruction.op() != each.op) continue;
      found = true;
      const auto& rule = spirv::get_rule(each.op);
      INFO(rule.name);
      std::vector<uint32_t> idWords;
      spirv::for_each_id(*module, instruction, rule,
                         [&](uint32_t word) { idWords.push_back(word); });
      CHECK(idWords == each.idWords);
      for (const uint32_t word : idWords)
        CHECK(instruction.word(word) >= 100);
    }
    CHECK(found);
  }
}

TEST_CASE("the short cut and the walk agree on every instruction", "[spirv]") {
  for (uint32_t opcode = 0; opcode < 0x10000; ++opcode) {
    const spirv::InstructionRule* rule = spirv::find_rule(opcode);
    if (rule == nullptr) continue;
    CHECK(rule->opcode == opcode);
    // As many words as are mandatory, all 0: no mask bit set, strings empty, value 0 of an
    // enumeration.
    std::vector<uint32_t> words(rule->minWords, 0);
    words[0] = opcode | uint32_t{rule->minWords} << 16;
    spirv::OperandReader reader(*rule, words, 1);
    std::vector<uint32_t> ids;
    for (spirv::Operand operand; reader.next(operand);)
      if (operand.kind <= spirv::OperandKind::Id) ids.push_back(operand.word);
    std::vector<uint32_t> leading;
    for (uint32_t word = 1; word < std::min(rule->leadingWords, rule->minWords); ++word)
      if ((rule->idMask >> word & 1) != 0) leading.push_back(word);
    INFO(rule->name);
    REQUIRE(ids.size() >= leading.size());
    CHECK(std::equal(leading.begin(), leading.end(), ids.begin()));
    if (rule->hasType) CHECK(ids.front() == 1);
  }
}

TEST_CASE("the bits that are said to have no parameters have none", "[spirv]") {
  bool found = false;
  for (uint32_t opcode = 0; opcode < 0x10000; ++opcode) {
    const spirv::InstructionRule* rule = spirv::find_rule(opcode);
    if (rule == nullptr || rule->tail != spirv::Tail::Mask) continue;
    for (uint32_t bit = 1; bit != 0; bit <<= 1) {
      std::vector<uint32_t> words(rule->leadingWords + 1u, 0);
      words[0] = opcode | (rule->leadingWords + 1u) << 16;
      words.back() = bit;
      spirv::OperandReader reader(*rule, words, 1);
      for (spirv::Operand operand; reader.next(operand);) {
      }
      INFO(rule->name << ", bit " << bit);
      CHECK(reader.error().empty() == ((rule->plainBits & bit) != 0));
      found |= reader.error().empty();
    }
  }
  CHECK(found);
}

TEST_CASE("operands: no computation takes or gives a pointer or an object") {
  for (const spv::Op op : {spv::Op::OpLoad, spv::Op::OpStore, spv::Op::OpSelect, spv::Op::OpPhi,
                           spv::Op::OpReturnValue, spv::Op::OpFunctionCall, spv::Op::OpBitcast,
                           spv::Op::OpConvertPtrToU, spv::Op::OpConvertUToPtr, spv::Op::OpPtrEqual,
                           spv::Op::OpCopyObject, spv::Op::OpCompositeExtract,
                           spv::Op::OpAtomicIAdd, spv::Op::OpImageRead, spv::Op::OpExtInst})
    CHECK_FALSE(is_computation(op));
  for (const spv::Op op :
       {spv::Op::OpIAdd, spv::Op::OpFOrdLessThan, spv::Op::OpShiftRightLogical, spv::Op::OpDPdx,
        spv::Op::OpUConvert, spv::Op::OpLabel, spv::Op::OpBranchConditional, spv::Op::OpReturn})
    CHECK(is_computation(op));
}

}  // namespace heapsmith::spirv
