// SPDX-License-Identifier: MIT
// Entry points, push constants, specialization constants, heaps, and modules that are no shaders.
#include "reflect/reflect_module.h"

#include <catch2/catch_test_macros.hpp>
#include <format>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "spirv/assemble.h"
#include "spirv/parse.h"

namespace heapsmith::reflect {
namespace {

struct Outcome {
  std::optional<ShaderInterface> shader;
  std::vector<Diagnostic> diagnostics;
};

Outcome reflected(const std::string& text, uint32_t version = 0x00010500) {
  Diagnostics diagnostics;
  const auto words = spirv::assemble(text, {.version = version}, "test.spvasm", diagnostics);
  for (const Diagnostic& diagnostic : diagnostics.all())
    UNSCOPED_INFO(diagnostic.text);
  REQUIRE(words.has_value());
  const auto module =
      spirv::parse_module(std::as_bytes(std::span(*words)), "test.spv", diagnostics);
  for (const Diagnostic& diagnostic : diagnostics.all())
    UNSCOPED_INFO(diagnostic.text);
  REQUIRE(module.has_value());
  auto result = reflect_module(*module, "test.spv", diagnostics);
  CHECK(result.has_value() != diagnostics.has_errors());
  Outcome outcome{.shader = std::nullopt, .diagnostics = diagnostics.all()};
  if (result) outcome.shader = std::move(*result);
  return outcome;
}

ShaderInterface shader_of(const std::string& text) {
  Outcome outcome = reflected(text);
  for (const Diagnostic& diagnostic : outcome.diagnostics)
    UNSCOPED_INFO(diagnostic.text);
  REQUIRE(outcome.shader.has_value());
  return std::move(*outcome.shader);
}

std::string module_with(std::string_view head, std::string_view declarations = "",
                        std::string_view body = "") {
  return std::format(R"(
               OpCapability Shader
               {}
       %void = OpTypeVoid
         %fn = OpTypeFunction %void
       %uint = OpTypeInt 32 0
      %float = OpTypeFloat 32
         %v2 = OpTypeVector %float 2
         %u0 = OpConstant %uint 0
               {}
       %main = OpFunction %void None %fn
          %l = OpLabel
               {}
               OpReturn
               OpFunctionEnd
)",
                     head, declarations, body);
}

constexpr std::string_view kModel = "OpMemoryModel Logical GLSL450\n";

std::string entry_point(std::string_view model) {
  return std::format("{}OpEntryPoint {} %main \"main\"\n", kModel, model);
}

}  // namespace

TEST_CASE("execution models are Vulkan's stages", "[reflect]") {
  const std::pair<const char*, ShaderStage> cases[] = {
      {"Vertex", ShaderStage::Vertex},
      {"TessellationControl", ShaderStage::TessellationControl},
      {"TessellationEvaluation", ShaderStage::TessellationEvaluation},
      {"Geometry", ShaderStage::Geometry},
      {"Fragment", ShaderStage::Fragment},
      {"GLCompute", ShaderStage::Compute},
      {"TaskEXT", ShaderStage::Task},
      {"TaskNV", ShaderStage::Task},
      {"MeshEXT", ShaderStage::Mesh},
      {"MeshNV", ShaderStage::Mesh},
      {"RayGenerationKHR", ShaderStage::RayGeneration},
      {"AnyHitKHR", ShaderStage::AnyHit},
      {"ClosestHitKHR", ShaderStage::ClosestHit},
      {"MissKHR", ShaderStage::Miss},
      {"IntersectionKHR", ShaderStage::Intersection},
      {"CallableKHR", ShaderStage::Callable},
  };
  for (const auto& [model, stage] : cases) {
    INFO(model);
    const ShaderInterface shader = shader_of(module_with(entry_point(model)));
    REQUIRE(shader.entryPoints.size() == 1);
    CHECK(shader.entryPoints[0].stage == stage);
    CHECK(shader.entryPoints[0].name == "main");
  }
}

TEST_CASE("modules that are no Vulkan shaders are refused", "[reflect]") {
  const auto refused = [](const std::string& text) {
    const Outcome outcome = reflected(text);
    REQUIRE(outcome.diagnostics.size() == 1);
    CHECK(outcome.diagnostics[0].place.file == "test.spv");
    return outcome.diagnostics[0].code;
  };
  CHECK(refused(module_with(kModel)) == Code::NoEntryPoint);
  CHECK(refused("OpCapability Shader\nOpMemoryModel Logical GLSL450\n") == Code::NoEntryPoint);
  CHECK(refused(module_with(entry_point("Kernel"))) == Code::UnsupportedSpirv);
  CHECK(refused("OpCapability Kernel\nOpCapability Addresses\nOpMemoryModel Physical64 OpenCL\n") ==
        Code::UnsupportedSpirv);
  CHECK(
      refused(
          "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint Vertex %void \"main\"\n"
          "%void = OpTypeVoid\n") == Code::MalformedSpirv);
}

