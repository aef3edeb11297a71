// SPDX-License-Identifier: MIT
#include "rewrite/specialize_functions.h"

#include <string>

#include "compiler/rewrite/rewritten.h"

namespace heapsmith::rewrite {
namespace {

using spirv::test::plain;
using spirv::test::text_of;
using test::function_of;
using test::main_of;
using test::place;
using test::shader;

const std::string kTypes = R"(
  %uint = OpTypeInt 32 0
  %float = OpTypeFloat 32
  %v2int = OpTypeVector %uint 2
  %v4float = OpTypeVector %float 4
  %zero = OpConstant %uint 0
  %corner = OpConstantComposite %v2int %zero %zero
  %image = OpTypeImage %float 2D 0 0 0 1 Unknown
  %toImage = OpTypePointer UniformConstant %image
  %takesImage = OpTypeFunction %v4float %toImage
  %takesTwo = OpTypeFunction %v4float %toImage %toImage)";

const std::string kVariables = kTypes + R"(
  %texture = OpVariable %toImage UniformConstant
  %other = OpVariable %toImage UniformConstant)";

const std::string kFetch = R"(
  %fetch = OpFunction %v4float None %takesImage
  %t = OpFunctionParameter %toImage
  %inFetch = OpLabel
  %i = OpLoad %image %t
  %x = OpImageFetch %v4float %i %corner
  OpReturnValue %x
  OpFunctionEnd)";

const std::string kNames = place("texture", 0, 0) + place("other", 1, 0) + R"(
  OpName %fetch "fetch"
  OpName %twice "twice"
  OpDecorate %x RelaxedPrecision
)";

/// Only the variable in set 0 has a place.
std::string rewritten(const std::string& text) {
  Placements placements;
  placements.bindings = {
      {.set = 0, .binding = 0, .resource = Location{.firstSlot = 0}, .sampler = {}}};
  return text_of(test::rewritten_words(text, 0x00010300, &placements));
}

size_t count_of(const std::string& text, const std::string& what) {
  size_t count = 0;
  for (size_t at = text.find(what); at != text.npos; at = text.find(what, at + 1))
    ++count;
  return count;
}

}  // namespace

TEST_CASE("a function that is handed mapped variables too becomes two", "[rewrite]") {
  const std::string text =
      rewritten(shader({.decorations = "OpName %fetch \"fetch\"\nOpDecorate %x RelaxedPrecision\n" +
                                       place("texture", 0, 0) + place("other", 1, 0),
                        .declarations = kVariables,
                        .functions = kFetch,
                        .body = "%a = OpFunctionCall %v4float %fetch %texture\n"
                                "%b = OpFunctionCall %v4float %fetch %other\n"
                                "%c = OpFunctionCall %v4float %fetch %texture"}));
  CHECK(main_of(text) == plain(R"(
      %1 = OpFunctionCall %v4float %fetch %uint_0
      %2 = OpFunctionCall %v4float %fetch_0 %other
      %3 = OpFunctionCall %v4float %fetch %uint_0)"));
  CHECK(function_of(text, "fetch") == plain(R"(
      %1 = OpFunctionParameter %uint
      %2 = OpLabel
      %3 = OpUntypedAccessChainKHR %_ptr_UniformConstant %_runtimearr_4 %resourceHeap %1
      %5 = OpLoad %4 %3
      %6 = OpImageFetch %v4float %5 %7
      OpReturnValue %6
)"));
  CHECK(function_of(text, "fetch_0") == plain(R"(
      %1 = OpFunctionParameter %_ptr_UniformConstant_2
      %3 = OpLabel
      %4 = OpLoad %2 %1
      %5 = OpImageFetch %v4float %4 %6
      OpReturnValue %5
)"));
  // Both are as precise as the one was.
  CHECK(count_of(text, "RelaxedPrecision") == 2);
}

TEST_CASE("so do the functions that it is handed on to, for each combination", "[rewrite]") {
  const std::string text = rewritten(shader({.decorations = kNames,
                                             .declarations = kVariables,
                                             .functions = kFetch + R"(
          %twice = OpFunction %v4float None %takesTwo
          %p = OpFunctionParameter %toImage
          %q = OpFunctionParameter %toImage
          %inTwice = OpLabel
          %y = OpFunctionCall %v4float %fetch %p
          %z = OpFunctionCall %v4float %fetch %q
          %sum = OpFAdd %v4float %y %z
          OpReturnValue %sum
          OpFunctionEnd)",
                                             .body = R"(
          %a = OpFunctionCall %v4float %twice %texture %other
          %b = OpFunctionCall %v4float %twice %other %texture
          %c = OpFunctionCall %v4float %twice %other %other
          %d = OpFunctionCall %v4float %twice %texture %texture)"}));
  CHECK(count_of(text, "= OpFunction ") == 1 + 4 + 2);
}

TEST_CASE("functions that nobody calls, and those that call each other, stay", "[rewrite]") {
  const std::string text =
      rewritten(shader({.decorations = kNames,
                        .declarations = kVariables,
                        .functions = kFetch + R"(
          %twice = OpFunction %v4float None %takesImage
          %p = OpFunctionParameter %toImage
          %inTwice = OpLabel
          %y = OpFunctionCall %v4float %fetch %p
          OpReturnValue %y
          OpFunctionEnd)",
                        .body = "%a = OpFunctionCall %v4float %fetch %texture"}));
  CHECK(count_of(text, "= OpFunction ") >= 3);
}

TEST_CASE("a module whose functions are handed one kind each is left alone", "[rewrite]") {
  const std::string text =
      rewritten(shader({.decorations = "OpName %fetch \"fetch\"\nOpDecorate %x RelaxedPrecision\n" +
                                       place("texture", 0, 0) + place("other", 1, 0),
                        .declarations = kVariables,
                        .functions = kFetch,
                        .body = "%a = OpFunctionCall %v4float %fetch %texture"}));
  CHECK(count_of(text, "= OpFunction ") == 2);
}

}  // namespace heapsmith::rewrite
