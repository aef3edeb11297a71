// SPDX-License-Identifier: MIT
#include <catch2/catch_test_macros.hpp>
#include <cstdint>

#include "heapsmith/resolve.h"
#include "runtime/resolve_sample.h"
#include "runtime/sample_limits.h"
#include "runtime/sample_manifest.h"

/// What a device does not have room for, and numbers that 32 or 64 bits do not hold.
using namespace heapsmith;
using sample::OneBinding;
using sample::refused;
using sample::resolved;

TEST_CASE("resolve: a heap that is too large says how large") {
  OneBinding one;
  one.table.instances = 1 << 20;
  one.binding.capacity = 80;
  const Error error = refused(one.manifest(), sample::kLavapipe);
  CHECK(error.code == ErrorCode::ResourceHeapTooLarge);
  CHECK(error.text == "the resource heap needs 5368709120 bytes, the device allows 67108864");

  one.binding.type = DescriptorType::Sampler;
  one.table.instances = 1;
  one.binding.capacity = 4097;
  one.mapping.part = MappingPart::Sampler;
  CHECK(refused(one.manifest(), sample::kLavapipe).text ==
        "the sampler heap needs 131104 bytes, the device allows 131072");
}

TEST_CASE("resolve: a heap may be exactly as large as allowed") {
  OneBinding one;
  one.binding.capacity = 67108864 / 64;
  CHECK(resolve(one.manifest(), sample::kLavapipe));
  one.binding.capacity += 1;
  CHECK(refused(one.manifest(), sample::kLavapipe).code == ErrorCode::ResourceHeapTooLarge);
}

TEST_CASE("resolve: huge counts give an error, never a wrap") {
  OneBinding one;
  for (const uint32_t instances : {1u << 16, 1u << 31, UINT32_MAX}) {
    for (const uint32_t capacity : {1u << 31, UINT32_MAX}) {
      one.table.instances = instances;
      one.binding.capacity = capacity;
      const ErrorCode code = refused(one.manifest(), sample::kUnlimited).code;
      CHECK((code == ErrorCode::ResourceHeapTooLarge || code == ErrorCode::MappingOffsetOverflow));
    }
  }
  one.table.instances = 1;
  one.binding.capacity = UINT32_MAX;
  Manifest unmapped = one.manifest();
  unmapped.mappings = {};
  CHECK(resolved(unmapped, sample::kUnlimited).resourceHeap.size == uint64_t{UINT32_MAX} * 32);

  // 2^48 slots of 2^63 bytes.
  DeviceLimits limits = sample::kUnlimited;
  limits.imageDescriptorSize = uint64_t{1} << 63;
  CHECK(refused(unmapped, limits).code == ErrorCode::ResourceHeapTooLarge);
  // A reserved range that leaves no room in 64 bits.
  limits = sample::kUnlimited;
  limits.minResourceHeapReservedRange = UINT64_MAX - 31;
  CHECK(refused(unmapped, limits).code == ErrorCode::ResourceHeapTooLarge);
  limits.minSamplerHeapReservedRange = UINT64_MAX;
  limits.minResourceHeapReservedRange = 0;
  CHECK(resolved(unmapped, limits).samplerHeap.size == UINT64_MAX);
}

TEST_CASE("resolve: mappings reach the first 4 GiB only") {
  OneBinding one;
  one.table.residence = one.binding.residence = Residence::Static;
  one.mapping.source = MappingSource::HeapWithConstantOffset;
  one.mapping.field = kNone;
  one.binding.capacity = 1u << 27;  // of 32 bytes: exactly 2^32
  CHECK(resolve(one.manifest(), sample::kUnlimited));
  one.binding.capacity += 1;
  const Error error = refused(one.manifest(), sample::kUnlimited);
  CHECK(error.code == ErrorCode::MappingOffsetOverflow);
  CHECK(error.text ==
        "binding 'array' of table 'big' reaches up to 4294967328 bytes into the resource heap, "
        "more than a mapping's 32 bits express");

  OneBinding many;
  many.table.instances = 1u << 27;
  CHECK(resolve(many.manifest(), sample::kUnlimited));
  many.table.instances += 1;
  CHECK(refused(many.manifest(), sample::kUnlimited).code == ErrorCode::MappingOffsetOverflow);
  many.table.instances = 1;
  many.binding.capacity = 1u << 27;  // the stride from one instance to the next is 2^32
  CHECK(refused(many.manifest(), sample::kUnlimited).code == ErrorCode::MappingOffsetOverflow);
}

TEST_CASE("resolve: push data") {
  DeviceLimits limits = sample::kLavapipe;
  limits.maxPushDataSize = 72;
  CHECK(resolve(sample::kManifest, limits));
  limits.maxPushDataSize = 71;
  CHECK(refused(sample::kManifest, limits).text ==
        "push field 'materialSampler' ends at byte 72 of the push data, the device allows 71");
  Manifest manifest = sample::kManifest;
  manifest.fields = {};
  manifest.mappings = {};
  limits.maxPushDataSize = 63;
  const Error error = refused(manifest, limits);
  CHECK(error.code == ErrorCode::PushDataTooLarge);
  CHECK(error.text ==
        "the push constants of program 'knot' end at byte 64 of the push data, the device allows "
        "63");
}

TEST_CASE("check_limits") {
  CHECK(check_limits(sample::kLavapipe));
  CHECK(check_limits(sample::kWorstCase));
  CHECK(check_limits(sample::kUnlimited));
  using Member = uint64_t DeviceLimits::*;
  for (const Member member :
       {&DeviceLimits::samplerHeapAlignment, &DeviceLimits::resourceHeapAlignment,
        &DeviceLimits::samplerDescriptorSize, &DeviceLimits::imageDescriptorSize,
        &DeviceLimits::bufferDescriptorSize, &DeviceLimits::samplerDescriptorAlignment,
        &DeviceLimits::imageDescriptorAlignment, &DeviceLimits::bufferDescriptorAlignment}) {
    for (const uint64_t value : {uint64_t{0}, uint64_t{48}, UINT64_MAX}) {
      DeviceLimits limits = sample::kLavapipe;
      limits.*member = value;
      Status status = check_limits(limits);
      REQUIRE(!status);
      CHECK(status.error().code == ErrorCode::InvalidLimits);
      CHECK(!resolve(sample::kManifest, limits));
    }
  }
  DeviceLimits limits = sample::kLavapipe;
  limits.imageDescriptorAlignment = 128;
  Status status = check_limits(limits);
  REQUIRE(!status);
  CHECK(status.error().text ==
        "the device's imageDescriptorAlignment is 128, more than its imageDescriptorSize of 64");
  limits = sample::kLavapipe;
  limits.tensorDescriptorSize = 64;
  CHECK(!check_limits(limits));
}
