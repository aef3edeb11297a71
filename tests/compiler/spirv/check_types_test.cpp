// SPDX-License-Identifier: MIT
#include "spirv/check_types.h"

#include <catch2/catch_test_macros.hpp>
#include <format>
#include <string>
#include <string_view>
#include <vector>

#include "spirv/assemble.h"
#include "spirv/parse.h"

namespace heapsmith::spirv {
namespace {

// Empty if the types are accepted, else the error's text.
std::string outcome(const std::string& types) {
  Diagnostics diagnostics;
  const std::string text = "OpCapability Shader\nOpMemoryModel Logical GLSL450\n" + types;
  const auto words = spirv::assemble(text, {.version = 0x00010500}, "test.spvasm", diagnostics);
  for (const Diagnostic& diagnostic : diagnostics.all())
    UNSCOPED_INFO(diagnostic.text);
  REQUIRE(words.has_value());
  if (spirv::parse_module(std::as_bytes(std::span(*words)), "test.spv", diagnostics)) return {};
  REQUIRE(diagnostics.all().size() == 1);
  CHECK(diagnostics.all().front().code == Code::MalformedSpirv);
  return diagnostics.all().front().text;
}

std::string nested_structs(uint32_t depth) {
  std::string text = "%u = OpTypeInt 32 0\n%s1 = OpTypeStruct %u\n";
  for (uint32_t i = 2; i <= depth; ++i)
    text += std::format("%s{} = OpTypeStruct %u %s{}\n", i, i - 1);
  return text;
}

std::string nested_arrays(uint32_t depth) {
  std::string text = "%u = OpTypeInt 32 0\n%two = OpConstant %u 2\n%a1 = OpTypeArray %u %two\n";
  for (uint32_t i = 2; i <= depth; ++i)
    text += std::format("%a{} = OpTypeArray %a{} %two\n", i, i - 1);
  return text;
}

}  // namespace

TEST_CASE("types may nest as deep as SPIR-V allows and no deeper", "[spirv]") {
  CHECK(outcome(nested_structs(200)).empty());
  CHECK(outcome(nested_structs(255)).empty());
  CHECK(outcome(nested_structs(256)).find("nested more than 255") != std::string::npos);
  CHECK(outcome(nested_structs(20000)).find("nested more than 255") != std::string::npos);
  CHECK(outcome(nested_arrays(255)).empty());
  CHECK(outcome(nested_arrays(256)).find("nested more than 255") != std::string::npos);
  // Arrays between structures count for themselves.
  std::string mixed = "%u = OpTypeInt 32 0\n%two = OpConstant %u 2\n%s0 = OpTypeStruct %u\n";
  for (uint32_t i = 1; i < 255; ++i)
    mixed += std::format("%a{0} = OpTypeArray %s{1} %two\n%s{0} = OpTypeStruct %a{0}\n", i, i - 1);
  CHECK(outcome(mixed).empty());
}

TEST_CASE("types that contain themselves are refused", "[spirv]") {
  const char* cases[] = {
      "%s = OpTypeStruct %s",
      "%a = OpTypeRuntimeArray %a",
      "%u = OpTypeInt 32 0\n%n = OpConstant %u 2\n%a = OpTypeArray %a %n",
      "%u = OpTypeInt 32 0\n%n = OpConstant %u 2\n%s = OpTypeStruct %a\n%a = OpTypeArray %s %n",
      "%s = OpTypeStruct %t\n%t = OpTypeStruct %s",
      "%v = OpTypeVector %v 4",
      "%m = OpTypeMatrix %v 4\n%v = OpTypeVector %m 4",
      "%i = OpTypeImage %i 2D 0 0 0 1 Unknown",
      "%i = OpTypeSampledImage %i",
  };
  for (const char* types : cases) {
    INFO(types);
    CHECK(outcome(types).find("is not defined before it") != std::string::npos);
  }
}

TEST_CASE("pointers may be named before they are defined", "[spirv]") {
  CHECK(outcome(R"(
      OpTypeForwardPointer %p PhysicalStorageBuffer
 %u = OpTypeInt 32 0
 %n = OpConstant %u 2
 %a = OpTypeArray %p %n
 %s = OpTypeStruct %p %a %u
 %p = OpTypePointer PhysicalStorageBuffer %s)")
            .empty());
  CHECK(outcome("OpTypeForwardPointer %p PhysicalStorageBuffer\n%p = OpTypeInt 32 0")
            .find("no pointer type") != std::string::npos);
  CHECK_FALSE(outcome("OpTypeForwardPointer %p PhysicalStorageBuffer\n%u = OpTypeInt 32 0\n%s = "
                      "OpTypeStruct %p")
                  .empty());
}

TEST_CASE("types are made of types and lengths are constants", "[spirv]") {
  const char* cases[] = {
      "%u = OpTypeInt 32 0\n%a = OpTypeArray %u %u",
      "%u = OpTypeInt 32 0\n%n = OpConstant %u 2\n%a = OpTypeArray %n %n",
      "%u = OpTypeInt 32 0\n%n = OpConstant %u 2\n%s = OpTypeStruct %u %n",
      "%u = OpTypeInt 32 0\n%n = OpConstant %u 2\n%p = OpTypePointer Uniform %n",
      "%u = OpTypeInt 32 0\n%n = OpConstant %u 2\n%f = OpTypeFunction %u %n",
      "%u = OpTypeInt 32 0\n%a = OpTypeArray %u %n\n%n = OpConstant %u 2",
      "%u = OpTypeInt 32 0\n%n = OpUndef %u\n%a = OpTypeArray %u %n",
      "%s = OpTypeStruct %nothing",
      "%p = OpTypePointer Uniform %nothing",
  };
  for (const char* types : cases) {
    INFO(types);
    CHECK_FALSE(outcome(types).empty());
  }
  CHECK(
      outcome("%u = OpTypeInt 32 0\n%n = OpSpecConstant %u 2\n%m = OpSpecConstantOp %u IMul %n %n\n"
              "%a = OpTypeArray %u %m\n%b = OpTypeRuntimeArray %a\n%s = OpTypeStruct %u %b\n%e = "
              "OpTypeStruct")
          .empty());
}

}  // namespace heapsmith::spirv
