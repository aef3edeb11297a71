// SPDX-License-Identifier: MIT
#include "heapsmith/samplers.h"

#include <bit>
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "heapsmith/pipeline.h"
#include "heapsmith/sampler_members.h"
#include "runtime/recording_device.h"
#include "runtime/sample_limits.h"

using namespace heapsmith;

namespace {

constexpr uint32_t bits(float number) {
  return std::bit_cast<uint32_t>(number);
}

constexpr SamplerInfo kSamplers[] = {
    {.name = "plain",
     .flags = 4,
     .magFilter = 1,
     .minFilter = 1,
     .mipmapMode = 1,
     .addressModeU = 1,
     .addressModeV = 2,
     .addressModeW = 3,
     .mipLodBias = -0.5f,
     .anisotropyEnable = true,
     .maxAnisotropy = 8,
     .compareEnable = true,
     .compareOp = 3,
     .minLod = 1,
     .maxLod = 7,
     .borderColor = 4},
    {.name = "film",
     .reductionMode = 2,
     .convertsYcbcr = true,
     .conversion = {.format = 1000156003,
                    .ycbcrModel = 2,
                    .ycbcrRange = 1,
                    .components = {3, 4, 5, 6},
                    .xChromaOffset = 1,
                    .yChromaOffset = 0,
                    .chromaFilter = 1,
                    .forceExplicitReconstruction = true}},
    {.name = "red",
     .borderColor = kFloatCustomBorderColor,
     .unnormalizedCoordinates = true,
     .reductionMode = 1,
     .customBorderColor = {bits(1), bits(0.5f), 0, bits(1)},
     .customBorderColorFormat = 37},
    {.name = "count",
     .borderColor = kIntCustomBorderColor,
     .customBorderColor = {0xFFFFFFFF, 2, 3, 4}},
};

/// Set 0 embeds the first two, set 1 has arrays of the others in the heap, behind a table's own.
struct Sample {
  Table tables[2] = {{.name = "embedded", .set = 0, .bindings = {0, 2}},
                     {.name = "heap",
                      .set = 1,
                      .residence = Residence::Indexed,
                      .instances = 3,
                      .samplerInstances = 2,
                      .bindings = {2, 3},
                      .indexField = 0,
                      .samplerIndexField = 1}};
  Binding bindings[5] = {{.name = "plain",
                          .table = 0,
                          .type = DescriptorType::CombinedImageSampler,
                          .samplerPlacement = SamplerPlacement::Embedded,
                          .immutableSamplers = {0, 1}},
                         {.name = "film",
                          .table = 0,
                          .binding = 1,
                          .type = DescriptorType::CombinedImageSampler,
                          .samplerPlacement = SamplerPlacement::Embedded,
                          .immutableSamplers = {1, 1},
                          .slotsPerElement = kYcbcrSlots},
                         {.name = "own",
                          .table = 1,
                          .type = DescriptorType::CombinedImageSampler,
                          .residence = Residence::Indexed},
                         {.name = "one",
                          .table = 1,
                          .binding = 1,
                          .type = DescriptorType::CombinedImageSampler,
                          .arrayKind = ArrayKind::Runtime,
                          .capacity = 2,
                          .residence = Residence::Indexed,
                          .samplerPlacement = SamplerPlacement::Immutable,
                          .immutableSamplers = {2, 1}},
                         {.name = "each",
                          .table = 1,
                          .binding = 2,
                          .type = DescriptorType::Sampler,
                          .arrayKind = ArrayKind::Runtime,
                          .capacity = 2,
                          .residence = Residence::Indexed,
                          .samplerPlacement = SamplerPlacement::Immutable,
                          .immutableSamplers = {3, 2}}};
  uint32_t immutable[5] = {0, 1, 2, 3, 2};
  Field fields[2] = {
      {.name = "heap", .kind = FieldKind::TableIndex, .table = 1},
      {.name = "heapSampler", .kind = FieldKind::SamplerIndex, .table = 1, .offset = 4}};
  Mapping mappings[5] = {
      {.binding = 0, .resourceMask = 0x10, .part = MappingPart::Combined, .embeddedSampler = 0},
      {.binding = 1, .resourceMask = 0x10, .part = MappingPart::Combined, .embeddedSampler = 1},
      {.set = 1,
       .binding = 2,
       .resourceMask = 0x10,
       .source = MappingSource::HeapWithPushIndex,
       .part = MappingPart::Combined,
       .field = 0,
       .samplerField = 1},
      {.set = 1,
       .binding = 3,
       .resourceMask = 0x10,
       .source = MappingSource::HeapWithPushIndex,
       .part = MappingPart::Combined,
       .field = 0},
      {.set = 1, .binding = 4, .resourceMask = 0x1, .part = MappingPart::Sampler}};
  Program program{.name = "p", .mappings = {0, 5}};

