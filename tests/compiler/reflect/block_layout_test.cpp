// SPDX-License-Identifier: MIT
#include "reflect/block_layout.h"

#include <catch2/catch_test_macros.hpp>
#include <format>
#include <string>
#include <string_view>

#include "reflect/reflect_module.h"
#include "spirv/assemble.h"
#include "spirv/parse.h"

namespace heapsmith::reflect {
namespace {

// The layout of %S in a module of those annotations and types.
BlockLayout layout_of(std::string_view annotations, std::string_view types) {
  Diagnostics diagnostics;
  const std::string text = std::format(R"(
      OpCapability Shader
      OpMemoryModel Logical GLSL450
      OpName %S "S"
      {}
 %half = OpTypeFloat 16
 %float = OpTypeFloat 32
 %double = OpTypeFloat 64
 %byte = OpTypeInt 8 0
 %uint = OpTypeInt 32 0
 %bool = OpTypeBool
 %v2 = OpTypeVector %float 2
 %v3 = OpTypeVector %float 3
 %v4 = OpTypeVector %float 4
 %m4 = OpTypeMatrix %v4 4
 %m3x2 = OpTypeMatrix %v2 3
 %c3 = OpConstant %uint 3
 %c2 = OpConstant %uint 2
 %huge = OpConstant %uint 0xFFFFFFFF
      {}
)",
                                       annotations, types);
  const auto words = spirv::assemble(text, {.version = 0x00010500}, "test.spvasm", diagnostics);
  for (const Diagnostic& diagnostic : diagnostics.all())
    UNSCOPED_INFO(diagnostic.text);
  REQUIRE(words.has_value());
  const auto module =
      spirv::parse_module(std::as_bytes(std::span(*words)), "test.spv", diagnostics);
  for (const Diagnostic& diagnostic : diagnostics.all())
    UNSCOPED_INFO(diagnostic.text);
  REQUIRE(module.has_value());
  const auto annotations_of_module = spirv::Annotations::collect(*module, "test.spv", diagnostics);
  REQUIRE(annotations_of_module.has_value());
  const spirv::Constants constants(*module, *annotations_of_module);
  const std::string file = "test.spv";
  const Context context{.module = *module,
                        .annotations = *annotations_of_module,
                        .constants = constants,
                        .file = file,
                        .diagnostics = diagnostics};
  BlockLayouts layouts(context);
  for (uint32_t id = 1; id < module->bound(); ++id)
    if (annotations_of_module->name(id) == "S") return layouts.of(id);
  FAIL("no structure");
  return {};
}

std::string offsets(std::initializer_list<uint32_t> list) {
  std::string text;
  uint32_t member = 0;
  for (const uint32_t offset : list)
    text += std::format("OpMemberDecorate %S {} Offset {}\n", member++, offset);
  return text;
}

}  // namespace

