// SPDX-License-Identifier: MIT
#include "spirv/constants.h"

#include <catch2/catch_test_macros.hpp>
#include <format>
#include <string>

#include "spirv/assemble.h"
#include "spirv/parse.h"

namespace heapsmith::spirv {
namespace {

struct Folded {
  spirv::Module module;
  spirv::Annotations annotations;
  spirv::Constants constants;
};

// The value of %result, in a module of those declarations.
std::pair<std::optional<uint64_t>, std::optional<std::vector<uint32_t>>> fold(
    const std::string& declarations) {
  Diagnostics diagnostics;
  const std::string text = R"(
      OpCapability Shader
      OpMemoryModel Logical GLSL450
      OpName %result "result"
      OpDecorate %s3 SpecId 30
      OpDecorate %s5 SpecId 10
 %bool = OpTypeBool
 %u = OpTypeInt 32 0
 %i = OpTypeInt 32 1
 %l = OpTypeInt 64 0
 %b8 = OpTypeInt 8 1
 %float = OpTypeFloat 32
 %true = OpSpecConstantTrue %bool
 %false = OpConstantFalse %bool
 %u2 = OpConstant %u 2
 %u0 = OpConstant %u 0
 %s3 = OpSpecConstant %u 3
 %s5 = OpSpecConstant %u 5
 %n7 = OpConstant %i -7
 %n1 = OpConstant %i -1
 %i2 = OpConstant %i 2
 %min = OpConstant %i -2147483648
 %big = OpConstant %l 0x100000005
 %f1 = OpConstant %float 1
)" + declarations;
  const auto words = spirv::assemble(text, {.version = 0x00010300}, "test.spvasm", diagnostics);
  for (const Diagnostic& diagnostic : diagnostics.all())
    UNSCOPED_INFO(diagnostic.text);
  REQUIRE(words.has_value());
  const auto module =
      spirv::parse_module(std::as_bytes(std::span(*words)), "test.spv", diagnostics);
  for (const Diagnostic& diagnostic : diagnostics.all())
    UNSCOPED_INFO(diagnostic.text);
  REQUIRE(module.has_value());
  const auto annotations = spirv::Annotations::collect(*module, "test.spv", diagnostics);
  REQUIRE(annotations.has_value());
  const spirv::Constants constants(*module, *annotations);
  for (uint32_t id = 1; id < module->bound(); ++id)
    if (annotations->name(id) == "result") return {constants.value(id), constants.spec_ids(id)};
  FAIL("no result");
  return {};
}

}  // namespace

TEST_CASE("specialization constants fold at their defaults", "[spirv]") {
  struct Case {
    const char* operation;
    std::optional<uint64_t> value;
  };
  const Case cases[] = {
      {"%u IAdd %s3 %s5", 8},
      {"%u ISub %s3 %s5", 0xFFFFFFFEu},
      {"%u IMul %s3 %s5", 15},
      {"%u UDiv %s5 %u2", 2},
      {"%u UMod %s5 %u2", 1},
      {"%i SDiv %n7 %i2", static_cast<uint32_t>(-3)},
      {"%i SRem %n7 %i2", static_cast<uint32_t>(-1)},
      {"%i SMod %n7 %i2", 1},
      {"%i SDiv %min %n1", 0x80000000u},
      {"%i SRem %min %n1", 0},
      {"%i SNegate %n7", 7},
      {"%i ShiftRightArithmetic %n7 %i2", static_cast<uint32_t>(-2)},
      {"%u ShiftRightLogical %s5 %u2", 1},
      {"%u ShiftLeftLogical %s5 %u2", 20},
      {"%u BitwiseAnd %s3 %s5", 1},
      {"%u BitwiseOr %s3 %s5", 7},
      {"%u BitwiseXor %s3 %s5", 6},
      {"%u Not %u0", 0xFFFFFFFFu},
      {"%u Select %true %s3 %s5", 3},
      {"%u Select %false %s3 %s5", 5},
      {"%bool UGreaterThan %s3 %s5", 0},
      {"%bool SLessThan %n7 %i2", 1},
      {"%bool ULessThan %n7 %i2", 0},
      {"%bool LogicalNot %true", 0},
      {"%u UConvert %big", 5},
      {"%l SConvert %n7", static_cast<uint64_t>(-7)},
      {"%b8 SConvert %n7", 0xF9u},
      // What cannot be told is not guessed.
      {"%u UDiv %s5 %u0", std::nullopt},
      {"%u UMod %s5 %u0", std::nullopt},
      {"%i SDiv %n7 %u0", std::nullopt},
      {"%u ShiftLeftLogical %s5 %n7", std::nullopt},
      {"%float FNegate %f1", std::nullopt},
  };
  for (const Case& each : cases) {
    INFO(each.operation);
    CHECK(fold(std::format("%result = OpSpecConstantOp {}\n", each.operation)).first == each.value);
  }
}

TEST_CASE("constants of other kinds have no integer value", "[spirv]") {
  CHECK_FALSE(fold("%result = OpConstant %float 1\n").first.has_value());
  CHECK_FALSE(
      fold("%v = OpTypeVector %u 2\n%result = OpConstantComposite %v %u2 %u2\n").first.has_value());
  CHECK_FALSE(fold("%result = OpTypeVector %u 2\n").first.has_value());
  CHECK(fold("%result = OpConstantNull %u\n").first == 0u);
  CHECK_FALSE(fold("%result = OpConstantNull %float\n").first.has_value());
}

TEST_CASE("the SpecIds that a constant hangs on are found once each", "[spirv]") {
  CHECK(fold("%x = OpSpecConstantOp %u IAdd %s3 %s5\n%result = OpSpecConstantOp %u IMul %x %x\n")
            .second == std::vector<uint32_t>{10, 30});
  CHECK(fold("%result = OpSpecConstantOp %u IAdd %u2 %u2\n").second == std::vector<uint32_t>{});
}

TEST_CASE("chains of operations that double at each step fold in no time", "[spirv]") {
  std::string chain = "%c0 = OpSpecConstantOp %u IAdd %s3 %s3\n";
  for (int i = 1; i < 3000; ++i)
    chain += std::format("%c{} = OpSpecConstantOp %u IAdd %c{} %c{}\n", i, i - 1, i - 1);
  const auto [value, specIds] = fold(chain + "%result = OpSpecConstantOp %u IAdd %c2999 %u2\n");
  CHECK(value == 2u);
  CHECK(specIds == std::vector<uint32_t>{30});
}

}  // namespace heapsmith::spirv