  [[nodiscard]] Manifest manifest() const {
    return {.tables = tables,
            .bindings = bindings,
            .fields = fields,
            .programs = {&program, 1},
            .mappings = mappings,
            .samplers = kSamplers,
            .immutableSamplers = immutable};
  }
};

constexpr const char* kConversion =
    "vkCreateSamplerYcbcrConversion format 1000156003 model 2 range 1 components 3456 chroma 101 "
    "explicit 1\n";
constexpr const char* kRed =
    "vkRegisterCustomBorderColorEXT format 37 words 0x3f800000 0x3f000000 0x0 0x3f800000 "
    "requested 0\n";
constexpr const char* kCount =
    "vkRegisterCustomBorderColorEXT format 0 words 0xffffffff 0x2 0x3 0x4 requested 0\n";

}  // namespace

TEST_CASE("samplers: objects and create-infos, as mappings and heaps take them") {
  RecordingDevice recorder;
  const Sample sample;
  Result<Samplers> created = create_samplers(recorder.device(), sample.manifest());
  REQUIRE(created);
  CHECK(recorder.take_log() == std::string(kConversion) + kRed + kCount);
  // Pointers survive a move.
  Samplers samplers = std::move(*created);
  REQUIRE(samplers.embedded.size() == 4);
  REQUIRE(samplers.inHeap.size() == 4);

  const VkSamplerCreateInfo& plain = samplers.embedded[0];
  CHECK(plain.sType == VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO);
  CHECK(plain.pNext == nullptr);
  CHECK(plain.flags == 4);
  CHECK(plain.magFilter == VK_FILTER_LINEAR);
  CHECK(plain.minFilter == VK_FILTER_LINEAR);
  CHECK(plain.mipmapMode == VK_SAMPLER_MIPMAP_MODE_LINEAR);
  CHECK(plain.addressModeU == VK_SAMPLER_ADDRESS_MODE_MIRRORED_REPEAT);
  CHECK(plain.addressModeV == VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE);
  CHECK(plain.addressModeW == VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER);
  CHECK(plain.mipLodBias == -0.5f);
  CHECK(plain.anisotropyEnable == VK_TRUE);
  CHECK(plain.maxAnisotropy == 8);
  CHECK(plain.compareEnable == VK_TRUE);
  CHECK(plain.compareOp == VK_COMPARE_OP_LESS_OR_EQUAL);
  CHECK(plain.minLod == 1);
  CHECK(plain.maxLod == 7);
  CHECK(plain.borderColor == VK_BORDER_COLOR_FLOAT_OPAQUE_WHITE);
  CHECK(plain.unnormalizedCoordinates == VK_FALSE);

  // The conversion is chained where it is embedded only (11204), before the reduction mode.
  const auto* conversion =
      static_cast<const VkSamplerYcbcrConversionInfo*>(samplers.embedded[1].pNext);
  REQUIRE(conversion != nullptr);
  CHECK(conversion->sType == VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_INFO);
  CHECK(conversion->conversion == samplers.conversions[1]);
  CHECK(samplers.conversions[0] == VK_NULL_HANDLE);
  const auto* reduction = static_cast<const VkSamplerReductionModeCreateInfo*>(conversion->pNext);
  REQUIRE(reduction != nullptr);
  CHECK(reduction->sType == VK_STRUCTURE_TYPE_SAMPLER_REDUCTION_MODE_CREATE_INFO);
  CHECK(reduction->reductionMode == VK_SAMPLER_REDUCTION_MODE_MAX);
  CHECK(reduction->pNext == nullptr);
  CHECK(samplers.inHeap[1].pNext == reduction);

  // A border colour by index and value where it is in the heap only (11445, 04011).
  const auto* color =
      static_cast<const VkSamplerCustomBorderColorIndexCreateInfoEXT*>(samplers.inHeap[2].pNext);
  REQUIRE(color != nullptr);
  CHECK(color->sType == VK_STRUCTURE_TYPE_SAMPLER_CUSTOM_BORDER_COLOR_INDEX_CREATE_INFO_EXT);
  CHECK(color->index == 41);
  const auto* value = static_cast<const VkSamplerCustomBorderColorCreateInfoEXT*>(color->pNext);
  REQUIRE(value != nullptr);
  CHECK(value->sType == VK_STRUCTURE_TYPE_SAMPLER_CUSTOM_BORDER_COLOR_CREATE_INFO_EXT);
  CHECK(value->format == VK_FORMAT_R8G8B8A8_UNORM);
  CHECK(value->customBorderColor.float32[1] == 0.5f);
  CHECK(value->pNext == samplers.embedded[2].pNext);
  CHECK(samplers.inHeap[2].borderColor == VK_BORDER_COLOR_FLOAT_CUSTOM_EXT);
  CHECK(samplers.inHeap[2].unnormalizedCoordinates == VK_TRUE);

  destroy_samplers(recorder.device(), samplers);
  CHECK(recorder.liveConversions == 0);
  CHECK(recorder.liveBorderColors == 0);
  CHECK(samplers.embedded.empty());
  CHECK(recorder.take_log() ==
        "vkDestroySamplerYcbcrConversion 1\n"
        "vkUnregisterCustomBorderColorEXT 41\n"
        "vkUnregisterCustomBorderColorEXT 42\n");
  destroy_samplers(recorder.device(), samplers);
  CHECK(recorder.log.empty());
}

