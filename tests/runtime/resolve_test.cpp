// SPDX-License-Identifier: MIT
#include "heapsmith/resolve.h"

#include <array>
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "runtime/resolve_sample.h"
#include "runtime/sample_limits.h"
#include "runtime/sample_manifest.h"

using namespace heapsmith;
using sample::OneBinding;
using sample::refused;
using sample::resolved;

namespace {

/// heapOffset, heapArrayStride, heapIndexStride, fieldOffset, and the same four of the sampler
/// half.
std::vector<uint32_t> numbers(const ResolvedMapping& m) {
  return {m.heapOffset,
          m.heapArrayStride,
          m.heapIndexStride,
          m.fieldOffset,
          m.samplerHeapOffset,
          m.samplerHeapArrayStride,
          m.samplerHeapIndexStride,
          m.samplerFieldOffset};
}

struct Expected {
  DeviceLimits limits;
  uint64_t imageRegion, bufferRegion;
  uint64_t resourceReserved, resourceSize;
  uint64_t samplerReserved, samplerSize;
  std::vector<std::vector<uint32_t>> mappings;
};

}  // namespace

TEST_CASE("slots: external ranges first, then tables, dense") {
  Result<SlotLayout> slots = assign_slots(sample::kManifest);
  REQUIRE(slots);
  CHECK(slots->regionSlots == std::array<uint64_t, 4>{4, 19, 3, 0});
  CHECK(slots->externalRanges == std::vector<uint64_t>{0});
  CHECK(slots->tables[0].firstSlot == std::array<uint64_t, 4>{0, 4, 0, 0});
  CHECK(slots->tables[1].firstSlot == std::array<uint64_t, 4>{1, 8, 1, 0});
  CHECK(slots->tables[2].firstSlot == std::array<uint64_t, 4>{4, 11, 3, 0});
  CHECK(slots->tables[1].slotsPerInstance == std::array<uint64_t, 4>{1, 1, 1, 0});
  CHECK(slots->bindings[5].firstSlot == 0);
}

TEST_CASE("resolve: by hand") {
  const Expected cases[] = {
      {sample::kLavapipe,
       0,
       19 * 64,
       19 * 64 + 4 * 16,
       19 * 64 + 4 * 16,
       96,
       96,
       {{1216, 16, 0, 0, 0, 0, 0, 0},
        {256, 64, 0, 0, 0, 0, 0, 0},
        {0, 32, 0, 0, 0, 0, 0, 0},
        {512, 64, 64, 64, 32, 32, 32, 68},
        {1232, 16, 16, 64, 0, 0, 0, 0},
        {704, 64, 0, 0, 0, 0, 0, 0}}},
      // 19 images end at 1216; the next multiple of 128 is 1280.
      {sample::kWorstCase,
       0,
       1280,
       1280 + 4 * 128,
       1792 + 4194304,
       96,
       96 + 3072,
       {{1280, 128, 0, 0, 0, 0, 0, 0},
        {256, 64, 0, 0, 0, 0, 0, 0},
        {0, 32, 0, 0, 0, 0, 0, 0},
        {512, 64, 64, 64, 32, 32, 32, 68},
        {1408, 128, 128, 64, 0, 0, 0, 0},
        {704, 64, 0, 0, 0, 0, 0, 0}}},
      // 19 images of 32 bytes end at 608; buffers of 16 end at 672, a multiple of 32.
      {sample::kUnlimited,
       0,
       608,
       672,
       672,
       48,
       48,
       {{608, 16, 0, 0, 0, 0, 0, 0},
        {128, 32, 0, 0, 0, 0, 0, 0},
        {0, 16, 0, 0, 0, 0, 0, 0},
        {256, 32, 32, 64, 16, 16, 16, 68},
        {624, 16, 16, 64, 0, 0, 0, 0},
        {352, 32, 0, 0, 0, 0, 0, 0}}},
  };
  for (const Expected& expected : cases) {
    const ResolvedLayout layout = resolved(sample::kManifest, expected.limits);
    CHECK(layout.region(DescriptorClass::Image).offset == expected.imageRegion);
    CHECK(layout.region(DescriptorClass::Buffer).offset == expected.bufferRegion);
    CHECK(layout.resourceHeap.reservedRangeOffset == expected.resourceReserved);
    CHECK(layout.resourceHeap.size == expected.resourceSize);
    CHECK(layout.resourceHeap.alignment == expected.limits.resourceHeapAlignment);
    CHECK(layout.samplerHeap.reservedRangeOffset == expected.samplerReserved);
    CHECK(layout.samplerHeap.size == expected.samplerSize);
    CHECK(layout.samplerHeap.alignment == expected.limits.samplerHeapAlignment);
    for (size_t i = 0; i < expected.mappings.size(); ++i) {
      CAPTURE(i);
      CHECK(numbers(resolve_mapping(sample::kManifest, layout, sample::kMappings[i])) ==
            expected.mappings[i]);
    }
  }
}

