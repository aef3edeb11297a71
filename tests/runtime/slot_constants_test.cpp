// SPDX-License-Identifier: MIT
// Rewritten shaders: what their specialization constants are set to, and where overrides and region
// bases are refused.
#include <catch2/catch_test_macros.hpp>
#include <cstring>
#include <map>
#include <vector>

#include "heapsmith/manifest_json.h"
#include "heapsmith/pipeline.h"
#include "runtime/allocations.h"
#include "runtime/sample_limits.h"
#include "runtime/sample_manifest.h"

using namespace heapsmith;

namespace {

constexpr SlotConstant kConstants[] = {
    {.specId = 70, .number = SlotNumber::RegionSlots, .descriptorClass = DescriptorClass::Image},
    {.specId = 71,
     .number = SlotNumber::RegionFirstSlot,
     .descriptorClass = DescriptorClass::Buffer},
    {.specId = 72,
     .number = SlotNumber::SlotsPerInstance,
     .descriptorClass = DescriptorClass::Image,
     .table = 1},
    {.specId = 73, .number = SlotNumber::ResourceSlot, .table = 2, .binding = 5},
    {.specId = 74, .number = SlotNumber::SamplerSlot, .table = 1, .binding = 3},
};

/// sample_manifest.h with a rewritten fragment shader.
struct Rewritten {
  Shader shaders[2] = {sample::kShaders[0], sample::kShaders[1]};
  Manifest manifest = sample::kManifest;

  explicit Rewritten(RegionBases bases = RegionBases::Sizes) {
    shaders[1].rewritten = true;
    shaders[1].slotConstants = {0, 5};
    manifest.shaders = shaders;
    manifest.slotConstants = kConstants;
    manifest.regionBases = bases;
  }
  Rewritten(const Rewritten&) = delete;
  Rewritten& operator=(const Rewritten&) = delete;
};

constexpr InstanceOverride kMore[] = {{sample::kMaterial, 10, 5}};

constexpr size_t index_of(DescriptorClass descriptorClass) {
  return static_cast<size_t>(descriptorClass);
}

ResolveOptions based(std::initializer_list<std::pair<DescriptorClass, uint64_t>> bases) {
  ResolveOptions options;
  for (const auto& [descriptorClass, slot] : bases)
    options.regionBases[index_of(descriptorClass)] = slot;
  return options;
}

ResolvedLayout resolved(const Manifest& manifest, const ResolveOptions& options = {}) {
  Result<ResolvedLayout> layout = resolve(manifest, sample::kLavapipe, options);
  if (!layout) FAIL(layout.error().text);
  return std::move(*layout);
}

Error refused(const Manifest& manifest, const ResolveOptions& options,
              const DeviceLimits& limits = sample::kLavapipe) {
  Result<ResolvedLayout> layout = resolve(manifest, limits, options);
  REQUIRE(!layout);
  return layout.error();
}

/// What the entries say, by constantID.
std::map<uint32_t, uint32_t> values_of(const Specialization& specialization) {
  const VkSpecializationInfo info = specialization.info();
  std::map<uint32_t, uint32_t> values;
  for (uint32_t i = 0; i < info.mapEntryCount; ++i) {
    const VkSpecializationMapEntry& entry = info.pMapEntries[i];
    REQUIRE(entry.size == 4);
    REQUIRE(entry.offset + entry.size <= info.dataSize);
    std::memcpy(&values[entry.constantID], static_cast<const std::byte*>(info.pData) + entry.offset,
                4);
  }
  CHECK(values.size() == info.mapEntryCount);  // no constantID twice (VUID 04911)
  return values;
}

}  // namespace

TEST_CASE("slot constants: they follow what resolve() was told") {
  const Rewritten rewritten;
  const Manifest& manifest = rewritten.manifest;
  const auto values = [&](const ResolvedLayout& layout) {
    return values_of(vulkan_specialization(manifest, layout, manifest.shaders[1]));
  };
  using Values = std::map<uint32_t, uint32_t>;
  // 19 images of 64 bytes come before the buffers of 16.
  CHECK(values(resolved(manifest)) == Values{{70, 19}, {71, 76}, {72, 1}, {73, 11}, {74, 1}});
  CHECK(values(resolved(manifest, {.instances = kMore})) ==
        Values{{70, 26}, {71, 104}, {72, 1}, {73, 18}, {74, 1}});
}

