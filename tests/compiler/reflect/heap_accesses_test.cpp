// SPDX-License-Identifier: MIT
// What modules read of the heaps (find_heap_accesses.cpp, heap_sources.cpp, heap_chain.cpp).
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <format>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reflect/reflect_module.h"
#include "spirv/assemble.h"
#include "spirv/parse.h"

namespace heapsmith::reflect {
namespace {

std::optional<ShaderInterface> try_reflect(const std::string& text, Diagnostics& diagnostics) {
  const auto words = spirv::assemble(text, {.version = 0x00010600}, "test.spvasm", diagnostics);
  for (const Diagnostic& diagnostic : diagnostics.all())
    UNSCOPED_INFO(diagnostic.text);
  REQUIRE(words.has_value());
  const auto module =
      spirv::parse_module(std::as_bytes(std::span(*words)), "test.spv", diagnostics);
  for (const Diagnostic& diagnostic : diagnostics.all())
    UNSCOPED_INFO(diagnostic.text);
  REQUIRE(module.has_value());
  auto shader = reflect_module(*module, "test.spv", diagnostics);
  if (!shader) return std::nullopt;
  return std::move(*shader);
}

ShaderInterface reflected(const std::string& text) {
  Diagnostics diagnostics;
  auto shader = try_reflect(text, diagnostics);
  for (const Diagnostic& diagnostic : diagnostics.all())
    UNSCOPED_INFO(diagnostic.text);
  REQUIRE(shader.has_value());
  return std::move(*shader);
}

// %main reads heaps; what each case adds comes by parts.
std::string module_with(std::string_view body, std::string_view types = "",
                        std::string_view decorations = "", std::string_view functions = "") {
  return std::format(R"(
               OpCapability Shader
               OpCapability DescriptorHeapEXT
               OpExtension "SPV_KHR_untyped_pointers"
               OpExtension "SPV_EXT_descriptor_heap"
               OpMemoryModel Logical GLSL450
               OpEntryPoint GLCompute %main "main" %rheap %sheap
               OpExecutionMode %main LocalSize 1 1 1
               OpName %B "Lights"
               OpDecorate %rheap BuiltIn ResourceHeapEXT
               OpDecorate %sheap BuiltIn SamplerHeapEXT
               OpDecorateId %imgs ArrayStrideIdEXT %sizeImg
               OpDecorateId %smps ArrayStrideIdEXT %sizeSmp
               OpDecorateId %bufs ArrayStrideIdEXT %sizeBuf
               OpDecorate %words ArrayStride 4
               OpDecorate %tail ArrayStride 4
               OpDecorate %B Block
               OpMemberDecorate %B 0 Offset 0
               OpMemberDecorate %B 1 Offset 4
               {}
       %void = OpTypeVoid
         %fn = OpTypeFunction %void
       %uint = OpTypeInt 32 0
      %float = OpTypeFloat 32
       %bool = OpTypeBool
         %v4 = OpTypeVector %float 4
        %uv2 = OpTypeVector %uint 2
         %u0 = OpConstant %uint 0
         %u1 = OpConstant %uint 1
         %u2 = OpConstant %uint 2
         %u3 = OpConstant %uint 3
         %u4 = OpConstant %uint 4
       %zero = OpConstantComposite %uv2 %u0 %u0
         %uc = OpTypeUntypedPointerKHR UniformConstant
      %rheap = OpUntypedVariableKHR %uc UniformConstant
      %sheap = OpUntypedVariableKHR %uc UniformConstant
        %img = OpTypeImage %float 2D 0 0 0 1 Unknown
        %sto = OpTypeImage %uint 2D 0 0 0 2 R32ui
        %smp = OpTypeSampler
        %buf = OpTypeBufferEXT StorageBuffer
        %ubo = OpTypeBufferEXT Uniform
    %sizeImg = OpConstantSizeOfEXT %uint %img
    %sizeSmp = OpConstantSizeOfEXT %uint %smp
    %sizeBuf = OpConstantSizeOfEXT %uint %buf
       %imgs = OpTypeRuntimeArray %img
       %smps = OpTypeRuntimeArray %smp
       %bufs = OpTypeRuntimeArray %buf
      %words = OpTypeRuntimeArray %uint
       %tail = OpTypeRuntimeArray %uint
          %B = OpTypeStruct %uint %tail
         %pB = OpTypePointer StorageBuffer %B
      %puint = OpTypePointer StorageBuffer %uint
         %up = OpTypeUntypedPointerKHR StorageBuffer
      %loads = OpTypeFunction %void %uc
               {}
               {}
       %main = OpFunction %void None %fn
          %l = OpLabel
               {}
               OpReturn
               OpFunctionEnd
)",
                     decorations, types, functions, body);
}

/// "resource SAMPLED_IMAGE 0 [runtime sizeOf(image)] constant 3,5 read"
std::string shown(const HeapAccess& access) {
  std::string text = access.samplerHeap ? "sampler " : "resource ";
  text += access.type ? std::string(to_string(*access.type)) : access.dataType;
  text += ' ' + access.offset.text;
  for (const HeapArray& array : access.arrays)
    text += std::format(" [{} {}]", array.length == 0 ? "runtime" : std::to_string(array.length),
                        array.stride.text);
  constexpr const char* kIndexing[] = {"constant", "specialization", "dynamic"};
  text += std::format(" {}", kIndexing[static_cast<size_t>(access.indexing)]);
  for (const uint64_t slot : access.slots)
    text += std::format("{}{}", slot == access.slots.front() ? ' ' : ',', slot);
  if (access.isRead) text += " read";
  if (access.isWritten) text += " written";
  if (access.usesAtomics) text += " atomics";
  if (access.usesLength) text += " length";
  return text;
}

std::vector<std::string> all_shown(const std::string& text) {
  std::vector<std::string> lines;
  for (const HeapAccess& access : reflected(text).heapAccesses)
    lines.push_back(shown(access));
  return lines;
}

using Lines = std::vector<std::string>;

constexpr std::string_view kFetch = R"(
          %c = OpUntypedAccessChainKHR %uc %imgs %rheap %u3
          %i = OpLoad %img %c
          %r = OpImageFetch %v4 %i %zero Lod %u0
)";

