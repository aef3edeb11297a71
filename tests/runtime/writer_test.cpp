// SPDX-License-Identifier: MIT
#include "heapsmith/writer.h"

#include <array>
#include <bit>
#include <catch2/catch_test_macros.hpp>
#include <cstdio>
#include <string>
#include <utility>

#include "runtime/allocations.h"
#include "runtime/recording_device.h"
#include "runtime/sample_limits.h"
#include "runtime/sample_manifest.h"

using namespace heapsmith;

namespace {

/// The sample manifest on a device, with heaps: resources are memory 2, samplers memory 4.
struct Fixture {
  RecordingDevice recorder;
  Device device;
  ResolvedLayout layout;
  Heaps heaps;

  explicit Fixture(const DeviceLimits& limits = sample::kLavapipe,
                   const Manifest& manifest = sample::kManifest)
      : device(recorder.device()) {
    Result<ResolvedLayout> resolved = resolve(manifest, limits);
    REQUIRE(resolved);
    layout = std::move(*resolved);
    Result<Heaps> created = create_heaps(device, layout);
    REQUIRE(created);
    heaps = *created;
    recorder.take_log();
  }
  ~Fixture() { destroy_heaps(device, heaps); }
  Fixture(const Fixture&) = delete;
  Fixture& operator=(const Fixture&) = delete;

  [[nodiscard]] DescriptorWriter writer() { return {device, sample::kManifest, layout, heaps}; }
};

VkImageViewCreateInfo view_of(uint64_t image, const void* next = nullptr) {
  VkImageViewCreateInfo view{};
  view.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO;
  view.pNext = next;
  view.image = std::bit_cast<VkImage>(image);
  return view;
}

VkSamplerCreateInfo sampler_of(VkFilter filter, const void* next = nullptr) {
  VkSamplerCreateInfo sampler{};
  sampler.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO;
  sampler.pNext = next;
  sampler.magFilter = filter;
  return sampler;
}

ErrorCode code(Status status) {
  return status ? ErrorCode::None : status.error().code;
}

constexpr VkImageLayout kReadOnly = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL;

}  // namespace

TEST_CASE("writer: one call a heap, in the order of calls") {
  Fixture fixture;
  DescriptorWriter writer = fixture.writer();
  REQUIRE(writer.buffer(sample::kFactors, 0, 2, 0x5000, 64));
  REQUIRE(writer.sampler(sample::kLinear, 0, 0, sampler_of(VK_FILTER_LINEAR)));
  REQUIRE(writer.image(sample::kAlbedo, 0, 1, view_of(7), kReadOnly));
  REQUIRE(writer.null(sample::kTextures, 7, 0));
  REQUIRE(writer.sampler(sample::kAlbedo, 0, 1, sampler_of(VK_FILTER_NEAREST)));
  REQUIRE(writer.buffer(sample::kCamera, 0, 0, 0x6000, 256));
  CHECK(writer.pending() == 6);
  CHECK(fixture.recorder.log.empty());
  REQUIRE(writer.flush());
  CHECK(writer.pending() == 0);
  CHECK(fixture.recorder.take_log() ==
        "vkWriteResourceDescriptorsEXT 4\n"
        "  memory 2 byte 1264+16: STORAGE_BUFFER 0x5000+64\n"
        "  memory 2 byte 576+64: SAMPLED_IMAGE image 7 layout 5\n"
        "  memory 2 byte 1152+64: SAMPLED_IMAGE null\n"
        "  memory 2 byte 1216+16: UNIFORM_BUFFER 0x6000+256\n"
        "vkWriteSamplerDescriptorsEXT 2\n"
        "  memory 4 byte 0+32: filter 1\n"
        "  memory 4 byte 64+32: filter 0\n");
  REQUIRE(writer.flush());
  CHECK(fixture.recorder.log.empty());
}

TEST_CASE("writer: descriptors go to the heap's start, not the buffer's") {
  Fixture fixture(sample::kWorstCase);
  DescriptorWriter writer = fixture.writer();
  REQUIRE(writer.buffer(sample::kCamera, 0, 0, 0x6000, 256));
  REQUIRE(writer.flush());
  CHECK(fixture.recorder.log ==
        "vkWriteResourceDescriptorsEXT 1\n"
        "  memory 2 byte 1280+128: UNIFORM_BUFFER 0x6000+256\n");
}

