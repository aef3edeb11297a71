// SPDX-License-Identifier: MIT
#include "rewrite/rewrite_module.h"

#include <string>

#include "compiler/rewrite/rewritten.h"

namespace heapsmith::rewrite {
namespace {

using spirv::test::plain;
using spirv::test::text_of;
using spirv::test::words_of;
using test::between;
using test::has_line;
using test::main_of;
using test::numbered;
using test::place;
using test::shader;

const std::string kTypes = R"(
  %uint = OpTypeInt 32 0
  %float = OpTypeFloat 32
  %v2float = OpTypeVector %float 2
  %v4float = OpTypeVector %float 4
  %zero = OpConstant %uint 0
  %two = OpConstant %uint 2
  %half = OpConstant %float 0.5
  %middle = OpConstantComposite %v2float %half %half
  %image = OpTypeImage %float 2D 0 0 0 1 Unknown
  %sampled = OpTypeSampledImage %image
  %pair = OpTypeArray %image %two
  %toImage = OpTypePointer UniformConstant %image
  %toPair = OpTypePointer UniformConstant %pair
  %toSampled = OpTypePointer UniformConstant %sampled
  %Frame = OpTypeStruct %uint
  %toFrame = OpTypePointer Uniform %Frame
  %toUint = OpTypePointer Uniform %uint)";

const std::string kLayout = R"(
  OpDecorate %Frame Block
  OpMemberDecorate %Frame 0 Offset 0
)";

const std::string kTwo =
    shader({.decorations = place("frame", 0, 0) + place("texture", 1, 0) + kLayout,
            .declarations = kTypes + "\n%frame = OpVariable %toFrame Uniform\n"
                                     "%texture = OpVariable %toImage UniformConstant",
            .body = "%p = OpAccessChain %toUint %frame %zero\n%x = OpLoad %uint %p\n"
                    "%i = OpLoad %image %texture"});

Location at(uint32_t slot) {
  return {.firstSlot = slot};
}

Diagnostic refused(const std::string& text) {
  const auto outcome = test::rewrite_words(words_of(text), nullptr, {});
  CHECK(outcome.words.empty());
  REQUIRE(outcome.diagnostics.size() == 1);
  CHECK(outcome.diagnostics[0].code == Code::UnsupportedRewrite);
  CHECK(outcome.diagnostics[0].place.file == "test.spv");
  return outcome.diagnostics[0];
}

}  // namespace

TEST_CASE("a module without placements stays as it is", "[rewrite]") {
  const auto words = words_of(kTwo);
  Placements none;
  CHECK(test::rewrite_words(words, &none, {}).words == words);
  Placements others;
  others.bindings = {{.set = 0, .binding = 7, .resource = at(3)},
                     {.set = 1, .binding = 0, .sampler = at(3)}};  // the image has no place
  CHECK(test::rewrite_words(words, &others, {}).words == words);
}

