// SPDX-License-Identifier: MIT
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <random>
#include <string>
#include <vector>

#include "heapsmith/resolve.h"
#include "input/device_profile.h"

/// resolve() over every device profile that the command ships, with random tables.
namespace heapsmith::input {
namespace {

constexpr DescriptorType kTypes[] = {DescriptorType::Sampler,
                                     DescriptorType::CombinedImageSampler,
                                     DescriptorType::SampledImage,
                                     DescriptorType::StorageImage,
                                     DescriptorType::UniformBuffer,
                                     DescriptorType::StorageBuffer,
                                     DescriptorType::InputAttachment,
                                     DescriptorType::UniformTexelBuffer,
                                     DescriptorType::AccelerationStructureKHR};

struct Sample {
  std::vector<Table> tables;
  std::vector<Binding> bindings;
  std::vector<Mapping> mappings;
  std::vector<ExternalRange> ranges;

  Manifest manifest() const {
    return {.tables = tables, .bindings = bindings, .mappings = mappings, .externalRanges = ranges};
  }
};

/// Static tables only: where instances lie, tests/runtime/resolve_test.cpp shows.
Sample random_sample(std::mt19937& random) {
  const auto below = [&](uint32_t end) { return static_cast<uint32_t>(random()) % end; };
  Sample sample;
  if (below(2) == 0) sample.ranges.push_back({"ui", DescriptorClass::Image, 1 + below(64)});
  const uint32_t tables = 1 + below(4);
  for (uint32_t t = 0; t < tables; ++t) {
    const auto first = static_cast<uint32_t>(sample.bindings.size());
    const uint32_t count = 1 + below(6);
    sample.tables.push_back({.name = "t", .set = t, .bindings = {first, count}});
    for (uint32_t b = 0; b < count; ++b) {
      const DescriptorType type = kTypes[below(std::size(kTypes))];
      // Now and then far more than some devices hold.
      const uint32_t capacity = below(40) == 0 ? 1u << (16 + below(16)) : 1 + below(20);
      sample.bindings.push_back({.name = "b",
                                 .table = t,
                                 .binding = b,
                                 .type = type,
                                 .arrayKind = ArrayKind::Fixed,
                                 .capacity = capacity});
      const MappingPart part = type == DescriptorType::Sampler ? MappingPart::Sampler
                               : type == DescriptorType::CombinedImageSampler
                                   ? MappingPart::Combined
                                   : MappingPart::Resource;
      sample.mappings.push_back({.set = t, .binding = first + b, .resourceMask = 1, .part = part});
    }
  }
  return sample;
}

struct Run {
  uint64_t begin = 0;
  uint64_t end = 0;
};

void check_apart(std::vector<Run> runs, uint64_t userEnd) {
  std::ranges::sort(runs, {}, &Run::begin);
  for (size_t i = 1; i < runs.size(); ++i)
    CHECK(runs[i - 1].end <= runs[i].begin);
  if (!runs.empty()) CHECK(runs.back().end <= userEnd);
}

void check_heap(const HeapExtent& heap, uint64_t reserved, uint64_t maximum) {
  CHECK(heap.reservedRangeSize == reserved);
  CHECK(heap.reservedRangeOffset + heap.reservedRangeSize == heap.size);
  CHECK(heap.size <= maximum);
}

/// A run of descriptors at whose start `size` and `alignment` fit.
Run run_at(uint64_t offset, uint32_t capacity, uint64_t size, uint64_t alignment) {
  CHECK(offset % size == 0);
  CHECK(offset % alignment == 0);
  return {offset, offset + capacity * size};
}

void check_layout(const Manifest& manifest, const ResolvedLayout& layout,
                  const DeviceLimits& limits) {
  std::vector<Run> resources;
  std::vector<Run> samplers;
  for (uint32_t i = 0; i < manifest.bindings.size(); ++i) {
    const Binding& binding = manifest.bindings[i];
    if (has_resource_slots(binding)) {
      const bool buffer = descriptor_class(binding.type) == DescriptorClass::Buffer;
      resources.push_back(
          run_at(resource_offset(manifest, layout, {i}, 0, 0), binding.capacity,
                 buffer ? limits.bufferDescriptorSize : limits.imageDescriptorSize,
                 buffer ? limits.bufferDescriptorAlignment : limits.imageDescriptorAlignment));
    }
    if (has_sampler_slots(binding)) {
      samplers.push_back(run_at(sampler_offset(manifest, layout, {i}, 0, 0), binding.capacity,
                                limits.samplerDescriptorSize, limits.samplerDescriptorAlignment));
    }
  }
  for (uint32_t i = 0; i < manifest.externalRanges.size(); ++i) {
    resources.push_back(run_at(external_offset(manifest, layout, {i}),
                               manifest.externalRanges[i].slots, limits.imageDescriptorSize,
                               limits.imageDescriptorAlignment));
  }
  check_apart(std::move(resources), layout.resourceHeap.reservedRangeOffset);
  check_apart(std::move(samplers), layout.samplerHeap.reservedRangeOffset);
  check_heap(layout.resourceHeap, limits.minResourceHeapReservedRange, limits.maxResourceHeapSize);
  check_heap(layout.samplerHeap, limits.minSamplerHeapReservedRange, limits.maxSamplerHeapSize);
}

bool is_named(ErrorCode code) {
  return code == ErrorCode::ResourceHeapTooLarge || code == ErrorCode::SamplerHeapTooLarge ||
         code == ErrorCode::MappingOffsetOverflow;
}

TEST_CASE("resolve: random tables on every profile that ships") {
  size_t resolved = 0;
  size_t refused = 0;
  for (const std::string_view name : built_in_profiles()) {
    CAPTURE(name);
    Diagnostics diagnostics;
    const auto profile = load_device_profile(std::string(name), diagnostics);
    REQUIRE(profile.has_value());
    std::mt19937 random(7);
    for (int i = 0; i < 200; ++i) {
      CAPTURE(i);
      const Sample sample = random_sample(random);
      const Manifest manifest = sample.manifest();
      const auto layout = resolve(manifest, profile->limits);
      if (!layout) {
        CHECK(is_named(layout.error().code));
        CHECK(!layout.error().text.empty());
        ++refused;
        continue;
      }
      check_layout(manifest, *layout, profile->limits);
      ++resolved;
    }
  }
  // Both must happen, or the test shows nothing.
  CHECK(resolved > 1000);
  CHECK(refused > 100);
}

}  // namespace
}  // namespace heapsmith::input
