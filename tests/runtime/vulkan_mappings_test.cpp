// SPDX-License-Identifier: MIT
#include <catch2/catch_test_macros.hpp>
#include <vector>

#include "heapsmith/pipeline.h"
#include "runtime/sample_limits.h"

using namespace heapsmith;

namespace {

/// An array of two combined image samplers, reached by each source that reaches descriptors, and a
/// uniform block, reached by all others. Each field has an offset of its own.
struct Sample {
  Table table{.name = "t", .set = 9, .instances = 4, .samplerInstances = 3, .bindings = {0, 2}};
  Binding bindings[2] = {{.name = "images",
                          .binding = 5,
                          .type = DescriptorType::CombinedImageSampler,
                          .arrayKind = ArrayKind::Fixed,
                          .capacity = 2},
                         {.name = "block",
                          .binding = 6,
                          .type = DescriptorType::UniformBuffer,
                          .minBufferSize = 16,
                          .residence = Residence::HeapData}};
  std::vector<Field> fields = {
      {.name = "pushed", .kind = FieldKind::TableIndex, .table = 0, .offset = 4},
      {.name = "pushedSampler", .kind = FieldKind::SamplerIndex, .table = 0, .offset = 12},
      {.name = "address", .kind = FieldKind::BlockAddress, .block = 0, .offset = 24, .size = 8},
      {.name = "far", .space = FieldSpace::Indirect, .table = 0, .block = 0, .offset = 36},
      {.name = "farSampler", .space = FieldSpace::Indirect, .table = 0, .block = 0, .offset = 44},
      {.name = "recorded", .space = FieldSpace::ShaderRecord, .table = 0, .offset = 52},
      {.name = "recordedSampler", .space = FieldSpace::ShaderRecord, .table = 0, .offset = 60},
      {.name = "farAddress", .space = FieldSpace::Indirect, .block = 0, .offset = 72, .size = 8},
  };
  IndirectBlock block{.name = "b", .size = 80, .addressField = 2};
  std::vector<Mapping> mappings;
  Program program{.name = "p"};

  Sample() {
    table.residence = bindings[0].residence = Residence::Indexed;
    table.indexField = 0;
    table.samplerIndexField = 1;
  }

  [[nodiscard]] VkDescriptorSetAndBindingMappingEXT map(const Mapping& mapping) {
    mappings = {mapping};
    program.mappings = {0, 1};
    const Manifest manifest = {.tables = {&table, 1},
                               .bindings = bindings,
                               .fields = fields,
                               .indirectBlocks = {&block, 1},
                               .programs = {&program, 1},
                               .mappings = mappings};
    Result<ResolvedLayout> layout = resolve(manifest, sample::kWorstCase);
    REQUIRE(layout);
    const auto mapped = vulkan_mappings(manifest, *layout, {0});
    REQUIRE(mapped.size() == 1);
    CHECK(mapped[0].descriptorSet == 9);
    CHECK(mapped[0].bindingCount == 1);
    CHECK(mapped[0].resourceMask == mapping.resourceMask);
    CHECK(mapped[0].source == static_cast<VkDescriptorMappingSourceEXT>(mapping.source));
    return mapped[0];
  }

  [[nodiscard]] VkDescriptorSetAndBindingMappingEXT images(MappingSource source, uint32_t field,
                                                           uint32_t samplerField) {
    return map({.set = 9,
                .binding = 0,
                .resourceMask = 0x10,
                .source = source,
                .part = MappingPart::Combined,
                .field = field,
                .samplerField = samplerField});
  }
  [[nodiscard]] VkDescriptorMappingSourceDataEXT of_block(MappingSource source, uint32_t field) {
    return map({.set = 9, .binding = 1, .resourceMask = 0x20, .source = source, .field = field})
        .sourceData;
  }
};

}  // namespace