/// A function that fetches from the heap pointer that it is given.
constexpr std::string_view kLoader = R"(
       %load = OpFunction %void None %loads
          %p = OpFunctionParameter %uc
         %ll = OpLabel
         %li = OpLoad %img %p
         %lr = OpImageFetch %v4 %li %zero Lod %u0
               OpReturn
               OpFunctionEnd
)";

}  // namespace

TEST_CASE("heaps: a descriptor that a literal picks", "[reflect]") {
  CHECK(all_shown(module_with(kFetch)) ==
        Lines{"resource SAMPLED_IMAGE 0 [runtime sizeOf(image)] constant 3 read"});
}

TEST_CASE("heaps: a chain that nothing reads is no access", "[reflect]") {
  CHECK(all_shown(module_with("%c = OpUntypedAccessChainKHR %uc %imgs %rheap %u3\n")).empty());
}

TEST_CASE("heaps: uses that differ in the index alone are one access", "[reflect]") {
  const auto shader = reflected(module_with(std::string(kFetch) + R"(
         %c2 = OpUntypedAccessChainKHR %uc %imgs %rheap %u1
         %i2 = OpLoad %img %c2
         %r2 = OpImageFetch %v4 %i2 %zero Lod %u0
         %s  = OpUntypedAccessChainKHR %uc %smps %sheap %u2
         %sv = OpLoad %smp %s
)"));
  REQUIRE(shader.heapAccesses.size() == 2);
  CHECK(shown(shader.heapAccesses[0]) ==
        "resource SAMPLED_IMAGE 0 [runtime sizeOf(image)] constant 1,3 read");
  CHECK(shown(shader.heapAccesses[1]) == "sampler SAMPLER 0 [runtime sizeOf(sampler)] constant 2");
  CHECK(shader.entryPoints[0].heapAccesses == std::vector<uint32_t>{0, 1});
}

TEST_CASE("heaps: strides are literals, sizes, maxima, specialization constants and others",
          "[reflect]") {
  const std::string types = R"(
        %gt  = OpSpecConstantOp %bool UGreaterThan %sizeImg %sizeBuf
        %max = OpSpecConstantOp %uint Select %gt %sizeImg %sizeBuf
        %lt  = OpSpecConstantOp %bool ULessThan %max %sizeSmp
        %all = OpSpecConstantOp %uint Select %lt %sizeSmp %max
        %min = OpSpecConstantOp %uint Select %gt %sizeBuf %sizeImg
         %sc = OpSpecConstant %uint 64
        %two = OpSpecConstantOp %uint IMul %sizeImg %u2
       %sum  = OpSpecConstantOp %uint IAdd %sc %u4
       %a    = OpTypeRuntimeArray %img
)";
  const auto stride = [&](const char* id) {
    const auto shader = reflected(module_with(
        "%c = OpUntypedAccessChainKHR %uc %a %rheap %u0\n%i = OpLoad %img %c\n", types,
        std::format("OpDecorate %sc SpecId 9\nOpDecorateId %a ArrayStrideIdEXT {}\n", id)));
    return shader.heapAccesses.at(0).arrays.at(0).stride;
  };
  CHECK(stride("%u4").kind == HeapSizeKind::Literal);
  CHECK(stride("%u4").bytes == 4u);
  CHECK(stride("%sizeImg").kind == HeapSizeKind::SizeOf);
  CHECK(stride("%max").kind == HeapSizeKind::Maximum);
  CHECK(stride("%all").kind == HeapSizeKind::Maximum);
  CHECK(stride("%all").text == "max(sizeOf(sampler), max(sizeOf(image), sizeOf(buffer)))");
  CHECK(stride("%min").kind == HeapSizeKind::Other);
  CHECK(stride("%sc").kind == HeapSizeKind::Specialization);
  CHECK(stride("%sc").text == "spec#9");
  CHECK(stride("%sum").bytes == 68u);
  CHECK(stride("%sum").text == "spec#9 + 4");
  CHECK(stride("%sum").specIds == std::vector<uint32_t>{9});
  CHECK(stride("%two").kind == HeapSizeKind::Other);
  CHECK(stride("%two").text == "sizeOf(image) * 2");
  CHECK_FALSE(stride("%two").bytes.has_value());
}

