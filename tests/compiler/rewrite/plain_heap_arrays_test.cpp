// SPDX-License-Identifier: MIT
#include "rewrite/plain_heap_arrays.h"

#include "compiler/rewrite/rewritten.h"

namespace heapsmith::rewrite {
namespace {

using spirv::test::plain;
using test::main_of;
using test::place;
using test::shader;

struct Plain {
  std::string text;
  std::vector<reflect::Qualifiers> qualifiers;
};

Plain plain_of(const std::string& text) {
  const auto words = test::rewritten_words(text, 0x00010300);
  const spirv::Module module = spirv::test::parsed(words);
  Diagnostics diagnostics;
  const auto annotations = spirv::Annotations::collect(module, "test.spv", diagnostics);
  REQUIRE(annotations.has_value());
  spirv::Editor editor(module);
  const auto made = plain_heap_arrays(editor, *annotations);
  Plain plain = {.text = spirv::test::text_of(editor.write()), .qualifiers = {}};
  for (const auto& [id, qualifiers] : made)
    plain.qualifiers.push_back(qualifiers);
  return plain;
}

const std::string kImages = R"(
  %uint = OpTypeInt 32 0
  %int = OpTypeInt 32 1
  %v2int = OpTypeVector %int 2
  %v4uint = OpTypeVector %uint 4
  %zero = OpConstant %int 0
  %corner = OpConstantComposite %v2int %zero %zero
  %image = OpTypeImage %uint 2D 0 0 0 2 R32ui
  %toImage = OpTypePointer UniformConstant %image
  %a = OpVariable %toImage UniformConstant
  %b = OpVariable %toImage UniformConstant)";

}  // namespace

TEST_CASE("images that say something have an array of their own", "[rewrite][glsl]") {
  const Plain plain_ = plain_of(
      shader({.decorations = place("a", 0, 0) + place("b", 0, 1) + "OpDecorate %a Coherent\n",
              .declarations = kImages,
              .body = R"(
          %i = OpLoad %image %a
          %j = OpLoad %image %b
          %x = OpImageRead %v4uint %i %corner
          OpImageWrite %j %corner %x)"}));
  CHECK(main_of(plain_.text) == plain(R"(
      %1 = OpUntypedAccessChainKHR %_ptr_UniformConstant %_runtimearr_2 %resourceHeap %uint_0
      %3 = OpLoad %4 %1
      %5 = OpUntypedAccessChainKHR %_ptr_UniformConstant %_runtimearr_4 %resourceHeap %uint_1
      %6 = OpLoad %4 %5
      %7 = OpImageRead %v4uint %3 %8
      OpImageWrite %6 %8 %7)"));
  REQUIRE(plain_.qualifiers.size() == 1);
  CHECK(plain_.qualifiers[0] == reflect::Qualifiers{.coherent = true});
  CHECK(plain_.text.find("OpTypeStruct") == std::string::npos);
  CHECK(plain_.text.find("Coherent") == std::string::npos);
}

// A parameter does not repeat it, and would be no place for what is readonly.
TEST_CASE("images that functions are handed as values promise nothing", "[rewrite][glsl]") {
  const Plain plain_ = plain_of(
      shader({.decorations = place("a", 0, 0) + place("b", 0, 1) + "OpDecorate %a NonWritable\n",
              .declarations = kImages + "\n%ofImage = OpTypeFunction %void %image",
              .functions = R"(
          %use = OpFunction %void None %ofImage
          %value = OpFunctionParameter %image
          %label = OpLabel
          %x = OpImageRead %v4uint %value %corner
          OpReturn
          OpFunctionEnd)",
              .body = R"(
          %i = OpLoad %image %a
          %done = OpFunctionCall %void %use %i)"}));
  REQUIRE(plain_.qualifiers.size() == 1);
  CHECK(plain_.qualifiers[0] == reflect::Qualifiers{});
}

TEST_CASE("a block is as coherent as its parts, and promises what all of it does",
          "[rewrite][glsl]") {
  const Plain plain_ = plain_of(shader({.decorations = place("a", 0, 0) + R"(
          OpDecorate %Block Block
          OpMemberDecorate %Block 0 Offset 0
          OpMemberDecorate %Block 0 Volatile
          OpMemberDecorate %Block 0 NonWritable
          OpMemberDecorate %Block 1 Offset 4
          OpDecorate %a Restrict
          )",
                                        .declarations = R"(
          %uint = OpTypeInt 32 0
          %one = OpConstant %uint 1
          %Block = OpTypeStruct %uint %uint
          %toBlock = OpTypePointer StorageBuffer %Block
          %toUint = OpTypePointer StorageBuffer %uint
          %a = OpVariable %toBlock StorageBuffer)",
                                        .body = R"(
          %p = OpAccessChain %toUint %a %one
          OpStore %p %one)"}));
  REQUIRE(plain_.qualifiers.size() == 1);
  CHECK(plain_.qualifiers[0] == reflect::Qualifiers{.isVolatile = true, .isRestrict = true});
  CHECK(plain_.text.find(" 0 Volatile\n") != std::string::npos);
}

}  // namespace heapsmith::rewrite