TEST_CASE("samplers: nothing to create, nothing called") {
  RecordingDevice recorder;
  recorder.functions.vkCreateSamplerYcbcrConversion = nullptr;
  recorder.functions.vkRegisterCustomBorderColorEXT = nullptr;
  Manifest manifest;
  CHECK(create_samplers(recorder.device(), manifest));
  manifest.samplers = {kSamplers, 1};
  CHECK(create_samplers(recorder.device(), manifest));
  CHECK(recorder.log.empty());
}

TEST_CASE("samplers: a failure leaves nothing behind") {
  const Sample sample;
  for (const char* call : {"vkCreateSamplerYcbcrConversion", "vkRegisterCustomBorderColorEXT",
                           "vkRegisterCustomBorderColorEXT#2"}) {
    CAPTURE(call);
    RecordingDevice recorder;
    recorder.failures[call] = VK_ERROR_OUT_OF_HOST_MEMORY;
    Result<Samplers> samplers = create_samplers(recorder.device(), sample.manifest());
    REQUIRE(!samplers);
    CHECK(samplers.error().code == ErrorCode::Vulkan);
    CHECK(samplers.error().vkResult == VK_ERROR_OUT_OF_HOST_MEMORY);
    CHECK(recorder.liveConversions == 0);
    CHECK(recorder.liveBorderColors == 0);
  }
  RecordingDevice recorder;
  recorder.functions.vkRegisterCustomBorderColorEXT = nullptr;
  Result<Samplers> samplers = create_samplers(recorder.device(), sample.manifest());
  REQUIRE(!samplers);
  CHECK(samplers.error().code == ErrorCode::MissingExtension);
  CHECK(samplers.error().text ==
        "sampler 'red' has a custom border colour, but the device is without "
        "VK_EXT_custom_border_color");
  CHECK(recorder.liveConversions == 0);
  recorder.functions.vkCreateSamplerYcbcrConversion = nullptr;
  Result<Samplers> none = create_samplers(recorder.device(), sample.manifest());
  REQUIRE(!none);
  CHECK(none.error().code == ErrorCode::MissingExtension);
  CHECK(none.error().text == "sampler 'film' converts from YCbCr, which the device does not");
}

