// SPDX-License-Identifier: MIT
#include "rewrite/addressed_buffers.h"

#include <string>

#include "compiler/rewrite/rewritten.h"

namespace heapsmith::rewrite {
namespace {

using spirv::test::plain;
using test::has_line;
using test::main_of;
using test::numbered;
using test::place;
using test::rewritten;
using test::shader;

const sample::Options kPushed{.data = DataSource::PushAddress};
const sample::Options kIndirect{.data = DataSource::IndirectAddress};
const sample::Options kRecorded{.data = DataSource::RecordAddress};

// struct { uint count; vec4 sum; uint words[]; }, std430
const std::string kLayout = R"(
  OpName %Data "Data"
  OpDecorate %words ArrayStride 4
  OpDecorate %Data Block
  OpMemberDecorate %Data 0 Offset 0
  OpMemberDecorate %Data 1 Offset 16
  OpMemberDecorate %Data 2 Offset 32
)";

std::string types(const std::string& storage) {
  return R"(
  %uint = OpTypeInt 32 0
  %float = OpTypeFloat 32
  %v4float = OpTypeVector %float 4
  %zero = OpConstant %uint 0
  %one = OpConstant %uint 1
  %two = OpConstant %uint 2
  %words = OpTypeRuntimeArray %uint
  %Data = OpTypeStruct %uint %v4float %words
  %toData = OpTypePointer )" +
         storage + " %Data\n%toUint = OpTypePointer " + storage +
         " %uint\n%toVector = OpTypePointer " + storage + " %v4float\n%data = OpVariable %toData " +
         storage;
}

const std::string kBody = R"(
  %pv = OpAccessChain %toVector %data %one
  %v = OpLoad %v4float %pv
  %pu = OpAccessChain %toUint %data %zero
  %u = OpLoad %uint %pu
  %pw = OpAccessChain %toUint %data %two %u
  OpStore %pw %u
  %old = OpAtomicIAdd %uint %pu %one %zero %u)";

std::string refusal(const test::Parts& parts, const sample::Options& options) {
  const auto words = spirv::test::words_of(shader(parts), 0x00010500);
  const auto outcome = test::rewrite_words(words, nullptr, options);
  CHECK(outcome.words.empty());
  REQUIRE(!outcome.diagnostics.empty());
  CHECK(outcome.diagnostics[0].code == Code::UnsupportedRewrite);
  return outcome.diagnostics[0].text;
}

}  // namespace