TEST_CASE("slot constants: the application's own specialization stays") {
  const Rewritten rewritten;
  const ResolvedLayout layout = resolved(rewritten.manifest);
  const uint32_t data[] = {500, 600, 700};
  // One is of ours, and means nothing to the source.
  const VkSpecializationMapEntry entries[] = {{.constantID = 2, .offset = 8, .size = 4},
                                              {.constantID = 73, .offset = 0, .size = 4}};
  const VkSpecializationInfo own{
      .mapEntryCount = 2, .pMapEntries = entries, .dataSize = sizeof data, .pData = data};
  const Shader& shader = rewritten.manifest.shaders[1];
  const size_t before = allocations();
  const Specialization specialization =
      vulkan_specialization(rewritten.manifest, layout, shader, &own);
  CHECK(allocations() - before == 2);
  const auto values = values_of(specialization);
  CHECK(values.size() == 6);
  CHECK(values.at(2) == 700);
  CHECK(values.at(73) == 11);

  // Of a mapped shader it is the application's, and nothing is allocated where there is none.
  const auto mapped =
      vulkan_specialization(rewritten.manifest, layout, rewritten.manifest.shaders[0], &own);
  CHECK(values_of(mapped) == std::map<uint32_t, uint32_t>{{2, 700}, {73, 500}});
  const size_t between = allocations();
  const VkSpecializationInfo nothing =
      vulkan_specialization(rewritten.manifest, layout, rewritten.manifest.shaders[0]).info();
  CHECK(allocations() == between);
  CHECK(nothing.mapEntryCount == 0);
  CHECK(nothing.dataSize == 0);
}

TEST_CASE("slot constants: a manifest that has none takes no overrides") {
  Rewritten rewritten;
  rewritten.manifest.formatVersionMinor = 0;
  const Error error = refused(rewritten.manifest, {.instances = kMore});
  CHECK(error.code == ErrorCode::InvalidOverride);
  CHECK(error.text ==
        "shader 'knot.frag.spv' is rewritten: its slots are part of it and cannot move");
}

TEST_CASE("region bases: mappings and constants follow") {
  const Rewritten rewritten(RegionBases::Specialization);
  const Manifest& manifest = rewritten.manifest;
  const ResolvedLayout layout = resolved(manifest, based({{DescriptorClass::Image, 100},
                                                          {DescriptorClass::Buffer, 7},
                                                          {DescriptorClass::Sampler, 3}}));
  CHECK(layout.region(DescriptorClass::Image).offset == 6400);
  CHECK(layout.region(DescriptorClass::Buffer).offset == 112);
  CHECK(layout.region(DescriptorClass::Sampler).offset == 96);
  CHECK(layout.resourceHeap.size == 6400 + 19 * 64);
  CHECK(layout.samplerHeap.size == 96 + 3 * 32);
  CHECK(resolve_mapping(manifest, layout, manifest.mappings[0]).heapOffset == 112);
  CHECK(resolve_mapping(manifest, layout, manifest.mappings[1]).heapOffset == 6400 + 4 * 64);
  CHECK(resource_offset(manifest, layout, sample::kFactors, 0, 2) == 112 + 3 * 16);
  CHECK(values_of(vulkan_specialization(manifest, layout, manifest.shaders[1])).at(71) == 7);
}

TEST_CASE("region bases: regions without one follow those before them") {
  const ResolvedLayout layout = resolved(sample::kManifest, based({{DescriptorClass::Image, 10}}));
  CHECK(layout.region(DescriptorClass::Image).offset == 640);
  CHECK(layout.region(DescriptorClass::Buffer).offset == 640 + 19 * 64);
}

TEST_CASE("region bases: what cannot be is refused by name") {
  const auto overlap = refused(sample::kManifest, based({{DescriptorClass::Buffer, 75}}));
  CHECK(overlap.code == ErrorCode::InvalidOverride);
  CHECK(overlap.text ==
        "the image region, 19 slots from byte 0 on, overlaps the buffer region, which begins at "
        "byte 1200");
  CHECK(refused(sample::kManifest, based({{DescriptorClass::Buffer, 0}})).code ==
        ErrorCode::InvalidOverride);
  CHECK(refused(sample::kManifest, based({{DescriptorClass::Image, 1 << 20}})).code ==
        ErrorCode::ResourceHeapTooLarge);
  CHECK(refused(sample::kManifest, based({{DescriptorClass::Image, UINT64_MAX}})).code ==
        ErrorCode::ResourceHeapTooLarge);
  CHECK(refused(sample::kManifest, based({{DescriptorClass::Sampler, 4096}})).code ==
        ErrorCode::SamplerHeapTooLarge);
  const auto fixed = refused(Rewritten().manifest, based({{DescriptorClass::Image, 1}}));
  CHECK(fixed.code == ErrorCode::InvalidOverride);
  CHECK(fixed.text ==
        "shader 'knot.frag.spv' is rewritten and finds its regions by the descriptors' sizes; "
        "rewrite it with --base specialization");
}

TEST_CASE("rewritten shaders count in 32 bits, whether mappings reach the slots or not") {
  Rewritten rewritten(RegionBases::Specialization);
  rewritten.manifest.mappings = {};
  const ResolveOptions far = based({{DescriptorClass::Image, (uint64_t{1} << 27) - 18}});
  const Error error = refused(rewritten.manifest, far, sample::kUnlimited);
  CHECK(error.code == ErrorCode::MappingOffsetOverflow);
  CHECK(error.text ==
        "the image region ends 4294967328 bytes into its heap, more than the 32 bits of the "
        "rewritten shader 'knot.frag.spv' express");
  rewritten.shaders[1].rewritten = false;
  CHECK(resolve(rewritten.manifest, sample::kUnlimited, far).has_value());
}
