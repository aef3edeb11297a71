// SPDX-License-Identifier: MIT
#include "heapsmith/resolve.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "runtime/sample_limits.h"
#include "runtime/sample_manifest.h"

using namespace heapsmith;

namespace {

constexpr DescriptorClass kAllClasses[] = {DescriptorClass::Buffer, DescriptorClass::Image,
                                           DescriptorClass::Sampler, DescriptorClass::Tensor};

ResolvedLayout resolved(const Manifest& manifest, const DeviceLimits& limits,
                        const ResolveOptions& options = {}) {
  Result<ResolvedLayout> layout = resolve(manifest, limits, options);
  if (!layout) FAIL(layout.error().text);
  return std::move(*layout);
}

Error refused(const Manifest& manifest, const DeviceLimits& limits,
              const ResolveOptions& options = {}) {
  Result<ResolvedLayout> layout = resolve(manifest, limits, options);
  REQUIRE(!layout);
  CHECK(!layout.error().text.empty());
  return std::move(layout.error());
}

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

/// One binding in one table, to be made large.
struct OneBinding {
  Table table{.name = "big",
              .set = 0,
              .residence = Residence::Indexed,
              .instances = 1,
              .samplerInstances = 1,
              .bindings = {0, 1},
              .indexField = 0,
              .samplerIndexField = kNone};
  Binding binding{.name = "array",
                  .type = DescriptorType::SampledImage,
                  .arrayKind = ArrayKind::Runtime,
                  .stages = 0x10,
                  .residence = Residence::Indexed};
  Field field{.name = "big", .kind = FieldKind::TableIndex, .table = 0};
  Mapping mapping{0, 0, 0x02, MappingSource::HeapWithPushIndex, MappingPart::Resource, 0, kNone};

  [[nodiscard]] Manifest manifest() const {
    Manifest m;
    m.tables = {&table, 1};
    m.bindings = {&binding, 1};
    m.fields = {&field, 1};
    m.mappings = {&mapping, 1};
    return m;
  }
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

TEST_CASE("look-ups and names") {
  CHECK(find_table(sample::kManifest, "material").index == 1);
  CHECK(find_table(sample::kManifest, "none").index == kNone);
  CHECK(find_binding(sample::kManifest, "material", "factors").index == 4);
  CHECK(find_binding(sample::kManifest, "frame", "factors").index == kNone);
  CHECK(find_binding(sample::kManifest, "none", "factors").index == kNone);
  CHECK(find_program(sample::kManifest, "knot").index == 0);
  CHECK(find_field(sample::kManifest, "materialSampler").index == 1);
  CHECK(find_external_range(sample::kManifest, "imgui").index == 0);
  CHECK(to_string(DescriptorType::AccelerationStructureKHR) == "ACCELERATION_STRUCTURE_KHR");
  CHECK(to_string(MappingSource::HeapWithPushIndex) == "HEAP_WITH_PUSH_INDEX");
  CHECK(to_string(ShaderStage::RayGeneration) == "RAYGEN_KHR");
  CHECK(to_string(SpirvResourceType::TensorARM) == "TENSOR_ARM");
  CHECK(to_string(ErrorCode::InvalidPipeline) == "InvalidPipeline");
}

// Any manifest, any device ------------------------------------------------------------------------

namespace {

class Random {
 public:
  explicit Random(uint32_t seed) : engine_(seed) {}
  /// The standard's distributions differ between libraries; the engine does not.
  uint32_t below(uint32_t bound) { return static_cast<uint32_t>(engine_() % bound); }
  uint64_t power_of_two(uint32_t least, uint32_t most) {
    return uint64_t{1} << (least + below(most - least + 1));
  }

 private:
  std::mt19937 engine_;
};

struct RandomManifest {
  std::vector<Table> tables;
  std::vector<Binding> bindings;
  std::vector<Field> fields;
  std::vector<Mapping> mappings;
  std::vector<ExternalRange> ranges;

  explicit RandomManifest(Random& random) {
    for (uint32_t i = random.below(3); i > 0; --i) {
      ranges.push_back({"range", static_cast<DescriptorClass>(random.below(4)), random.below(20)});
    }
    for (uint32_t t = random.below(5); t > 0; --t)
      add_table(random);
  }