TEST_CASE("a buffer at a pushed address", "[rewrite]") {
  const std::string text = rewritten(shader({.decorations = place("data", 0, 0) + kLayout,
                                             .declarations = types("StorageBuffer"),
                                             .body = kBody}),
                                     kPushed);
  CHECK(has_line(text, "OpMemoryModel PhysicalStorageBuffer64 GLSL450"));
  CHECK(has_line(text, "OpCapability PhysicalStorageBufferAddresses"));
  CHECK(text.find("DescriptorHeapEXT") == std::string::npos);
  CHECK(text.find("%data") == std::string::npos);
  CHECK(main_of(text) == plain(R"(
      %1 = OpAccessChain %_ptr_PushConstant_uint %pushWords %uint_0
      %2 = OpLoad %uint %1
      %3 = OpAccessChain %_ptr_PushConstant_uint %pushWords %uint_1
      %4 = OpLoad %uint %3
      %5 = OpCompositeConstruct %v2uint %2 %4
      %6 = OpBitcast %_ptr_PhysicalStorageBuffer_Data %5
      %7 = OpAccessChain %_ptr_PhysicalStorageBuffer_v4float %6 %uint_1
      %8 = OpLoad %v4float %7 Aligned 16
      %9 = OpAccessChain %_ptr_PhysicalStorageBuffer_uint %6 %uint_0
      %10 = OpLoad %uint %9 Aligned 16
      %11 = OpAccessChain %_ptr_PhysicalStorageBuffer_uint %6 %uint_2 %10
      OpStore %11 %10 Aligned 4
      %12 = OpAtomicIAdd %uint %9 %uint_1 %uint_0 %10)"));
}

TEST_CASE("a buffer at an address in memory", "[rewrite]") {
  const std::string text = rewritten(shader({.decorations = place("data", 0, 0) + kLayout,
                                             .declarations = types("StorageBuffer"),
                                             .body = kBody}),
                                     kIndirect);
  CHECK(text.find(" 0 Offset 16\n") != std::string::npos);
  CHECK(main_of(text).starts_with(plain(R"(
      %1 = OpAccessChain %_ptr_PushConstant_uint %pushWords %uint_0
      %2 = OpLoad %uint %1
      %3 = OpAccessChain %_ptr_PushConstant_uint %pushWords %uint_1
      %4 = OpLoad %uint %3
      %5 = OpCompositeConstruct %v2uint %2 %4
      %6 = OpBitcast %_ptr_PhysicalStorageBuffer__struct_7 %5
      %8 = OpAccessChain %_ptr_PhysicalStorageBuffer_v2uint %6 %uint_0
      %9 = OpLoad %v2uint %8 Aligned 8
      %10 = OpBitcast %_ptr_PhysicalStorageBuffer_Data %9
      %11 = OpAccessChain %_ptr_PhysicalStorageBuffer_v4float %10 %uint_1
      %12 = OpLoad %v4float %11 Aligned 16)")));
}

TEST_CASE("a buffer at an address in the shader record", "[rewrite]") {
  const std::string text = rewritten(shader({.rays = true,
                                             .interface = "%data",
                                             .decorations = place("data", 0, 0) + kLayout,
                                             .declarations = types("StorageBuffer"),
                                             .body = kBody}),
                                     kRecorded, 0x00010500);
  CHECK(has_line(text, "OpEntryPoint RayGenerationKHR %main \"main\" %recordWords"));
  CHECK(text.find("DescriptorHeapEXT") == std::string::npos);
  CHECK(main_of(text).starts_with(plain(R"(
      %1 = OpAccessChain %_ptr_ShaderRecordBufferKHR_uint %recordWords %uint_0
      %2 = OpLoad %uint %1
      %3 = OpAccessChain %_ptr_ShaderRecordBufferKHR_uint %recordWords %uint_1
      %4 = OpLoad %uint %3
      %5 = OpCompositeConstruct %v2uint %2 %4
      %6 = OpBitcast %_ptr_PhysicalStorageBuffer_Data %5
      %7 = OpAccessChain %_ptr_PhysicalStorageBuffer_v4float %6 %uint_1
      %8 = OpLoad %v4float %7 Aligned 16)")));
}

TEST_CASE("a BufferBlock at an address becomes a Block", "[rewrite]") {
  std::string layout = kLayout;
  layout.replace(layout.find("%Data Block"), 11, "%Data BufferBlock");
  const std::string text = rewritten(shader({.decorations = place("data", 0, 0) + layout,
                                             .declarations = types("Uniform"),
                                             .body = kBody}),
                                     kPushed, 0x00010000);
  CHECK(has_line(text, "OpDecorate %Data Block"));
  CHECK(text.find("Uniform ") == std::string::npos);
  CHECK(main_of(text).find("OpAccessChain %_ptr_PhysicalStorageBuffer_v4float") !=
        std::string::npos);
}

TEST_CASE("qualifiers of a variable become its members'", "[rewrite]") {
  const std::string text =
      rewritten(shader({.decorations = place("data", 0, 0) + kLayout +
                                       "OpDecorate %data Coherent\nOpDecorate %data Restrict\n",
                        .declarations = types("StorageBuffer"),
                        .body = kBody}),
                kPushed);
  for (const char* member : {"0", "1", "2"})
    CHECK(has_line(text, std::string("OpMemberDecorate %Data ") + member + " Coherent"));
  CHECK(text.find("Restrict") == std::string::npos);
}

TEST_CASE("an address that nobody writes to is marked so", "[rewrite]") {
  const std::string text = rewritten(
      shader({.decorations = place("data", 0, 0) + kLayout,
              .declarations = types("StorageBuffer"),
              .body = "%pv = OpAccessChain %toVector %data %one\n%v = OpLoad %v4float %pv"}),
      kPushed);
  CHECK(has_line(text, "OpMemberDecorate %Data 1 NonWritable"));
}

TEST_CASE("functions are handed addresses", "[rewrite]") {
  const std::string text = rewritten(
      shader({.capabilities = "OpCapability VariablePointersStorageBuffer",
              .decorations = place("data", 0, 0) + kLayout +
                             "OpName %f \"f\"\nOpDecorate %d Aliased\nOpDecorate %d Coherent\n",
              .declarations = types("StorageBuffer") + "\n%fType = OpTypeFunction %uint %toData\n",
              .functions = R"(
          %f = OpFunction %uint None %fType
          %d = OpFunctionParameter %toData
          %in = OpLabel
          %fp = OpAccessChain %toUint %d %zero
          %fv = OpLoad %uint %fp
          OpReturnValue %fv
          OpFunctionEnd)",
              .body = "%r = OpFunctionCall %uint %f %data"}),
      kPushed);
  CHECK(test::function_of(text, "f") == plain(R"(
      %1 = OpFunctionParameter %v2uint
      %2 = OpLabel
      %3 = OpBitcast %_ptr_PhysicalStorageBuffer_Data %1
      %4 = OpAccessChain %_ptr_PhysicalStorageBuffer_uint %3 %uint_0
      %5 = OpLoad %uint %4 Aligned 16
      OpReturnValue %5)"));
  CHECK(main_of(text).find("OpFunctionCall %uint %f %5") != std::string::npos);
  CHECK(text.find(" Aliased\n") == std::string::npos);
  CHECK(has_line(text, "OpMemberDecorate %Data 1 Coherent"));
}

// struct { float16_t half[]; } without a capability to compute with such numbers: spirv-val would
// take the address for one of them.
TEST_CASE("16-bit numbers at an address", "[rewrite]") {
  const std::string text =
      rewritten(shader({.capabilities = "OpCapability StorageBuffer16BitAccess",
                        .decorations = place("data", 0, 0) + R"(
          OpName %Data "Data"
          OpDecorate %halves ArrayStride 2
          OpDecorate %Data Block
          OpMemberDecorate %Data 0 Offset 0)",
                        .declarations = R"(
          %uint = OpTypeInt 32 0
          %zero = OpConstant %uint 0
          %float = OpTypeFloat 32
          %half = OpTypeFloat 16
          %halves = OpTypeRuntimeArray %half
          %Data = OpTypeStruct %halves
          %toData = OpTypePointer StorageBuffer %Data
          %toHalf = OpTypePointer StorageBuffer %half
          %data = OpVariable %toData StorageBuffer)",
                        .body = R"(
          %p = OpAccessChain %toHalf %data %zero %zero
          %h = OpLoad %half %p
          %f = OpFConvert %float %h)"}),
                kPushed);
  const std::string type = "_ptr_PhysicalStorageBuffer_Data";
  CHECK(has_line(text, "OpTypeForwardPointer %" + type + " PhysicalStorageBuffer"));
  CHECK(text.find("OpBitcast %" + type + " ") != std::string::npos);
}

TEST_CASE("cooperative matrices and tensors at an address", "[rewrite]") {
  const std::string text = rewritten(shader({.capabilities = R"(
                  OpCapability VulkanMemoryModel
                  OpCapability Float16
                  OpCapability StorageBuffer16BitAccess
                  OpCapability CooperativeMatrixKHR
                  OpCapability CooperativeMatrixTensorAddressingNV
                  OpCapability TensorAddressingNV
                  OpExtension "SPV_KHR_vulkan_memory_model"
                  OpExtension "SPV_KHR_cooperative_matrix"
                  OpExtension "SPV_NV_cooperative_matrix2"
                  OpExtension "SPV_NV_tensor_addressing")",
                                             .interface = "%data",
                                             .decorations = place("data", 0, 0) + R"(
                  OpDecorate %halves ArrayStride 2
                  OpDecorate %Data Block
                  OpMemberDecorate %Data 0 Offset 0)",
                                             .declarations = R"(
                  %uint = OpTypeInt 32 0
                  %half = OpTypeFloat 16
                  %bool = OpTypeBool
                  %false = OpConstantFalse %bool
                  %zero = OpConstant %uint 0
                  %one = OpConstant %uint 1
                  %two = OpConstant %uint 2
                  %subgroup = OpConstant %uint 3
                  %sixteen = OpConstant %uint 16
                  %halves = OpTypeRuntimeArray %half
                  %Data = OpTypeStruct %halves
                  %toData = OpTypePointer StorageBuffer %Data
                  %toHalf = OpTypePointer StorageBuffer %half
                  %data = OpVariable %toData StorageBuffer
                  %matrix = OpTypeCooperativeMatrixKHR %half %subgroup %sixteen %sixteen %zero
                  %layout = OpTypeTensorLayoutNV %two %zero
                  %view = OpTypeTensorViewNV %two %false %zero %one)",
                                             .body = R"(
                  %p = OpAccessChain %toHalf %data %zero %sixteen
                  %m = OpCooperativeMatrixLoadKHR %matrix %p %zero %sixteen MakePointerVisible|NonPrivatePointer %subgroup
                  OpCooperativeMatrixStoreKHR %p %m %zero %sixteen
                  %l = OpCreateTensorLayoutNV %layout
                  %v = OpCreateTensorViewNV %view
                  %n = OpCooperativeMatrixLoadTensorNV %matrix %p %m %l None TensorView %v
                  OpCooperativeMatrixStoreTensorNV %p %n %l Nontemporal None)",
                                             .memoryModel = "Vulkan"}),
                                     kPushed, 0x00010600);
  CHECK(numbered(test::between(text, "= OpBitcast", "OpReturn")) == plain(R"(
      %1 = OpAccessChain %_ptr_PhysicalStorageBuffer_half %2 %uint_0 %uint_16
      %3 = OpCooperativeMatrixLoadKHR %4 %1 %uint_0 %uint_16 Aligned|MakePointerVisible|NonPrivatePointer 2 %uint_3
      OpCooperativeMatrixStoreKHR %1 %3 %uint_0 %uint_16 Aligned 2
      %5 = OpCreateTensorLayoutNV %6
      %7 = OpCreateTensorViewNV %8
      %9 = OpCooperativeMatrixLoadTensorNV %4 %1 %3 %5 Aligned 2 TensorView %7
      OpCooperativeMatrixStoreTensorNV %1 %9 %5 Aligned|Nontemporal 2 None
      )"));
}

TEST_CASE("a choice among addresses, and a copy", "[rewrite]") {
  const std::string text =
      rewritten(shader({.capabilities = "OpCapability VariablePointersStorageBuffer",
                        .decorations = place("data", 0, 0) + kLayout,
                        .declarations = types("StorageBuffer") +
                                        "\n%bool = OpTypeBool\n%true = OpConstantTrue %bool\n"
                                        "%toLocal = OpTypePointer Function %uint\n",
                        .body = R"(
          %local = OpVariable %toLocal Function
          %pa = OpAccessChain %toUint %data %zero
          %pb = OpAccessChain %toUint %data %two %one
          %p = OpSelect %toUint %true %pa %pb
          OpCopyMemory %local %p)"}),
                kPushed);
  CHECK(text.find("OpSelect %_ptr_PhysicalStorageBuffer_uint") != std::string::npos);
  CHECK(text.find("OpCopyMemory") != std::string::npos);
  CHECK(text.find("Aligned 4\nOpReturn") != std::string::npos);
}

TEST_CASE("what addresses cannot do is refused", "[rewrite]") {
  const test::Parts length{.decorations = place("data", 0, 0) + kLayout,
                           .declarations = types("StorageBuffer"),
                           .body = "%n = OpArrayLength %uint %data 2"};
  const auto words = spirv::test::words_of(shader(length));
  Placements placements;
  placements.bindings = {{.set = 0,
                          .binding = 0,
                          .resource = std::nullopt,
                          .sampler = std::nullopt,
                          .data = DataLocation{.source = DataSource::PushAddress}}};
  const auto outcome = test::rewrite_words(words, &placements, {});
  CHECK(outcome.words.empty());
  REQUIRE(outcome.diagnostics.size() == 1);
  CHECK(outcome.diagnostics[0].text ==
        "variable 'data': a pointer into a buffer at an address in OpArrayLength cannot be "
        "rewritten");

  CHECK(refusal({.capabilities = "OpCapability VariablePointersStorageBuffer",
                 .interface = "%data",
                 .decorations = place("data", 0, 0) + kLayout,
                 .declarations = types("StorageBuffer") + "\n%bool = OpTypeBool\n",
                 .body = "%pa = OpAccessChain %toUint %data %zero\n"
                         "%same = OpPtrEqual %bool %pa %pa"},
                kPushed) ==
        "variable 'data': a pointer into a buffer at an address in OpPtrEqual cannot be "
        "rewritten");
}

TEST_CASE("a function that is handed slots and addresses becomes two", "[rewrite]") {
  const auto words = spirv::test::words_of(shader(
      {.capabilities = "OpCapability VariablePointers",
       .decorations = place("data", 0, 0) + place("other", 0, 1) + kLayout,
       .declarations = types("StorageBuffer") + "\n%other = OpVariable %toData StorageBuffer\n" +
                       "%fType = OpTypeFunction %void %toData\n",
       .functions = R"(
          %f = OpFunction %void None %fType
          %d = OpFunctionParameter %toData
          %in = OpLabel
          OpReturn
          OpFunctionEnd)",
       .body = "%r = OpFunctionCall %void %f %data\n%s = OpFunctionCall %void %f %other"}));
  Placements placements;
  placements.bindings = {{.set = 0,
                          .binding = 0,
                          .resource = std::nullopt,
                          .sampler = std::nullopt,
                          .data = DataLocation{.source = DataSource::PushAddress}},
                         {.set = 0, .binding = 1, .resource = Location(), .sampler = std::nullopt}};
  const auto outcome = test::rewrite_words(words, &placements, {});
  REQUIRE_FALSE(outcome.words.empty());
  spirv::test::require_valid(outcome.words);
  const std::string text = spirv::test::text_of(outcome.words);
  CHECK(text.find("OpTypeFunction %void %v2uint\n") != std::string::npos);
  CHECK(text.find("OpTypeFunction %void %uint\n") != std::string::npos);
}

}  // namespace heapsmith::rewrite
