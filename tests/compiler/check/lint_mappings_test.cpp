// SPDX-License-Identifier: MIT
#include "check/lint_mappings.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <format>

#include "lint_sample.h"

// The rules that the validation layer knows, too, are in tests/gpu/lint_agreement.
namespace heapsmith::check {
namespace {

using Catch::Matchers::ContainsSubstring;

std::string constant(uint32_t binding, const std::string& members) {
  return std::format(R"({{"firstBinding": {}, "source": "HEAP_WITH_CONSTANT_OFFSET", {}}})",
                     binding, members);
}
std::string push_index(uint32_t binding, const std::string& members) {
  return std::format(R"({{"firstBinding": {}, "source": "HEAP_WITH_PUSH_INDEX", {}}})", binding,
                     members);
}

// Strides
// ------------------------------------------------------------------------------------------

TEST_CASE("lint: a stride of 0 makes all elements one descriptor") {
  CHECK(lint_text({{array_of(texture(0), 4)}}, constant(0, R"("heapOffset": 64)")) ==
        "warning HS5005 texture0: HEAP_WITH_CONSTANT_OFFSET: heapArrayStride is 0: all elements "
        "are one descriptor (the mapping of m.json:1)\n");
  CHECK(lint_text({{texture(0)}}, constant(0, R"("heapOffset": 64)")).empty());
  CHECK(lint_text({{array_of(texture(0), 1)}}, constant(0, R"("heapOffset": 64)")).empty());
  CHECK_THAT(lint_text({{array_of(texture(0), 0)}}, constant(0, R"("heapOffset": 64)")),
             ContainsSubstring("heapArrayStride is 0"));
  // One sampler for a whole array is what 0 is for.
  CHECK(lint_text({{array_of(sampler(0), 4)}}, constant(0, R"("heapOffset": 64)")).empty());
}

TEST_CASE("lint: an index stride of 0 makes all indices one descriptor") {
  CHECK(lint_text({{texture(0)}}, push_index(0, R"("pushOffset": 4)")) ==
        "warning HS5005 texture0: HEAP_WITH_PUSH_INDEX: heapIndexStride is 0: every index is the "
        "same descriptor (the mapping of m.json:1)\n");
  // 1 makes the index a byte offset.
  CHECK(
      lint_text({{texture(0)}}, push_index(0, R"("pushOffset": 4, "heapIndexStride": 1)")).empty());
}

TEST_CASE("lint: descriptors that overlap because a stride is too small") {
  DeviceLimits limits = sample_limits();
  limits.imageDescriptorAlignment = 16;
  limits.samplerDescriptorAlignment = 4;
  CHECK(lint_text({{array_of(texture(0), 4)}}, constant(0, R"("heapArrayStride": 48)"), limits) ==
        "warning HS5005 texture0: HEAP_WITH_CONSTANT_OFFSET: heapArrayStride 48 is less than "
        "imageDescriptorSize, 64: descriptors overlap (the mapping of m.json:1)\n");
  CHECK(lint_text({{array_of(texture(0), 4)}}, constant(0, R"("heapArrayStride": 80)"), limits)
            .empty());
  CHECK_THAT(lint_text({{array_of(storage_block(0), 4)}},
                       R"({"firstBinding": 0, "source": "HEAP_WITH_INDIRECT_INDEX_ARRAY",
                           "heapIndexStride": 16})"),
             ContainsSubstring("heapIndexStride 16 is less than bufferDescriptorSize, 32"));
  CHECK_THAT(
      lint_text({{array_of(combined(0), 4)}},
                constant(0, R"("heapArrayStride": 64, "samplerHeapArrayStride": 8)"), limits),
      ContainsSubstring("samplerHeapArrayStride 8 is less than samplerDescriptorSize, 16"));
}

// One index for two
// --------------------------------------------------------------------------------

TEST_CASE("lint: element 1 of an array and the next binding have the same index") {
  const std::string wide =
      R"({"firstBinding": 0, "bindingCount": 10, "source": "HEAP_WITH_CONSTANT_OFFSET",
          "heapArrayStride": 64})";
  CHECK(lint_text({{array_of(texture(0), 4), array_of(texture(1), 4)}}, wide) ==
        "error HS5004 texture0: HEAP_WITH_CONSTANT_OFFSET: its element 1 and binding 1, variable "
        "\"texture1\", have the same shaderIndex: give each binding a mapping of its own (the "
        "mapping of m.json:1)\n");
  CHECK(lint_text({{texture(0), array_of(texture(1), 4)}}, wide).empty());
  CHECK(lint_text({{array_of(texture(0), 4), texture(4)}}, wide).empty());
  CHECK_THAT(lint_text({{array_of(texture(0), 4), texture(3)}}, wide),
             ContainsSubstring("its element 3 and binding 3"));
  CHECK_THAT(lint_text({{array_of(texture(0), 0), texture(9)}}, wide),
             ContainsSubstring("its element 9 and binding 9"));
  // They lie in different heaps.
  CHECK(lint_text({{array_of(texture(0), 4), sampler(1)}}, wide).empty());
}

