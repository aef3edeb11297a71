// SPDX-License-Identifier: MIT
// Bytes of push constants, execution modes, variables of the interface, features, qualifiers, picks
// (find_used_bytes.cpp, find_entry_points.cpp, find_interface_variables.cpp,
// required_features.cpp).
#include <catch2/catch_test_macros.hpp>
#include <format>
#include <string>
#include <string_view>
#include <vector>

#include "reflect/find_used_bytes.h"
#include "reflect/reflect_module.h"
#include "reflect/required_features.h"
#include "spirv/assemble.h"
#include "spirv/parse.h"

namespace heapsmith::reflect {
namespace {

ShaderInterface reflected(const std::string& text) {
  Diagnostics diagnostics;
  const auto words = spirv::assemble(text, {.version = 0x00010600}, "test.spvasm", diagnostics);
  for (const Diagnostic& diagnostic : diagnostics.all())
    UNSCOPED_INFO(diagnostic.text);
  REQUIRE(words.has_value());
  const auto module =
      spirv::parse_module(std::as_bytes(std::span(*words)), "test.spv", diagnostics);
  REQUIRE(module.has_value());
  auto shader = reflect_module(*module, "test.spv", diagnostics);
  for (const Diagnostic& diagnostic : diagnostics.all())
    UNSCOPED_INFO(diagnostic.text);
  REQUIRE(shader.has_value());
  return std::move(*shader);
}

// Push constants: uint at 4, vec4[3] at 16, a row-major mat2 at 64, a column-major one at 96.
std::string push_module(std::string_view body, std::string_view functions = "") {
  return std::format(R"(
               OpCapability Shader
               OpMemoryModel Logical GLSL450
               OpEntryPoint GLCompute %main "main" %pc
               OpExecutionMode %main LocalSize 1 1 1
               OpDecorate %vs ArrayStride 16
               OpDecorate %S Block
               OpMemberDecorate %S 0 Offset 4
               OpMemberDecorate %S 1 Offset 16
               OpMemberDecorate %S 2 Offset 64
               OpMemberDecorate %S 2 RowMajor
               OpMemberDecorate %S 2 MatrixStride 16
               OpMemberDecorate %S 3 Offset 96
               OpMemberDecorate %S 3 ColMajor
               OpMemberDecorate %S 3 MatrixStride 8
       %void = OpTypeVoid
         %fn = OpTypeFunction %void
       %uint = OpTypeInt 32 0
      %float = OpTypeFloat 32
         %v2 = OpTypeVector %float 2
         %v4 = OpTypeVector %float 4
         %m2 = OpTypeMatrix %v2 2
         %u0 = OpConstant %uint 0
         %u1 = OpConstant %uint 1
         %u2 = OpConstant %uint 2
         %u3 = OpConstant %uint 3
        %u99 = OpConstant %uint 99
         %sc = OpSpecConstant %uint 1
         %vs = OpTypeArray %v4 %u3
          %S = OpTypeStruct %uint %vs %m2 %m2
         %pS = OpTypePointer PushConstant %S
         %pu = OpTypePointer PushConstant %uint
        %pvs = OpTypePointer PushConstant %vs
         %pv = OpTypePointer PushConstant %v4
         %pf = OpTypePointer PushConstant %float
         %pm = OpTypePointer PushConstant %m2
        %pv2 = OpTypePointer PushConstant %v2
     %takes  = OpTypeFunction %void %pv
         %pc = OpVariable %pS PushConstant
               {}
       %main = OpFunction %void None %fn
          %l = OpLabel
               {}
               OpReturn
               OpFunctionEnd
)",
                     functions, body);
}

/// "4-8 16-32"
std::string used_bytes(const std::string& text) {
  const auto shader = reflected(text);
  if (!shader.entryPoints[0].pushConstants) return "none";
  std::string shown;
  for (const ByteRange& range : shader.entryPoints[0].pushConstants->usedRanges)
    shown += std::format("{}{}-{}", shown.empty() ? "" : " ", range.begin, range.end);
  return shown;
}

}  // namespace

