// SPDX-License-Identifier: MIT
#include "driver/emit_glsl.h"

#include "compiler/driver/glsl_forms.h"
#include "compiler/rewrite/rewritten.h"
#include "compiler/spirv/module_text.h"

namespace heapsmith::driver {
namespace {

using test::compiled;
using test::glsl_error;
using test::glsl_of;
using test::glsl_text;
using test::has;

constexpr ShaderStage kFragment = ShaderStage::Fragment;

std::string name(const std::string& file, std::vector<reflect::EntryPoint> entryPoints,
                 size_t index = 0) {
  return glsl_name(file, entryPoints, index);
}

}  // namespace

TEST_CASE("GLSL is named after the module's file", "[glsl]") {
  const std::vector<reflect::EntryPoint> one = {{.name = "main", .stage = kFragment}};
  CHECK(name("knot.frag.spv", one) == "knot.frag.glsl");
  CHECK(name("knot.frag.glsl.spv", one) == "knot.frag.glsl");
  CHECK(name("knot.spv", one) == "knot.frag.glsl");
  CHECK(name("knot.vert.spv", one) == "knot.vert.frag.glsl");
  CHECK(name("a/b.fragment.spv", one) == "a/b.fragment.glsl");
  CHECK(name("frag.spv", one) == "frag.frag.glsl");
  const std::vector<reflect::EntryPoint> two = {{.name = "bright", .stage = kFragment},
                                                {.name = "a::b c", .stage = ShaderStage::Vertex}};
  CHECK(name("knot.frag.spv", two, 0) == "knot.bright.frag.glsl");
  CHECK(name("knot.frag.spv", two, 1) == "knot.frag.a__b_c.vert.glsl");
  CHECK(name("knot.spv", two, 1) == "knot.a__b_c.vert.glsl");
}

TEST_CASE("arrays in heaps are named after what they hold", "[glsl]") {
  const std::string text = glsl_text(R"(
      layout(set = 0, binding = 0) uniform texture2D color;
      layout(set = 0, binding = 1) uniform texture2D other;
      layout(set = 0, binding = 2) uniform sampler smooth_;
      layout(set = 0, binding = 3) uniform usamplerBuffer texels;
      layout(set = 0, binding = 4) buffer Result { vec4 texture2DHeap; } result;
      void main() {
        vec4 sum = texture(sampler2D(color, smooth_), vec2(0.5));
        sum += texture(sampler2D(other, smooth_), vec2(0.5));
        result.texture2DHeap = sum + vec4(texelFetch(texels, 0));
      })");
  CHECK(has(text, "layout(descriptor_heap) uniform texture2D texture2DHeap2[];\n"));
  CHECK(has(text, "layout(descriptor_heap) uniform sampler samplerHeap[];\n"));
  CHECK(has(text, "layout(descriptor_heap) uniform utextureBuffer utextureBufferHeap[];\n"));
  CHECK(has(text, "} ResultHeap[];\n"));
  CHECK(has(text, "ResultHeap[firstBuffer].texture2DHeap = "));
  CHECK(has(text, "sampler2D(texture2DHeap2[1u], samplerHeap[0u])"));
  CHECK_FALSE(has(text, "spv"));
}

TEST_CASE("GLSL is told where buffers begin, if images come before them", "[glsl]") {
  const std::string image = "layout(set = 0, binding = 0, r32ui) uniform uimage2D image;\n";
  const std::string buffer = "layout(set = 0, binding = 1) buffer Block { uint n; } block;\n";
  const std::string both =
      image + buffer + "void main() { block.n = imageLoad(image, ivec2(0)).x; }";
  const auto outcome = glsl_of(compiled(both));
  REQUIRE(outcome.texts.size() == 1);
  const std::string& text = outcome.texts[0].text;
  CHECK(has(text, "layout(constant_id = 65536) const uint firstBuffer = 0u;\n"));
  CHECK(
      has(text,
          "// To be set whenever a pipeline is created, as vulkan_specialization() does:\n"
          "//   constant_id 65536: firstBuffer, the first slot of the buffer region: (n *\n"
          "//     imageDescriptorSize + bufferDescriptorSize - 1) / bufferDescriptorSize, n being "
          "the slots\n"
          "//     of the image region: 1 without overrides\n"));
  REQUIRE(outcome.constants.size() == 1);
  CHECK(outcome.constants[0].specId == 65536);
  CHECK(outcome.constants[0].number == SlotNumber::RegionFirstSlot);
  CHECK(outcome.constants[0].descriptorClass == DescriptorClass::Buffer);

  const auto alone = glsl_of(compiled(buffer + "void main() { block.n = 1; }"));
  REQUIRE(alone.texts.size() == 1);
  CHECK(alone.constants.empty());
  CHECK_FALSE(has(alone.texts[0].text, "constant_id"));
}

TEST_CASE("GLSL has the constants that overrides set", "[glsl]") {
  plan::Policy policy;
  policy.runtimeArrayCapacity = 4;
  const auto outcome = glsl_of(compiled(R"(
      #extension GL_EXT_nonuniform_qualifier : require
      #extension GL_EXT_samplerless_texture_functions : require
      layout(set = 0, binding = 0) uniform texture2D many[];
      layout(set = 0, binding = 1) uniform texture2D one;
      layout(set = 0, binding = 2) buffer Block { vec4 sum; } block;
      void main() {
        block.sum = texelFetch(many[gl_GlobalInvocationID.x], ivec2(0), 0) +
                    texelFetch(one, ivec2(0), 0);
      })"),
                               policy);
  INFO(outcome.error);
  REQUIRE(outcome.texts.size() == 1);
  std::vector<SlotNumber> numbers;
  for (const SlotConstant& constant : outcome.constants)
    numbers.push_back(constant.number);
  CHECK(numbers == std::vector{SlotNumber::RegionSlots, SlotNumber::ResourceSlot,
                               SlotNumber::RegionFirstSlot});
  CHECK(has(outcome.texts[0].text, "the first slot of 'one' in its region\n"));
  CHECK(has(outcome.texts[0].text, "// To be set if the heaps have other capacities"));
}

TEST_CASE("GLSL keeps what is said of memory", "[glsl]") {
  const std::string text = glsl_text(R"(
      layout(set = 0, binding = 2, r32ui) restrict readonly uniform uimage2D source;
      layout(set = 0, binding = 3, r32ui) uniform uimage2D own;
      layout(set = 0, binding = 4) writeonly uniform image2D target;
      layout(set = 0, binding = 5) volatile buffer Whole { uint n; } whole;
      layout(set = 0, binding = 6) buffer Part { coherent uint a; uint b; } part;
      void main() {
        imageStore(own, ivec2(0), imageLoad(source, ivec2(0)));
        imageStore(target, ivec2(0), vec4(1));
        whole.n = part.a;
        part.b = 1;
      })");
  CHECK(has(text, "layout(descriptor_heap, r32ui) restrict readonly uniform uimage2D "));
  CHECK(has(text, "layout(descriptor_heap, r32ui) uniform uimage2D "));
  CHECK(has(text, "layout(descriptor_heap) writeonly uniform image2D "));
  CHECK(has(text, "layout(descriptor_heap, std430) volatile coherent buffer "));
  CHECK(has(text, "layout(descriptor_heap, std430) coherent buffer Part\n"));
}

TEST_CASE("functions that are handed variables get slots", "[glsl]") {
  const std::string text = glsl_text(R"(
      layout(set = 0, binding = 0) writeonly uniform image2D target;
      void put(writeonly image2D image) { imageStore(image, ivec2(0), vec4(1)); }
      void main() { put(target); })");
  CHECK(has(text, "layout(descriptor_heap) writeonly uniform image2D "));
  CHECK(has(text, "void put(uint "));
}

TEST_CASE("each entry point of a module has a text", "[glsl]") {
  const auto outcome = glsl_of(spirv::test::words_of(R"(
      OpCapability Shader
      OpMemoryModel Logical GLSL450
      OpEntryPoint GLCompute %one "one"
      OpEntryPoint GLCompute %two "two"
      OpExecutionMode %one LocalSize 1 1 1
      OpExecutionMode %two LocalSize 8 1 1
      OpName %a "a"
      OpName %b "b"
      OpDecorate %Block Block
      OpMemberDecorate %Block 0 Offset 0
      OpDecorate %a DescriptorSet 0
      OpDecorate %a Binding 0
      OpDecorate %b DescriptorSet 0
      OpDecorate %b Binding 1
      %void = OpTypeVoid
      %function = OpTypeFunction %void
      %uint = OpTypeInt 32 0
      %zero = OpConstant %uint 0
      %Block = OpTypeStruct %uint
      %toBlock = OpTypePointer StorageBuffer %Block
      %toUint = OpTypePointer StorageBuffer %uint
      %a = OpVariable %toBlock StorageBuffer
      %b = OpVariable %toBlock StorageBuffer
      %one = OpFunction %void None %function
      %l1 = OpLabel
      %p1 = OpAccessChain %toUint %a %zero
      OpStore %p1 %zero
      OpReturn
      OpFunctionEnd
      %two = OpFunction %void None %function
      %l2 = OpLabel
      %p2 = OpAccessChain %toUint %b %zero
      OpStore %p2 %zero
      OpReturn
      OpFunctionEnd)"));
  INFO(outcome.error);
  REQUIRE(outcome.texts.size() == 2);
  CHECK(outcome.texts[0].file == "test.one.comp.glsl");
  CHECK(outcome.texts[1].file == "test.test_two.two.comp.glsl");
  CHECK(has(outcome.texts[0].text, "local_size_x = 1,"));
  CHECK(has(outcome.texts[0].text, "Heap[0u]"));
  CHECK(has(outcome.texts[1].text, "local_size_x = 8,"));
  CHECK(has(outcome.texts[1].text, "Heap[1u]"));
}

// What `before` is used for stands behind `change` in the module.
TEST_CASE("what is read stays before what is written, and before barriers", "[glsl]") {
  const auto text_with = [](const std::string& change) {
    const auto outcome = glsl_of(spirv::test::words_of(R"(
      OpCapability Shader
      OpMemoryModel Logical GLSL450
      OpEntryPoint GLCompute %main "main"
      OpExecutionMode %main LocalSize 8 1 1
      OpName %read "Read"
      OpName %write "Write"
      OpDecorate %read Block
      OpMemberDecorate %read 0 Offset 0
      OpDecorate %write Block
      OpMemberDecorate %write 0 Offset 0
      OpDecorate %a DescriptorSet 0
      OpDecorate %a Binding 0
      OpDecorate %b DescriptorSet 0
      OpDecorate %b Binding 1
      %void = OpTypeVoid
      %function = OpTypeFunction %void
      %uint = OpTypeInt 32 0
      %zero = OpConstant %uint 0
      %two = OpConstant %uint 2
      %seven = OpConstant %uint 7
      %semantics = OpConstant %uint 0x48
      %read = OpTypeStruct %uint
      %write = OpTypeStruct %uint
      %toRead = OpTypePointer StorageBuffer %read
      %toWrite = OpTypePointer StorageBuffer %write
      %toUint = OpTypePointer StorageBuffer %uint
      %a = OpVariable %toRead StorageBuffer
      %b = OpVariable %toWrite StorageBuffer
      %main = OpFunction %void None %function
      %l = OpLabel
      %p = OpAccessChain %toUint %a %zero
      %q = OpAccessChain %toUint %b %zero
      %before = OpLoad %uint %p
      )" + change + R"(
      OpStore %q %before
      OpReturn
      OpFunctionEnd)"));
    INFO(outcome.error);
    REQUIRE(outcome.texts.size() == 1);
    return outcome.texts[0].text;
  };
  const auto is_first = [](const std::string& text, const std::string& change) {
    const size_t read = text.find("ReadHeap[0u]");
    const size_t changed = text.find(change);
    return read != std::string::npos && changed != std::string::npos && read < changed;
  };
  CHECK(is_first(text_with("OpStore %q %seven"), "= 7u;"));
  CHECK(is_first(text_with("%x = OpAtomicIAdd %uint %q %two %zero %seven"), "atomicAdd("));
  CHECK(is_first(text_with("OpControlBarrier %two %two %semantics"), "barrier();"));
}

// glslang wants it for arrays in heaps too, which need none.
TEST_CASE("a feature that only the GLSL needs is told", "[glsl]") {
  const std::string text = glsl_text(R"(
      layout(set = 0, binding = 0) uniform usamplerBuffer texels[4];
      layout(set = 0, binding = 1) buffer Block { uint n; } block;
      void main() { block.n = texelFetch(texels[1], int(block.n)).x; })");
  CHECK_FALSE(has(text, "The device must have"));
  plan::Policy policy;
  policy.setRules.push_back(
      {.match = {}, .wish = {.residence = Residence::Indexed, .instances = 2}});
  const auto picked = glsl_of(compiled(R"(
      layout(set = 0, binding = 0) uniform usamplerBuffer texels;
      layout(set = 0, binding = 1) buffer Block { uint n; } block;
      void main() { block.n = texelFetch(texels, int(block.n)).x; })"),
                              policy);
  INFO(picked.error);
  REQUIRE(picked.texts.size() == 1);
  CHECK(has(picked.texts[0].text,
            "// The device must have the feature shaderUniformTexelBufferArrayDynamicIndexing.\n"));
}

TEST_CASE("addresses of other types can be written as GLSL", "[glsl]") {
  const std::string text = glsl_text(R"(
      #extension GL_EXT_buffer_reference : require
      layout(buffer_reference, std430) buffer Leaf { uint n; };
      layout(buffer_reference, std430) buffer Node { Leaf leaves[2]; };
      layout(set = 0, binding = 0) buffer Block { Node first; } block;
      void main() { block.first.leaves[1].n = 1; })");
  CHECK(has(text, "layout(buffer_reference) buffer Leaf;\n"));
  CHECK(has(text, ".leaves[1];\n"));
}

TEST_CASE("integers of several widths can be written as GLSL", "[glsl]") {
  const std::string text = glsl_text(R"(
      #extension GL_EXT_shader_explicit_arithmetic_types : require
      layout(set = 0, binding = 0) buffer Block { uint8_t a; uint n; u16vec2 halves; int packed_; };
      void main() {
        a = a >> n;
        packed_ = int(packUint2x16(halves));
      })");
  CHECK(has(text, " >> uint8_t("));
}

TEST_CASE("arrays that constants size are copied in GLSL", "[glsl]") {
  const std::string text = glsl_text(R"(
      layout(constant_id = 0) const uint kCount = 4;
      layout(set = 0, binding = 0) buffer Block { uint i; uint n; } block;
      uint sum(uint values[kCount]) {
        uint all = 0;
        for (uint i = 0; i < kCount; i++) all += values[i];
        return all;
      }
      void main() {
        uint values[kCount];
        for (uint i = 0; i < kCount; i++) values[i] = i * block.i;
        block.n = sum(values);
      })");
  CHECK(has(text, "void copy(uint from[kCount], inout uint to[kCount])\n"));
}

TEST_CASE("structures go from stage to stage by locations, not names", "[glsl]") {
  const std::string text = glsl_text(R"(
      layout(set = 0, binding = 0) uniform sampler2D picture;
      layout(location = 0) in struct { vec4 color; vec2 uv; } In;
      layout(location = 0) out vec4 color;
      void main() { color = In.color * texture(picture, In.uv); })",
                                     kFragment);
  CHECK(has(text, "In.color * texture("));
}

TEST_CASE("textures are asked for sizes without a sampler", "[glsl]") {
  const std::string text = glsl_text(R"(
      #extension GL_EXT_samplerless_texture_functions : require
      layout(set = 0, binding = 0) uniform texture2D picture;
      layout(set = 0, binding = 1) buffer Block { ivec2 size; int levels; };
      void main() { size = textureSize(picture, 0); levels = textureQueryLevels(picture); })");
  CHECK(has(text, "#extension GL_EXT_samplerless_texture_functions : require\n"));
}

TEST_CASE("features that only GLSL needs are said", "[glsl]") {
  const auto outcome = glsl_of(compiled(R"(
      #extension GL_EXT_shader_16bit_storage : require
      layout(set = 0, binding = 0) buffer Block { f16vec2 halves; vec2 whole; } block;
      void main() { block.whole = vec2(block.halves); })"));
  INFO(outcome.error);
  REQUIRE(outcome.texts.size() == 1);
  CHECK(has(outcome.texts[0].text, "// The device must have the feature shaderFloat16.\n"));
  CHECK(outcome.warnings ==
        std::vector<std::string>{"HS6003 its GLSL needs the device feature shaderFloat16, which "
                                 "the shader does not"});
}

TEST_CASE("what cannot be written as GLSL is refused", "[glsl]") {
  CHECK(glsl_error(R"(
      #extension GL_EXT_buffer_reference : require
      layout(buffer_reference) buffer Node;
      layout(buffer_reference, std430) buffer Node { Node next; uint n; };
      layout(set = 0, binding = 0) buffer Block { Node first; } block;
      void main() { block.first.next.n = 1; })") ==
        "HS6003 a type that holds addresses of its own kind cannot be written as GLSL; leave "
        "--emit glsl away");
  CHECK(glsl_error(R"(
      #extension GL_EXT_long_vector : require
      layout(set = 0, binding = 0) buffer Block { float x; } block;
      void main() { vector<float, 5> v = vector<float, 5>(block.x); block.x = v[3]; })") ==
        "HS6003 vectors of any length cannot be written as GLSL; leave --emit glsl away");
  for (const std::string word : {"coherent", "volatile"}) {
    CHECK(glsl_error("layout(set = 0, binding = 0, r32ui) " + word +
                     " uniform uimage2D image;\n"
                     "void main() { imageStore(image, ivec2(0), uvec4(0)); }")
              .starts_with("HS6003 a " + word + " image in a heap cannot be written as GLSL: "));
  }
  CHECK(glsl_error(R"(
      #extension GL_KHR_memory_scope_semantics : require
      #pragma use_vulkan_memory_model
      layout(set = 0, binding = 0) buffer Block { uint n; } block;
      void main() { block.n = 1; })") ==
        "HS6003 its GLSL would differ from the shader in: memory model");
  CHECK(glsl_error(R"(
      #extension GL_KHR_memory_scope_semantics : require
      layout(set = 0, binding = 0) buffer Block { uint n; } block;
      void main() {
        atomicStore(block.n, 1u, gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsRelease);
      })") ==
        "HS6003 its GLSL would differ from the shader in: atomic operations that order memory");
}

TEST_CASE("what SPIRV-Cross refuses is refused", "[glsl]") {
  CHECK(glsl_error(R"(
      #extension GL_EXT_descriptor_heap : require
      layout(descriptor_heap) buffer Own { uint n; } own[4];
      layout(set = 0, binding = 0) buffer Block { uint n; } block;
      void main() { block.n = own[2].n; })") ==
        "HS6003 cannot be written as GLSL; SPIRV-Cross says: Descriptor heap must be accessed as a "
        "runtime array.");
  const auto unknown = glsl_of(spirv::test::words_of(
      rewrite::test::shader({.capabilities = R"(OpCapability Float16
          OpCapability DotProductFloat16AccFloat32VALVE
          OpExtension "SPV_VALVE_mixed_float_dot_product")",
                             .decorations = rewrite::test::place("block", 0, 0) + R"(
          OpDecorate %Block Block
          OpMemberDecorate %Block 0 Offset 0)",
                             .declarations = R"(
          %float = OpTypeFloat 32
          %half = OpTypeFloat 16
          %v2half = OpTypeVector %half 2
          %int = OpTypeInt 32 1
          %zero = OpConstant %int 0
          %sum = OpConstant %float 0
          %halves = OpConstantNull %v2half
          %Block = OpTypeStruct %float
          %toBlock = OpTypePointer StorageBuffer %Block
          %toFloat = OpTypePointer StorageBuffer %float
          %block = OpVariable %toBlock StorageBuffer)",
                             .body = R"(
          %dot = OpFDot2MixAcc32VALVE %float %halves %halves %sum
          %member = OpAccessChain %toFloat %block %zero
          %narrow = OpFConvert %half %dot
          %wide = OpFConvert %float %narrow
          OpStore %member %wide)"})));
  CHECK(unknown.error ==
        "HS6003 cannot be written as GLSL: SPIRV-Cross does not know OpFDot2MixAcc32VALVE");
}

}  // namespace heapsmith::driver