TEST_CASE("lint: a mapping for each binding, and one binding beside the range, do not collide") {
  CHECK(lint_text({{array_of(texture(0), 4), array_of(texture(1), 4)}},
                  constant(0, R"("heapArrayStride": 64)") + "," +
                      constant(1, R"("heapOffset": 256, "heapArrayStride": 64)"))
            .empty());
  CHECK(lint_text({{array_of(texture(0), 4), texture(2)}},
                  R"({"firstBinding": 0, "bindingCount": 2,
                      "source": "HEAP_WITH_CONSTANT_OFFSET", "heapArrayStride": 64},)" +
                      constant(2, R"("heapOffset": 512)"))
            .empty());
}

// Members that nothing reads
// -----------------------------------------------------------------------

TEST_CASE("lint: sampler members where there is no combined image sampler") {
  const std::string said =
      ": HEAP_WITH_CONSTANT_OFFSET: the sampler members are read for combined image samplers "
      "alone; a sampler is found through heapOffset (the mapping of m.json:1)\n";
  CHECK(lint_text({{sampler(0)}}, constant(0, R"("samplerHeapOffset": 16)")) ==
        "warning HS5009 sampler0" + said);
  CHECK(lint_text({{texture(0)}}, constant(0, R"("samplerHeapArrayStride": 16)")) ==
        "warning HS5009 texture0" + said);
  CHECK(lint_text({{combined(0)}}, constant(0, R"("samplerHeapOffset": 16)")).empty());
}

TEST_CASE("lint: sampler members beside an embedded sampler, and one that nothing samples with") {
  CHECK_THAT(
      lint_text({{combined(0)}}, constant(0, R"("samplerHeapOffset": 16, "embeddedSampler": {})")),
      ContainsSubstring("warning HS5009 combined0") &&
          ContainsSubstring("are not read beside an embedded sampler"));
  CHECK_THAT(lint_text({{texture(0)}}, constant(0, R"("embeddedSampler": {})")),
             ContainsSubstring("warning HS5009 texture0") &&
                 ContainsSubstring("it has no sampler, pEmbeddedSampler is not read"));
}

// Push data
// ----------------------------------------------------------------------------------------

TEST_CASE("lint: a field in the shader's push constants") {
  SampleShader shader = {{uniform_block(0)}};
  shader.pushConstants = {.name = "pc", .offset = 16, .size = 32};
  const auto at = [&](uint32_t offset) {
    return lint_text(shader, std::format(R"({{"firstBinding": 0, "source": "PUSH_ADDRESS",
                                      "pushAddressOffset": {}}})",
                                         offset));
  };
  CHECK(at(8).empty());
  CHECK(at(16) ==
        "error HS5014 block0: PUSH_ADDRESS: its buffer address in push data bytes 16 to 24 lies in "
        "the shader's push constants, bytes 16 to 48 (the mapping of m.json:1)\n");
  CHECK_THAT(at(40), ContainsSubstring("HS5014"));
  CHECK(at(48).empty());
}

