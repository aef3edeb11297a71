// SPDX-License-Identifier: MIT
#include "spirv/annotations.h"

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <string_view>

#include "spirv/assemble.h"
#include "spirv/parse.h"

namespace heapsmith::spirv {
namespace {

spirv::Module module_of(const std::string& text) {
  Diagnostics diagnostics;
  const auto words = spirv::assemble(text, {.version = 0x00010400, .preserveNumericIds = true},
                                     "test.spvasm", diagnostics);
  for (const Diagnostic& diagnostic : diagnostics.all())
    UNSCOPED_INFO(diagnostic.text);
  REQUIRE(words.has_value());
  auto module = spirv::parse_module(std::as_bytes(std::span(*words)), "test.spv", diagnostics);
  for (const Diagnostic& diagnostic : diagnostics.all())
    UNSCOPED_INFO(diagnostic.text);
  REQUIRE(module.has_value());
  return std::move(*module);
}

}  // namespace

TEST_CASE("names and decorations are found by id", "[spirv]") {
  const spirv::Module module = module_of(R"(
      OpCapability Shader
      OpMemoryModel Logical GLSL450
      OpName %1 "four"
      OpName %2 ""
      OpName %3 "a longer name"
      OpDecorate %1 DescriptorSet 7
      OpMemberDecorate %1 3 Offset 12
      OpDecorate %1 NonWritable
      OpDecorateString %2 UserTypeGOOGLE "texture2d:<float4>"
      OpMemberDecorateString %3 1 UserSemantic "POSITION")");
  Diagnostics diagnostics;
  const auto annotations = spirv::Annotations::collect(module, "test.spv", diagnostics);
  REQUIRE(annotations.has_value());
  CHECK(annotations->name(1) == "four");
  CHECK(annotations->name(2).empty());
  CHECK(annotations->name(3) == "a longer name");
  CHECK(annotations->name(0).empty());
  CHECK(annotations->name(99999).empty());
  CHECK(annotations->of(1).size() == 3);
  CHECK(annotations->of(99999).empty());
  CHECK(annotations->has(1, spv::Decoration::NonWritable));
  CHECK_FALSE(annotations->has(1, spv::Decoration::Offset));  // that is a member's
  CHECK(annotations->operand(*annotations->find(1, spv::Decoration::DescriptorSet)) == 7);
  CHECK(annotations->operand(*annotations->find(1, spv::Decoration::NonWritable)) == 0);
  CHECK(annotations->text(*annotations->find(2, spv::Decoration::UserTypeGOOGLE)) ==
        "texture2d:<float4>");
  CHECK(annotations->of(3)[0].member == 1);
  CHECK(annotations->text(annotations->of(3)[0]) == "POSITION");
}

TEST_CASE("decoration groups count for their targets", "[spirv]") {
  const spirv::Module module = module_of(R"(
      OpCapability Shader
      OpMemoryModel Logical GLSL450
      OpDecorate %1 DescriptorSet 4
      OpDecorate %1 NonWritable
 %1 = OpDecorationGroup
      OpGroupDecorate %1 %2 %3
      OpDecorate %4 Offset 8
 %4 = OpDecorationGroup
      OpGroupMemberDecorate %4 %5 0 %5 2)");
  Diagnostics diagnostics;
  const auto annotations = spirv::Annotations::collect(module, "test.spv", diagnostics);
  REQUIRE(annotations.has_value());
  for (const uint32_t id : {2u, 3u}) {
    CHECK(annotations->has(id, spv::Decoration::NonWritable));
    CHECK(annotations->operand(*annotations->find(id, spv::Decoration::DescriptorSet)) == 4);
  }
  REQUIRE(annotations->of(5).size() == 2);
  CHECK(annotations->of(5)[0].member == 0);
  CHECK(annotations->of(5)[1].member == 2);
  CHECK(annotations->operand(annotations->of(5)[1]) == 8);
}

TEST_CASE("decoration groups cannot multiply without bound", "[spirv]") {
  std::string text = "OpCapability Shader\nOpMemoryModel Logical GLSL450\n";
  for (int i = 0; i < 4000; ++i)
    text += "OpDecorate %1 Coherent\n";
  text += "%1 = OpDecorationGroup\nOpGroupDecorate %1";
  for (int i = 0; i < 4000; ++i)
    text += " %2";
  const spirv::Module module = module_of(text);
  Diagnostics diagnostics;
  CHECK_FALSE(spirv::Annotations::collect(module, "test.spv", diagnostics).has_value());
  REQUIRE(diagnostics.all().size() == 1);
  CHECK(diagnostics.all()[0].code == Code::UnsupportedSpirv);
}

}  // namespace heapsmith::spirv