TEST_CASE("resolve: offsets of single descriptors") {
  const ResolvedLayout layout = resolved(sample::kManifest, sample::kLavapipe);
  CHECK(resource_offset(sample::kManifest, layout, sample::kEnvironment, 3, 0) == 7 * 64);
  CHECK(resource_offset(sample::kManifest, layout, sample::kAlbedo, 0, 2) == 10 * 64);
  CHECK(resource_offset(sample::kManifest, layout, sample::kFactors, 0, 2) == 1216 + 3 * 16);
  CHECK(sampler_offset(sample::kManifest, layout, sample::kAlbedo, 0, 1) == 2 * 32);
  CHECK(external_offset(sample::kManifest, layout, sample::kImgui) == 0);
}

TEST_CASE("resolve: a separate sampler of an indexed table is picked by the sampler word") {
  Mapping mapping = sample::kMappings[3];
  mapping.part = MappingPart::Sampler;
  mapping.field = 1;
  mapping.samplerField = kNone;
  const ResolvedLayout layout = resolved(sample::kManifest, sample::kLavapipe);
  CHECK(numbers(resolve_mapping(sample::kManifest, layout, mapping)) ==
        std::vector<uint32_t>{32, 32, 32, 68, 0, 0, 0, 0});
}

TEST_CASE("resolve: one sampler tuple for all instances has stride 0 and a legal push offset") {
  Mapping mapping = sample::kMappings[3];
  mapping.samplerField = kNone;
  const ResolvedLayout layout = resolved(sample::kManifest, sample::kLavapipe);
  CHECK(numbers(resolve_mapping(sample::kManifest, layout, mapping)) ==
        std::vector<uint32_t>{512, 64, 64, 64, 32, 32, 0, 64});
}

TEST_CASE("resolve: empty heaps") {
  const ResolvedLayout none = resolved(Manifest{}, sample::kLavapipe);
  CHECK(none.resourceHeap.size == 0);
  CHECK(none.samplerHeap.size == 0);
  const ResolvedLayout reserved = resolved(Manifest{}, sample::kWorstCase);
  CHECK(reserved.resourceHeap.size == 4194304);
  CHECK(reserved.resourceHeap.reservedRangeOffset == 0);
  CHECK(reserved.samplerHeap.size == 3072);
}

TEST_CASE("resolve: the reserved range is aligned for every class, even if empty") {
  OneBinding one;  // one image of 64 bytes; buffers are aligned to 128
  DeviceLimits limits = sample::kWorstCase;
  limits.minResourceHeapReservedRange = 0;
  const ResolvedLayout layout = resolved(one.manifest(), limits);
  CHECK(layout.resourceHeap.reservedRangeOffset == 128);
  CHECK(layout.resourceHeap.size == 128);
}

TEST_CASE("resolve: tensors lie behind the buffers, if the device has them") {
  OneBinding one;
  one.binding.type = DescriptorType::TensorARM;
  CHECK(refused(one.manifest(), sample::kLavapipe).code == ErrorCode::UnsupportedClass);
  DeviceLimits limits = sample::kLavapipe;
  limits.tensorDescriptorSize = 256;
  limits.tensorDescriptorAlignment = 128;
  const ExternalRange before{"before", DescriptorClass::Buffer, 1};
  Manifest manifest = one.manifest();
  manifest.externalRanges = {&before, 1};
  const ResolvedLayout layout = resolved(manifest, limits);
  CHECK(layout.region(DescriptorClass::Tensor).offset == 256);
  CHECK(layout.resourceHeap.size == 512);
}

TEST_CASE("resolve: overrides") {
  const InstanceOverride more[] = {{sample::kMaterial, 10, 5}};
  const CapacityOverride longer[] = {{sample::kTextures, 100}};
  const ResolvedLayout layout = resolved(sample::kManifest, sample::kLavapipe, {more, longer});
  CHECK(layout.slots.regionSlots == std::array<uint64_t, 4>{11, 4 + 4 + 10 + 100, 6, 0});
  CHECK(layout.slots.tables[1].samplerInstances == 5);
  CHECK(layout.slots.bindings[5].capacity == 100);

  const auto code = [](const InstanceOverride& wanted) {
    return refused(sample::kManifest, sample::kLavapipe, {{&wanted, 1}, {}}).code;
  };
  CHECK(code({sample::kFrame, 2, 0}) == ErrorCode::InvalidOverride);
  CHECK(code({sample::kMaterial, 0, 0}) == ErrorCode::InvalidOverride);
  CHECK(code({TableId{3}, 1, 0}) == ErrorCode::InvalidOverride);
  CHECK(code({TableId{}, 1, 0}) == ErrorCode::InvalidOverride);
  const auto capacity = [](const CapacityOverride& wanted) {
    return refused(sample::kManifest, sample::kLavapipe, {{}, {&wanted, 1}}).code;
  };
  CHECK(capacity({sample::kEnvironment, 5}) == ErrorCode::InvalidOverride);
  CHECK(capacity({sample::kTextures, 0}) == ErrorCode::InvalidOverride);
  CHECK(capacity({BindingId{6}, 1}) == ErrorCode::InvalidOverride);

  OneBinding shared;  // no word picks its sampler tuple
  const InstanceOverride tuples{TableId{0}, 1, 2};
  CHECK(refused(shared.manifest(), sample::kLavapipe, {{&tuples, 1}, {}}).code ==
        ErrorCode::InvalidOverride);
}