TEST_CASE("writer: copies what it is given, chains included") {
  Fixture fixture;
  DescriptorWriter writer = fixture.writer();
  {
    VkImageViewUsageCreateInfo usage{};
    usage.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_USAGE_CREATE_INFO;
    VkImageViewMinLodCreateInfoEXT minLod{};
    minLod.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_MIN_LOD_CREATE_INFO_EXT;
    minLod.pNext = &usage;
    VkSamplerReductionModeCreateInfo reduction{};
    reduction.sType = VK_STRUCTURE_TYPE_SAMPLER_REDUCTION_MODE_CREATE_INFO;
    // Many, so that the writer's arrays move while it records.
    for (uint32_t i = 0; i < 4; ++i) {
      REQUIRE(writer.image(sample::kEnvironment, i, 0, view_of(10 + i, &minLod), kReadOnly));
    }
    REQUIRE(writer.sampler(sample::kLinear, 0, 0, sampler_of(VK_FILTER_LINEAR, &reduction)));
    REQUIRE(writer.sampler(sample::kAlbedo, 0, 0, sampler_of(VK_FILTER_LINEAR)));
    usage = {};
    minLod = {};
    reduction = {};
  }
  REQUIRE(writer.flush());
  CHECK(fixture.recorder.log ==
        "vkWriteResourceDescriptorsEXT 4\n"
        "  memory 2 byte 256+64: SAMPLED_IMAGE image 10 layout 5 > minLod > usage\n"
        "  memory 2 byte 320+64: SAMPLED_IMAGE image 11 layout 5 > minLod > usage\n"
        "  memory 2 byte 384+64: SAMPLED_IMAGE image 12 layout 5 > minLod > usage\n"
        "  memory 2 byte 448+64: SAMPLED_IMAGE image 13 layout 5 > minLod > usage\n"
        "vkWriteSamplerDescriptorsEXT 2\n"
        "  memory 4 byte 0+32: filter 1 > reduction\n"
        "  memory 4 byte 32+32: filter 1\n");
}

TEST_CASE("writer: all kinds of descriptor") {
  constexpr DescriptorType types[] = {DescriptorType::StorageImage, DescriptorType::InputAttachment,
                                      DescriptorType::UniformTexelBuffer,
                                      DescriptorType::StorageTexelBuffer,
                                      DescriptorType::AccelerationStructureKHR};
  std::array<Binding, 5> bindings;
  for (uint32_t i = 0; i < 5; ++i)
    bindings[i] = {"b", 0, i, types[i], ArrayKind::None, 1, 0, 0};
  Table table{};
  table.bindings = {0, 5};
  Manifest manifest;
  manifest.tables = {&table, 1};
  manifest.bindings = bindings;
  Fixture fixture(sample::kLavapipe, manifest);
  fixture.recorder.take_log();
  DescriptorWriter writer(fixture.device, manifest, fixture.layout, fixture.heaps);
  REQUIRE(writer.image({0}, 0, 0, view_of(1), VK_IMAGE_LAYOUT_GENERAL));
  REQUIRE(writer.image({1}, 0, 0, view_of(2), kReadOnly));
  REQUIRE(writer.texel_buffer({2}, 0, 0, VK_FORMAT_R32_SFLOAT, 0x100, 16));
  REQUIRE(writer.texel_buffer({3}, 0, 0, VK_FORMAT_R32_UINT, 0x200, 32));
  REQUIRE(writer.acceleration_structure({4}, 0, 0, 0x300));
  REQUIRE(writer.null({4}, 0, 0));
  REQUIRE(writer.flush());
  CHECK(fixture.recorder.log ==
        "vkWriteResourceDescriptorsEXT 6\n"
        "  memory 2 byte 0+64: STORAGE_IMAGE image 1 layout 1\n"
        "  memory 2 byte 64+64: INPUT_ATTACHMENT image 2 layout 5\n"
        "  memory 2 byte 128+64: UNIFORM_TEXEL_BUFFER format 100 0x100+16\n"
        "  memory 2 byte 192+64: STORAGE_TEXEL_BUFFER format 98 0x200+32\n"
        "  memory 2 byte 256+16: ACCELERATION_STRUCTURE 0x300+0\n"
        "  memory 2 byte 256+16: ACCELERATION_STRUCTURE null\n");

  CHECK(code(writer.null({1}, 0, 0)) == ErrorCode::TypeMismatch);
  CHECK(code(writer.acceleration_structure({4}, 0, 0, 0)) == ErrorCode::InvalidDescriptor);
  CHECK(code(writer.acceleration_structure({4}, 0, 0, 0x310)) == ErrorCode::InvalidDescriptor);
  CHECK(code(writer.texel_buffer({2}, 0, 0, VK_FORMAT_R32_SFLOAT, 0x100, 0)) ==
        ErrorCode::InvalidDescriptor);
  CHECK(code(writer.acceleration_structure({0}, 0, 0, 0x300)) == ErrorCode::TypeMismatch);
  CHECK(code(writer.texel_buffer({0}, 0, 0, VK_FORMAT_R32_SFLOAT, 1, 1)) ==
        ErrorCode::TypeMismatch);
  CHECK(writer.pending() == 0);
}