TEST_CASE("interface: the bytes of push constants that are reached", "[reflect]") {
  const auto load = [](const char* pointer, const char* indices) {
    return used_bytes(
        push_module(std::format("%i = OpCopyObject %uint %u1\n%a = OpAccessChain {} %pc {}\n"
                                "%x = OpLoad %uint %a\n",
                                pointer, indices)));
  };
  CHECK(load("%pu", "%u0") == "4-8");
  CHECK(load("%pvs", "%u1") == "16-64");
  CHECK(load("%pv", "%u1 %u2") == "48-64");
  CHECK(load("%pf", "%u1 %u2 %u1") == "52-56");
  CHECK(load("%pv", "%u1 %i") == "16-64");
  CHECK(load("%pf", "%u1 %i %u1") == "16-64");
  CHECK(load("%pv", "%u1 %sc") == "16-64");
  CHECK(load("%pf", "%u1 %u0 %i") == "16-32");
  CHECK(load("%pm", "%u2") == "64-88");
  CHECK(load("%pv2", "%u2 %u1") == "64-88");
  CHECK(load("%pm", "%u3") == "96-112");
  CHECK(load("%pv2", "%u3 %u1") == "104-112");
  CHECK(load("%pf", "%u3 %u1 %u0") == "104-112");
}

TEST_CASE("interface: chains of chains, copies, parameters and odd indices", "[reflect]") {
  CHECK(used_bytes(push_module("%x = OpLoad %S %pc\n")) == "0-112");
  CHECK(used_bytes(push_module("%a = OpAccessChain %pu %pc %u0\n")).empty());
  CHECK(used_bytes(push_module("%a = OpAccessChain %pvs %pc %u1\n%b = OpAccessChain %pv %a %u0\n"
                               "%c = OpCopyObject %pv %b\n%x = OpLoad %v4 %c\n")) == "16-32");
  CHECK(used_bytes(push_module("%a = OpAccessChain %pv %pc %u1 %u2\n"
                               "%n = OpFunctionCall %void %f %a\n",
                               "%f = OpFunction %void None %takes\n%p = OpFunctionParameter %pv\n"
                               "%fl = OpLabel\n%x = OpLoad %v4 %p\nOpReturn\nOpFunctionEnd\n")) ==
        "48-64");
  CHECK(used_bytes(push_module("%a = OpAccessChain %pu %pc %u99\n%x = OpLoad %uint %a\n")) ==
        "0-112");
  CHECK(used_bytes(push_module("%a = OpAccessChain %pv %pc %u1 %u99\n%x = OpLoad %v4 %a\n")) ==
        "16-64");
  CHECK(used_bytes(push_module("%a = OpAccessChain %pu %pc %u0 %u0 %u0\n%x = OpLoad %uint %a\n")) ==
        "4-8");
}

TEST_CASE("interface: ranges are merged", "[reflect]") {
  std::vector<ByteRange> ranges = {{8, 12}, {0, 4}, {4, 6}, {20, 20}, {9, 10}};
  merge_ranges(ranges);
  CHECK(ranges == std::vector<ByteRange>{{0, 6}, {8, 12}});
}

TEST_CASE("interface: features by capability", "[reflect]") {
  const std::vector<std::string> capabilities = {
      "Shader", "Int64", "DescriptorHeapEXT", "Int64", "NoSuchCapability", "Int64Atomics"};
  const auto required = required_features(capabilities);
  REQUIRE(required.size() == 4);
  CHECK(required[0].capability == "Int64");
  CHECK(required[0].features == std::vector<std::string>{"shaderInt64"});
  CHECK(required[1].features == std::vector<std::string>{"descriptorHeap"});
  CHECK(required[2].features == std::vector<std::string>{"shaderUntypedPointers"});
  CHECK(required[3].features.size() == 3);
}