TEST_CASE("blocks are as large as their decorations say", "[reflect]") {
  struct Case {
    std::string annotations;
    const char* types;
    uint64_t begin;
    uint64_t end;
  };
  const Case cases[] = {
      {offsets({0}), "%S = OpTypeStruct %float", 0, 4},
      {offsets({0, 16}), "%S = OpTypeStruct %v3 %v3", 0, 28},  // no trailing padding
      {offsets({0, 12}), "%S = OpTypeStruct %v3 %float", 0, 16},
      {offsets({20, 8}), "%S = OpTypeStruct %float %v2", 8, 24},  // members in any order
      {offsets({0, 2, 6}), "%S = OpTypeStruct %byte %half %byte", 0, 7},
      {offsets({8}), "%S = OpTypeStruct %double", 8, 16},
      {"", "%S = OpTypeStruct", 0, 0},
      // Arrays are count times stride.
      {offsets({0}) + "OpDecorate %a ArrayStride 16",
       "%a = OpTypeArray %float %c3\n%S = OpTypeStruct %a", 0, 48},
      {offsets({0}) + "OpDecorate %a ArrayStride 4",
       "%a = OpTypeArray %float %c3\n%S = OpTypeStruct %a", 0, 12},
      {offsets({0, 96}) + "OpDecorate %a ArrayStride 16\nOpDecorate %b ArrayStride 48",
       "%a = OpTypeArray %v2 %c3\n%b = OpTypeArray %a %c2\n%S = OpTypeStruct %b %v2", 0, 104},
      // Matrices are columns, or rows if row-major, times stride.
      {offsets({0}) + "OpMemberDecorate %S 0 ColMajor\nOpMemberDecorate %S 0 MatrixStride 16",
       "%S = OpTypeStruct %m3x2", 0, 48},
      {offsets({0}) + "OpMemberDecorate %S 0 RowMajor\nOpMemberDecorate %S 0 MatrixStride 16",
       "%S = OpTypeStruct %m3x2", 0, 32},
      {offsets({0}) + "OpMemberDecorate %S 0 ColMajor\nOpMemberDecorate %S 0 MatrixStride 8",
       "%S = OpTypeStruct %m3x2", 0, 24},
      {offsets({0, 512}) + "OpMemberDecorate %S 0 ColMajor\nOpMemberDecorate %S 0 MatrixStride "
                           "16\nOpDecorate %a ArrayStride 64",
       "%c8 = OpConstant %uint 8\n%a = OpTypeArray %m4 %c8\n%S = OpTypeStruct %a %uint", 0, 516},
      // Buffer addresses have 8 bytes, also in cycles.
      {offsets({0, 8, 24}) + "OpDecorate %a ArrayStride 8",
       "OpTypeForwardPointer %p PhysicalStorageBuffer\n%a = OpTypeArray %p %c2\n%S = OpTypeStruct "
       "%p %a %uint\n"
       "%p = OpTypePointer PhysicalStorageBuffer %S",
       0, 28},
      // Structures in structures end where their last member does.
      {offsets({0, 16}) + "OpMemberDecorate %N 0 Offset 0\nOpMemberDecorate %N 1 Offset 8",
       "%N = OpTypeStruct %float %v2\n%S = OpTypeStruct %N %N", 0, 32},
      // 64-bit sums.
      {offsets({0xFFFFFFF0}) + "OpDecorate %a ArrayStride 0x10000",
       "%a = OpTypeArray %float %huge\n%S = OpTypeStruct %a", 0xFFFFFFF0,
       0xFFFFFFF0 + 0xFFFFFFFFull * 0x10000},
  };
  for (const Case& each : cases) {
    INFO(each.annotations << each.types);
    const BlockLayout layout = layout_of(each.annotations, each.types);
    CHECK(layout.defect.empty());
    CHECK(layout.begin == each.begin);
    CHECK(layout.end == each.end);
    CHECK(layout.tailStride == 0);
  }
}

TEST_CASE("a runtime array is the block's tail and not its size", "[reflect]") {
  const BlockLayout layout =
      layout_of(offsets({0, 12, 24}) + "OpDecorate %r ArrayStride 8\n",
                "%r = OpTypeRuntimeArray %v2\n%S = OpTypeStruct %v3 %float %r");
  CHECK(layout.defect.empty());
  CHECK(layout.end == 16);
  CHECK(layout.tailStride == 8);
  CHECK(layout.tailOffset == 24);

  const BlockLayout only_tail = layout_of(offsets({0}) + "OpDecorate %r ArrayStride 16\n",
                                          "%r = OpTypeRuntimeArray %v4\n%S = OpTypeStruct %r");
  CHECK(only_tail.end == 0);
  CHECK(only_tail.tailStride == 16);
}