TEST_CASE("lint: two fields in one place") {
  const SampleShader shader = {{uniform_block(0, 16), uniform_block(1), texture(2), texture(3)}};
  const auto with = [&](const std::string& second) {
    return lint_text(shader, R"({"firstBinding": 0, "source": "PUSH_DATA", "pushDataOffset": 0},)" +
                                 second + "," + constant(2, R"("heapOffset": 0)") + "," +
                                 constant(3, R"("heapOffset": 64)"));
  };
  CHECK(with(R"({"firstBinding": 1, "source": "PUSH_ADDRESS", "pushAddressOffset": 16})").empty());
  CHECK(with(R"({"firstBinding": 1, "source": "PUSH_ADDRESS", "pushAddressOffset": 8})") ==
        "error HS5014 block1: PUSH_ADDRESS: its buffer address in push data bytes 8 to 16 overlaps "
        "the data of binding 0, variable \"block0\", bytes 0 to 16 (the mapping of m.json:1)\n");
  CHECK_THAT(with(R"({"firstBinding": 1, "source": "HEAP_WITH_PUSH_INDEX", "pushOffset": 12,
                      "heapIndexStride": 32})"),
             ContainsSubstring("its index in push data bytes 12 to 16 overlaps the data"));
  CHECK_THAT(with(R"({"firstBinding": 1, "source": "RESOURCE_HEAP_DATA", "pushOffset": 4})"),
             ContainsSubstring("its heap data offset in push data bytes 4 to 8 overlaps the data"));
}

TEST_CASE("lint: many may read one index") {
  CHECK(lint_text({{texture(0), texture(1)}},
                  push_index(0, R"("pushOffset": 4, "heapIndexStride": 64)") + "," +
                      push_index(1, R"("heapOffset": 64, "pushOffset": 4, "heapIndexStride": 64)"))
            .empty());
  // An index is no address.
  CHECK_THAT(lint_text({{texture(0), storage_block(1)}},
                       push_index(0, R"("pushOffset": 0, "heapIndexStride": 64)") +
                           R"(,{"firstBinding": 1, "source": "PUSH_ADDRESS"})"),
             ContainsSubstring("HS5014"));
}

TEST_CASE("lint: both words of a combined image sampler count") {
  SampleShader shader = {{combined(0)}};
  shader.pushConstants = {.name = "pc", .offset = 0, .size = 16};
  CHECK_THAT(lint_text(shader, push_index(0, R"("pushOffset": 16, "heapIndexStride": 64,
                                                 "samplerPushOffset": 12,
                                                 "samplerHeapIndexStride": 16)")),
             ContainsSubstring("its index in push data bytes 12 to 16 lies in the shader's"));
  // The packed one has no second word.
  CHECK(lint_text(shader, push_index(0, R"("pushOffset": 16, "heapIndexStride": 64,
                                            "useCombinedImageSamplerIndex": true,
                                            "samplerHeapIndexStride": 16)"))
            .empty());
}

// Bytes
// --------------------------------------------------------------------------------------------

TEST_CASE("lint: elements beyond 32 bits") {
  DeviceLimits limits = sample_limits();
  limits.maxResourceHeapSize = uint64_t{1} << 40;
  CHECK(
      lint_text({{array_of(texture(0), 67108864)}}, constant(0, R"("heapArrayStride": 64)"), limits)
          .empty());
  CHECK(lint_text({{array_of(texture(0), 67108865)}}, constant(0, R"("heapArrayStride": 64)"),
                  limits) ==
        "error HS5012 texture0: HEAP_WITH_CONSTANT_OFFSET: element 67108864 lies beyond 2^32 bytes "
        "of the resource heap (the mapping of m.json:1)\n");
  CHECK_THAT(lint_text({{array_of(texture(0), 2)}},
                       constant(0, R"("heapOffset": 4294967232, "heapArrayStride": 64)"), limits),
             ContainsSubstring("HS5012"));
}

TEST_CASE("lint: a mapping of many bindings reaches as far as its last one") {
  DeviceLimits limits = sample_limits();
  limits.maxResourceHeapSize = uint64_t{1} << 40;
  CHECK_THAT(lint_text({{texture(4000000000)}},
                       R"({"firstBinding": 0, "bindingCount": 4294967295,
                           "source": "HEAP_WITH_CONSTANT_OFFSET", "heapArrayStride": 64})",
                       limits),
             ContainsSubstring("element 4000000000 lies beyond 2^32 bytes"));
}

