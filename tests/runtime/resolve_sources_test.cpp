// SPDX-License-Identifier: MIT
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "heapsmith/resolve.h"
#include "runtime/sample_limits.h"

/// What resolve() does for the sources of mappings beyond constant offsets and push indices.
using namespace heapsmith;

namespace {

struct Refusal {
  ErrorCode code = ErrorCode::None;
  std::string text;
};

Refusal refusal(const Manifest& manifest, const DeviceLimits& limits,
                const ResolveOptions& options = {}) {
  const Result<ResolvedLayout> layout = resolve(manifest, limits, options);
  if (layout) return {};
  return {layout.error().code, layout.error().text};
}

/// A table of an image and two uniform blocks whose bytes lie in the heap.
struct HeapData {
  Table table{.name = "t", .bindings = {0, 3}};
  Binding bindings[3] = {{.name = "image", .type = DescriptorType::SampledImage},
                         {.name = "small",
                          .binding = 1,
                          .type = DescriptorType::UniformBuffer,
                          .capacity = 3,
                          .minBufferSize = 20,
                          .residence = Residence::HeapData},
                         {.name = "large",
                          .binding = 2,
                          .type = DescriptorType::UniformBuffer,
                          .minBufferSize = 300,
                          .residence = Residence::HeapData}};
  Field fields[2] = {
      {.name = "small", .kind = FieldKind::HeapDataOffset, .table = 0, .binding = 1},
      {.name = "large", .kind = FieldKind::HeapDataOffset, .table = 0, .binding = 2, .offset = 4}};
  Mapping mappings[2] = {
      {.binding = 1, .resourceMask = 0x20, .source = MappingSource::ResourceHeapData, .field = 0},
      {.binding = 2, .resourceMask = 0x20, .source = MappingSource::ResourceHeapData, .field = 1}};

  [[nodiscard]] Manifest manifest() const {
    return {.tables = {&table, 1}, .bindings = bindings, .fields = fields, .mappings = mappings};
  }
};

/// One binding of one table, as one mapping reaches it.
struct OneMapping {
  Table table{.name = "t", .instances = 4, .samplerInstances = 3, .bindings = {0, 1}};
  Binding binding{.name = "b",
                  .type = DescriptorType::CombinedImageSampler,
                  .arrayKind = ArrayKind::Fixed,
                  .capacity = 2};
  std::vector<Field> fields;
  std::vector<IndirectBlock> blocks;
  Mapping mapping{.binding = 0, .resourceMask = 0x10, .part = MappingPart::Combined};
  ExternalRange before{.name = "x", .descriptorClass = DescriptorClass::Image, .slots = 5};

  OneMapping(Residence residence, std::vector<Field> all) : fields(std::move(all)) {
    table.residence = binding.residence = residence;
    mapping.source = mapping_source(residence);
  }
  [[nodiscard]] Manifest manifest() const {
    return {.tables = {&table, 1},
            .bindings = {&binding, 1},
            .fields = fields,
            .indirectBlocks = blocks,
            .mappings = {&mapping, 1},
            .externalRanges = {&before, 1}};
  }
  [[nodiscard]] ResolvedMapping on(const DeviceLimits& limits) const {
    const Result<ResolvedLayout> layout = resolve(manifest(), limits);
    REQUIRE(layout);
    return resolve_mapping(manifest(), *layout, mapping);
  }
};

}  // namespace