TEST_CASE("heaps: offsets and qualifiers of members around the array", "[reflect]") {
  const auto shader = reflected(module_with(R"(
          %c = OpUntypedAccessChainKHR %uc %W %rheap %u1 %u2
          %t = OpUntypedImageTexelPointerEXT %it %sto %c %zero %u0
          %o = OpAtomicIAdd %uint %t %u1 %u0 %u1
)",
                                            R"(
         %a  = OpTypeRuntimeArray %sto
        %off = OpSpecConstantOp %uint IMul %sizeImg %u4
         %W  = OpTypeStruct %img %a
         %it = OpTypeUntypedPointerKHR Image
)",
                                            R"(
               OpDecorateId %a ArrayStrideIdEXT %sizeImg
               OpDecorate %W Block
               OpMemberDecorate %W 0 Offset 0
               OpMemberDecorateIdEXT %W 1 OffsetIdEXT %off
               OpMemberDecorate %W 1 Coherent
)"));
  REQUIRE(shader.heapAccesses.size() == 1);
  const HeapAccess& access = shader.heapAccesses[0];
  CHECK(shown(access) ==
        "resource STORAGE_IMAGE sizeOf(image) * 4 [runtime sizeOf(image)] constant 2 read written "
        "atomics");
  CHECK(access.qualifiers.coherent);
  CHECK_FALSE(access.qualifiers.nonWritable);
  CHECK(access.image->format != 0);
}