TEST_CASE("lint: a heap holds what its device allows, less the reserved range") {
  // 65536 bytes, 1024 of them reserved.
  CHECK(lint_text({{texture(0)}}, constant(0, R"("heapOffset": 64448)")).empty());
  CHECK(lint_text({{texture(0)}}, constant(0, R"("heapOffset": 64512)")) ==
        "error HS5010 texture0: HEAP_WITH_CONSTANT_OFFSET: it reaches byte 64576 of the resource "
        "heap, which has 65536 at most, 1024 of them reserved (11309) (the mapping of m.json:1)\n");
  // 4096 bytes, 64 of them reserved.
  CHECK(lint_text({{sampler(0)}}, constant(0, R"("heapOffset": 4016)")).empty());
  CHECK_THAT(lint_text({{sampler(0)}}, constant(0, R"("heapOffset": 4032)")),
             ContainsSubstring("byte 4048 of the sampler heap, which has 4096 at most, 64"));
  CHECK_THAT(lint_text({{array_of(combined(0), 3)}},
                       constant(0, R"("heapArrayStride": 64, "samplerHeapOffset": 4000,
                                      "samplerHeapArrayStride": 16)")),
             ContainsSubstring("byte 4048 of the sampler heap"));
}

TEST_CASE("lint: with embedded samplers more of the sampler heap is reserved") {
  const std::string heap_sampler = constant(0, R"("heapOffset": 4000)");
  CHECK(lint_text({{sampler(0)}}, heap_sampler).empty());
  CHECK_THAT(lint_text({{sampler(0), sampler(1)}},
                       heap_sampler + "," + constant(1, R"("embeddedSampler": {})")),
             ContainsSubstring("which has 4096 at most, 128 of them reserved"));
}

TEST_CASE("lint: heap data reaches as far as its block") {
  const auto at = [](uint64_t offset) {
    return lint_text({{uniform_block(0, 256)}},
                     std::format(R"({{"firstBinding": 0, "source": "RESOURCE_HEAP_DATA",
                                      "heapOffset": {}, "pushOffset": 0}})",
                                 offset));
  };
  CHECK(at(64256).empty());
  CHECK_THAT(at(64320), ContainsSubstring("HS5010") && ContainsSubstring("byte 64576"));
}

// Kinds
// --------------------------------------------------------------------------------------------

TEST_CASE("lint: tensors have an alignment of their own (11390)") {
  CHECK(lint_text({{tensor(0)}}, constant(0, R"("heapOffset": 128)")).empty());
  CHECK(lint_text({{tensor(0)}}, constant(0, R"("heapOffset": 64)")) ==
        "error HS5006 tensor0: HEAP_WITH_CONSTANT_OFFSET: heapOffset 64 is no multiple of "
        "tensorDescriptorAlignment, 128 (11390) (the mapping of m.json:1)\n");
  CHECK_THAT(lint_text({{array_of(tensor(0), 2)}},
                       constant(0, R"("heapOffset": 128, "heapArrayStride": 192)")),
             ContainsSubstring("heapArrayStride 192 is no multiple of tensorDescriptorAlignment"));
}

TEST_CASE("lint: a device without tensors has no rule for them") {
  DeviceLimits limits = sample_limits();
  limits.tensorDescriptorSize = 0;
  limits.tensorDescriptorAlignment = 0;
  CHECK(lint_text({{tensor(0)}}, constant(0, R"("heapOffset": 1)"), limits).empty());
}

TEST_CASE("lint: acceleration structures are aligned as buffers are, though no VUID says so") {
  reflect::Resource scene = storage_block(0);
  scene.name = "scene";
  scene.type = DescriptorType::AccelerationStructureKHR;
  scene.kind = reflect::ResourceKind::AccelerationStructure;
  CHECK(lint_text({{scene}}, constant(0, R"("heapOffset": 32)")).empty());
  CHECK(lint_text({{scene}}, constant(0, R"("heapOffset": 16)")) ==
        "error HS5006 scene: HEAP_WITH_CONSTANT_OFFSET: heapOffset 16 is no multiple of "
        "bufferDescriptorAlignment, 32 (the mapping of m.json:1)\n");
}