TEST_CASE(
    "resolve: blocks in the heap keep the alignment of uniform buffers, and so does the heap") {
  const HeapData sample;
  DeviceLimits limits = sample::kLavapipe;
  limits.minUniformBufferOffsetAlignment = 256;
  Result<ResolvedLayout> layout = resolve(sample.manifest(), limits);
  REQUIRE(layout);
  CHECK(layout->resourceHeap.alignment == 256);
  CHECK(layout->samplerHeap.alignment == 4);
  CHECK(layout->data[1].offset == 256);  // behind 64 bytes of an image
  CHECK(layout->data[1].stride == 256);
  CHECK(layout->data[2].offset == 256 + 3 * 256);
  CHECK(layout->data[2].stride == 512);
  CHECK(layout->resourceHeap.reservedRangeOffset == 1024 + 512);
  CHECK(layout->resourceHeap.size == 1536);
  CHECK(heap_data_offset(*layout, {1}, 2) == 256 + 2 * 256);
  CHECK(heap_data_word(*layout, {1}, 2) == 256 + 2 * 256);
  CHECK(heap_data_word(*layout, {2}, 0) == 1024);
  const ResolvedMapping mapping = resolve_mapping(sample.manifest(), *layout, sample.mappings[1]);
  CHECK(mapping.heapOffset == 0);  // the word says it all
  CHECK(mapping.fieldOffset == 4);
  CHECK(mapping.heapArrayStride == 0);

  limits.minUniformBufferOffsetAlignment = 16;
  Result<ResolvedLayout> tight = resolve(sample.manifest(), limits);
  REQUIRE(tight);
  CHECK(tight->resourceHeap.alignment == 16);
  CHECK(tight->data[1].offset == 64);
  CHECK(tight->data[1].stride == 32);
  CHECK(tight->data[2].offset == 64 + 3 * 32);

  limits.minUniformBufferOffsetAlignment = 1;  // pairs of words are read as one, the last included
  Result<ResolvedLayout> tightest = resolve(sample.manifest(), limits);
  REQUIRE(tightest);
  CHECK(tightest->resourceHeap.alignment == 16);
  CHECK(tightest->data[1].stride == tight->data[1].stride);
  CHECK(tightest->data[2].offset == tight->data[2].offset);
}

TEST_CASE("resolve: copies of a block in the heap are a choice") {
  const HeapData sample;
  DeviceLimits limits = sample::kLavapipe;
  limits.minUniformBufferOffsetAlignment = 64;
  const CapacityOverride more{{1}, 10};
  Result<ResolvedLayout> layout = resolve(sample.manifest(), limits, {{}, {&more, 1}});
  REQUIRE(layout);
  CHECK(layout->slots.bindings[1].capacity == 10);
  CHECK(layout->data[2].offset == 64 + 10 * 64);
  const CapacityOverride none{{1}, 0};
  CHECK(refusal(sample.manifest(), limits, {{}, {&none, 1}}).code == ErrorCode::InvalidOverride);
}

TEST_CASE("resolve: blocks in the heap do not wrap, and end within 32 bits") {
  HeapData sample;
  sample.bindings[2].minBufferSize = UINT64_MAX;
  CHECK(refusal(sample.manifest(), sample::kUnlimited).code == ErrorCode::ResourceHeapTooLarge);
  sample.bindings[2].minBufferSize = uint64_t{1} << 33;
  CHECK(refusal(sample.manifest(), sample::kUnlimited).code == ErrorCode::MappingOffsetOverflow);
  sample.bindings[2].minBufferSize = uint64_t{1} << 20;
  sample.bindings[2].capacity = 1u << 12;  // of a megabyte: 4 GiB, and something is before them
  const Refusal copies = refusal(sample.manifest(), sample::kUnlimited);
  CHECK(copies.code == ErrorCode::MappingOffsetOverflow);
  CHECK(copies.text ==
        "binding 'large' of table 't' reaches up to 4294968320 bytes into the resource heap, more "
        "than a mapping's 32 bits express");
  sample.bindings[2].capacity -= 1;
  CHECK(refusal(sample.manifest(), sample::kUnlimited).code == ErrorCode::None);
}