TEST_CASE("vulkan_mappings: sources of descriptors fill their own structs") {
  Sample sample;
  const auto constant = sample.images(MappingSource::HeapWithConstantOffset, kNone, kNone);
  CHECK(constant.firstBinding == 5);
  CHECK(constant.sourceData.constantOffset.heapOffset == 0);
  CHECK(constant.sourceData.constantOffset.heapArrayStride == 64);
  CHECK(constant.sourceData.constantOffset.samplerHeapOffset == 0);
  CHECK(constant.sourceData.constantOffset.samplerHeapArrayStride == 32);

  const auto pushed = sample.images(MappingSource::HeapWithPushIndex, 0, 1).sourceData.pushIndex;
  CHECK(pushed.pushOffset == 4);
  CHECK(pushed.heapIndexStride == 128);
  CHECK(pushed.heapArrayStride == 64);
  CHECK(pushed.samplerPushOffset == 12);
  CHECK(pushed.samplerHeapIndexStride == 64);
  CHECK(pushed.samplerHeapArrayStride == 32);
  CHECK(pushed.useCombinedImageSamplerIndex == VK_FALSE);

  const auto far =
      sample.images(MappingSource::HeapWithIndirectIndex, 3, 4).sourceData.indirectIndex;
  CHECK(far.pushOffset == 24);
  CHECK(far.addressOffset == 36);
  CHECK(far.heapIndexStride == 128);
  CHECK(far.heapArrayStride == 64);
  CHECK(far.samplerPushOffset == 24);
  CHECK(far.samplerAddressOffset == 44);
  CHECK(far.samplerHeapIndexStride == 64);
  CHECK(far.samplerHeapArrayStride == 32);

  const auto scattered =
      sample.images(MappingSource::HeapWithIndirectIndexArray, 3, 4).sourceData.indirectIndexArray;
  CHECK(scattered.pushOffset == 24);
  CHECK(scattered.addressOffset == 36);
  CHECK(scattered.heapIndexStride == 64);
  CHECK(scattered.samplerPushOffset == 24);
  CHECK(scattered.samplerAddressOffset == 44);
  CHECK(scattered.samplerHeapIndexStride == 32);

  const auto recorded =
      sample.images(MappingSource::HeapWithShaderRecordIndex, 5, 6).sourceData.shaderRecordIndex;
  CHECK(recorded.shaderRecordOffset == 52);
  CHECK(recorded.heapIndexStride == 128);
  CHECK(recorded.heapArrayStride == 64);
  CHECK(recorded.samplerShaderRecordOffset == 60);
  CHECK(recorded.samplerHeapIndexStride == 64);
  CHECK(recorded.samplerHeapArrayStride == 32);
}

TEST_CASE("vulkan_mappings: a packed index is said for every source that has one") {
  Sample sample;
  sample.fields[0].kind = FieldKind::PackedIndex;
  sample.table.samplerIndexField = kNone;
  const auto packed = [&](MappingSource source, uint32_t field) {
    return sample
        .map({.set = 9,
              .binding = 0,
              .resourceMask = 0x10,
              .source = source,
              .part = MappingPart::Combined,
              .field = field,
              .packedIndex = true})
        .sourceData;
  };
  const auto pushed = packed(MappingSource::HeapWithPushIndex, 0).pushIndex;
  CHECK(pushed.useCombinedImageSamplerIndex == VK_TRUE);
  CHECK(pushed.samplerHeapIndexStride == 64);
  const auto far = packed(MappingSource::HeapWithIndirectIndex, 3).indirectIndex;
  CHECK(far.useCombinedImageSamplerIndex == VK_TRUE);
  const auto recorded = packed(MappingSource::HeapWithShaderRecordIndex, 5).shaderRecordIndex;
  CHECK(recorded.useCombinedImageSamplerIndex == VK_TRUE);
}

TEST_CASE("vulkan_mappings: sources without descriptors are offsets") {
  Sample sample;
  const auto heap = sample.of_block(MappingSource::ResourceHeapData, 0).heapData;
  CHECK(heap.heapOffset == 0);  // where the blocks lie is for the word to say
  CHECK(heap.pushOffset == 4);
  CHECK(sample.of_block(MappingSource::PushData, 0).pushDataOffset == 4);
  CHECK(sample.of_block(MappingSource::PushAddress, 2).pushAddressOffset == 24);
  const auto far = sample.of_block(MappingSource::IndirectAddress, 7).indirectAddress;
  CHECK(far.pushOffset == 24);
  CHECK(far.addressOffset == 72);
  CHECK(sample.of_block(MappingSource::ShaderRecordData, 5).shaderRecordDataOffset == 52);
  CHECK(sample.of_block(MappingSource::ShaderRecordAddress, 6).shaderRecordAddressOffset == 60);
}