TEST_CASE("lint: variable pointers, as far as capabilities tell (11387, 11388)") {
  const std::string address = R"({"firstBinding": 0, "source": "PUSH_ADDRESS"})";
  const std::string index = push_index(1, R"("pushOffset": 8, "heapIndexStride": 32)");
  const std::string offset = constant(2, R"("heapOffset": 0)");
  const auto of = [&](std::vector<reflect::Resource> resources, const std::string& mappings,
                      const char* capability) {
    return lint_text({std::move(resources), {}, {capability}}, mappings);
  };
  CHECK(of({storage_block(0)}, address, "VariablePointersStorageBuffer") ==
        "warning HS5007 storage0: PUSH_ADDRESS: the module declares variable pointers, none of "
        "which may be to it (11388) (the mapping of m.json:1)\n");
  CHECK(
      of({storage_block(1), storage_block(2)}, index + "," + offset, "VariablePointers") ==
      "warning HS5007 storage2: HEAP_WITH_CONSTANT_OFFSET: the module declares variable pointers, "
      "none of which may be to it and to \"storage1\", which comes from HEAP_WITH_PUSH_INDEX "
      "(11387) (the mapping of m.json:1)\n");
  CHECK(of({storage_block(1), storage_block(2)}, index + "," + offset, "Shader").empty());
  CHECK(of({storage_block(1), texture(2)}, index + "," + offset, "VariablePointers").empty());
  CHECK(of({uniform_block(0)}, address, "VariablePointers").empty());
}

TEST_CASE("lint: no mapping, and one that is not for the variable's kind") {
  CHECK(lint_text({{texture(0)}}, "") == "error HS5001 texture0: no mapping serves it (11312)\n");
  CHECK(lint_text({{texture(0)}}, constant(0, R"("resourceMask": ["SAMPLER"])")) ==
        "error HS5001 texture0: HEAP_WITH_CONSTANT_OFFSET: the resourceMask lacks the variable's "
        "kind (11312) (the mapping of m.json:1)\n");
}

TEST_CASE("lint: a texel buffer of an old module needs a mask for all kinds") {
  reflect::Resource texels = combined(0);
  texels.type = DescriptorType::UniformTexelBuffer;
  CHECK(lint_text({{texels}}, constant(0, R"("heapOffset": 64)")).empty());
  CHECK_THAT(lint_text({{texels}}, constant(0, R"("resourceMask": ["COMBINED_SAMPLED_IMAGE"])")),
             ContainsSubstring("warning HS5003 combined0") &&
                 ContainsSubstring("no resourceMask but ALL (11312)"));
  texels.kind = reflect::ResourceKind::SampledImage;
  CHECK(lint_text({{texels}}, constant(0, R"("resourceMask": ["SAMPLED_IMAGE"])")).empty());
}

TEST_CASE("lint: a mapping that other front ends' shaders would need") {
  reflect::Resource resource = storage_block(0);
  resource.readOnly = true;  // by its members: the kind is by the variable
  CHECK_THAT(
      lint_text({{resource}}, constant(0, R"("resourceMask": ["READ_ONLY_STORAGE_BUFFER"])")),
      ContainsSubstring("NonWritable stands on the block's members, not on the variable"));
}

TEST_CASE("lint: a buffer at an address has no length (11378)") {
  reflect::Resource resource = storage_block(0);
  resource.usesLength = true;
  CHECK(lint_text({{resource}}, R"({"firstBinding": 0, "source": "PUSH_ADDRESS"})") ==
        "error HS5008 storage0: PUSH_ADDRESS: OpArrayLength is used on it, which an address lacks "
        "(11378) (the mapping of m.json:1)\n");
}

TEST_CASE("lint: a conversion without a combined image sampler (12203)") {
  CHECK_THAT(lint_text({{sampler(0)}}, constant(0, R"("embeddedSampler": {
               "addressModeU": "CLAMP_TO_EDGE", "addressModeV": "CLAMP_TO_EDGE",
               "addressModeW": "CLAMP_TO_EDGE",
               "ycbcrConversion": {"format": "G8_B8R8_2PLANE_420_UNORM"}})")),
             ContainsSubstring("error HS5013 sampler0") && ContainsSubstring("(12203)"));
}

}  // namespace
}  // namespace heapsmith::check