TEST_CASE("what lacks a layout says which member", "[reflect]") {
  struct Case {
    std::string annotations;
    const char* types;
    const char* text;
  };
  const Case cases[] = {
      {"", "%S = OpTypeStruct %float", "member 0 has no Offset"},
      {offsets({0}), "%S = OpTypeStruct %float %float", "member 1 has no Offset"},
      {offsets({0}), "%a = OpTypeArray %float %c3\n%S = OpTypeStruct %a", "no ArrayStride"},
      {offsets({0}) + "OpDecorate %a ArrayStride 0",
       "%a = OpTypeArray %float %c3\n%S = OpTypeStruct %a", "no ArrayStride"},
      {offsets({0}) + "OpDecorate %b ArrayStride 12",
       "%a = OpTypeArray %float %c3\n%b = OpTypeArray %a %c3\n%S = OpTypeStruct %b",
       "no ArrayStride"},
      {offsets({0}), "%r = OpTypeRuntimeArray %float\n%S = OpTypeStruct %r", "no ArrayStride"},
      {offsets({0}), "%S = OpTypeStruct %m4", "without a MatrixStride"},
      {offsets({0}) + "OpDecorate %r ArrayStride 64",
       "%r = OpTypeRuntimeArray %m4\n%S = OpTypeStruct %r", "without a MatrixStride"},
      {offsets({0, 4}) + "OpDecorate %r ArrayStride 4",
       "%r = OpTypeRuntimeArray %float\n%S = OpTypeStruct %r %float", "only the last member"},
      {offsets({0}), "%N = OpTypeStruct %float\n%S = OpTypeStruct %N",
       "in the structure of member 0, member 0"},
      {offsets({0}) + "OpMemberDecorate %N 0 Offset 0\nOpDecorate %r ArrayStride 4",
       "%r = OpTypeRuntimeArray %float\n%N = OpTypeStruct %r\n%S = OpTypeStruct %N",
       "ends in a runtime array"},
      {offsets({0}), "%S = OpTypeStruct %bool", "without a size"},
      {offsets({0}), "%s = OpTypeSampler\n%S = OpTypeStruct %s", "without a size"},
      {offsets({0}), "%p = OpTypePointer Function %float\n%S = OpTypeStruct %p", "is a pointer"},
      {offsets({0}) + "OpDecorate %a ArrayStride 4",
       "%f = OpConstant %float 3\n%a = OpTypeArray %float %f\n%S = OpTypeStruct %a",
       "cannot be evaluated"},
      {offsets({0}) +
           "OpDecorate %a ArrayStride 4\nOpDecorate %b ArrayStride 0xFFFFFFFF\nOpDecorate %c "
           "ArrayStride 0xFFFFFFFF\n"
           "OpMemberDecorate %N 0 Offset 0xFFFFFFFF\nOpMemberDecorate %S 1 Offset 0xFFFFFFFF",
       "%l = OpTypeInt 64 0\n%all = OpConstant %l 0xFFFFFFFFFFFFFFFF\n%c = OpTypeArray %float "
       "%all\n"
       "%a = OpTypeArray %float %c3\n%b = OpTypeArray %float %c3\n%N = OpTypeStruct %float\n%S = "
       "OpTypeStruct %N %c",
       "larger than 2^64"},
  };
  for (const Case& each : cases) {
    INFO(each.annotations << each.types);
    CHECK(layout_of(each.annotations, each.types).defect.find(each.text) != std::string::npos);
  }
}

TEST_CASE("structures at the nesting limit have a layout", "[reflect]") {
  std::string annotations;
  std::string types = "%s1 = OpTypeStruct %uint\n";
  for (int i = 1; i < 255; ++i)
    annotations += std::format("OpMemberDecorate %s{} 0 Offset 4\n", i);
  for (int i = 2; i < 255; ++i)
    types += std::format("%s{} = OpTypeStruct %s{}\n", i, i - 1);
  const BlockLayout layout =
      layout_of(annotations + offsets({0}), types + "%S = OpTypeStruct %s254\n");
  CHECK(layout.defect.empty());
  CHECK(layout.end == 254 * 4 + 4);
}

TEST_CASE("a vector of structures, which no valid module has, is a defect and no crash",
          "[reflect]") {
  const BlockLayout layout = layout_of(offsets({0}) + "OpMemberDecorate %inner 0 Offset 0\n",
                                       "%inner = OpTypeStruct %float\n"
                                       "%odd = OpTypeVector %inner 2\n"
                                       "%S = OpTypeStruct %odd\n");
  CHECK(layout.defect == "member 0 has a type without a size in memory");
}

}  // namespace heapsmith::reflect