TEST_CASE("resolve: words in memory are found through their block's address") {
  OneMapping indirect(
      Residence::Indirect,
      {{.name = "a", .kind = FieldKind::BlockAddress, .block = 0, .offset = 16, .size = 8},
       {.name = "t",
        .kind = FieldKind::TableIndex,
        .space = FieldSpace::Indirect,
        .table = 0,
        .block = 0,
        .offset = 24},
       {.name = "tSampler",
        .kind = FieldKind::SamplerIndex,
        .space = FieldSpace::Indirect,
        .table = 0,
        .block = 0,
        .offset = 32}});
  indirect.blocks = {{.name = "a", .size = 36, .addressField = 0}};
  indirect.table.indexField = indirect.mapping.field = 1;
  indirect.table.samplerIndexField = indirect.mapping.samplerField = 2;
  const ResolvedMapping m = indirect.on(sample::kLavapipe);
  CHECK(m.heapOffset == 5 * 64);
  CHECK(m.heapIndexStride == 2 * 64);
  CHECK(m.heapArrayStride == 64);
  CHECK(m.fieldOffset == 16);
  CHECK(m.addressOffset == 24);
  CHECK(m.samplerHeapIndexStride == 2 * 32);
  CHECK(m.samplerFieldOffset == 16);
  CHECK(m.samplerAddressOffset == 32);
  // One tuple for all: the offsets are still legal ones.
  indirect.table.samplerInstances = 1;
  indirect.mapping.samplerField = kNone;
  const ResolvedMapping same = indirect.on(sample::kLavapipe);
  CHECK(same.samplerHeapIndexStride == 0);
  CHECK(same.samplerFieldOffset == 16);
  CHECK(same.samplerAddressOffset == 24);
}

TEST_CASE("resolve: the words of a scattered table name slots of the whole region") {
  OneMapping scattered(Residence::Scattered,
                       {{.name = "a", .kind = FieldKind::BlockAddress, .block = 0, .size = 8},
                        {.name = "b",
                         .kind = FieldKind::ResourceSlots,
                         .space = FieldSpace::Indirect,
                         .table = 0,
                         .binding = 0,
                         .block = 0,
                         .size = 8},
                        {.name = "bSampler",
                         .kind = FieldKind::SamplerSlots,
                         .space = FieldSpace::Indirect,
                         .table = 0,
                         .binding = 0,
                         .block = 0,
                         .offset = 8,
                         .size = 8}});
  scattered.blocks = {{.name = "a", .size = 16, .addressField = 0}};
  scattered.mapping.field = 1;
  scattered.mapping.samplerField = 2;
  const ResolvedMapping m = scattered.on(sample::kWorstCase);
  CHECK(m.heapOffset == 0);
  CHECK(m.heapIndexStride == 64);
  CHECK(m.heapArrayStride == 0);
  CHECK(m.addressOffset == 0);
  CHECK(m.samplerHeapOffset == 0);
  CHECK(m.samplerHeapIndexStride == 32);
  CHECK(m.samplerAddressOffset == 8);
  const Manifest manifest = scattered.manifest();
  const Result<SlotLayout> slots = assign_slots(manifest);
  REQUIRE(slots);
  // 5 slots of the external range, then instance 2 of two elements.
  CHECK(resource_slot(manifest, *slots, {0}, 1, 2) == 5 + 2 * 2 + 1);
  CHECK(sampler_slot(manifest, *slots, {0}, 1, 2) == 2 * 2 + 1);
  // There are words for two elements in the block.
  scattered.binding.arrayKind = ArrayKind::Runtime;
  const CapacityOverride fewer{{0}, 1};
  CHECK(refusal(scattered.manifest(), sample::kLavapipe, {{}, {&fewer, 1}}).code ==
        ErrorCode::None);
  const CapacityOverride more{{0}, 3};
  CHECK(refusal(scattered.manifest(), sample::kLavapipe, {{}, {&more, 1}}).text ==
        "binding 'b' has words for 2 elements in its indirect block");
  // Sampler tuples are named one by one, so that there may be more.
  const InstanceOverride tuples{{0}, 4, 9};
  CHECK(refusal(scattered.manifest(), sample::kLavapipe, {{&tuples, 1}, {}}).code ==
        ErrorCode::None);
  // A region that ends beyond 32 bits has slots that no word can name.
  scattered.before.slots = 1u << 27;
  CHECK(refusal(scattered.manifest(), sample::kUnlimited).code == ErrorCode::MappingOffsetOverflow);
}

