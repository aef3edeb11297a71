// SPDX-License-Identifier: MIT
#include "rewrite/addresses.h"

#include <string>

#include "compiler/rewrite/rewritten.h"

namespace heapsmith::rewrite {
namespace {

using spirv::test::plain;
using test::main_of;
using test::place;
using test::rewritten;
using test::shader;

const std::string kNames = place("scene", 0, 0) + "OpName %Scene \"Scene\"\n";

const std::string kScene = R"(
  %Scene = OpTypeAccelerationStructureKHR
  %toScene = OpTypePointer UniformConstant %Scene
  %scene = OpVariable %toScene UniformConstant)";

test::Parts parts() {
  return {.capabilities = "OpCapability RayQueryKHR\nOpExtension \"SPV_KHR_ray_query\"",
          .decorations = kNames,
          .declarations = kScene,
          .body = "%s = OpLoad %Scene %scene"};
}

}  // namespace

TEST_CASE("an acceleration structure at a pushed address", "[rewrite]") {
  const std::string text = rewritten(shader(parts()), {.data = DataSource::PushAddress});
  CHECK(text.find("DescriptorHeapEXT") == std::string::npos);
  CHECK(text.find("OpVariable %_ptr_UniformConstant") == std::string::npos);
  CHECK(main_of(text) == plain(R"(
      %1 = OpAccessChain %_ptr_PushConstant_uint %pushWords %uint_0
      %2 = OpLoad %uint %1
      %3 = OpAccessChain %_ptr_PushConstant_uint %pushWords %uint_1
      %4 = OpLoad %uint %3
      %5 = OpCompositeConstruct %v2uint %2 %4
      %6 = OpConvertUToAccelerationStructureKHR %Scene %5)"));
}

TEST_CASE("an acceleration structure at an address in memory", "[rewrite]") {
  const std::string text = rewritten(shader(parts()), {.data = DataSource::IndirectAddress});
  CHECK(text.find(" 0 Offset 16\n") != std::string::npos);
  CHECK(main_of(text).ends_with(plain(R"(
      %5 = OpCompositeConstruct %v2uint %2 %4
      %6 = OpBitcast %_ptr_PhysicalStorageBuffer__struct_7 %5
      %8 = OpAccessChain %_ptr_PhysicalStorageBuffer_v2uint %6 %uint_0
      %9 = OpLoad %v2uint %8 Aligned 8
      %10 = OpConvertUToAccelerationStructureKHR %Scene %9)")));
}

TEST_CASE("an acceleration structure at an address in the shader record", "[rewrite]") {
  const std::string text = rewritten(shader({.rays = true,
                                             .interface = "%scene",
                                             .decorations = kNames,
                                             .declarations = kScene,
                                             .body = "%s = OpLoad %Scene %scene"}),
                                     {.data = DataSource::RecordAddress}, 0x00010500);
  CHECK(main_of(text) == plain(R"(
      %1 = OpAccessChain %_ptr_ShaderRecordBufferKHR_uint %recordWords %uint_0
      %2 = OpLoad %uint %1
      %3 = OpAccessChain %_ptr_ShaderRecordBufferKHR_uint %recordWords %uint_1
      %4 = OpLoad %uint %3
      %5 = OpCompositeConstruct %v2uint %2 %4
      %6 = OpConvertUToAccelerationStructureKHR %Scene %5)"));
}

TEST_CASE("a function is handed the address of an acceleration structure", "[rewrite]") {
  test::Parts handed = parts();
  handed.decorations += "OpName %f \"f\"\n";
  handed.declarations += "\n%fType = OpTypeFunction %void %toScene\n";
  handed.functions = R"(
    %f = OpFunction %void None %fType
    %p = OpFunctionParameter %toScene
    %in = OpLabel
    %ps = OpLoad %Scene %p
    OpReturn
    OpFunctionEnd)";
  handed.body = "%r = OpFunctionCall %void %f %scene";
  const std::string text = rewritten(shader(handed), {.data = DataSource::PushAddress});
  CHECK(test::function_of(text, "f") == plain(R"(
      %1 = OpFunctionParameter %v2uint
      %2 = OpLabel
      %3 = OpConvertUToAccelerationStructureKHR %Scene %1
      OpReturn)"));
  CHECK(main_of(text).find("OpFunctionCall %void %f %5") != std::string::npos);
}

}  // namespace heapsmith::rewrite
