// SPDX-License-Identifier: MIT
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <random>
#include <vector>

#include "heapsmith/resolve.h"
#include "runtime/resolve_sample.h"
#include "runtime/sample_limits.h"

/// What must hold for any manifest on any device.
using namespace heapsmith;
using sample::resolved;

namespace {

constexpr DescriptorClass kAllClasses[] = {DescriptorClass::Buffer, DescriptorClass::Image,
                                           DescriptorClass::Sampler, DescriptorClass::Tensor};

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