TEST_CASE("writer: what it refuses, it does not record") {
  Fixture fixture;
  DescriptorWriter writer = fixture.writer();
  const VkSamplerCreateInfo sampler = sampler_of(VK_FILTER_LINEAR);

  CHECK(code(writer.buffer({99}, 0, 0, 16, 16)) == ErrorCode::UnknownName);
  CHECK(code(writer.buffer({}, 0, 0, 16, 16)) == ErrorCode::UnknownName);
  CHECK(code(writer.buffer(sample::kAlbedo, 0, 0, 16, 16)) == ErrorCode::TypeMismatch);
  CHECK(code(writer.image(sample::kCamera, 0, 0, view_of(1), kReadOnly)) ==
        ErrorCode::TypeMismatch);
  CHECK(code(writer.sampler(sample::kEnvironment, 0, 0, sampler)) == ErrorCode::TypeMismatch);
  CHECK(code(writer.null(sample::kLinear, 0, 0)) == ErrorCode::TypeMismatch);
  CHECK(code(writer.image(sample::kEnvironment, 4, 0, view_of(1), kReadOnly)) ==
        ErrorCode::ElementOutOfRange);
  CHECK(code(writer.image(sample::kAlbedo, 0, 3, view_of(1), kReadOnly)) ==
        ErrorCode::InstanceOutOfRange);
  CHECK(code(writer.sampler(sample::kAlbedo, 0, 2, sampler)) == ErrorCode::InstanceOutOfRange);
  CHECK(code(writer.buffer(sample::kCamera, 0, 0, 0, 16)) == ErrorCode::InvalidDescriptor);
  CHECK(code(writer.buffer(sample::kCamera, 0, 0, 16, 0)) == ErrorCode::InvalidDescriptor);
  CHECK(code(writer.buffer(sample::kCamera, 0, 0, 16, VK_WHOLE_SIZE)) ==
        ErrorCode::InvalidDescriptor);
  CHECK(code(writer.buffer(sample::kCamera, 0, 0, UINT64_MAX - 8, 16)) ==
        ErrorCode::InvalidDescriptor);
  CHECK(code(writer.image(sample::kAlbedo, 0, 0, view_of(0), kReadOnly)) ==
        ErrorCode::InvalidDescriptor);
  CHECK(code(writer.image(sample::kAlbedo, 0, 0, VkImageViewCreateInfo{}, kReadOnly)) ==
        ErrorCode::InvalidDescriptor);
  CHECK(code(writer.image(sample::kAlbedo, 0, 0, view_of(1), VK_IMAGE_LAYOUT_UNDEFINED)) ==
        ErrorCode::InvalidDescriptor);
  CHECK(code(writer.sampler(sample::kAlbedo, 0, 0, VkSamplerCreateInfo{})) ==
        ErrorCode::InvalidDescriptor);

  VkSamplerYcbcrConversionInfo conversion{};
  conversion.sType = VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_INFO;
  CHECK(code(writer.sampler(sample::kAlbedo, 0, 0, sampler_of(VK_FILTER_LINEAR, &conversion))) ==
        ErrorCode::InvalidDescriptor);
  VkImageViewASTCDecodeModeEXT unknown{};
  unknown.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_ASTC_DECODE_MODE_EXT;
  CHECK(code(writer.image(sample::kAlbedo, 0, 0, view_of(1, &unknown), kReadOnly)) ==
        ErrorCode::InvalidDescriptor);
  VkSamplerCreateInfo custom = sampler;
  custom.borderColor = VK_BORDER_COLOR_FLOAT_CUSTOM_EXT;
  CHECK(code(writer.sampler(sample::kAlbedo, 0, 0, custom)) == ErrorCode::InvalidDescriptor);

  CHECK(writer.pending() == 0);
  REQUIRE(writer.flush());
  CHECK(fixture.recorder.log.empty());
  Status status = writer.buffer(sample::kAlbedo, 0, 0, 16, 16);
  REQUIRE(!status);
  CHECK(status.error().text ==
        "binding 'albedo' of table 'material' is a COMBINED_IMAGE_SAMPLER and takes no buffer");
}