TEST_CASE("an earlier file's errors are not this module's", "[reflect]") {
  Diagnostics diagnostics;
  (void)diagnostics.error(Code::FileNotFound, {}, "another file");
  const auto words =
      spirv::assemble(module_with(entry_point("Vertex")), {}, "test.spvasm", diagnostics);
  REQUIRE(words.has_value());
  const auto module =
      spirv::parse_module(std::as_bytes(std::span(*words)), "test.spv", diagnostics);
  REQUIRE(module.has_value());
  CHECK(reflect_module(*module, "test.spv", diagnostics).has_value());
}

TEST_CASE("versions, capabilities and extensions are told by name", "[reflect]") {
  const ShaderInterface shader = shader_of(module_with(
      "OpCapability Int64\nOpExtension \"SPV_KHR_ray_query\"\n" + entry_point("Vertex")));
  CHECK(shader.spirvVersion == 0x00010500);
  CHECK(shader.capabilities == std::vector<std::string>{"Shader", "Int64"});
  CHECK(shader.extensions == std::vector<std::string>{"SPV_KHR_ray_query"});
}

TEST_CASE("workgroup sizes come from modes, constants and defaults", "[reflect]") {
  using Size = std::vector<uint32_t>;
  const auto size = [](const std::string& head, std::string_view declarations = "") {
    return shader_of(module_with(head, declarations)).entryPoints[0].workgroupSize;
  };
  const std::string compute = entry_point("GLCompute");
  CHECK(size(compute + "OpExecutionMode %main LocalSize 8 4 2") == Size{8, 4, 2});
  CHECK(size(compute + "OpExecutionModeId %main LocalSizeId %x %x %y\nOpDecorate %y SpecId 1",
             "%x = OpConstant %uint 16\n%y = OpSpecConstant %uint 3") == Size{16, 16, 3});
  CHECK(size(compute +
                 "OpExecutionMode %main LocalSize 8 4 2\nOpDecorate %w BuiltIn WorkgroupSize\n"
                 "OpDecorate %x SpecId 1",
             "%v3 = OpTypeVector %uint 3\n%x = OpSpecConstant %uint 64\n%one = OpConstant %uint 1\n"
             "%w = OpSpecConstantComposite %v3 %x %one %one") == Size{64, 1, 1});
  CHECK(size(entry_point("MeshEXT") + "OpExecutionMode %main LocalSize 32 1 1") == Size{32, 1, 1});
  CHECK(size(compute) == std::nullopt);
  CHECK(size(entry_point("Fragment") + "OpExecutionMode %main OriginUpperLeft") == std::nullopt);
}

TEST_CASE("specialization constants are listed by SpecId with their bits", "[reflect]") {
  const ShaderInterface shader = shader_of(
      module_with(entry_point("Vertex") + "OpName %c \"flag\"\nOpDecorate %a SpecId 40\nOpDecorate "
                                          "%b SpecId 7\nOpDecorate %c SpecId 9\n"
                                          "OpDecorate %d SpecId 10\n"
                                          // That of local_size_x_id, as glslang writes it.
                                          "OpDecorate %e SpecId 9",
                  "%bool = OpTypeBool\n%long = OpTypeInt 64 1\n%a = OpSpecConstant %float 1\n%b = "
                  "OpSpecConstant %long -2\n"
                  "%c = OpSpecConstantTrue %bool\n%d = OpSpecConstantFalse %bool\n%unnumbered = "
                  "OpSpecConstant %uint 5\n%e = OpSpecConstantTrue %bool"));
  const auto& constants = shader.specializationConstants;
  REQUIRE(constants.size() == 4);
  CHECK(constants[0].specId == 7);
  CHECK(constants[0].type == "int64");
  CHECK(constants[0].defaultBits == 0xFFFFFFFFFFFFFFFEu);
  CHECK(constants[1].specId == 9);
  CHECK(constants[1].name == "flag");
  CHECK(constants[1].type == "bool");
  CHECK(constants[1].defaultBits == 1);
  CHECK(constants[2].defaultBits == 0);
  CHECK(constants[3].specId == 40);
  CHECK(constants[3].type == "float32");
  CHECK(constants[3].defaultBits == 0x3F800000);
}