TEST_CASE("heaps: buffers, typed or not", "[reflect]") {
  const std::string chain = "%c = OpUntypedAccessChainKHR %uc %bufs %rheap %u0\n";
  const auto typed = reflected(module_with(chain + R"(
          %b = OpBufferPointerEXT %pB %c
          %m = OpAccessChain %puint %b %u0
               OpStore %m %u1
)",
                                           "", "OpDecorate %b NonReadable\n"));
  REQUIRE(typed.heapAccesses.size() == 1);
  CHECK(shown(typed.heapAccesses[0]) ==
        "resource STORAGE_BUFFER 0 [runtime sizeOf(buffer)] constant 0 written");
  CHECK(typed.heapAccesses[0].qualifiers.nonReadable);
  CHECK(typed.types.at(typed.heapAccesses[0].block).name == "Lights");

  const auto untyped = reflected(module_with(chain + R"(
          %b = OpBufferPointerEXT %up %c
          %n = OpUntypedArrayLengthKHR %uint %B %b 1
)"));
  REQUIRE(untyped.heapAccesses.size() == 1);
  CHECK(shown(untyped.heapAccesses[0]) ==
        "resource STORAGE_BUFFER 0 [runtime sizeOf(buffer)] constant 0 length");
  CHECK(untyped.heapAccesses[0].blockName == "Lights");
}

TEST_CASE("heaps: nested arrays are flattened", "[reflect]") {
  const std::string body = R"(
          %c = OpUntypedAccessChainKHR %uc %all %rheap %u2 %u1
          %b = OpBufferPointerEXT %pB %c
          %n = OpArrayLength %uint %b 1
)";
  CHECK(all_shown(module_with(body,
                              "%four = OpSpecConstantOp %uint IMul %sizeBuf %u4\n"
                              "%row = OpTypeArray %buf %u4\n%all = OpTypeArray %row %u3\n",
                              "OpDecorateId %row ArrayStrideIdEXT %sizeBuf\n"
                              "OpDecorateId %all ArrayStrideIdEXT %four\n")) ==
        Lines{"resource STORAGE_BUFFER 0 [3 sizeOf(buffer) * 4] [4 sizeOf(buffer)] constant 9 "
              "length"});
}

TEST_CASE("heaps: a chain of chains starts where the first one ends", "[reflect]") {
  const auto with = [](const char* index) {
    return all_shown(module_with(std::format(R"(
          %w = OpUntypedAccessChainKHR %uc %words %rheap %u0
          %x = OpLoad %uint %w
         %c0 = OpUntypedAccessChainKHR %uc %imgs %rheap {}
         %c1 = OpUntypedAccessChainKHR %uc %imgs %c0 %u1
          %i = OpLoad %img %c1
          %r = OpImageFetch %v4 %i %zero Lod %u0
)",
                                             index)));
  };
  CHECK(with("%u2") ==
        Lines{"resource SAMPLED_IMAGE 2 * sizeOf(image) [runtime sizeOf(image)] constant 1 read",
              "resource uint32 0 [runtime 4] constant 0 read"});
  CHECK(with("%x") ==
        Lines{"resource SAMPLED_IMAGE dynamic [runtime sizeOf(image)] constant 1 read",
              "resource uint32 0 [runtime 4] constant 0 read"});
}

TEST_CASE("heaps: pointers are followed through parameters and copies", "[reflect]") {
  CHECK(all_shown(module_with(R"(
          %a = OpUntypedAccessChainKHR %uc %imgs %rheap %u1
         %n1 = OpFunctionCall %void %load %a
          %b = OpUntypedAccessChainKHR %uc %imgs %rheap %u4
         %bb = OpCopyObject %uc %b
         %n2 = OpFunctionCall %void %load %bb
         %n3 = OpFunctionCall %void %load %rheap
)",
                              "", "", kLoader)) ==
        Lines{"resource SAMPLED_IMAGE 0 constant read",
              "resource SAMPLED_IMAGE 0 [runtime sizeOf(image)] constant 1,4 read"});
}

