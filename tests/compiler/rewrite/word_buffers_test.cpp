// SPDX-License-Identifier: MIT
#include "rewrite/word_buffers.h"

#include <string>

#include "compiler/rewrite/rewritten.h"

namespace heapsmith::rewrite {
namespace {

using spirv::test::plain;
using test::main_of;
using test::place;
using test::rewritten;
using test::shader;

const sample::Options kPushed{.data = DataSource::PushData};
const sample::Options kRecorded{.data = DataSource::RecordData};

// uniform Data { vec2 at; row_major mat2 turn; uint picked[2]; } data; std140
const std::string kLayout = R"(
  OpName %Data "Data"
  OpDecorate %picks ArrayStride 16
  OpDecorate %Data Block
  OpMemberDecorate %Data 0 Offset 0
  OpMemberDecorate %Data 1 Offset 16
  OpMemberDecorate %Data 1 RowMajor
  OpMemberDecorate %Data 1 MatrixStride 16
  OpMemberDecorate %Data 2 Offset 48
)";

const std::string kTypes = R"(
  %uint = OpTypeInt 32 0
  %float = OpTypeFloat 32
  %v2float = OpTypeVector %float 2
  %mat2 = OpTypeMatrix %v2float 2
  %zero = OpConstant %uint 0
  %one = OpConstant %uint 1
  %two = OpConstant %uint 2
  %picks = OpTypeArray %uint %two
  %Data = OpTypeStruct %v2float %mat2 %picks
  %toData = OpTypePointer Uniform %Data
  %toUint = OpTypePointer Uniform %uint
  %toVector = OpTypePointer Uniform %v2float
  %toMatrix = OpTypePointer Uniform %mat2
  %data = OpVariable %toData Uniform)";

std::string rewritten_body(const std::string& body) {
  return rewritten(
      shader({.decorations = place("data", 0, 0) + kLayout, .declarations = kTypes, .body = body}),
      kPushed);
}

}  // namespace

TEST_CASE("a pushed vector is put together from words", "[rewrite]") {
  const std::string text =
      rewritten_body("%p = OpAccessChain %toVector %data %zero\n%v = OpLoad %v2float %p");
  CHECK(text.find("OpVariable %_ptr_Uniform") == std::string::npos);
  CHECK(main_of(text) == plain(R"(
      %1 = OpAccessChain %_ptr_PushConstant_uint %pushWords %uint_0
      %2 = OpLoad %uint %1
      %3 = OpBitcast %float %2
      %4 = OpAccessChain %_ptr_PushConstant_uint %pushWords %uint_1
      %5 = OpLoad %uint %4
      %6 = OpBitcast %float %5
      %7 = OpCompositeConstruct %v2float %3 %6)"));
}

// Columns are 4 bytes apart, their components 16.
TEST_CASE("a column of a pushed row-major matrix", "[rewrite]") {
  const std::string text =
      rewritten_body("%p = OpAccessChain %toVector %data %one %one\n%v = OpLoad %v2float %p");
  CHECK(main_of(text) == plain(R"(
      %1 = OpAccessChain %_ptr_PushConstant_uint %pushWords %uint_5
      %2 = OpLoad %uint %1
      %3 = OpBitcast %float %2
      %4 = OpAccessChain %_ptr_PushConstant_uint %pushWords %uint_9
      %5 = OpLoad %uint %4
      %6 = OpBitcast %float %5
      %7 = OpCompositeConstruct %v2float %3 %6)"));
}

TEST_CASE("a vector in the shader record is put together from words", "[rewrite]") {
  const std::string text = rewritten(
      shader({.rays = true,
              .interface = "%data",
              .decorations = place("data", 0, 0) + kLayout,
              .declarations = kTypes,
              .body = "%p = OpAccessChain %toVector %data %zero\n%v = OpLoad %v2float %p"}),
      kRecorded, 0x00010500);
  CHECK(test::has_line(text, "OpEntryPoint RayGenerationKHR %main \"main\" %recordWords"));
  CHECK(main_of(text) == plain(R"(
      %1 = OpAccessChain %_ptr_ShaderRecordBufferKHR_uint %recordWords %uint_0
      %2 = OpLoad %uint %1
      %3 = OpBitcast %float %2
      %4 = OpAccessChain %_ptr_ShaderRecordBufferKHR_uint %recordWords %uint_1
      %5 = OpLoad %uint %4
      %6 = OpBitcast %float %5
      %7 = OpCompositeConstruct %v2float %3 %6)"));
}

TEST_CASE("an index chooses among pushed words", "[rewrite]") {
  const std::string text = rewritten_body(R"(
    %p = OpAccessChain %toUint %data %two %zero
    %i = OpLoad %uint %p
    %q = OpAccessChain %toUint %data %two %i
    %u = OpLoad %uint %q)");
  CHECK(text.find("OpSelect %uint") != std::string::npos);
  CHECK(text.find("OpSelect %uint", text.find("OpSelect %uint") + 1) == std::string::npos);
}

TEST_CASE("a pushed block can be loaded as a whole", "[rewrite]") {
  const std::string text = rewritten_body("%whole = OpLoad %Data %data");
  CHECK(text.find("OpCompositeConstruct %Data ") != std::string::npos);
}

TEST_CASE("what cannot be done with data is refused", "[rewrite]") {
  const auto refusal = [](const test::Parts& parts, const sample::Options& options = kPushed) {
    const auto outcome = test::rewrite_words(
        spirv::test::words_of(shader(parts), parts.rays ? 0x00010500 : 0x00010300), nullptr,
        options);
    CHECK(outcome.words.empty());
    REQUIRE(outcome.diagnostics.size() == 1);
    CHECK(outcome.diagnostics[0].code == Code::UnsupportedRewrite);
    return outcome.diagnostics[0].text;
  };
  test::Parts handed{.decorations = place("data", 0, 0) + kLayout,
                     .declarations = kTypes + "\n%fType = OpTypeFunction %void %toData\n",
                     .functions = R"(
          %f = OpFunction %void None %fType
          %d = OpFunctionParameter %toData
          %in = OpLabel
          %p = OpAccessChain %toVector %d %zero
          %v = OpLoad %v2float %p
          OpReturn
          OpFunctionEnd)",
                     .body = "%r = OpFunctionCall %void %f %data"};
  CHECK(refusal(handed) ==
        "variable 'data': a function that is handed pushed data cannot be rewritten");
  CHECK(refusal(handed, {.data = DataSource::HeapData}) ==
        "variable 'data': a function that is handed data in the heap cannot be rewritten");
  handed.rays = true;
  handed.interface = "%data";
  CHECK(refusal(handed, kRecorded) ==
        "variable 'data': a function that is handed data in the shader record cannot be "
        "rewritten");
  CHECK(refusal(
            {.capabilities = "OpCapability Int16\nOpCapability UniformAndStorageBuffer16BitAccess",
             .decorations = place("small", 0, 0) +
                            "OpDecorate %Small Block\nOpMemberDecorate %Small 0 Offset 0\n",
             .declarations = R"(
          %uint = OpTypeInt 32 0
          %zero = OpConstant %uint 0
          %short = OpTypeInt 16 0
          %Small = OpTypeStruct %short
          %toSmall = OpTypePointer Uniform %Small
          %toShort = OpTypePointer Uniform %short
          %small = OpVariable %toSmall Uniform)",
             .body = "%p = OpAccessChain %toShort %small %zero\n%s = OpLoad %short %p"}) ==
        "variable 'small': a number of other than 32 or 64 bits in pushed data cannot be "
        "rewritten");
}

}  // namespace heapsmith::rewrite