TEST_CASE("writer: a failed flush forgets the batch") {
  Fixture fixture;
  DescriptorWriter writer = fixture.writer();
  fixture.recorder.failures["vkWriteResourceDescriptorsEXT"] = VK_ERROR_OUT_OF_HOST_MEMORY;
  REQUIRE(writer.buffer(sample::kCamera, 0, 0, 16, 16));
  Status status = writer.flush();
  REQUIRE(!status);
  CHECK(status.error().code == ErrorCode::Vulkan);
  CHECK(status.error().vkResult == VK_ERROR_OUT_OF_HOST_MEMORY);
  CHECK(writer.pending() == 0);
  fixture.recorder.failures = {{"vkWriteSamplerDescriptorsEXT", VK_ERROR_UNKNOWN}};
  REQUIRE(writer.sampler(sample::kLinear, 0, 0, sampler_of(VK_FILTER_LINEAR)));
  CHECK(code(writer.flush()) == ErrorCode::Vulkan);
}

TEST_CASE("writer: batches larger than the first arrays, and a writer that moves") {
  Fixture fixture;
  DescriptorWriter first = fixture.writer();
  std::string expected = "vkWriteResourceDescriptorsEXT 300\n";
  for (uint32_t i = 0; i < 150; ++i) {
    REQUIRE(first.buffer(sample::kCamera, 0, 0, 0x1000 + i, 16));
    REQUIRE(first.image(sample::kEnvironment, 3, 0, view_of(1 + i), kReadOnly));
    char line[100];
    std::snprintf(line, sizeof line, "  memory 2 byte 1216+16: UNIFORM_BUFFER 0x%x+16\n",
                  0x1000 + i);
    expected += line;
    expected +=
        "  memory 2 byte 448+64: SAMPLED_IMAGE image " + std::to_string(1 + i) + " layout 5\n";
  }
  DescriptorWriter moved = std::move(first);
  REQUIRE(moved.flush());
  CHECK(fixture.recorder.log == expected);
}

TEST_CASE("writer: a warm writer allocates nothing") {
  Fixture fixture;
  DescriptorWriter writer = fixture.writer();
  VkImageViewUsageCreateInfo usage{};
  usage.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_USAGE_CREATE_INFO;
  const VkImageViewCreateInfo view = view_of(1, &usage);
  const VkSamplerCreateInfo sampler = sampler_of(VK_FILTER_LINEAR);
  const auto record = [&] {
    bool recorded = true;
    for (uint32_t i = 0; i < 4; ++i) {
      recorded = recorded && writer.image(sample::kEnvironment, i, 0, view, kReadOnly);
      recorded = recorded && writer.buffer(sample::kFactors, 0, i % 3, 0x1000, 16);
      recorded = recorded && writer.sampler(sample::kLinear, 0, 0, sampler);
    }
    return recorded;
  };
  REQUIRE(record());
  REQUIRE(writer.flush());
  const size_t before = allocations();
  const bool recorded = record();
  const size_t after = allocations();
  CHECK(recorded);
  CHECK(after == before);
  REQUIRE(writer.flush());
}

// Sampler tuples ----------------------------------------------------------------------------------

