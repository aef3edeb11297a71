// SPDX-License-Identifier: MIT
#include "spirv/uses.h"

#include <string>

#include "module_text.h"

namespace heapsmith::spirv {
namespace {

using test::parsed;
using test::words_of;

const std::string kShader = R"(
  OpCapability Shader
  OpCapability VariablePointers
  OpMemoryModel Logical GLSL450
  OpEntryPoint GLCompute %main "main"
  OpExecutionMode %main LocalSize 1 1 1
  OpName %a "a"
  OpDecorate %block Block
  OpMemberDecorate %block 0 Offset 0
  OpDecorate %a DescriptorSet 0
  OpDecorate %a Binding 0
  OpDecorate %b DescriptorSet 0
  OpDecorate %b Binding 1
  %void = OpTypeVoid
  %function = OpTypeFunction %void
  %bool = OpTypeBool
  %yes = OpConstantTrue %bool
  %uint = OpTypeInt 32 0
  %zero = OpConstant %uint 0
  %block = OpTypeStruct %uint
  %toBlock = OpTypePointer StorageBuffer %block
  %toUint = OpTypePointer StorageBuffer %uint
  %a = OpVariable %toBlock StorageBuffer
  %b = OpVariable %toBlock StorageBuffer
  %main = OpFunction %void None %function
  %first = OpLabel
  OpBranch %loop
  %loop = OpLabel
  %phi = OpPhi %toBlock %a %first %next %again
  OpLoopMerge %end %again None
  OpBranchConditional %yes %again %end
  %again = OpLabel
  %pointer = OpAccessChain %toUint %phi %zero
  OpStore %pointer %zero
  %next = OpCopyObject %toBlock %b
  OpBranch %loop
  %end = OpLabel
  OpReturn
  OpFunctionEnd)";

uint32_t named(const Module& module, spv::Op op, uint32_t nth = 0) {
  for (const Instruction instruction : module.instructions())
    if (instruction.op() == op && nth-- == 0) return instruction.result_id();
  return 0;
}

}  // namespace

TEST_CASE("uses of ids of chosen types are found, round loops too", "[spirv]") {
  const auto words = words_of(kShader);
  test::require_valid(words);
  const Module module = parsed(words);
  std::vector<uint8_t> followed(module.bound());
  followed[named(module, spv::Op::OpTypePointer)] = 1;
  const Uses uses(module, followed);

  const uint32_t a = named(module, spv::Op::OpVariable, 0);
  const uint32_t b = named(module, spv::Op::OpVariable, 1);
  const uint32_t phi = named(module, spv::Op::OpPhi);
  const uint32_t copy = named(module, spv::Op::OpCopyObject);
  REQUIRE(uses.of(a).size() == 1);
  CHECK(module.at(uses.of(a)[0].instruction).op() == spv::Op::OpPhi);
  CHECK(module.words()[uses.of(a)[0].operand] == a);
  CHECK(module.at(uses.of(a)[0].block).result_id() == named(module, spv::Op::OpLabel, 1));
  REQUIRE(uses.of(b).size() == 1);
  CHECK(module.at(uses.of(b)[0].instruction).op() == spv::Op::OpCopyObject);
  REQUIRE(uses.of(copy).size() == 1);
  CHECK(module.at(uses.of(copy)[0].instruction).op() == spv::Op::OpPhi);
  REQUIRE(uses.of(phi).size() == 1);
  CHECK(module.at(uses.of(phi)[0].instruction).op() == spv::Op::OpAccessChain);
  CHECK(uses.of(named(module, spv::Op::OpAccessChain)).empty());  // of another type
  CHECK(uses.all().size() == 4);
  CHECK(uses.of(module.bound()).empty());
}

TEST_CASE("names and decorations are no uses", "[spirv]") {
  const Module module = parsed(words_of(kShader));
  const Uses uses(module, std::vector<uint8_t>(module.bound()));
  CHECK(uses.all().empty());
  CHECK(uses.counts()[named(module, spv::Op::OpVariable)] == 1);
  CHECK(uses.counts()[named(module, spv::Op::OpTypePointer)] == 4);  // two variables, phi, copy
  CHECK(uses.counts()[named(module, spv::Op::OpFunction)] == 2);     // entry point, execution mode
  CHECK(uses.counts()[named(module, spv::Op::OpTypeStruct)] == 1);
  CHECK(uses.counts()[named(module, spv::Op::OpConstant)] == 2);
}

}  // namespace heapsmith::spirv
