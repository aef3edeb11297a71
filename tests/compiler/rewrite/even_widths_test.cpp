// SPDX-License-Identifier: MIT
#include "rewrite/even_widths.h"

#include "compiler/rewrite/rewritten.h"

namespace heapsmith::rewrite {
namespace {

using spirv::test::plain;
using test::main_of;
using test::shader;

std::string evened(const std::string& declarations, const std::string& body) {
  const auto words = spirv::test::words_of(
      shader({.capabilities = "OpCapability Int8\nOpCapability Int16\nOpCapability Int64\n"
                              "OpCapability Float16",
              .declarations = declarations,
              .body = body}));
  spirv::test::require_valid(words);
  const spirv::Module module = spirv::test::parsed(words);
  spirv::Editor editor(module);
  even_widths(editor);
  const auto made = editor.write();
  spirv::test::require_valid(made);
  return main_of(spirv::test::text_of(made));
}

}  // namespace

TEST_CASE("shifts go by numbers of their own width", "[rewrite][glsl]") {
  CHECK(evened(R"(
        %uint = OpTypeInt 32 0
        %short = OpTypeInt 16 1
        %v2short = OpTypeVector %short 2
        %v2uint = OpTypeVector %uint 2
        %a = OpConstant %short -1
        %b = OpConstantNull %v2short
        %three = OpConstant %uint 3
        %threes = OpConstantComposite %v2uint %three %three)",
               R"(
        %x = OpShiftRightArithmetic %short %a %three
        %y = OpShiftLeftLogical %v2short %b %threes
        %z = OpShiftRightLogical %short %a %a
        %w = OpShiftRightLogical %uint %three %three)") == plain(R"(
        %1 = OpUConvert %ushort %uint_3
        %2 = OpShiftRightArithmetic %short %short_n1 %1
        %3 = OpUConvert %v2ushort %4
        %5 = OpShiftLeftLogical %v2short %6 %3
        %7 = OpShiftRightLogical %short %short_n1 %short_n1
        %8 = OpShiftRightLogical %uint %uint_3 %uint_3
        )"));
}

TEST_CASE("signed numbers are packed and unpacked as unsigned ones", "[rewrite][glsl]") {
  CHECK(evened(R"(
        %int = OpTypeInt 32 1
        %uint = OpTypeInt 32 0
        %long = OpTypeInt 64 1
        %char = OpTypeInt 8 1
        %ushort = OpTypeInt 16 0
        %half = OpTypeFloat 16
        %v2half = OpTypeVector %half 2
        %v2ushort = OpTypeVector %ushort 2
        %v4char = OpTypeVector %char 4
        %v2int = OpTypeVector %int 2
        %halves = OpConstantNull %v2half
        %shorts = OpConstantNull %v2ushort
        %chars = OpConstantNull %v4char
        %ints = OpConstantNull %v2int)",
               R"(
        %a = OpBitcast %int %shorts
        %b = OpBitcast %uint %chars
        %c = OpBitcast %long %ints
        %d = OpBitcast %int %halves
        %e = OpBitcast %uint %halves
        %f = OpBitcast %uint %a)") == plain(R"(
        %1 = OpBitcast %uint %2
        %3 = OpBitcast %int %1
        %4 = OpBitcast %v4uchar %5
        %6 = OpBitcast %uint %4
        %7 = OpBitcast %v2uint %8
        %9 = OpBitcast %ulong %7
        %10 = OpBitcast %long %9
        %11 = OpBitcast %uint %12
        %13 = OpBitcast %int %11
        %14 = OpBitcast %uint %12
        %15 = OpBitcast %uint %3
        )"));
}

}  // namespace heapsmith::rewrite