TEST_CASE("heaps: an access belongs to the entry points that reach its reader and its chain",
          "[reflect]") {
  std::string text = module_with(R"(
          %a = OpUntypedAccessChainKHR %uc %imgs %rheap %u1
         %n1 = OpFunctionCall %void %load %a
               OpReturn
               OpFunctionEnd
     %second = OpFunction %void None %fn
         %l2 = OpLabel
          %b = OpUntypedAccessChainKHR %uc %words %rheap %u2
         %n2 = OpFunctionCall %void %load %b
)",
                                 "", "", kLoader);
  const std::string_view first = "OpEntryPoint GLCompute %main \"main\" %rheap %sheap";
  text.insert(text.find(first) + first.size(),
              "\nOpEntryPoint GLCompute %second \"second\" %rheap");
  const auto shader = reflected(text);
  REQUIRE(shader.heapAccesses.size() == 2);
  CHECK(shown(shader.heapAccesses[1]) == "resource SAMPLED_IMAGE 0 [runtime 4] constant 2 read");
  CHECK(shader.entryPoints[0].heapAccesses == std::vector<uint32_t>{0});
  CHECK(shader.entryPoints[1].heapAccesses == std::vector<uint32_t>{1});
}

TEST_CASE("heaps: what no entry point reaches is no access", "[reflect]") {
  CHECK(all_shown(module_with("", "", "",
                              R"(
       %dead = OpFunction %void None %fn
         %dl = OpLabel
          %c = OpUntypedAccessChainKHR %uc %imgs %rheap %u3
          %i = OpLoad %img %c
               OpReturn
               OpFunctionEnd
)"))
            .empty());
}

TEST_CASE("heaps: modules that are not valid do no harm", "[reflect]") {
  const char* bodies[] = {
      "%c = OpUntypedAccessChainKHR %uc %nothing %rheap %u3\n%i = OpLoad %img %c\n",
      "%c = OpUntypedAccessChainKHR %uc %imgs %rheap\n%i = OpLoad %img %c\n",
      "%c = OpUntypedAccessChainKHR %uc %B %rheap %u4 %u4\n%i = OpLoad %img %c\n",
      "%c = OpUntypedAccessChainKHR %uc %imgs %c %u3\n%i = OpLoad %img %c\n",
      "%c = OpUntypedAccessChainKHR %uc %uint %rheap %u3 %u3\n%i = OpLoad %img %c\n",
      "%b = OpBufferPointerEXT %pB %rheap\n%n = OpArrayLength %uint %b 1\n",
      "%b = OpBufferPointerEXT %uint %rheap\n",
      "%c = OpCopyObject %uc %c\n%i = OpLoad %img %c\n",
      "%c = OpUntypedPtrAccessChainKHR %uc %imgs %rheap %u1 %u3\n%i = OpLoad %img %c\n",
  };
  for (const char* body : bodies) {
    INFO(body);
    CHECK(reflected(module_with(body)).entryPoints.size() == 1);
  }
  // A stride and an offset that are no constants.
  CHECK(all_shown(module_with(
            "%c = OpUntypedAccessChainKHR %uc %a %rheap %u0\n%i = OpLoad %img %c\n",
            "%a = OpTypeRuntimeArray %img\n", "OpDecorateId %a ArrayStrideIdEXT %main\n")) ==
        Lines{"resource SAMPLED_IMAGE 0 [runtime unknown] constant 0"});
}

TEST_CASE("heaps: constants that share operands without end are cut", "[reflect]") {
  std::string types = "%x0 = OpSpecConstantOp %uint IAdd %sizeImg %sizeImg\n";
  for (int i = 1; i < 200; ++i)
    types += std::format("%x{} = OpSpecConstantOp %uint IAdd %x{} %x{}\n", i, i - 1, i - 1);
  const auto shader = reflected(module_with(
      "%c = OpUntypedAccessChainKHR %uc %a %rheap %u0\n%i = OpLoad %img %c\n",
      types + "%a = OpTypeRuntimeArray %img\n", "OpDecorateId %a ArrayStrideIdEXT %x199\n"));
  const HeapSize& stride = shader.heapAccesses.at(0).arrays.at(0).stride;
  CHECK(stride.kind == HeapSizeKind::Other);
  CHECK(stride.text.size() < 1000);
}

TEST_CASE("heaps: chains of chains in any number stay short", "[reflect]") {
  std::string body = "%c0 = OpUntypedAccessChainKHR %uc %imgs %rheap %u1\n";
  for (int i = 1; i < 3000; ++i)
    body += std::format("%c{} = OpUntypedAccessChainKHR %uc %imgs %c{} %u1\n", i, i - 1);
  const auto shader = reflected(module_with(body + "%i = OpLoad %img %c2999\n"));
  REQUIRE(shader.heapAccesses.size() == 1);
  CHECK(shader.heapAccesses[0].offset.text.size() < 1000);
}

TEST_CASE("heaps: chains that run together in too many ways are refused", "[reflect]") {
  // Every chain reaches every parameter: each function passes on what it is given.
  std::string functions;
  constexpr int kDepth = 400;
  for (int i = kDepth; i > 0; --i) {
    functions += std::format(
        "%f{0} = OpFunction %void None %loads\n%p{0} = OpFunctionParameter "
        "%uc\n%l{0} = OpLabel\n",
        i);
    if (i < kDepth)
      functions += std::format("%n{0} = OpFunctionCall %void %f{1} %p{0}\n", i, i + 1);
    functions += "OpReturn\nOpFunctionEnd\n";
  }
  std::string body;
  for (int i = 0; i < 2000; ++i)
    body += std::format(
        "%k{0} = OpUntypedAccessChainKHR %uc %imgs %rheap %u1\n%m{0} = OpFunctionCall %void %f1 "
        "%k{0}\n",
        i);
  Diagnostics diagnostics;
  CHECK_FALSE(try_reflect(module_with(body, "", "", functions), diagnostics).has_value());
  REQUIRE_FALSE(diagnostics.all().empty());
  CHECK(diagnostics.all().back().code == Code::UnsupportedSpirv);
}

// What a heap holds is one or the other, and spirv-val does not look.
TEST_CASE("a buffer pointer is of the class that the heap's array says", "[reflect]") {
  Diagnostics diagnostics;
  const auto shader =
      try_reflect(module_with(R"(
          %c = OpUntypedAccessChainKHR %uc %ubos %rheap %u3
          %b = OpBufferPointerEXT %pB %c
          %e = OpAccessChain %puint %b %u0
          %x = OpLoad %uint %e)",
                              "%ubos = OpTypeRuntimeArray %ubo", "OpDecorate %ubos ArrayStride 64"),
                  diagnostics);
  CHECK_FALSE(shader);
  REQUIRE(diagnostics.all().size() == 1);
  CHECK(diagnostics.all()[0].code == Code::HeapMisuse);
  CHECK(diagnostics.all()[0].text.contains("makes a pointer to a buffer of one storage class"));
}

