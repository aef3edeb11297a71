// SPDX-License-Identifier: MIT
#include "spirv/validate.h"

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "spirv/assemble.h"

namespace heapsmith::spirv {
namespace {

constexpr std::string_view kShader = R"(
               OpCapability Shader
               OpMemoryModel Logical GLSL450
               OpEntryPoint GLCompute %main "main" %buffer
               OpExecutionMode %main LocalSize 1 1 1
               OpDecorate %buffer DescriptorSet 0
               OpDecorate %buffer Binding 0
               OpDecorate %Block Block
               OpMemberDecorate %Block 0 Offset 0
               OpMemberDecorate %Block 1 Offset OFFSET
       %void = OpTypeVoid
         %fn = OpTypeFunction %void
      %float = OpTypeFloat 32
         %v3 = OpTypeVector %float 3
      %Block = OpTypeStruct %float %v3
        %ptr = OpTypePointer StorageBuffer %Block
     %buffer = OpVariable %ptr StorageBuffer
       %main = OpFunction %void None %fn
          %l = OpLabel
               OpReturn
               OpFunctionEnd
)";

std::vector<uint32_t> shader(std::string_view offset) {
  std::string text(kShader);
  text.replace(text.find("OFFSET"), 6, offset);
  Diagnostics diagnostics;
  const auto words = spirv::assemble(text, {.version = 0x00010600}, "test.spvasm", diagnostics);
  for (const Diagnostic& diagnostic : diagnostics.all())
    UNSCOPED_INFO(diagnostic.text);
  REQUIRE(words.has_value());
  return *words;
}

}  // namespace

TEST_CASE("valid modules pass and others give a one-line error with the code asked for",
          "[spirv]") {
  Diagnostics diagnostics;
  CHECK(spirv::validate_module(shader("16"), {}, "a.spv", Code::InvalidSpirv, diagnostics)
            .has_value());
  CHECK(diagnostics.all().empty());

  CHECK_FALSE(
      spirv::validate_module(shader("2"), {}, "a.spv", Code::FrontEndInvalidSpirv, diagnostics)
          .has_value());
  REQUIRE_FALSE(diagnostics.all().empty());
  CHECK(diagnostics.all()[0].code == Code::FrontEndInvalidSpirv);
  CHECK(diagnostics.all()[0].place.file == "a.spv");
  CHECK(diagnostics.all()[0].text.find('\n') == std::string::npos);
}

TEST_CASE("block layout rules are those of the features asked for", "[spirv]") {
  Diagnostics diagnostics;
  // 8 straddles a 16-byte boundary, which only scalar layout allows.
  CHECK_FALSE(spirv::validate_module(shader("8"), {}, "a.spv", Code::InvalidSpirv, diagnostics)
                  .has_value());
  CHECK(spirv::validate_module(shader("8"), {.scalarBlockLayout = true}, "a.spv",
                               Code::InvalidSpirv, diagnostics)
            .has_value());
}

TEST_CASE("a module newer than the environment is refused", "[spirv]") {
  Diagnostics diagnostics;
  const spirv::ValidationOptions old{.environment = spirv::TargetEnvironment::Vulkan10};
  CHECK_FALSE(spirv::validate_module(shader("16"), old, "a.spv", Code::InvalidSpirv, diagnostics)
                  .has_value());
  CHECK(diagnostics.has_errors());
}

TEST_CASE("words that are no module at all are an error of the validator too", "[spirv]") {
  Diagnostics diagnostics;
  CHECK_FALSE(spirv::validate_module({}, {}, "a.spv", Code::InvalidSpirv, diagnostics).has_value());
  CHECK(diagnostics.has_errors());
}

TEST_CASE("text and words are the same module", "[spirv]") {
  Diagnostics diagnostics;
  const auto words = shader("16");
  const auto text = spirv::disassemble(words, false, "a.spv", diagnostics);
  REQUIRE(text.has_value());
  const auto again = spirv::assemble(*text, {.version = 0x00010600, .preserveNumericIds = true},
                                     "a.spvasm", diagnostics);
  REQUIRE(again.has_value());
  CHECK(*again == words);
}

TEST_CASE("text that does not assemble is an error with its line", "[spirv]") {
  Diagnostics diagnostics;
  CHECK_FALSE(spirv::assemble("OpCapability Shader\nOpNonsense\n", {}, "a.spvasm", diagnostics)
                  .has_value());
  REQUIRE(diagnostics.all().size() == 1);
  CHECK(diagnostics.all()[0].code == Code::MalformedSpirv);
  CHECK(diagnostics.all()[0].place.file == "a.spvasm");
  CHECK(diagnostics.all()[0].place.line == 2);
  CHECK_FALSE(
      spirv::disassemble(std::vector<uint32_t>{1, 2, 3}, true, "b.spv", diagnostics).has_value());
}

}  // namespace heapsmith::spirv