TEST_CASE("some variables are rewritten, the others stay mapped", "[rewrite]") {
  Placements placements;
  placements.bindings = {{.set = 1, .binding = 0, .resource = at(3)}};
  const std::string text = text_of(test::rewritten_words(kTwo, 0x00010300, &placements));
  CHECK(has_line(text, "OpDecorate %frame DescriptorSet 0"));
  CHECK(text.find("%texture") == std::string::npos);
  CHECK(main_of(text) == plain(R"(
      %1 = OpAccessChain %_ptr_Uniform_uint %frame %uint_0
      %2 = OpLoad %uint %1
      %3 = OpUntypedAccessChainKHR %_ptr_UniformConstant %_runtimearr_4 %resourceHeap %uint_3
      %5 = OpLoad %4 %3)"));
}

TEST_CASE("the version is raised as far as it must be", "[rewrite]") {
  Placements placements;
  placements.bindings = {{.set = 0, .binding = 0, .resource = at(3)}};
  CHECK(test::rewritten_words(kTwo, 0x00010000, &placements)[1] == 0x00010300);
  CHECK(test::rewritten_words(kTwo, 0x00010200, &placements)[1] == 0x00010300);
}

TEST_CASE("region bases are expressions of counts that may be specialized", "[rewrite]") {
  Placements placements;
  placements.regions.imageSlots = {1000, 40};
  placements.bindings = {{.set = 0, .binding = 0, .resource = at(3)}};
  const std::string text = text_of(test::rewritten_words(kTwo, 0x00010300, &placements));
  CHECK(numbered(between(text, "%texture = OpVariable", "%main =")) == plain(R"(
      %1 = OpConstantSizeOfEXT %uint %2
      %3 = OpTypeBufferEXT StorageBuffer
      %4 = OpConstantSizeOfEXT %uint %3
      %5 = OpSpecConstant %uint 1000
      %6 = OpSpecConstantOp %uint IMul %5 %1
      %uint_1 = OpConstant %uint 1
      %7 = OpSpecConstantOp %uint ISub %4 %uint_1
      %8 = OpSpecConstantOp %uint IAdd %6 %7
      %9 = OpSpecConstantOp %uint UDiv %8 %4
      %uint_3 = OpConstant %uint 3
      %10 = OpSpecConstantOp %uint IAdd %9 %uint_3
      %11 = OpTypeBufferEXT Uniform
      %_ptr_UniformConstant = OpTypeUntypedPointerKHR UniformConstant
      %resourceHeap = OpUntypedVariableKHR %_ptr_UniformConstant UniformConstant
      %12 = OpConstantSizeOfEXT %uint %11
      %_runtimearr_11 = OpTypeRuntimeArray %11)"));
  CHECK(text.find(" SpecId 40\n") != std::string::npos);
}

TEST_CASE("region bases may be specialization constants", "[rewrite]") {
  Placements placements;
  placements.regions.firstSlots[static_cast<size_t>(DescriptorClass::Buffer)] =
      Specializable(16, 41);
  placements.regions.firstSlots[static_cast<size_t>(DescriptorClass::Image)] = Specializable(64);
  placements.bindings = {{.set = 0, .binding = 0, .resource = at(0)},
                         {.set = 1, .binding = 0, .resource = at(3)}};
  const std::string text = text_of(test::rewritten_words(kTwo, 0x00010300, &placements));
  CHECK(numbered(between(text, "%_ptr_Uniform_uint = OpTypePointer", "%main =")) == plain(R"(
      %firstBuffer = OpSpecConstant %uint 16
      %1 = OpTypeBufferEXT Uniform
      %_ptr_UniformConstant = OpTypeUntypedPointerKHR UniformConstant
      %resourceHeap = OpUntypedVariableKHR %_ptr_UniformConstant UniformConstant
      %2 = OpConstantSizeOfEXT %uint %1
      %_runtimearr_1 = OpTypeRuntimeArray %1
      %uint_64 = OpConstant %uint 64
      %uint_3 = OpConstant %uint 3
      %3 = OpSpecConstantOp %uint IAdd %uint_64 %uint_3
      %4 = OpConstantSizeOfEXT %uint %5
      %_runtimearr_5 = OpTypeRuntimeArray %5)"));
  CHECK(text.find(" SpecId 41\n") != std::string::npos);
}

TEST_CASE("each entry point lists the heaps that it needs", "[rewrite]") {
  const std::string text = R"(
      OpCapability Shader
      OpMemoryModel Logical GLSL450
      OpEntryPoint Fragment %both "both" %combined %frame
      OpEntryPoint Fragment %one "one" %frame
      OpEntryPoint Fragment %none "none"
      OpExecutionMode %both OriginUpperLeft
      OpExecutionMode %one OriginUpperLeft
      OpExecutionMode %none OriginUpperLeft
      OpName %both "both"
      OpName %one "one"
      OpName %none "none"
      OpDecorate %combined DescriptorSet 0
      OpDecorate %combined Binding 0
      OpDecorate %frame DescriptorSet 0
      OpDecorate %frame Binding 1)" +
                           kLayout + "%void = OpTypeVoid\n%voidFunction = OpTypeFunction %void\n" +
                           kTypes +
                           R"(
      %combined = OpVariable %toSampled UniformConstant
      %frame = OpVariable %toFrame Uniform
      %both = OpFunction %void None %voidFunction
      %a = OpLabel
      %c = OpLoad %sampled %combined
      %color = OpImageSampleImplicitLod %v4float %c %middle
      %p = OpAccessChain %toUint %frame %zero
      %x = OpLoad %uint %p
      OpReturn
      OpFunctionEnd
      %one = OpFunction %void None %voidFunction
      %b = OpLabel
      %q = OpAccessChain %toUint %frame %zero
      %y = OpLoad %uint %q
      OpReturn
      OpFunctionEnd
      %none = OpFunction %void None %voidFunction
      %d = OpLabel
      OpReturn
      OpFunctionEnd)";
  const std::string result = text_of(test::rewritten_words(text, 0x00010600));
  CHECK(has_line(result, "OpEntryPoint Fragment %both \"both\" %resourceHeap %samplerHeap"));
  CHECK(has_line(result, "OpEntryPoint Fragment %one \"one\" %resourceHeap"));
  CHECK(has_line(result, "OpEntryPoint Fragment %none \"none\""));
}

TEST_CASE("an unused variable goes without a trace", "[rewrite]") {
  const std::string text = test::rewritten(
      shader({.decorations = place("texture", 1, 0) + place("data", 0, 0) +
                             "OpDecorate %Data Block\nOpMemberDecorate %Data 0 Offset 0\n",
              .declarations = kTypes + R"(
          %Data = OpTypeStruct %uint
          %toData = OpTypePointer StorageBuffer %Data
          %data = OpVariable %toData StorageBuffer
          %texture = OpVariable %toImage UniformConstant)"}),
      {.source = InstanceSource::PushWord});
  for (const char* part : {"texture", "data", "Data", "Heap", "pushWords", "NonWritable"})
    CHECK(text.find(part) == std::string::npos);
}

TEST_CASE("a heap that the module reads itself is used too", "[rewrite]") {
  const std::string text = shader(
      {.capabilities = "OpCapability DescriptorHeapEXT\nOpExtension \"SPV_KHR_untyped_pointers\"\n"
                       "OpExtension \"SPV_EXT_descriptor_heap\"",
       .decorations = place("texture", 1, 0) +
                      "OpName %heap \"heap\"\nOpName %images \"images\"\nOpDecorate %heap BuiltIn "
                      "ResourceHeapEXT\n"
                      "OpDecorateId %images ArrayStrideIdEXT %size\n",
       .declarations = kTypes + R"(
          %untyped = OpTypeUntypedPointerKHR UniformConstant
          %heap = OpUntypedVariableKHR %untyped UniformConstant
          %size = OpConstantSizeOfEXT %uint %image
          %images = OpTypeRuntimeArray %image
          %texture = OpVariable %toImage UniformConstant)",
       .body = R"(
          %own = OpUntypedAccessChainKHR %untyped %images %heap %two
          %i = OpLoad %image %own
          %k = OpLoad %image %texture)"});
  const std::string result = test::rewritten(text);
  CHECK(result.find("resourceHeap") == std::string::npos);
  CHECK(main_of(result) == plain(R"(
      %1 = OpUntypedAccessChainKHR %_ptr_UniformConstant %images %heap %uint_2
      %2 = OpLoad %3 %1
      %4 = OpUntypedAccessChainKHR %_ptr_UniformConstant %_runtimearr_3 %heap %uint_0
      %5 = OpLoad %3 %4)"));
}

TEST_CASE("what reads a heap by itself keeps its strides and may write its blocks", "[rewrite]") {
  const std::string text = test::rewritten(shader(
      {.capabilities = "OpCapability DescriptorHeapEXT\nOpExtension \"SPV_KHR_untyped_pointers\"\n"
                       "OpExtension \"SPV_EXT_descriptor_heap\"",
       .decorations = place("frames", 1, 0) + kLayout +
                      "OpDecorate %heap BuiltIn ResourceHeapEXT\n"
                      "OpDecorateId %buffers ArrayStrideIdEXT %size\n",
       .declarations = kTypes + R"(
          %untyped = OpTypeUntypedPointerKHR UniformConstant
          %heap = OpUntypedVariableKHR %untyped UniformConstant
          %size = OpConstant %uint 128
          %many = OpConstant %uint 200
          %buffer = OpTypeBufferEXT StorageBuffer
          %buffers = OpTypeRuntimeArray %buffer
          %framesType = OpTypeArray %Frame %many
          %toFrames = OpTypePointer StorageBuffer %framesType
          %toStored = OpTypePointer StorageBuffer %Frame
          %toNumber = OpTypePointer StorageBuffer %uint
          %frames = OpVariable %toFrames StorageBuffer)",
       .body = R"(
          %p = OpAccessChain %toNumber %frames %size %zero
          %v = OpLoad %uint %p
          %own = OpUntypedAccessChainKHR %untyped %buffers %heap %two
          %frame = OpBufferPointerEXT %toStored %own
          %q = OpAccessChain %toNumber %frame %zero
          OpStore %q %v)"}));
  CHECK(text.find(" ArrayStrideIdEXT %uint_128\n") != std::string::npos);
  CHECK(text.find("NonWritable") == std::string::npos);
}

TEST_CASE("what is beyond the rewriter is named", "[rewrite]") {
  const Diagnostic chosen = refused(
      shader({.decorations = place("textures", 2, 5),
              .declarations = kTypes + "\n%textures = OpVariable %toPair UniformConstant\n"
                                       "%bool = OpTypeBool\n%true = OpConstantTrue %bool",
              .body = "%all = OpLoad %pair %textures\n%x = OpSelect %pair %true %all %all"}));
  CHECK(chosen.text ==
        "variable 'textures': an array of descriptors in OpSelect cannot be rewritten");
  CHECK(chosen.place.resource == "textures");
  CHECK(chosen.place.set == 2u);
  CHECK(chosen.place.binding == 5u);
}

TEST_CASE("the distance of two buffers in an array is none", "[rewrite]") {
  const Diagnostic distance = refused(shader(
      {.capabilities = "OpCapability VariablePointers",
       .decorations = place("buffers", 0, 0) + kLayout + "OpDecorate %toBlock ArrayStride 16\n",
       .declarations = kTypes + R"(
          %buffersType = OpTypeArray %Frame %two
          %toBlock = OpTypePointer StorageBuffer %Frame
          %toBuffers = OpTypePointer StorageBuffer %buffersType
          %one = OpConstant %uint 1
          %buffers = OpVariable %toBuffers StorageBuffer)",
       .body = R"(
          %p = OpAccessChain %toBlock %buffers %zero
          %q = OpAccessChain %toBlock %buffers %one
          %d = OpPtrDiff %uint %p %q)"}));
  CHECK(distance.text == "variable 'buffers': a buffer in OpPtrDiff cannot be rewritten");
}

TEST_CASE("arrays of buffers are compared by their slots", "[rewrite]") {
  const std::string declarations = kTypes + R"(
          %bool = OpTypeBool
          %all = OpTypeArray %Frame %two
          %toAll = OpTypePointer StorageBuffer %all
          %first = OpVariable %toAll StorageBuffer
          %second = OpVariable %toAll StorageBuffer)";
  const std::string body =
      "%same = OpPtrEqual %bool %first %first\n%other = OpPtrNotEqual %bool %first %second";
  const std::string decorations = place("first", 0, 0) + place("second", 0, 1) + kLayout;
  const std::string text =
      text_of(test::rewritten_words(shader({.capabilities = "OpCapability VariablePointers",
                                            .interface = "%first %second",
                                            .decorations = decorations,
                                            .declarations = declarations,
                                            .body = body}),
                                    0x00010400));
  CHECK(main_of(text) == plain(R"(
      %1 = OpIEqual %bool %uint_0 %uint_0
      %2 = OpINotEqual %bool %uint_0 %uint_2)"));
}

TEST_CASE("another array of buffers behind an array is refused", "[rewrite]") {
  const Diagnostic another = refused(shader(
      {.capabilities = "OpCapability VariablePointers",
       .decorations = place("buffers", 0, 0) + kLayout + "OpDecorate %toAll ArrayStride 16\n",
       .declarations = kTypes + R"(
          %all = OpTypeArray %Frame %two
          %toAll = OpTypePointer StorageBuffer %all
          %toWord = OpTypePointer StorageBuffer %uint
          %buffers = OpVariable %toAll StorageBuffer)",
       .body = "%p = OpPtrAccessChain %toWord %buffers %two %zero %zero"}));
  CHECK(another.text ==
        "variable 'buffers': an array of descriptors in OpPtrAccessChain cannot be rewritten");
}

TEST_CASE("input attachments stay mapped", "[rewrite]") {
  const std::string text = R"(
      OpCapability Shader
      OpCapability InputAttachment
      OpMemoryModel Logical GLSL450
      OpEntryPoint Fragment %main "main"
      OpExecutionMode %main OriginUpperLeft
      OpName %attachment "attachment"
      OpDecorate %attachment DescriptorSet 0
      OpDecorate %attachment Binding 0
      OpDecorate %attachment InputAttachmentIndex 0
      %void = OpTypeVoid
      %voidFunction = OpTypeFunction %void
      %float = OpTypeFloat 32
      %image = OpTypeImage %float SubpassData 0 0 0 2 Unknown
      %toImage = OpTypePointer UniformConstant %image
      %attachment = OpVariable %toImage UniformConstant
      %main = OpFunction %void None %voidFunction
      %a = OpLabel
      %i = OpLoad %image %attachment
      OpReturn
      OpFunctionEnd)";
  const auto words = words_of(text);
  CHECK(test::rewrite_words(words, nullptr, {}).words == words);
  Placements placements;
  placements.bindings = {{.set = 0, .binding = 0, .resource = at(0)}};
  const auto outcome = test::rewrite_words(words, &placements, {});
  CHECK(outcome.words.empty());
  REQUIRE(outcome.diagnostics.size() == 1);
  CHECK(outcome.diagnostics[0].text ==
        "variable 'attachment': a resource of this type cannot be rewritten");
}

}  // namespace heapsmith::rewrite