  void add_table(Random& random) {
    const auto self = static_cast<uint32_t>(tables.size());
    Table table{.name = "table",
                .set = self,
                .residence = static_cast<Residence>(random.below(2)),
                .instances = 1,
                .samplerInstances = 1,
                .bindings = {static_cast<uint32_t>(bindings.size()), random.below(6)},
                .indexField = kNone,
                .samplerIndexField = kNone};
    if (table.residence == Residence::Indexed) {
      table.instances = 1 + random.below(7);
      table.samplerInstances = 1 + random.below(4);
      table.indexField = static_cast<uint32_t>(fields.size());
      table.samplerIndexField = table.indexField + 1;
      const uint32_t offset = 8 * self;
      fields.push_back(
          {.name = "index", .kind = FieldKind::TableIndex, .table = self, .offset = offset});
      fields.push_back({.name = "samplers",
                        .kind = FieldKind::SamplerIndex,
                        .table = self,
                        .offset = offset + 4});
    }
    constexpr DescriptorType types[] = {
        DescriptorType::Sampler,       DescriptorType::CombinedImageSampler,
        DescriptorType::StorageImage,  DescriptorType::UniformTexelBuffer,
        DescriptorType::UniformBuffer, DescriptorType::AccelerationStructureKHR,
        DescriptorType::TensorARM};
    for (uint32_t i = 0; i < table.bindings.count; ++i) {
      const DescriptorType type = types[random.below(7)];
      bindings.push_back({.name = "binding",
                          .table = self,
                          .binding = i,
                          .type = type,
                          .arrayKind = ArrayKind::Fixed,
                          .capacity = 1 + random.below(9),
                          .residence = table.residence});
      add_mapping(table, static_cast<uint32_t>(bindings.size() - 1), type);
    }
    tables.push_back(table);
  }

  void add_mapping(const Table& table, uint32_t binding, DescriptorType type) {
    Mapping mapping{
        table.set, binding, 1, MappingSource::HeapWithConstantOffset, MappingPart::Resource,
        kNone,     kNone};
    if (type == DescriptorType::CombinedImageSampler) mapping.part = MappingPart::Combined;
    if (type == DescriptorType::Sampler) mapping.part = MappingPart::Sampler;
    if (table.residence == Residence::Indexed) {
      mapping.source = MappingSource::HeapWithPushIndex;
      mapping.field =
          mapping.part == MappingPart::Sampler ? table.samplerIndexField : table.indexField;
      if (mapping.part == MappingPart::Combined) mapping.samplerField = table.samplerIndexField;
    }
    mappings.push_back(mapping);
  }

  [[nodiscard]] Manifest manifest() const {
    Manifest m;
    m.tables = tables;
    m.bindings = bindings;
    m.fields = fields;
    m.mappings = mappings;
    m.externalRanges = ranges;
    return m;
  }
};

DeviceLimits random_limits(Random& random) {
  DeviceLimits limits = sample::kUnlimited;
  limits.samplerHeapAlignment = random.power_of_two(0, 16);
  limits.resourceHeapAlignment = random.power_of_two(0, 16);
  limits.samplerDescriptorSize = random.power_of_two(2, 5);
  limits.imageDescriptorSize = random.power_of_two(2, 6);
  limits.bufferDescriptorSize = random.power_of_two(2, 7);
  limits.tensorDescriptorSize = random.power_of_two(2, 8);
  limits.samplerDescriptorAlignment = limits.samplerDescriptorSize >> random.below(3);
  limits.imageDescriptorAlignment = limits.imageDescriptorSize >> random.below(3);
  limits.bufferDescriptorAlignment = limits.bufferDescriptorSize >> random.below(3);
  limits.tensorDescriptorAlignment = limits.tensorDescriptorSize >> random.below(3);
  limits.minSamplerHeapReservedRange = random.below(5000);
  limits.minResourceHeapReservedRange = random.below(5000);
  return limits;
}

struct Bytes {
  uint64_t begin, end;
};

/// Every descriptor of a heap, as the writer would place it.
struct Descriptors {
  std::vector<Bytes> resources;
  std::vector<Bytes> samplers;

  Descriptors(const Manifest& manifest, const ResolvedLayout& layout) {
    for (uint32_t i = 0; i < manifest.externalRanges.size(); ++i) {
      const ExternalRange& range = manifest.externalRanges[i];
      const uint64_t begin = external_offset(manifest, layout, {i});
      const uint64_t stride = layout.region(range.descriptorClass).stride;
      std::vector<Bytes>& heap =
          range.descriptorClass == DescriptorClass::Sampler ? samplers : resources;
      for (uint32_t k = 0; k < range.slots; ++k) {
        heap.push_back({begin + k * stride, begin + (k + 1) * stride});
      }
    }
    for (uint32_t b = 0; b < manifest.bindings.size(); ++b)
      add(manifest, layout, {b});
  }