TEST_CASE("sampler tuples: equal ones share a place and are written once") {
  Fixture fixture;
  DescriptorWriter writer = fixture.writer();
  SamplerTuples tuples(sample::kManifest, fixture.layout, sample::kMaterial);
  const VkSamplerCreateInfo linear = sampler_of(VK_FILTER_LINEAR);
  const VkSamplerCreateInfo nearest = sampler_of(VK_FILTER_NEAREST);
  VkSamplerCreateInfo sameAsLinear = linear;
  sameAsLinear.maxAnisotropy = 16;  // anisotropy is off
  sameAsLinear.compareOp = VK_COMPARE_OP_ALWAYS;
  sameAsLinear.borderColor = VK_BORDER_COLOR_INT_OPAQUE_WHITE;

  const auto add = [&](const VkSamplerCreateInfo& info) {
    Result<uint32_t> tuple = tuples.add(writer, {&info, 1});
    REQUIRE(tuple);
    return *tuple;
  };
  CHECK(add(linear) == 0);
  CHECK(add(nearest) == 1);
  CHECK(add(linear) == 0);
  CHECK(add(sameAsLinear) == 0);
  CHECK(add(nearest) == 1);
  CHECK(writer.pending() == 2);
  REQUIRE(writer.flush());
  CHECK(fixture.recorder.log ==
        "vkWriteSamplerDescriptorsEXT 2\n"
        "  memory 4 byte 32+32: filter 1\n"
        "  memory 4 byte 64+32: filter 0\n");

  VkSamplerCreateInfo third = linear;
  third.anisotropyEnable = VK_TRUE;
  Result<uint32_t> exhausted = tuples.add(writer, {&third, 1});
  REQUIRE(!exhausted);
  CHECK(exhausted.error().code == ErrorCode::SamplerTuplesExhausted);
  CHECK(exhausted.error().text ==
        "table 'material' has room for 2 different sampler tuples; raise its sampler instances");
  CHECK(add(linear) == 0);
  CHECK(writer.pending() == 0);
}

TEST_CASE("sampler tuples: the chain is part of the sampler") {
  Fixture fixture;
  DescriptorWriter writer = fixture.writer();
  SamplerTuples tuples(sample::kManifest, fixture.layout, sample::kMaterial);
  VkSamplerReductionModeCreateInfo reduction{};
  reduction.sType = VK_STRUCTURE_TYPE_SAMPLER_REDUCTION_MODE_CREATE_INFO;
  reduction.reductionMode = VK_SAMPLER_REDUCTION_MODE_MIN;
  const VkSamplerCreateInfo plain = sampler_of(VK_FILTER_LINEAR);
  const VkSamplerCreateInfo minimum = sampler_of(VK_FILTER_LINEAR, &reduction);
  Result<uint32_t> first = tuples.add(writer, {&plain, 1});
  Result<uint32_t> second = tuples.add(writer, {&minimum, 1});
  REQUIRE(first);
  REQUIRE(second);
  CHECK(*first == 0);
  CHECK(*second == 1);
  reduction.reductionMode = VK_SAMPLER_REDUCTION_MODE_WEIGHTED_AVERAGE;  // the same as none
  Result<uint32_t> third = tuples.add(writer, {&minimum, 1});
  REQUIRE(third);
  CHECK(*third == 0);
}

TEST_CASE("sampler tuples: a bad sampler leaves nothing") {
  Fixture fixture;
  DescriptorWriter writer = fixture.writer();
  SamplerTuples tuples(sample::kManifest, fixture.layout, sample::kMaterial);
  const std::array<VkSamplerCreateInfo, 2> two{};
  Result<uint32_t> wrongLength = tuples.add(writer, two);
  REQUIRE(!wrongLength);
  CHECK(wrongLength.error().code == ErrorCode::ElementOutOfRange);
  Result<uint32_t> noType = tuples.add(writer, {two.data(), 1});
  REQUIRE(!noType);
  CHECK(noType.error().code == ErrorCode::InvalidDescriptor);
  CHECK(writer.pending() == 0);
  const VkSamplerCreateInfo good = sampler_of(VK_FILTER_LINEAR);
  Result<uint32_t> tuple = tuples.add(writer, {&good, 1});
  REQUIRE(tuple);
  CHECK(*tuple == 0);
}