TEST_CASE("push constants are the range from the first member to the end of the last",
          "[reflect]") {
  struct Case {
    const char* offsets;
    const char* members;
    uint32_t offset, size;
  };
  const Case cases[] = {
      {"OpMemberDecorate %P 0 Offset 0", "%uint", 0, 4},
      {"OpMemberDecorate %P 0 Offset 16", "%v2", 16, 8},
      {"OpMemberDecorate %P 0 Offset 20\nOpMemberDecorate %P 1 Offset 8", "%uint %v2", 8, 16},
      {"OpMemberDecorate %P 0 Offset 4", "%half", 4, 4},
      {"OpMemberDecorate %P 0 Offset 6", "%half", 4, 4},  // the API counts in words
      {"OpMemberDecorate %P 0 Offset 0\nOpMemberDecorate %P 1 Offset 4", "%uint %half", 0, 8},
      {"OpMemberDecorate %P 0 Offset 32\nOpMemberDecorate %P 0 RowMajor\nOpMemberDecorate %P 0 "
       "MatrixStride 16",
       "%m3x2", 32, 32},
      {"OpMemberDecorate %P 0 Offset 0\nOpMemberDecorate %P 1 Offset 8", "%address %uint", 0, 12},
  };
  for (const Case& each : cases) {
    INFO(each.offsets);
    const ShaderInterface shader = shader_of(module_with(
        entry_point("Vertex") + "OpName %pc \"pc\"\nOpDecorate %P Block\n" + each.offsets,
        std::format("%half = OpTypeFloat 16\n%m3x2 = OpTypeMatrix %v2 3\n"
                    "%address = OpTypePointer PhysicalStorageBuffer %uint\n%P = OpTypeStruct {}\n"
                    "%pP = OpTypePointer PushConstant %P\n%pc = OpVariable %pP PushConstant",
                    each.members),
        "%all = OpLoad %P %pc"));
    CHECK(shader.resources.empty());
    REQUIRE(shader.entryPoints[0].pushConstants.has_value());
    CHECK(shader.entryPoints[0].pushConstants->name == "pc");
    CHECK(shader.entryPoints[0].pushConstants->offset == each.offset);
    CHECK(shader.entryPoints[0].pushConstants->size == each.size);
  }
}

TEST_CASE("push constants that an entry point does not use are not its own", "[reflect]") {
  const std::string declarations =
      "%P = OpTypeStruct %uint\n%pP = OpTypePointer PushConstant %P\n%pc = OpVariable %pP "
      "PushConstant";
  const std::string head =
      entry_point("Vertex") + "OpDecorate %P Block\nOpMemberDecorate %P 0 Offset 0\n";
  CHECK_FALSE(shader_of(module_with(head, declarations)).entryPoints[0].pushConstants.has_value());
  CHECK(shader_of(module_with(head, declarations, "%x = OpLoad %P %pc"))
            .entryPoints[0]
            .pushConstants.has_value());
}

TEST_CASE("push constants without a layout are refused", "[reflect]") {
  const auto code = [](const char* annotations, const char* type) {
    const Outcome outcome = reflected(module_with(
        entry_point("Vertex") + "OpName %pc \"pc\"\n" + annotations,
        std::format("%r = OpTypeRuntimeArray %uint\n{}\n%pP = OpTypePointer PushConstant %P\n"
                    "%pc = OpVariable %pP PushConstant",
                    type)));
    REQUIRE(outcome.diagnostics.size() == 1);
    CHECK(outcome.diagnostics[0].place.resource == "pc");
    return outcome.diagnostics[0].code;
  };
  CHECK(code("OpDecorate %P Block", "%P = OpTypeStruct %uint") == Code::BlockLayout);
  CHECK(code("OpDecorate %P Block\nOpMemberDecorate %P 0 Offset 0\nOpDecorate %r ArrayStride 4",
             "%P = OpTypeStruct %r") == Code::BlockLayout);
  CHECK(code("OpMemberDecorate %P 0 Offset 4294967295", "%P = OpTypeStruct %uint") ==
        Code::BlockLayout);
  CHECK(code("", "%P = OpTypeVector %uint 2") == Code::UnsupportedResource);
}

TEST_CASE("a module that indexes the heaps itself says so and lists no heap as a resource",
          "[reflect]") {
  const auto text = [](std::string_view body) {
    return module_with("OpCapability DescriptorHeapEXT\nOpExtension \"SPV_EXT_descriptor_heap\"\n" +
                           entry_point("GLCompute") +
                           "OpDecorate %resources BuiltIn ResourceHeapEXT\nOpDecorate %samplers "
                           "BuiltIn SamplerHeapEXT\n"
                           "OpDecorateId %images ArrayStrideIdEXT %size\n",
                       "%image = OpTypeImage %float 2D 0 0 0 1 Unknown\n%sampler = OpTypeSampler\n"
                       "%heap = OpTypeUntypedPointerKHR UniformConstant\n%resources = "
                       "OpUntypedVariableKHR %heap UniformConstant\n"
                       "%samplers = OpUntypedVariableKHR %heap UniformConstant\n%size = "
                       "OpConstantSizeOfEXT %uint %image\n"
                       "%images = OpTypeRuntimeArray %image",
                       body);
  };
  const ShaderInterface none = shader_of(text(""));
  CHECK(none.resources.empty());
  CHECK_FALSE(none.usesResourceHeap);
  CHECK_FALSE(none.usesSamplerHeap);
  const ShaderInterface images = shader_of(
      text("%p = OpUntypedAccessChainKHR %heap %images %resources %u0\n%i = OpLoad %image %p"));
  CHECK(images.usesResourceHeap);
  CHECK_FALSE(images.usesSamplerHeap);
  CHECK(shader_of(text("%s = OpLoad %sampler %samplers")).usesSamplerHeap);
}