TEST_CASE("samplers: mappings embed them") {
  RecordingDevice recorder;
  const Sample sample;
  const Manifest manifest = sample.manifest();
  Result<ResolvedLayout> layout = resolve(manifest, sample::kWorstCase);
  REQUIRE(layout);
  // Two image slots of the first set, kYcbcrSlots of them for the film: 4 in all.
  CHECK(resource_offset(manifest, *layout, {2}, 0, 0) == 4 * 64);
  CHECK(layout->samplerHeap.reservedRangeSize == 2048 * 32);
  Result<Samplers> samplers = create_samplers(recorder.device(), manifest);
  REQUIRE(samplers);
  const auto mappings = vulkan_mappings(manifest, *layout, {0}, *samplers);
  REQUIRE(mappings.size() == 5);
  CHECK(mappings[0].sourceData.constantOffset.pEmbeddedSampler == samplers->embedded.data());
  CHECK(mappings[1].sourceData.constantOffset.pEmbeddedSampler == &samplers->embedded[1]);
  CHECK(mappings[1].sourceData.constantOffset.heapOffset == 64);
  CHECK(mappings[1].sourceData.constantOffset.heapArrayStride == 3 * 64);
  CHECK(mappings[2].sourceData.pushIndex.pEmbeddedSampler == nullptr);
  CHECK(mappings[2].sourceData.pushIndex.samplerHeapIndexStride == 32);
  CHECK(mappings[2].sourceData.pushIndex.samplerPushOffset == 4);
  // Immutable ones come before the tuples, and have no index.
  CHECK(mappings[3].sourceData.pushIndex.samplerHeapOffset == 0);
  CHECK(mappings[3].sourceData.pushIndex.samplerHeapArrayStride == 32);
  CHECK(mappings[3].sourceData.pushIndex.samplerHeapIndexStride == 0);
  CHECK(mappings[4].source == VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_CONSTANT_OFFSET_EXT);
  CHECK(mappings[4].sourceData.constantOffset.heapOffset == 64);
  CHECK(mappings[2].sourceData.pushIndex.samplerHeapOffset == 128);
  destroy_samplers(recorder.device(), *samplers);
}

TEST_CASE("samplers: immutable ones are written once for each element") {
  RecordingDevice recorder;
  const Sample sample;
  const Manifest manifest = sample.manifest();
  const CapacityOverride longer{{3}, 3};
  Result<ResolvedLayout> layout = resolve(manifest, sample::kLavapipe, {{}, {&longer, 1}});
  REQUIRE(layout);
  Result<Heaps> heaps = create_heaps(recorder.device(), *layout);
  Result<Samplers> samplers = create_samplers(recorder.device(), manifest);
  REQUIRE(heaps);
  REQUIRE(samplers);
  const Device device = recorder.device();
  DescriptorWriter writer(device, manifest, *layout, *heaps);
  REQUIRE(write_immutable_samplers(writer, manifest, *layout, *samplers));
  CHECK(writer.pending() == 5);
  recorder.take_log();
  REQUIRE(writer.flush());
  CHECK(recorder.take_log() ==
        "vkWriteSamplerDescriptorsEXT 5\n"
        "  memory 4 byte 0+32: filter 0 > borderColor > borderColorIndex > reduction\n"
        "  memory 4 byte 32+32: filter 0 > borderColor > borderColorIndex > reduction\n"
        "  memory 4 byte 64+32: filter 0 > borderColor > borderColorIndex > reduction\n"
        "  memory 4 byte 96+32: filter 0 > borderColor > borderColorIndex\n"
        "  memory 4 byte 128+32: filter 0 > borderColor > borderColorIndex > reduction\n");
  CHECK(immutable_sampler(manifest, {2}, 0) == kNone);
  CHECK(immutable_sampler(manifest, {3}, 1) == 2);
  CHECK(immutable_sampler(manifest, {4}, 0) == 3);
  CHECK(immutable_sampler(manifest, {4}, 1) == 2);
  // There is a list for two elements, so that a third one would have none.
  const CapacityOverride beyond{{4}, 3};
  Result<ResolvedLayout> refused = resolve(manifest, sample::kLavapipe, {{}, {&beyond, 1}});
  REQUIRE(!refused);
  CHECK(refused.error().text == "binding 'each' has immutable samplers for 2 elements");
  destroy_samplers(recorder.device(), *samplers);
  destroy_heaps(recorder.device(), *heaps);
}

