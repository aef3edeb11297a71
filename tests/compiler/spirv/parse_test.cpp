// SPDX-License-Identifier: MIT
#include "spirv/parse.h"

#include <algorithm>
#include <bit>
#include <catch2/catch_test_macros.hpp>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "spirv/assemble.h"

namespace heapsmith::spirv {
namespace {

using Words = std::vector<uint32_t>;

Words assembled(std::string_view text, uint32_t version = 0x00010600) {
  Diagnostics diagnostics;
  auto words = spirv::assemble(text, {.version = version}, "test.spvasm", diagnostics);
  for (const Diagnostic& diagnostic : diagnostics.all())
    UNSCOPED_INFO(diagnostic.text);
  REQUIRE(words.has_value());
  return *words;
}

Diagnosed<spirv::Module> parsed(const Words& words, Diagnostics& diagnostics) {
  return spirv::parse_module(std::as_bytes(std::span(words)), "test.spv", diagnostics);
}

// The one error that a bad module must give.
Diagnostic refusal(std::span<const std::byte> bytes) {
  Diagnostics diagnostics;
  REQUIRE_FALSE(spirv::parse_module(bytes, "test.spv", diagnostics).has_value());
  REQUIRE(diagnostics.all().size() == 1);
  Diagnostic diagnostic = diagnostics.all().front();
  CHECK(diagnostic.severity == Severity::Error);
  CHECK(diagnostic.code == Code::MalformedSpirv);
  CHECK(diagnostic.place.file == "test.spv");
  REQUIRE(diagnostic.place.byte.has_value());
  CHECK(*diagnostic.place.byte <= bytes.size());
  return diagnostic;
}

Diagnostic refusal(const Words& words) {
  return refusal(std::as_bytes(std::span(words)));
}

uint32_t first_word(spv::Op op, uint32_t length) {
  return static_cast<uint32_t>(op) | length << 16;
}

Words instruction(spv::Op op, const Words& operands) {
  Words words = {first_word(op, static_cast<uint32_t>(operands.size() + 1))};
  words.insert(words.end(), operands.begin(), operands.end());
  return words;
}

Words header(uint32_t bound = 100, uint32_t version = 0x00010300) {
  return {spirv::kMagic, version, 0, bound, 0};
}

Words operator+(Words a, const Words& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

const Words kCapability = instruction(spv::Op::OpCapability, {1});

// A bit of everything: strings, masks with parameters, wide switches, nested opcodes, calls.
constexpr std::string_view kRich = R"(
               OpCapability Shader
               OpCapability Int64
               OpCapability Linkage
        %glsl = OpExtInstImport "GLSL.std.450"
               OpMemoryModel Logical GLSL450
               OpEntryPoint Fragment %main "main" %in %out
               OpExecutionMode %main OriginUpperLeft
               OpSource GLSL 450
               OpName %main "main"
               OpMemberName %block 0 "matrix"
               OpDecorate %helper LinkageAttributes "helper" Export
               OpDecorate %tex DescriptorSet 0
               OpDecorate %tex Binding 0
               OpDecorate %block Block
               OpMemberDecorate %block 0 Offset 0
               OpMemberDecorate %block 0 ColMajor
               OpMemberDecorate %block 0 MatrixStride 16
               OpDecorate %u DescriptorSet 0
               OpDecorate %u Binding 1
               OpDecorate %spec SpecId 3
               OpDecorate %in Location 0
               OpDecorate %out Location 0
       %void = OpTypeVoid
         %fn = OpTypeFunction %void
      %float = OpTypeFloat 32
        %int = OpTypeInt 32 1
       %long = OpTypeInt 64 1
         %v2 = OpTypeVector %float 2
         %v4 = OpTypeVector %float 4
         %m4 = OpTypeMatrix %v4 4
      %block = OpTypeStruct %m4
        %img = OpTypeImage %float 2D 0 0 0 1 Unknown
      %simg  = OpTypeSampledImage %img
       %ptex = OpTypePointer UniformConstant %simg
         %pu = OpTypePointer Uniform %block
        %pv4 = OpTypePointer Uniform %v4
        %pin = OpTypePointer Input %v2
       %pout = OpTypePointer Output %v4
         %i0 = OpConstant %int 0
         %i2 = OpConstant %int 2
         %l0 = OpConstant %long 5000000000
       %spec = OpSpecConstant %int 4
        %sum = OpSpecConstantOp %int IAdd %spec %i2
         %f0 = OpConstant %float 0
        %off = OpConstantComposite %v2 %f0 %f0
        %tex = OpVariable %ptex UniformConstant
          %u = OpVariable %pu Uniform
         %in = OpVariable %pin Input
        %out = OpVariable %pout Output
     %helper = OpFunction %void None %fn
         %h0 = OpLabel
               OpReturn
               OpFunctionEnd
       %main = OpFunction %void None %fn
         %m0 = OpLabel
               OpSelectionMerge %end None
               OpSwitch %l0 %end 1 %one 5000000000 %two
        %one = OpLabel
               OpBranch %end
        %two = OpLabel
               OpBranch %end
        %end = OpLabel
          %c = OpFunctionCall %void %helper
         %uv = OpLoad %v2 %in
          %t = OpLoad %simg %tex
          %s = OpImageSampleExplicitLod %v4 %t %uv Grad %uv %uv
          %x = OpAccessChain %pv4 %u %i0 %i2
          %y = OpLoad %v4 %x Aligned 16
          %z = OpExtInst %v4 %glsl FMax %y %s
               OpStore %out %z
               OpReturn
               OpFunctionEnd
)";

}  // namespace

TEST_CASE("modules of every version and both byte orders are read", "[spirv]") {
  for (uint32_t minor = 0; minor <= 6; ++minor) {
    Words words = assembled(kRich);
    words[1] = 0x00010000 | minor << 8;
    Diagnostics diagnostics;
    const auto module = parsed(words, diagnostics);
    REQUIRE(module.has_value());
    CHECK(module->version() == words[1]);
    CHECK(std::ranges::equal(module->words(), words));
    CHECK(module->functions().size() == 2);

    Words swapped = words;
    for (uint32_t& word : swapped)
      word = std::byteswap(word);
    const auto other = parsed(swapped, diagnostics);
    REQUIRE(other.has_value());
    CHECK(std::ranges::equal(other->words(), words));
    CHECK(diagnostics.all().empty());
  }
}

TEST_CASE("definitions are found by id, and nothing where there is none", "[spirv]") {
  Diagnostics diagnostics;
  const auto module = parsed(assembled(kRich), diagnostics);
  REQUIRE(module.has_value());
  for (const spirv::Instruction instruction : module->instructions())
    if (const uint32_t id = instruction.result_id(); id != 0)
      CHECK(module->word_index(module->definition(id)) == module->word_index(instruction));
  CHECK(module->definition(0).op() == spv::Op::OpNop);
  CHECK(module->definition(module->bound()).op() == spv::Op::OpNop);
  CHECK(module->definition(0xFFFFFFFF).op() == spv::Op::OpNop);
}

TEST_CASE("a header that is none is refused", "[spirv]") {
  const Words good = assembled(kRich);
  for (size_t bytes = 0; bytes < 20; ++bytes)
    CHECK(refusal(std::as_bytes(std::span(good)).first(bytes)).text.find("header") !=
          std::string::npos);
  CHECK(refusal(header()).text.find("nothing after the header") != std::string::npos);

  for (const uint32_t version :
       {0u, 0x00000100u, 0x00010700u, 0x00020000u, 0x00090900u, 0x01010000u, 0x00010301u}) {
    Words words = good;
    words[1] = version;
    CHECK(refusal(words).place.byte == 4u);
  }
  for (const uint32_t bound : {0u, spirv::kMaxBound + 1, 0x80000000u, 0xFFFFFFFFu}) {
    Words words = good;
    words[3] = bound;
    CHECK(refusal(words).place.byte == 12u);
  }
  for (const uint32_t magic : {0u, 0x12345678u, spirv::kMagic + 1, 0xFFFFFFFFu}) {
    Words words = good;
    words[0] = magic;
    CHECK(refusal(words).place.byte == 0u);
  }
}

TEST_CASE("a large but legal bound is accepted", "[spirv]") {
  Words words = assembled(kRich);
  words[3] = spirv::kMaxBound;
  Diagnostics diagnostics;
  CHECK(parsed(words, diagnostics).has_value());
}

TEST_CASE("a file cut anywhere is refused or is a module", "[spirv]") {
  const Words words = assembled(kRich);
  const auto bytes = std::as_bytes(std::span(words));
  for (size_t size = 0; size < bytes.size(); ++size) {
    Diagnostics diagnostics;
    const bool accepted =
        spirv::parse_module(bytes.first(size), "test.spv", diagnostics).has_value();
    CHECK(accepted == diagnostics.all().empty());
    if (size % 4 != 0) CHECK_FALSE(accepted);
  }
}

TEST_CASE("faults of instructions are refused where they are", "[spirv]") {
  struct Case {
    const char* what;
    Words tail;
    uint32_t faultyWord;  // counted from the first word of the tail
  };
  const Words kInt = instruction(spv::Op::OpTypeInt, {5, 32, 0});
  const Words kFunction = instruction(spv::Op::OpFunction, {1, 2, 0, 3});
  const Words kEnd = instruction(spv::Op::OpFunctionEnd, {});
  const Case cases[] = {
      {"word count 0", {static_cast<uint32_t>(spv::Op::OpTypeVoid)}, 0},
      {"word count past the end", {first_word(spv::Op::OpEntryPoint, 0xFFFF), 5, 1}, 0},
      {"word count one past the end", {first_word(spv::Op::OpTypeInt, 5), 5, 32, 0}, 0},
      {"unknown opcode", instruction(static_cast<spv::Op>(0x1FFF), {1, 2, 3}), 0},
      {"largest opcode", instruction(static_cast<spv::Op>(0xFFFF), {}), 0},
      {"a fixed operand missing", instruction(spv::Op::OpTypePointer, {5}), 0},
      {"all operands missing", instruction(spv::Op::OpTypeFloat, {}), 0},
      {"one operand too many", instruction(spv::Op::OpTypeVoid, {5, 6}), 0},
      {"too many behind an optional one", instruction(spv::Op::OpTypeFloat, {5, 32, 0, 0}), 0},
      {"id 0 as a result", instruction(spv::Op::OpTypeVoid, {0}), 1},
      {"id 0 as an operand", kInt + instruction(spv::Op::OpTypeVector, {6, 0, 2}), 6},
      {"id 0 in a list", kInt + instruction(spv::Op::OpTypeStruct, {6, 5, 5, 0}), 8},
      {"id at the bound", instruction(spv::Op::OpTypeVoid, {100}), 1},
      {"id far above the bound", instruction(spv::Op::OpTypeVoid, {0xFFFFFFFF}), 1},
      {"an id defined twice", kInt + instruction(spv::Op::OpTypeVoid, {5}), 4},
      {"a string without end", instruction(spv::Op::OpName, {1, 0x41414141, 0x42424242}), 2},
      {"a string missing", instruction(spv::Op::OpName, {1}), 0},
      {"words behind a string", instruction(spv::Op::OpName, {1, 0x00414141, 7}), 3},
      {"an unknown decoration", instruction(spv::Op::OpDecorate, {1, 0x12345}), 2},
      {"a decoration without its parameter", instruction(spv::Op::OpDecorate, {1, 34}), 3},
      {"a decoration with one parameter too many", instruction(spv::Op::OpDecorate, {1, 34, 0, 0}),
       4},
      {"a decoration with a parameter it has not", instruction(spv::Op::OpDecorate, {1, 2, 0}), 3},
      {"a decoration's id that is 0", instruction(spv::Op::OpDecorateId, {1, 5634, 0}), 3},
      {"a constant one word too short", kInt + instruction(spv::Op::OpConstant, {5, 6}), 4},
      {"a constant one word too long", kInt + instruction(spv::Op::OpConstant, {5, 6, 1, 2}), 8},
      {"a constant of no number type",
       instruction(spv::Op::OpTypeVoid, {5}) + instruction(spv::Op::OpConstant, {5, 6, 1}), 5},
      {"a constant of a type of absurd width",
       instruction(spv::Op::OpTypeInt, {5, 0xFFFFFFFF, 0}) +
           instruction(spv::Op::OpConstant, {5, 6, 1}),
       7},
      {"an opcode that is no operation",
       kInt + instruction(spv::Op::OpSpecConstantOp,
                          {5, 6, static_cast<uint32_t>(spv::Op::OpLabel), 5}),
       8},
      {"an opcode within itself",
       kInt + instruction(spv::Op::OpSpecConstantOp,
                          {5, 6, static_cast<uint32_t>(spv::Op::OpSpecConstantOp), 5}),
       8},
      {"half a pair", instruction(spv::Op::OpGroupMemberDecorate, {1, 2}), 3},
      {"half a pair of a phi", kFunction + instruction(spv::Op::OpPhi, {5, 6, 7}) + kEnd, 9},
      {"id 0 in a pair of a phi", kFunction + instruction(spv::Op::OpPhi, {5, 6, 7, 0}) + kEnd, 9},
      {"an unknown bit of a mask",
       kFunction + instruction(spv::Op::OpLoopMerge, {5, 6, 0x40000000}) + kEnd, 9},
      {"words behind a mask without parameters",
       kFunction + instruction(spv::Op::OpLoopMerge, {5, 6, 1, 0}) + kEnd, 9},
      {"a mask without the parameter of a bit",
       kFunction + instruction(spv::Op::OpLoad, {5, 6, 7, 2}) + kEnd, 10},
      {"id 0 before a mask", kFunction + instruction(spv::Op::OpLoopMerge, {0, 6, 1}) + kEnd, 6},
      {"a function in a function", kFunction + instruction(spv::Op::OpFunction, {1, 4, 0, 3}), 5},
      {"an end without a function", instruction(spv::Op::OpFunctionEnd, {}), 0},
      {"a parameter without a function", instruction(spv::Op::OpFunctionParameter, {1, 2}), 0},
      {"a function without end", kFunction, 5},
      {"a type in a function", kFunction + kInt, 5},
      {"a decoration in a function", kFunction + instruction(spv::Op::OpDecorate, {1, 2}), 5},
      {"a declaration behind the functions", kFunction + kEnd + kInt, 6},
  };
  for (const Case& each : cases) {
    INFO(each.what);
    const Words before = header() + kCapability;
    CHECK(refusal(before + each.tail).place.byte == 4 * (before.size() + each.faultyWord));
  }
}

TEST_CASE("operands that depend on others are measured right", "[spirv]") {
  const Words words = assembled(kRich);
  Diagnostics diagnostics;
  REQUIRE(parsed(words, diagnostics).has_value());
  // 64-bit literals of OpConstant and OpSwitch have two words; one less or more is an error.
  for (const spv::Op op :
       {spv::Op::OpSwitch, spv::Op::OpImageSampleExplicitLod, spv::Op::OpEntryPoint}) {
    Words broken = words;
    size_t at = spirv::kHeaderWords;
    while (static_cast<spv::Op>(broken[at] & 0xFFFF) != op)
      at += broken[at] >> 16;
    const uint32_t length = broken[at] >> 16;
    broken.erase(broken.begin() + static_cast<std::ptrdiff_t>(at + length - 1));
    broken[at] = first_word(op, length - 1);
    INFO("opcode " << static_cast<uint32_t>(op));
    if (op == spv::Op::OpEntryPoint)
      CHECK(parsed(broken, diagnostics).has_value());  // an interface variable less
    else
      CHECK(refusal(broken).place.byte >= 4 * at);
  }
}

TEST_CASE("extended instructions whose operands may be literals are not taken for ids", "[spirv]") {
  const auto module_with = [](std::string_view set) {
    const std::string text = "OpCapability Shader\n%s = OpExtInstImport \"" + std::string(set) +
                             "\"\nOpMemoryModel Logical GLSL450\n%v = OpTypeVoid\n";
    Words words = assembled(text);
    const uint32_t set_id = 1;
    const uint32_t void_id = 2;
    words[3] = 10;
    return words + instruction(spv::Op::OpExtInst, {void_id, 3, set_id, 2, 0, 5000});
  };
  Diagnostics diagnostics;
  CHECK(parsed(module_with("OpenCL.DebugInfo.100"), diagnostics).has_value());
  refusal(module_with("NonSemantic.Shader.DebugInfo.100"));
}

TEST_CASE("no word can make the parser misbehave", "[spirv]") {
  const Words good = assembled(kRich);
  for (size_t i = 0; i < good.size(); ++i) {
    for (const uint32_t value :
         {0u, 1u, 2u, good[3], good[3] - 1, 0xFFFFu, 0x10000u, 0xFFFFFFFFu, ~good[i], good[i] + 1,
          good[i] - 1, good[i] + 0x10000u, good[i] - 0x10000u}) {
      Words words = good;
      words[i] = value;
      Diagnostics diagnostics;
      const bool accepted = parsed(words, diagnostics).has_value();
      CHECK(diagnostics.all().size() == (accepted ? 0 : 1));
    }
  }
}

}  // namespace heapsmith::spirv