TEST_CASE("untyped buffer variables are resources like typed ones", "[reflect]") {
  const ShaderInterface shader = shader_of(module_with(
      "OpCapability UntypedPointersKHR\nOpExtension \"SPV_KHR_untyped_pointers\"\n" +
          entry_point("GLCompute") +
          "OpName %v \"words\"\nOpDecorate %v DescriptorSet 1\nOpDecorate %v Binding 2\nOpDecorate "
          "%S Block\n"
          "OpMemberDecorate %S 0 Offset 0\nOpDecorate %r ArrayStride 4\n",
      "%r = OpTypeRuntimeArray %uint\n%S = OpTypeStruct %r\n%p = OpTypeUntypedPointerKHR "
      "StorageBuffer\n"
      "%n = OpConstant %uint 4\n%Ss = OpTypeArray %S %n\n%v = OpUntypedVariableKHR %p "
      "StorageBuffer %Ss",
      "%e = OpUntypedAccessChainKHR %p %Ss %v %u0\n%x = OpUntypedArrayLengthKHR %uint %S %e 0"));
  REQUIRE(shader.resources.size() == 1);
  const Resource& resource = shader.resources[0];
  CHECK(resource.name == "words");
  CHECK(resource.type == DescriptorType::StorageBuffer);
  CHECK(resource.count == 4);
  CHECK(resource.runtimeTailStride == 4);
  CHECK(resource.usesLength);
  CHECK_FALSE(resource.isRead);
  CHECK(shader.entryPoints[0].usedResources == std::vector<uint32_t>{0});
}

TEST_CASE("no word can make reflection misbehave", "[reflect]") {
  Diagnostics assembly;
  const auto good = spirv::assemble(
      module_with(
          entry_point("GLCompute") +
              "OpExecutionMode %main LocalSize 1 1 1\nOpName %v \"v\"\nOpDecorate %v DescriptorSet "
              "0\n"
              "OpDecorate %v Binding 1\nOpDecorate %S Block\nOpMemberDecorate %S 0 Offset 0\n"
              "OpMemberDecorate %S 1 Offset 16\nOpMemberDecorate %S 1 ColMajor\n"
              "OpMemberDecorate %S 1 MatrixStride 8\nOpDecorate %a ArrayStride 4\nOpDecorate %n "
              "SpecId 1\n",
          "%n = OpSpecConstant %uint 3\n%m = OpSpecConstantOp %uint IAdd %n %n\n%a = OpTypeArray "
          "%uint %m\n"
          "%mat = OpTypeMatrix %v2 2\n%S = OpTypeStruct %a %mat\n%Ss = OpTypeArray %S %n\n"
          "%p = OpTypePointer StorageBuffer %Ss\n%pu = OpTypePointer StorageBuffer %uint\n"
          "%v = OpVariable %p StorageBuffer",
          "%e = OpAccessChain %pu %v %u0 %u0 %u0\n%x = OpLoad %uint %e\n%y = OpAtomicIAdd %uint %e "
          "%u0 %u0 %x"),
      {.version = 0x00010500}, "test.spvasm", assembly);
  REQUIRE(good.has_value());
  for (size_t i = spirv::kHeaderWords; i < good->size(); ++i) {
    for (uint32_t value = 0; value < (*good)[3] + 4; ++value) {
      for (const uint32_t word :
           {value, (*good)[i] ^ (1u << (value % 32)), ((*good)[i] & 0xFFFF0000u) | value}) {
        std::vector<uint32_t> words = *good;
        words[i] = word;
        Diagnostics diagnostics;
        const auto module =
            spirv::parse_module(std::as_bytes(std::span(words)), "test.spv", diagnostics);
        if (!module) continue;
        const bool reflected_it = reflect_module(*module, "test.spv", diagnostics).has_value();
        if (reflected_it == diagnostics.has_errors()) FAIL("word " << i << " as " << word);
      }
    }
  }
}

}  // namespace heapsmith::reflect
