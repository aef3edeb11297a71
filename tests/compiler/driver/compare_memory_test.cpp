// SPDX-License-Identifier: MIT
#include "driver/compare_memory.h"

#include "compiler/driver/glsl_forms.h"
#include "compiler/rewrite/rewritten.h"

namespace heapsmith::driver {
namespace {

using test::compiled;

std::string difference_of(const std::vector<uint32_t>& wanted, const std::vector<uint32_t>& found) {
  const spirv::Module before = spirv::test::parsed(wanted);
  const spirv::Module after = spirv::test::parsed(found);
  Diagnostics diagnostics;
  const auto said_before = spirv::Annotations::collect(before, "wanted", diagnostics);
  const auto said_after = spirv::Annotations::collect(after, "found", diagnostics);
  REQUIRE(said_before.has_value());
  REQUIRE(said_after.has_value());
  return compare_memory({before, *said_before}, 0, {after, *said_after});
}

const std::string kScopes =
    "#extension GL_KHR_memory_scope_semantics : require\n"
    "#extension GL_EXT_descriptor_heap : require\n"
    "#extension GL_EXT_buffer_reference : require\n"
    "shared uint local;\n"
    "layout(set = 0, binding = 9) buffer Result { uint n; } result;\n";

std::string difference(const std::string& wanted, const std::string& found) {
  return difference_of(compiled(kScopes + wanted), compiled(kScopes + found));
}

const std::string kGuarded = "what is coherent or volatile";

}  // namespace

TEST_CASE("what is coherent or volatile must stay so", "[glsl]") {
  const std::string image =
      "uniform uimage2D i;\nvoid main() { imageStore(i, ivec2(0), uvec4(0)); }";
  const std::string mapped = "layout(set = 0, binding = 0, r32ui) ";
  CHECK(difference(mapped + image, mapped + image).empty());
  CHECK(difference(mapped + "coherent " + image, mapped + image) == kGuarded);
  CHECK(difference(mapped + image, mapped + "coherent " + image).empty());
  CHECK(difference(mapped + "volatile " + image, mapped + "coherent " + image) == kGuarded);

  const std::string images =
      "uniform uimage2D i[];\nvoid main() { imageStore(i[0], ivec2(0), uvec4(0)); }";
  const std::string heap = "layout(descriptor_heap, r32ui) ";
  const auto rewritten =
      rewrite::test::rewrite_words(compiled(kScopes + mapped + "coherent " + image), nullptr, {})
          .words;
  CHECK(difference_of(rewritten, rewritten).empty());
  CHECK(difference_of(rewritten, compiled(kScopes + heap + images)) == kGuarded);
  CHECK(difference_of(compiled(kScopes + mapped + "coherent " + image), rewritten).empty());

  const std::string blocks = "buffer B { uint n; float x; } b[];\nvoid main() { b[1].n = 1; }";
  const std::string part =
      "buffer B { coherent uint n; float x; } b[];\nvoid main() { b[1].n = 1; }";
  const std::string of_heap = "layout(descriptor_heap) ";
  CHECK(difference(of_heap + part, of_heap + blocks) == kGuarded);
  CHECK(difference(of_heap + part, of_heap + "coherent " + blocks).empty());

  const std::string address =
      "buffer B { uint n; };\nlayout(push_constant) uniform P { B b; } p;\n"
      "void main() { p.b.n = 1; }";
  CHECK(difference("layout(buffer_reference) coherent " + address,
                   "layout(buffer_reference) " + address) == kGuarded);
  // Another of the same kind does not make up for it.
  const std::string two =
      "buffer B { uint n; } b[];\nlayout(descriptor_heap) coherent buffer C { float x; } c[];\n"
      "void main() { b[1].n = 1; c[2].x = 1.0; }";
  CHECK(difference(of_heap + "coherent " + two, of_heap + two) == kGuarded);
}

TEST_CASE("nothing may become restrict", "[glsl]") {
  const std::string block = "buffer B { uint n; } b[];\nvoid main() { b[1].n = b[0].n; }";
  CHECK(difference("layout(descriptor_heap) " + block,
                   "layout(descriptor_heap) restrict " + block) == "what is restrict");
  CHECK(difference("layout(descriptor_heap) restrict " + block, "layout(descriptor_heap) " + block)
            .empty());
}

TEST_CASE("barriers must be as strong", "[glsl]") {
  const auto with = [](const std::string& barriers) {
    return "layout(local_size_x = 8) in;\nvoid main() { local = 1; " + barriers +
           " result.n = local; }";
  };
  CHECK(difference(with("barrier();"), with("barrier();")).empty());
  CHECK(difference(with("barrier();"), with("memoryBarrierShared();")) == "barriers");
  CHECK(difference(with("memoryBarrierShared();"), with("")) == "barriers");
  CHECK(difference(with("memoryBarrierShared();"), with("memoryBarrier();")).empty());
  CHECK(difference(with("memoryBarrierBuffer();"), with("memoryBarrierImage();")) == "barriers");
  CHECK(difference(with("memoryBarrierBuffer();"), with("groupMemoryBarrier();")) == "barriers");
  CHECK(difference(with(""), with("barrier();")).empty());
}

TEST_CASE("atomic operations must order as much", "[glsl]") {
  const auto with = [](const std::string& semantics) {
    return "void main() { atomicStore(result.n, 1u, gl_ScopeDevice, " + semantics + "); }";
  };
  const std::string release = with("gl_StorageSemanticsBuffer, gl_SemanticsRelease");
  const std::string relaxed = with("0, gl_SemanticsRelaxed");
  CHECK(difference(release, release).empty());
  CHECK(difference(relaxed, relaxed).empty());
  CHECK(difference(relaxed, release).empty());
  CHECK(difference(release, relaxed) == "atomic operations that order memory");
}

TEST_CASE("volatile loads and stores must stay so", "[glsl]") {
  const auto with = [](const std::string& operands) {
    return spirv::test::words_of(R"(
      OpCapability Shader
      OpMemoryModel Logical GLSL450
      OpEntryPoint GLCompute %main "main"
      OpExecutionMode %main LocalSize 1 1 1
      OpDecorate %Block Block
      OpMemberDecorate %Block 0 Offset 0
      OpDecorate %b DescriptorSet 0
      OpDecorate %b Binding 0
      %void = OpTypeVoid
      %function = OpTypeFunction %void
      %uint = OpTypeInt 32 0
      %zero = OpConstant %uint 0
      %Block = OpTypeStruct %uint
      %toBlock = OpTypePointer StorageBuffer %Block
      %toUint = OpTypePointer StorageBuffer %uint
      %b = OpVariable %toBlock StorageBuffer
      %main = OpFunction %void None %function
      %l = OpLabel
      %p = OpAccessChain %toUint %b %zero
      %v = OpLoad %uint %p )" + operands +
                                 R"(
      OpStore %p %v
      OpReturn
      OpFunctionEnd)");
  };
  CHECK(difference_of(with("Volatile"), with("Volatile")).empty());
  CHECK(difference_of(with("Volatile"), with("")) == "volatile loads or stores");
  CHECK(difference_of(with(""), with("Volatile")).empty());
}

}  // namespace heapsmith::driver