TEST_CASE("writer: what has no descriptor in a heap is not written") {
  RecordingDevice recorder;
  Sample sample;
  sample.bindings[2].type = DescriptorType::UniformBuffer;
  sample.bindings[2].residence = Residence::PushAddress;
  Manifest manifest = sample.manifest();
  manifest.mappings = {};
  Result<ResolvedLayout> layout = resolve(manifest, sample::kLavapipe);
  REQUIRE(layout);
  Result<Heaps> heaps = create_heaps(recorder.device(), *layout);
  REQUIRE(heaps);
  const Device device = recorder.device();
  DescriptorWriter writer(device, manifest, *layout, *heaps);
  const VkSamplerCreateInfo info{.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
  const auto refusal = [](Status status) {
    REQUIRE(!status);
    CHECK(status.error().code == ErrorCode::TypeMismatch);
    return status.error().text;
  };
  CHECK(refusal(writer.buffer({2}, 0, 0, 0x100, 16)) ==
        "binding 'own' of table 'heap' has no descriptor for a buffer in a heap: pushAddress");
  CHECK(refusal(writer.null({2}, 0, 0)) ==
        "binding 'own' of table 'heap' has no descriptor for a null descriptor in a heap: "
        "pushAddress");
  CHECK(refusal(writer.sampler({0}, 0, 0, info)) ==
        "binding 'plain' of table 'embedded' has no descriptor for a sampler in a heap: embedded");
  CHECK(refusal(writer.sampler({2}, 0, 0, info)) ==
        "binding 'own' of table 'heap' is a UNIFORM_BUFFER and takes no sampler");
  CHECK(writer.pending() == 0);
  // An immutable sampler is the same in all tuples.
  Status tuple = writer.sampler({4}, 0, 1, info);
  REQUIRE(!tuple);
  CHECK(tuple.error().code == ErrorCode::InstanceOutOfRange);
  CHECK(writer.sampler({4}, 1, 0, info));
  destroy_heaps(device, *heaps);
}

TEST_CASE("sampler members: names and numbers are one another's inverse") {
  for (const SamplerEnum kind :
       {SamplerEnum::Filter, SamplerEnum::MipmapMode, SamplerEnum::AddressMode,
        SamplerEnum::CompareOp, SamplerEnum::BorderColor, SamplerEnum::ReductionMode,
        SamplerEnum::YcbcrModel, SamplerEnum::YcbcrRange, SamplerEnum::ComponentSwizzle,
        SamplerEnum::ChromaLocation, SamplerEnum::Format}) {
    uint32_t before = 0;
    CHECK_FALSE(values_of(kind).empty());
    for (const EnumValue& value : values_of(kind)) {
      CHECK((value.value > before || &value == values_of(kind).data()));  // find_name searches
      before = value.value;
      CHECK(find_name(kind, value.value) == value.name);
      CHECK(find_value(kind, value.name) == value.value);
    }
    CHECK(find_name(kind, 999).empty());
    CHECK_FALSE(find_value(kind, "VK_NOTHING"));
  }
  CHECK(find_value(SamplerEnum::Format, "R8G8B8A8_UNORM") == uint32_t{VK_FORMAT_R8G8B8A8_UNORM});
  CHECK(find_value(SamplerEnum::Format, "G8_B8R8_2PLANE_420_UNORM") ==
        uint32_t{VK_FORMAT_G8_B8R8_2PLANE_420_UNORM});
  CHECK(find_value(SamplerEnum::Filter, "CUBIC_EXT") == uint32_t{VK_FILTER_CUBIC_EXT});
  CHECK(find_value(SamplerEnum::BorderColor, "INT_CUSTOM_EXT") ==
        uint32_t{VK_BORDER_COLOR_INT_CUSTOM_EXT});
}
