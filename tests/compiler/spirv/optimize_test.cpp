// SPDX-License-Identifier: MIT
#include "spirv/optimize.h"

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "compiler/spirv/module_text.h"

namespace heapsmith::spirv {
namespace {

// A resource that only dead code reads, and one that is used in a function.
const std::string kText = R"(
  OpCapability Shader
  OpMemoryModel Logical GLSL450
  OpEntryPoint Fragment %main "main" %color
  OpExecutionMode %main OriginUpperLeft
  OpDecorate %color Location 0
  OpDecorate %live DescriptorSet 0
  OpDecorate %live Binding 0
  OpDecorate %dead DescriptorSet 0
  OpDecorate %dead Binding 1
  OpDecorate %Block Block
  OpMemberDecorate %Block 0 Offset 0
  %void = OpTypeVoid
  %voidFunction = OpTypeFunction %void
  %float = OpTypeFloat 32
  %v4 = OpTypeVector %float 4
  %int = OpTypeInt 32 1
  %zero = OpConstant %int 0
  %Block = OpTypeStruct %v4
  %toBlock = OpTypePointer Uniform %Block
  %toV4 = OpTypePointer Uniform %v4
  %toOutput = OpTypePointer Output %v4
  %takes = OpTypeFunction %v4 %toBlock
  %live = OpVariable %toBlock Uniform
  %dead = OpVariable %toBlock Uniform
  %color = OpVariable %toOutput Output
  %read = OpFunction %v4 None %takes
  %block = OpFunctionParameter %toBlock
  %inRead = OpLabel
  %p = OpAccessChain %toV4 %block %zero
  %x = OpLoad %v4 %p
  OpReturnValue %x
  OpFunctionEnd
  %main = OpFunction %void None %voidFunction
  %start = OpLabel
  %a = OpFunctionCall %v4 %read %live
  %b = OpFunctionCall %v4 %read %dead
  OpStore %color %a
  OpReturn
  OpFunctionEnd)";

std::vector<uint32_t> optimized(const std::vector<uint32_t>& words) {
  Diagnostics diagnostics;
  const auto result = optimize_module(words, TargetEnvironment::Vulkan13, "test.spv", diagnostics);
  for (const Diagnostic& diagnostic : diagnostics.all())
    UNSCOPED_INFO(diagnostic.text);
  REQUIRE(result.has_value());
  return *result;
}

}  // namespace

TEST_CASE("functions go into their callers, and resources that only dead code reads go",
          "[spirv]") {
  const auto words = test::words_of(kText, 0x00010300);
  const auto result = optimized(words);
  test::require_valid(result);
  const std::string text = test::text_of(result);
  CHECK(text.find("OpFunctionCall") == std::string::npos);
  CHECK(text.find("Binding 0") != std::string::npos);
  CHECK(text.find("Binding 1") == std::string::npos);
  CHECK(text.find("Location 0") != std::string::npos);
  CHECK(optimized(words) == result);
}

TEST_CASE("what the optimiser cannot read is its error", "[spirv]") {
  auto words = test::words_of(kText, 0x00010300);
  words.resize(words.size() - 1);
  words.push_back(0x00020000 | 0xFFFF);  // an opcode that there is not, cut off
  Diagnostics diagnostics;
  CHECK_FALSE(optimize_module(words, TargetEnvironment::Vulkan13, "test.spv", diagnostics));
  REQUIRE(diagnostics.all().size() == 1);
  CHECK(diagnostics.all()[0].code == Code::OptimizerFailed);
  CHECK(diagnostics.all()[0].place.file == "test.spv");
  CHECK(diagnostics.all()[0].text.starts_with("spirv-opt: "));
}

}  // namespace heapsmith::spirv