TEST_CASE("interface: execution modes and the SpecIds of the workgroup size", "[reflect]") {
  const auto shader = reflected(R"(
               OpCapability Shader
               OpMemoryModel Logical GLSL450
               OpEntryPoint GLCompute %main "main"
               OpExecutionModeId %main LocalSizeId %w %four %h
               OpName %w "WIDTH"
               OpDecorate %w SpecId 3
               OpDecorate %s SpecId 8
       %void = OpTypeVoid
         %fn = OpTypeFunction %void
       %uint = OpTypeInt 32 0
       %four = OpConstant %uint 4
          %w = OpSpecConstant %uint 16
          %s = OpSpecConstant %uint 2
          %h = OpSpecConstantOp %uint IMul %s %w
       %main = OpFunction %void None %fn
          %l = OpLabel
               OpReturn
               OpFunctionEnd
)");
  const EntryPoint& main = shader.entryPoints[0];
  REQUIRE(main.executionModes.size() == 1);
  CHECK(main.executionModes[0].name == "LocalSizeId");
  REQUIRE(main.executionModes[0].operands.size() == 3);
  CHECK(main.executionModes[0].operands[0].expression == "WIDTH");
  CHECK(main.executionModes[0].operands[1].expression.empty());
  CHECK(main.executionModes[0].operands[2].expression == "spec#8 * WIDTH");
  CHECK(main.executionModes[0].operands[2].value == 32);
  CHECK(main.workgroupSize == std::vector<uint32_t>{16, 4, 32});
  CHECK(main.workgroupSizeSpecIds == std::vector<std::vector<uint32_t>>{{3}, {}, {3, 8}});
}

TEST_CASE("interface: inputs and outputs that are listed or used", "[reflect]") {
  const auto shader = reflected(R"(
               OpCapability Shader
               OpMemoryModel Logical GLSL450
               OpEntryPoint Fragment %main "main" %in %unused %out %nothing
               OpExecutionMode %main OriginUpperLeft
               OpName %in "in"
               OpName %Block "Block"
               OpMemberName %Block 1 "b"
               OpDecorate %in Location 2
               OpDecorate %in Component 1
               OpDecorate %in Flat
               OpDecorate %unused Location 3
               OpDecorate %Block Block
               OpMemberDecorate %Block 2 NoPerspective
               OpDecorate %out Location 4
       %void = OpTypeVoid
         %fn = OpTypeFunction %void
      %float = OpTypeFloat 32
     %double = OpTypeFloat 64
         %v4 = OpTypeVector %double 4
      %Block = OpTypeStruct %float %v4 %float
        %pIn = OpTypePointer Input %float
       %pOut = OpTypePointer Output %Block
         %in = OpVariable %pIn Input
     %unused = OpVariable %pIn Input
        %out = OpVariable %pOut Output
       %main = OpFunction %void None %fn
          %l = OpLabel
          %x = OpLoad %float %in
               OpReturn
               OpFunctionEnd
)");
  REQUIRE(shader.variables.size() == 5);
  CHECK(shader.variables[0].component == 1u);
  CHECK(shader.variables[0].decorations == std::vector<std::string>{"Flat"});
  CHECK(shader.variables[2].name == "Block.member0");
  CHECK(shader.variables[2].location == 4u);
  CHECK(shader.variables[3].name == "Block.b");
  CHECK(shader.variables[3].type == "float64x4");
  CHECK(shader.variables[3].location == 5u);
  CHECK(shader.variables[4].location == 7u);
  CHECK(shader.variables[4].decorations == std::vector<std::string>{"NoPerspective"});
  const auto& entries = shader.entryPoints[0].variables;
  REQUIRE(entries.size() == 5);
  CHECK(entries[0].used);
  CHECK_FALSE(entries[1].used);
  CHECK_FALSE(entries[2].used);
}

}  // namespace heapsmith::reflect