TEST_CASE("resolve: a packed index has room for so many instances") {
  OneMapping packed(Residence::Indexed,
                    {{.name = "t", .kind = FieldKind::PackedIndex, .table = 0}});
  packed.table.indexField = packed.mapping.field = 0;
  packed.mapping.packedIndex = true;
  const ResolvedMapping m = packed.on(sample::kLavapipe);
  CHECK(m.heapIndexStride == 2 * 64);
  CHECK(m.samplerHeapIndexStride == 2 * 32);
  const auto override_with = [&](uint32_t instances, uint32_t tuples) {
    const InstanceOverride wanted{{0}, instances, tuples};
    return refusal(packed.manifest(), sample::kUnlimited, {{&wanted, 1}, {}});
  };
  CHECK(override_with(1u << 20, 1u << 12).code == ErrorCode::None);
  CHECK(override_with((1u << 20) + 1, 1).code == ErrorCode::InvalidOverride);
  CHECK(override_with(1, (1u << 12) + 1).text ==
        "table 't' has a packed index, with room for 1048576 instances and 4096 sampler tuples");
}

TEST_CASE("resolve: fields of shader records end within what the device allows") {
  OneMapping record(Residence::Record, {{.name = "t",
                                         .kind = FieldKind::TableIndex,
                                         .space = FieldSpace::ShaderRecord,
                                         .table = 0,
                                         .offset = 4060}});
  record.table.indexField = record.mapping.field = 0;
  record.table.samplerInstances = 1;
  DeviceLimits limits = sample::kLavapipe;
  CHECK(record.on(limits).fieldOffset == 4060);  // 0: not known
  limits.maxShaderRecordSize = 4064;
  CHECK(record.on(limits).fieldOffset == 4060);
  limits.maxShaderRecordSize = 4063;
  const Refusal refused = refusal(record.manifest(), limits);
  CHECK(refused.code == ErrorCode::ShaderRecordTooLarge);
  CHECK(refused.text ==
        "record field 't' ends at byte 4064 of the shader record, the device allows 4063");
  // It is no push data.
  limits.maxShaderRecordSize = 4064;
  limits.maxPushDataSize = 4;
  CHECK(refusal(record.manifest(), limits).code == ErrorCode::None);
}

TEST_CASE("resolve: embedded samplers need their reserved range, and are counted once") {
  OneMapping one(Residence::Static, {});
  one.table.instances = one.table.samplerInstances = 1;
  one.binding.arrayKind = ArrayKind::None;
  one.binding.capacity = 1;
  one.binding.samplerPlacement = SamplerPlacement::Embedded;
  one.binding.immutableSamplers = {0, 1};
  const uint32_t immutable[] = {0};
  const SamplerInfo samplers[2] = {{.name = "a"}, {.name = "b"}};
  const std::vector<Mapping> mappings = [&] {
    Mapping mapping = one.mapping;
    mapping.embeddedSampler = 0;
    return std::vector<Mapping>{mapping, mapping};
  }();
  Manifest manifest = one.manifest();
  manifest.samplers = samplers;
  manifest.immutableSamplers = immutable;
  Result<ResolvedLayout> plain = resolve(manifest, sample::kWorstCase);
  REQUIRE(plain);
  CHECK(plain->samplerHeap.reservedRangeSize == 96 * 32);
  CHECK(plain->region(DescriptorClass::Sampler).slots == 0);
  manifest.mappings = mappings;
  Result<ResolvedLayout> embedded = resolve(manifest, sample::kWorstCase);
  REQUIRE(embedded);
  CHECK(embedded->samplerHeap.reservedRangeSize == 2048 * 32);
  CHECK(embedded->samplerHeap.size == 2048 * 32);
  DeviceLimits limits = sample::kWorstCase;
  limits.maxDescriptorHeapEmbeddedSamplers = 1;
  CHECK(refusal(manifest, limits).code == ErrorCode::None);
  limits.maxDescriptorHeapEmbeddedSamplers = 0;
  const Refusal refused = refusal(manifest, limits);
  CHECK(refused.code == ErrorCode::TooManyEmbeddedSamplers);
  CHECK(refused.text == "the manifest embeds 1 samplers, the device allows 0");
}
