// SPDX-License-Identifier: MIT
// Types, arrays, decorations and defects of resource variables (find_resources.cpp,
// classify_type.cpp).
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <format>
#include <string>
#include <string_view>
#include <vector>

#include "reflect/reflect_module.h"
#include "spirv/assemble.h"
#include "spirv/parse.h"

namespace heapsmith::reflect {
namespace {

struct Outcome {
  std::optional<ShaderInterface> shader;
  std::vector<Diagnostic> diagnostics;
};

Outcome reflected(const std::string& text, uint32_t version = 0x00010400) {
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

// A module around those annotations and declarations; nothing is used.
std::string module_with(std::string_view annotations, std::string_view declarations) {
  return std::format(R"(
               OpCapability Shader
               OpMemoryModel Logical GLSL450
               OpEntryPoint GLCompute %main "main"
               OpExecutionMode %main LocalSize 1 1 1
               {}
       %void = OpTypeVoid
         %fn = OpTypeFunction %void
      %float = OpTypeFloat 32
        %int = OpTypeInt 32 1
       %uint = OpTypeInt 32 0
         %v4 = OpTypeVector %float 4
          %4 = OpConstant %uint 4
               {}
       %main = OpFunction %void None %fn
          %l = OpLabel
               OpReturn
               OpFunctionEnd
)",
                     annotations, declarations);
}

constexpr std::string_view kPlace =
    "OpName %v \"thing\"\nOpDecorate %v DescriptorSet 2\nOpDecorate %v Binding 3\n";
constexpr std::string_view kBlock = "OpDecorate %S Block\nOpMemberDecorate %S 0 Offset 0\n";

std::string variable(std::string_view type, std::string_view storage) {
  return std::format("{}\n%p = OpTypePointer {} %T\n%v = OpVariable %p {}\n", type, storage,
                     storage);
}

Resource only_resource(const std::string& text) {
  const Outcome outcome = reflected(text);
  for (const Diagnostic& diagnostic : outcome.diagnostics)
    UNSCOPED_INFO(diagnostic.text);
  REQUIRE(outcome.shader.has_value());
  REQUIRE(outcome.shader->resources.size() == 1);
  return outcome.shader->resources[0];
}

}  // namespace

TEST_CASE("descriptor types follow from types, storage classes and decorations", "[reflect]") {
  struct Case {
    const char* type;
    const char* storage;
    const char* annotations;
    DescriptorType descriptor;
    ResourceKind kind;
  };
  using enum DescriptorType;
  const Case cases[] = {
      {"%T = OpTypeSampler", "UniformConstant", "", Sampler, ResourceKind::Sampler},
      {"%T = OpTypeImage %float 2D 0 0 0 1 Unknown", "UniformConstant", "", SampledImage,
       ResourceKind::SampledImage},
      {"%T = OpTypeImage %float Buffer 0 0 0 1 Unknown", "UniformConstant", "", UniformTexelBuffer,
       ResourceKind::SampledImage},
      {"%T = OpTypeImage %float 2D 0 0 0 2 Rgba8", "UniformConstant", "", StorageImage,
       ResourceKind::ReadWriteImage},
      {"%T = OpTypeImage %float 2D 0 0 0 2 Rgba8", "UniformConstant", "OpDecorate %v NonWritable",
       StorageImage, ResourceKind::ReadOnlyImage},
      {"%T = OpTypeImage %float Buffer 0 0 0 2 Rgba8", "UniformConstant", "", StorageTexelBuffer,
       ResourceKind::ReadWriteImage},
      {"%T = OpTypeImage %float SubpassData 0 0 0 2 Unknown", "UniformConstant",
       "OpDecorate %v InputAttachmentIndex 1", InputAttachment, ResourceKind::ReadWriteImage},
      {"%i = OpTypeImage %float Cube 1 1 0 1 Unknown\n%T = OpTypeSampledImage %i",
       "UniformConstant", "", CombinedImageSampler, ResourceKind::CombinedSampledImage},
      {"%i = OpTypeImage %float Buffer 0 0 0 1 Unknown\n%T = OpTypeSampledImage %i",
       "UniformConstant", "", UniformTexelBuffer, ResourceKind::CombinedSampledImage},
      {"%T = OpTypeAccelerationStructureKHR", "UniformConstant", "", AccelerationStructureKHR,
       ResourceKind::AccelerationStructure},
      {"%T = OpTypeTensorARM %float %4", "UniformConstant", "", TensorARM, ResourceKind::TensorARM},
      {"%T = OpTypeStruct %v4", "Uniform", "OpDecorate %T Block\nOpMemberDecorate %T 0 Offset 0",
       UniformBuffer, ResourceKind::UniformBuffer},
      {"%T = OpTypeStruct %v4", "Uniform",
       "OpDecorate %T BufferBlock\nOpMemberDecorate %T 0 Offset 0", StorageBuffer,
       ResourceKind::ReadWriteStorageBuffer},
      {"%T = OpTypeStruct %v4", "StorageBuffer",
       "OpDecorate %T Block\nOpMemberDecorate %T 0 Offset 0", StorageBuffer,
       ResourceKind::ReadWriteStorageBuffer},
      {"%T = OpTypeStruct %v4", "StorageBuffer",
       "OpDecorate %v NonWritable\nOpDecorate %T Block\nOpMemberDecorate %T 0 Offset 0",
       StorageBuffer, ResourceKind::ReadOnlyStorageBuffer},
      // Drivers look at the variable only, and so does the kind.
      {"%T = OpTypeStruct %v4", "StorageBuffer",
       "OpMemberDecorate %T 0 NonWritable\nOpDecorate %T Block\nOpMemberDecorate %T 0 Offset 0",
       StorageBuffer, ResourceKind::ReadWriteStorageBuffer},
  };
  for (const Case& each : cases) {
    INFO(each.type << " " << each.storage << " " << each.annotations);
    const Resource resource = only_resource(
        module_with(std::string(kPlace) + each.annotations, variable(each.type, each.storage)));
    CHECK(resource.name == "thing");
    CHECK(resource.set == 2);
    CHECK(resource.binding == 3);
    CHECK(resource.type == each.descriptor);
    CHECK(resource.kind == each.kind);
    CHECK(resource.arrayKind == ArrayKind::None);
    CHECK(resource.count == 1);
    CHECK(resource.dims.empty());
  }
}

TEST_CASE("facts about images are those of the image type", "[reflect]") {
  const Resource shadow = only_resource(module_with(
      kPlace, variable("%i = OpTypeImage %float 2D 1 1 1 1 Unknown\n%T = OpTypeSampledImage %i",
                       "UniformConstant")));
  REQUIRE(shadow.image.has_value());
  CHECK(shadow.image->dim == 1);
  CHECK(shadow.image->depth == 1);
  CHECK(shadow.image->arrayed);
  CHECK(shadow.image->multisampled);
  CHECK(shadow.image->sampled == 1);
  CHECK(shadow.image->sampledType == "float32");

  const Resource ids = only_resource(module_with(
      std::string(kPlace) + "OpDecorate %v InputAttachmentIndex 5",
      variable("%T = OpTypeImage %uint SubpassData 2 0 1 2 Unknown", "UniformConstant")));
  CHECK(ids.inputAttachmentIndex == 5u);
  CHECK(ids.image->depth == 2);
  CHECK(ids.image->sampledType == "uint32");
}

TEST_CASE("descriptor arrays are flattened and their lengths evaluated", "[reflect]") {
  const std::string image = "%i = OpTypeImage %float 2D 0 0 0 1 Unknown\n";
  const std::string spec = "OpDecorate %n SpecId 8\nOpDecorate %m SpecId 2\n";
  struct Case {
    std::string types;
    ArrayKind kind;
    std::vector<uint32_t> dims;
    uint64_t count;
    std::vector<uint32_t> specIds;
  };
  const Case cases[] = {
      {"%T = OpTypeArray %i %4", ArrayKind::Fixed, {4}, 4, {}},
      {"%6 = OpConstant %uint 6\n%a = OpTypeArray %i %4\n%T = OpTypeArray %a %6",
       ArrayKind::Fixed,
       {6, 4},
       24,
       {}},
      {"%T = OpTypeRuntimeArray %i", ArrayKind::Runtime, {0}, 0, {}},
      {"%a = OpTypeArray %i %4\n%T = OpTypeRuntimeArray %a", ArrayKind::Runtime, {0, 4}, 0, {}},
      {"%n = OpSpecConstant %uint 3\n%T = OpTypeArray %i %n",
       ArrayKind::Specialization,
       {3},
       3,
       {8}},
      {"%n = OpSpecConstant %uint 3\n%m = OpSpecConstant %uint 5\n%o = OpSpecConstantOp %uint IMul "
       "%n %m\n"
       "%a = OpTypeArray %i %4\n%T = OpTypeArray %a %o",
       ArrayKind::Specialization,
       {15, 4},
       60,
       {2, 8}},
      {"%b = OpConstant %uint 0xFFFFFFFF\n%T = OpTypeArray %i %b",
       ArrayKind::Fixed,
       {0xFFFFFFFF},
       0xFFFFFFFF,
       {}},
      {"%b = OpConstant %uint 0x10000\n%a = OpTypeArray %i %b\n%T = OpTypeArray %a %b",
       ArrayKind::Fixed,
       {0x10000, 0x10000},
       0x100000000,
       {}},
  };
  for (const Case& each : cases) {
    INFO(each.types);
    const std::string used = each.specIds.empty() ? std::string() : spec;
    const std::string dummies =
        each.specIds.size() == 1 ? "%m = OpSpecConstant %uint 1\n" : std::string();
    const Resource resource = only_resource(module_with(
        std::string(kPlace) + used, variable(image + dummies + each.types, "UniformConstant")));
    CHECK(resource.arrayKind == each.kind);
    CHECK(resource.dims == each.dims);
    CHECK(resource.count == each.count);
    CHECK(resource.sizeSpecIds == each.specIds);
    CHECK(resource.type == DescriptorType::SampledImage);
  }
}

TEST_CASE("arrays in a block are contents and no descriptors", "[reflect]") {
  const Resource resource = only_resource(
      module_with(std::string(kPlace) + std::string(kBlock) + "OpDecorate %a ArrayStride 4",
                  variable("%3 = OpConstant %uint 3\n%a = OpTypeArray %float %4\n%S = OpTypeStruct "
                           "%a\n%T = OpTypeArray %S %3",
                           "StorageBuffer")));
  CHECK(resource.count == 3);
  CHECK(resource.blockSize == 16);
}

TEST_CASE("a resource without a name of its own takes its block's, or its place", "[reflect]") {
  const std::string place = "OpDecorate %v DescriptorSet 2\nOpDecorate %v Binding 3\n";
  const std::string types = variable("%S = OpTypeStruct %v4\n%T = OpTypeArray %S %4", "Uniform");
  CHECK(only_resource(module_with(place + std::string(kBlock), types)).name == "set2_binding3");
  const Resource named = only_resource(
      module_with("OpName %S \"Lights\"\nOpName %v \"\"\n" + place + std::string(kBlock), types));
  CHECK(named.name == "Lights");
  CHECK(named.blockName == "Lights");
}

TEST_CASE("read-only and write-only may be said by the variable or by all members", "[reflect]") {
  const std::string block =
      "OpDecorate %T Block\nOpMemberDecorate %T 0 Offset 0\nOpMemberDecorate %T 1 Offset 16\n";
  const std::string types = variable("%T = OpTypeStruct %v4 %v4", "StorageBuffer");
  const auto with = [&](const char* more) {
    return only_resource(module_with(std::string(kPlace) + block + more, types));
  };
  CHECK_FALSE(with("").readOnly);
  CHECK_FALSE(with("OpMemberDecorate %T 1 NonWritable").readOnly);
  CHECK(with("OpMemberDecorate %T 1 NonWritable\nOpMemberDecorate %T 0 NonWritable").readOnly);
  CHECK(with("OpDecorate %v NonWritable").readOnly);
  CHECK_FALSE(with("OpMemberDecorate %T 0 NonReadable").writeOnly);
  CHECK(with("OpMemberDecorate %T 0 NonReadable\nOpMemberDecorate %T 1 NonReadable").writeOnly);
  CHECK(with("OpDecorate %v NonReadable").writeOnly);
}

TEST_CASE("decorations of groups count like one's own", "[reflect]") {
  const Resource resource = only_resource(module_with(
      "OpDecorate %g DescriptorSet 2\nOpDecorate %g Binding 3\n%g = "
      "OpDecorationGroup\nOpGroupDecorate %g %v\n"
      "OpDecorate %S Block\nOpDecorate %h Offset 0\n%h = OpDecorationGroup\nOpGroupMemberDecorate "
      "%h %S 0\n",
      "%S = OpTypeStruct %v4\n%p = OpTypePointer Uniform %S\n%v = OpVariable %p Uniform\n"));
  CHECK(resource.set == 2);
  CHECK(resource.binding == 3);
  CHECK(resource.blockSize == 16);
}

TEST_CASE("resources are listed by set, binding and id, whatever their numbers", "[reflect]") {
  const Outcome outcome =
      reflected(module_with("OpDecorate %a DescriptorSet 4294967294\nOpDecorate %a Binding 1\n"
                            "OpDecorate %b DescriptorSet 0\nOpDecorate %b Binding 4000000000\n"
                            "OpDecorate %c DescriptorSet 0\nOpDecorate %c Binding 7\nOpDecorate %d "
                            "DescriptorSet 0\nOpDecorate %d Binding 7",
                            "%s = OpTypeSampler\n%p = OpTypePointer UniformConstant %s\n%a = "
                            "OpVariable %p UniformConstant\n"
                            "%d = OpVariable %p UniformConstant\n%c = OpVariable %p "
                            "UniformConstant\n%b = OpVariable %p UniformConstant"));
  REQUIRE(outcome.shader.has_value());
  const auto& resources = outcome.shader->resources;
  REQUIRE(resources.size() == 4);
  CHECK(resources[0].binding == 7);
  CHECK(resources[1].binding == 7);
  CHECK(resources[0].id < resources[1].id);
  CHECK(resources[2].binding == 4000000000u);
  CHECK(resources[3].set == 4294967294u);
}

TEST_CASE("defects of decorations are named with the variable", "[reflect]") {
  struct Case {
    const char* annotations;
    const char* types;
    const char* storage;
    Code code;
    const char* text;
  };
  const std::string good =
      "OpName %v \"thing\"\nOpDecorate %v DescriptorSet 2\nOpDecorate %v Binding 3\n";
  constexpr const char* kStruct = "%T = OpTypeStruct %v4";
  constexpr const char* kSampler = "%T = OpTypeSampler";
  const Case cases[] = {
      {"OpName %v \"thing\"\nOpDecorate %v Binding 3", kSampler, "UniformConstant",
       Code::ResourceDecoration, "no DescriptorSet"},
      {"OpName %v \"thing\"\nOpDecorate %v DescriptorSet 3", kSampler, "UniformConstant",
       Code::ResourceDecoration, "no Binding"},
      {"OpName %v \"thing\"\nOpDecorate %v DescriptorSet 3\nOpDecorate %v Binding 1\nOpDecorate %v "
       "Binding 2",
       kSampler, "UniformConstant", Code::ResourceDecoration, "2 Binding"},
      {"OpName %v \"thing\"\nOpDecorate %v DescriptorSet 3\nOpDecorate %v DescriptorSet "
       "3\nOpDecorate %v Binding 2",
       kSampler, "UniformConstant", Code::ResourceDecoration, "2 DescriptorSet"},
      {"OpName %v \"thing\"\nOpDecorate %v DescriptorSet 3\nOpDecorate %v Binding 2\nOpDecorate %v "
       "Location 0",
       kSampler, "UniformConstant", Code::ResourceDecoration, "Location"},
      {"@OpMemberDecorate %T 0 Offset 0", kStruct, "Uniform", Code::ResourceDecoration,
       "neither a Block"},
      {"@OpDecorate %T Block", kStruct, "Uniform", Code::BlockLayout, "member 0 has no Offset"},
      {"@OpDecorate %T BufferBlock\nOpMemberDecorate %T 0 Offset 0", kStruct, "StorageBuffer",
       Code::ResourceDecoration, "BufferBlock"},
      {"@OpDecorate %T Block\nOpDecorate %T BufferBlock\nOpMemberDecorate %T 0 Offset 0", kStruct,
       "Uniform", Code::ResourceDecoration, "BufferBlock"},
      {"@", "%T = OpTypeVector %float 2", "Uniform", Code::UnsupportedResource, "no structure"},
      {"@", "%T = OpTypeVector %float 2", "UniformConstant", Code::UnsupportedResource,
       "none that a descriptor has"},
      {"@", "%T = OpTypeImage %float 2D 0 0 0 0 Unknown", "UniformConstant",
       Code::UnsupportedResource, "used with a sampler"},
      {"@", "%s = OpTypeSampler\n%0 = OpConstant %uint 0\n%T = OpTypeArray %s %0",
       "UniformConstant", Code::UnsupportedResource, "array length is 0"},
      {"@", "%s = OpTypeSampler\n%f = OpSpecConstant %float 3\n%T = OpTypeArray %s %f",
       "UniformConstant", Code::UnsupportedResource, "cannot be evaluated"},
  };
  for (const Case& each : cases) {
    const std::string_view own = each.annotations;
    const std::string annotations =
        own.starts_with('@') ? good + std::string(own.substr(1)) : std::string(own);
    INFO(annotations << "\n" << each.types);
    const Outcome outcome = reflected(module_with(annotations, variable(each.types, each.storage)));
    CHECK_FALSE(outcome.shader.has_value());
    REQUIRE(outcome.diagnostics.size() == 1);
    const Diagnostic& diagnostic = outcome.diagnostics[0];
    CHECK(diagnostic.code == each.code);
    CHECK(diagnostic.place.file == "test.spv");
    CHECK(diagnostic.place.resource == "thing");
    CHECK(diagnostic.text.find("'thing'") != std::string::npos);
    CHECK(diagnostic.text.find(each.text) != std::string::npos);
  }
}

TEST_CASE("all defects of all variables are reported in one run", "[reflect]") {
  const Outcome outcome = reflected(
      module_with("OpDecorate %v Binding 1\nOpDecorate %v Binding 2\nOpDecorate %v Location 0\n"
                  "OpName %w \"other\"\nOpDecorate %w DescriptorSet 0",
                  "%T = OpTypeStruct %v4\n%p = OpTypePointer Uniform %T\n%v = OpVariable %p "
                  "Uniform\n%w = OpVariable %p Uniform"));
  CHECK(outcome.diagnostics.size() ==
        6);  // 4 of %v: set, bindings, location, block; 2 of %w: binding, block
  const auto names_it = [](const Diagnostic& d) { return d.place.resource == "other"; };
  CHECK(std::ranges::count_if(outcome.diagnostics, names_it) == 2);
  const bool named_by_id = outcome.diagnostics[0].place.resource.starts_with('%');
  CHECK(named_by_id);
}

TEST_CASE("counter buffers are linked, and one on the same binding is a warning", "[reflect]") {
  const auto text = [](const char* counterBinding) {
    return module_with(
        std::format(
            "OpName %v \"queue\"\nOpDecorate %v DescriptorSet 0\nOpDecorate %v Binding 0\n"
            "OpName %c \"counter\"\nOpDecorate %c DescriptorSet 0\nOpDecorate %c Binding {}\n"
            "OpDecorateId %v CounterBuffer %c\nOpDecorate %T Block\nOpMemberDecorate %T 0 Offset "
            "0\n"
            "OpDecorateString %v UserTypeGOOGLE \"appendstructuredbuffer:<uint>\"",
            counterBinding),
        "%T = OpTypeStruct %uint\n%p = OpTypePointer StorageBuffer %T\n"
        "%v = OpVariable %p StorageBuffer\n%c = OpVariable %p StorageBuffer");
  };
  const Outcome apart = reflected(text("1"));
  REQUIRE(apart.shader.has_value());
  CHECK(apart.diagnostics.empty());
  CHECK(apart.shader->resources[0].counterBuffer == "counter");
  CHECK(apart.shader->resources[0].userType == "appendstructuredbuffer:<uint>");
  CHECK(apart.shader->resources[1].counterBuffer.empty());

  const Outcome aliased = reflected(text("0"));
  REQUIRE(aliased.shader.has_value());
  CHECK(aliased.shader->resources.size() == 2);
  REQUIRE(aliased.diagnostics.size() == 1);
  CHECK(aliased.diagnostics[0].code == Code::AliasedCounter);
  CHECK(aliased.diagnostics[0].severity == Severity::Warning);
  CHECK(aliased.diagnostics[0].place.resource == "queue");
}

TEST_CASE("counter buffers are known by their names where no decoration links them", "[reflect]") {
  const auto text = [](const char* name, const char* binding) {
    return module_with(
        std::format("OpName %v \"queue\"\nOpDecorate %v DescriptorSet 0\nOpDecorate %v Binding 0\n"
                    "OpName %c \"{}\"\nOpDecorate %c DescriptorSet 0\nOpDecorate %c Binding {}\n"
                    "OpName %o \"other\"\nOpDecorate %o DescriptorSet 0\nOpDecorate %o Binding 2\n"
                    "OpDecorate %T Block\nOpMemberDecorate %T 0 Offset 0",
                    name, binding),
        "%T = OpTypeStruct %uint\n%p = OpTypePointer StorageBuffer %T\n"
        "%v = OpVariable %p StorageBuffer\n%c = OpVariable %p StorageBuffer\n"
        "%o = OpVariable %p StorageBuffer");
  };
  for (const char* name : {"queue@count", "counter.var.queue"}) {
    const Outcome apart = reflected(text(name, "1"));
    REQUIRE(apart.shader.has_value());
    CHECK(apart.diagnostics.empty());
    CHECK(apart.shader->resources[0].counterBuffer == name);
    CHECK(apart.shader->resources[1].counterBuffer.empty());
  }
  const Outcome beside = reflected(text("queue@count", "2"));
  REQUIRE(beside.diagnostics.size() == 1);
  CHECK(beside.diagnostics[0].code == Code::AliasedCounter);
  CHECK(beside.diagnostics[0].text.starts_with(
      "'queue@count', the counter buffer of 'queue', and 'other' have the same set and binding"));
  CHECK(beside.diagnostics[0].place.resource == "queue@count");
  const Outcome unrelated = reflected(text("counted", "2"));
  CHECK(unrelated.diagnostics.empty());
}

TEST_CASE("what is no resource is not listed", "[reflect]") {
  const Outcome outcome = reflected(
      module_with("OpDecorate %T Block\nOpMemberDecorate %T 0 Offset 0",
                  "%T = OpTypeStruct %v4\n%p1 = OpTypePointer ShaderRecordBufferKHR %T\n%1 = "
                  "OpVariable %p1 ShaderRecordBufferKHR\n"
                  "%p2 = OpTypePointer RayPayloadKHR %T\n%2 = OpVariable %p2 RayPayloadKHR\n"
                  "%p3 = OpTypePointer TaskPayloadWorkgroupEXT %T\n%3 = OpVariable %p3 "
                  "TaskPayloadWorkgroupEXT\n"
                  "%p5 = OpTypePointer Workgroup %T\n%5 = OpVariable %p5 Workgroup\n"
                  "%p6 = OpTypePointer Private %T\n%6 = OpVariable %p6 Private"));
  REQUIRE(outcome.shader.has_value());
  CHECK(outcome.shader->resources.empty());
}

}  // namespace heapsmith::reflect
