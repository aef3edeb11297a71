// SPDX-License-Identifier: MIT
#include "input/mappings_json.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

// What is refused, and how it is said, is in tests/golden/lint.
namespace heapsmith::input {
namespace {

using mapping::VulkanMapping;

std::vector<VulkanMapping> read(const std::string& mappings) {
  Diagnostics diagnostics;
  const auto parsed =
      parse_mappings("{\"mappings\": [" + mappings + "]}", "mappings.json", diagnostics);
  REQUIRE(parsed);
  CHECK(diagnostics.all().empty());
  return *parsed;
}

TEST_CASE("mappings: no mapping is no mistake") {
  CHECK(read("").empty());
}

TEST_CASE("mappings: what is absent") {
  const auto mappings = read(R"({"firstBinding": 4294967295, "source": "PUSH_DATA"})");
  REQUIRE(mappings.size() == 1);
  CHECK(mappings[0].set == 0);
  CHECK(mappings[0].firstBinding == UINT32_MAX);
  CHECK(mappings[0].bindingCount == 1);
  CHECK(mappings[0].resourceMask == 0x7FFFFFFF);
  CHECK(mappings[0].source == MappingSource::PushData);
  CHECK(mappings[0].numbers.fieldOffset == 0);
  CHECK_FALSE(mappings[0].packedIndex);
  CHECK_FALSE(mappings[0].embeddedSampler);
}

TEST_CASE("mappings: everything arrives in its member") {
  const auto mappings = read(R"(
      {"descriptorSet": 1, "firstBinding": 2, "bindingCount": 3,
       "resourceMask": ["SAMPLER", "TENSOR_ARM"], "source": "HEAP_WITH_INDIRECT_INDEX",
       "heapOffset": 4, "pushOffset": 5, "addressOffset": 6, "heapIndexStride": 7,
       "heapArrayStride": 8, "embeddedSampler": {"maxLod": 9}, "useCombinedImageSamplerIndex": true,
       "samplerHeapOffset": 10, "samplerPushOffset": 11, "samplerAddressOffset": 12,
       "samplerHeapIndexStride": 13, "samplerHeapArrayStride": 14})");
  REQUIRE(mappings.size() == 1);
  const VulkanMapping& mapping = mappings[0];
  CHECK(mapping.set == 1);
  CHECK(mapping.firstBinding == 2);
  CHECK(mapping.bindingCount == 3);
  CHECK(mapping.resourceMask == 0x201);
  CHECK(mapping.source == MappingSource::HeapWithIndirectIndex);
  CHECK(mapping.numbers.heapOffset == 4);
  CHECK(mapping.numbers.fieldOffset == 5);
  CHECK(mapping.numbers.addressOffset == 6);
  CHECK(mapping.numbers.heapIndexStride == 7);
  CHECK(mapping.numbers.heapArrayStride == 8);
  REQUIRE(mapping.embeddedSampler);
  CHECK(mapping.embeddedSampler->maxLod == 9);
  CHECK(mapping.packedIndex);
  CHECK(mapping.numbers.samplerHeapOffset == 10);
  CHECK(mapping.numbers.samplerFieldOffset == 11);
  CHECK(mapping.numbers.samplerAddressOffset == 12);
  CHECK(mapping.numbers.samplerHeapIndexStride == 13);
  CHECK(mapping.numbers.samplerHeapArrayStride == 14);
  CHECK(mapping.line == 2);
}

TEST_CASE("mappings: each source calls its field as Vulkan does") {
  constexpr std::pair<const char*, const char*> kFields[] = {
      {"HEAP_WITH_PUSH_INDEX", "pushOffset"},
      {"HEAP_WITH_INDIRECT_INDEX", "pushOffset"},
      {"HEAP_WITH_INDIRECT_INDEX_ARRAY", "pushOffset"},
      {"RESOURCE_HEAP_DATA", "pushOffset"},
      {"PUSH_DATA", "pushDataOffset"},
      {"PUSH_ADDRESS", "pushAddressOffset"},
      {"INDIRECT_ADDRESS", "pushOffset"},
      {"HEAP_WITH_SHADER_RECORD_INDEX", "shaderRecordOffset"},
      {"SHADER_RECORD_DATA", "shaderRecordDataOffset"},
      {"SHADER_RECORD_ADDRESS", "shaderRecordAddressOffset"},
  };
  for (const auto& [source, field] : kFields) {
    CAPTURE(source);
    const auto mappings = read(std::string(R"({"firstBinding": 0, "source": ")") + source +
                               "\", \"" + field + "\": 24}");
    REQUIRE(mappings.size() == 1);
    CHECK(to_string(mappings[0].source) == source);
    CHECK(mappings[0].numbers.fieldOffset == 24);
  }
  CHECK(read(R"({"firstBinding": 0, "source": "HEAP_WITH_SHADER_RECORD_INDEX",
                 "samplerShaderRecordOffset": 4})")[0]
            .numbers.samplerFieldOffset == 4);
}

}  // namespace
}  // namespace heapsmith::input