TEST_CASE("what chooses between two buffers needs the capability for that", "[reflect]") {
  const auto chooses = [](std::string_view first, std::string_view second, const char* capability) {
    std::string text = module_with(std::format(R"(
          %ca = OpUntypedAccessChainKHR %uc %bufs %rheap {}
          %ba = OpBufferPointerEXT %pB %ca
          %ea = OpAccessChain %puint %ba %u0
          %cb = OpUntypedAccessChainKHR %uc %bufs %rheap {}
          %bb = OpBufferPointerEXT %pB %cb
          %eb = OpAccessChain %puint %bb %u0
          %p = OpSelect %puint %yes %ea %eb
          %x = OpLoad %uint %p)",
                                               first, second),
                                   "%yes = OpConstantTrue %bool");
    text.insert(text.find("OpExtension"), std::format("OpCapability {}\n", capability));
    Diagnostics diagnostics;
    const auto shader = try_reflect(text, diagnostics);
    if (shader) return std::string();
    REQUIRE(diagnostics.all().size() == 1);
    CHECK(diagnostics.all()[0].code == Code::HeapMisuse);
    return diagnostics.all()[0].text;
  };
  CHECK(chooses("%u1", "%u2", "VariablePointersStorageBuffer")
            .ends_with("' chooses between pointers into different buffers, which needs the "
                       "capability VariablePointers"));
  CHECK(chooses("%u1", "%u2", "VariablePointers").empty());
  CHECK(chooses("%u2", "%u2", "VariablePointersStorageBuffer").empty());
}

}  // namespace heapsmith::reflect