  void add(const Manifest& manifest, const ResolvedLayout& layout, BindingId id) {
    const Binding& binding = manifest.bindings[id.index];
    const Table& table = manifest.tables[binding.table];
    for (uint32_t k = 0; k < binding.capacity; ++k) {
      for (uint32_t i = 0; has_resource_slots(binding) && i < table.instances; ++i) {
        const uint64_t begin = resource_offset(manifest, layout, id, k, i);
        resources.push_back({begin, begin + layout.region(descriptor_class(binding.type)).stride});
      }
      for (uint32_t i = 0; has_sampler_slots(binding) && i < table.samplerInstances; ++i) {
        const uint64_t begin = sampler_offset(manifest, layout, id, k, i);
        samplers.push_back({begin, begin + layout.region(DescriptorClass::Sampler).stride});
      }
    }
  }
};

void check_heap(std::vector<Bytes> descriptors, const HeapExtent& extent, uint64_t reserved) {
  std::sort(descriptors.begin(), descriptors.end(),
            [](const Bytes& a, const Bytes& b) { return a.begin < b.begin; });
  uint64_t end = 0;
  bool sound = true;
  for (const Bytes& bytes : descriptors) {
    sound = sound && bytes.begin >= end && bytes.begin % (bytes.end - bytes.begin) == 0;
    end = bytes.end;
  }
  CHECK(sound);
  CHECK(end <= extent.reservedRangeOffset);
  CHECK(extent.reservedRangeSize >= reserved);
  CHECK(extent.reservedRangeOffset + extent.reservedRangeSize == extent.size);
}

/// The formula of the specification against the writer's place, for every element, instance and
/// tuple.
void check_mapping(const Manifest& manifest, const ResolvedLayout& layout, const Mapping& mapping) {
  const ResolvedMapping m = resolve_mapping(manifest, layout, mapping);
  const BindingId id{mapping.binding};
  const Binding& binding = manifest.bindings[mapping.binding];
  const Table& table = manifest.tables[binding.table];
  const bool sampler = mapping.part == MappingPart::Sampler;
  bool same = true;
  for (uint32_t k = 0; k < binding.capacity; ++k) {
    for (uint32_t i = 0; i < (sampler ? table.samplerInstances : table.instances); ++i) {
      const uint64_t there = sampler ? sampler_offset(manifest, layout, id, k, i)
                                     : resource_offset(manifest, layout, id, k, i);
      same = same && there == m.heapOffset + i * m.heapIndexStride + k * m.heapArrayStride;
    }
    if (mapping.part != MappingPart::Combined) continue;
    for (uint32_t i = 0; i < table.samplerInstances; ++i) {
      same = same &&
             sampler_offset(manifest, layout, id, k, i) ==
                 m.samplerHeapOffset + i * m.samplerHeapIndexStride + k * m.samplerHeapArrayStride;
    }
  }
  CHECK(same);
}

}  // namespace

TEST_CASE("resolve: any manifest on any device") {
  Random random(1);
  for (int round = 0; round < 4000; ++round) {
    CAPTURE(round);
    const RandomManifest content(random);
    const DeviceLimits limits = random_limits(random);
    const Manifest manifest = content.manifest();
    const ResolvedLayout layout = resolved(manifest, limits);
    const Descriptors descriptors(manifest, layout);
    check_heap(descriptors.resources, layout.resourceHeap, limits.minResourceHeapReservedRange);
    check_heap(descriptors.samplers, layout.samplerHeap, limits.minSamplerHeapReservedRange);
    CHECK(layout.resourceHeap.reservedRangeOffset %
              std::max({limits.bufferDescriptorAlignment, limits.imageDescriptorAlignment,
                        limits.tensorDescriptorAlignment}) ==
          0);
    CHECK(layout.samplerHeap.reservedRangeOffset % limits.samplerDescriptorAlignment == 0);
    for (const DescriptorClass descriptorClass : kAllClasses) {
      const Region& region = layout.region(descriptorClass);
      CHECK(region.offset % region.stride == 0);
    }
    for (const Mapping& mapping : manifest.mappings)
      check_mapping(manifest, layout, mapping);
    // A limit of exactly the size is enough, one byte less is not.
    if (layout.resourceHeap.size == 0) continue;
    DeviceLimits tight = limits;
    tight.maxResourceHeapSize = layout.resourceHeap.size;
    CHECK(resolve(manifest, tight));
    tight.maxResourceHeapSize -= 1;
    CHECK(!resolve(manifest, tight));
  }
}
