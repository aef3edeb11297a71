// SPDX-License-Identifier: MIT
#include "mapping/build_mappings.h"

#include <catch2/catch_test_macros.hpp>
#include <format>
#include <string>
#include <vector>

#include "emit/enum_names.h"

namespace heapsmith::mapping {
namespace {

using reflect::ResourceKind;

constexpr uint32_t bits(std::initializer_list<ResourceKind> kinds) {
  uint32_t mask = 0;
  for (const ResourceKind kind : kinds)
    mask |= static_cast<uint32_t>(kind);
  return mask;
}

/// What a binding is reached by: everything that build_mappings() looks at.
struct Setup {
  Residence table = Residence::Static;
  Residence binding = Residence::Static;
  DescriptorType type{};
  uint32_t kinds = 0;
  uint32_t samplerInstances = 8;
  SamplerPlacement placement{};
  bool packed = false;
};

FieldSpace words_of(Residence table) {
  if (table == Residence::Record) return FieldSpace::ShaderRecord;
  return table == Residence::Indexed ? FieldSpace::PushData : FieldSpace::Indirect;
}

/// The fields that the layout makes for table 1 and its second binding, the 41st of the plan,
/// behind those of others that must not be taken for them.
layout::PackedFields fields_of(const Setup& setup) {
  layout::PackedFields packed;
  const auto add = [&](FieldKind kind, uint32_t table, uint32_t binding) {
    packed.fields.push_back({.name = std::format("{}{}", to_string(kind), table),
                             .kind = kind,
                             .space = words_of(setup.table),
                             .table = table,
                             .binding = binding});
  };
  for (const uint32_t table : {0u, 1u}) {
    if (setup.packed) {
      add(FieldKind::PackedIndex, table, kNone);
    } else {
      add(FieldKind::TableIndex, table, kNone);
      if (setup.samplerInstances > 1) add(FieldKind::SamplerIndex, table, kNone);
    }
    for (const FieldKind kind :
         {FieldKind::ResourceSlots, FieldKind::SamplerSlots, FieldKind::BufferAddress,
          FieldKind::HeapDataOffset, FieldKind::Data}) {
      add(kind, table, table == 0 ? 40 : 41);
    }
  }
  return packed;
}

std::string describe(const Mapping& mapping, const layout::PackedFields& packed) {
  std::string text = std::format("set {} binding {} ", mapping.set, mapping.binding);
  for (const std::string& name : emit::resource_mask_names(mapping.resourceMask))
    text += name + "|";
  text.back() = ' ';
  text += std::format("{} {}", to_string(mapping.part), to_string(mapping.source));
  if (mapping.field != kNone) text += " " + packed.fields.at(mapping.field).name;
  if (mapping.samplerField != kNone)
    text += std::format(" sampler {}", packed.fields.at(mapping.samplerField).name);
  if (mapping.packedIndex) text += " packed";
  if (mapping.embeddedSampler != kNone) text += std::format(" embeds {}", mapping.embeddedSampler);
  return text + "\n";
}

/// The second binding of table 1 of set 5.
std::string map(const Setup& setup) {
  plan::HeapPlan plan;
  plan.tables.push_back({.name = "other", .set = 5, .residence = Residence::Indexed});
  plan::PlannedBinding binding = {.name = "b",
                                  .binding = 9,
                                  .type = setup.type,
                                  .residence = setup.binding,
                                  .samplerPlacement = setup.placement};
  if (setup.placement != SamplerPlacement::Table) binding.immutableSamplers = {6};
  plan.tables.push_back({.name = "t",
                         .set = 5,
                         .residence = setup.table,
                         .instances = setup.table == Residence::Static ? 1u : 8u,
                         .samplerInstances = setup.samplerInstances,
                         .packedIndex = setup.packed,
                         .firstBinding = 40,
                         .bindings = {{.name = "x", .binding = 0, .type = setup.type}, binding}});
  plan.programs.push_back({.name = "p", .tables = {1}, .uses = {{1, 1, setup.kinds}}});
  layout::PackedFields packed = fields_of(setup);
  if (setup.table == Residence::Static) packed.fields.clear();
  if (!is_table_residence(setup.binding)) packed = fields_of(setup);
  std::string text;
  for (const Mapping& mapping : build_mappings(plan, plan.programs[0], packed))
    text += describe(mapping, packed);
  return text;
}

std::string map(Residence residence, DescriptorType type, uint32_t kinds,
                uint32_t sampler_instances = 8) {
  return map({.table = residence,
              .binding = residence,
              .type = type,
              .kinds = kinds,
              .samplerInstances = residence == Residence::Static ? 1 : sampler_instances});
}

struct Case {
  DescriptorType type;
  uint32_t kinds;
  const char* mask;
};

constexpr Case kSimple[] = {
    {DescriptorType::SampledImage, bits({ResourceKind::SampledImage}), "SAMPLED_IMAGE"},
    {DescriptorType::UniformTexelBuffer, bits({ResourceKind::SampledImage}),
     "SAMPLED_IMAGE|COMBINED_SAMPLED_IMAGE"},
    {DescriptorType::UniformTexelBuffer, bits({ResourceKind::CombinedSampledImage}),
     "SAMPLED_IMAGE|COMBINED_SAMPLED_IMAGE"},
    {DescriptorType::StorageImage, bits({ResourceKind::ReadOnlyImage}),
     "READ_ONLY_IMAGE|READ_WRITE_IMAGE"},
    {DescriptorType::StorageImage, bits({ResourceKind::ReadWriteImage}),
     "READ_ONLY_IMAGE|READ_WRITE_IMAGE"},
    {DescriptorType::StorageTexelBuffer, bits({ResourceKind::ReadWriteImage}),
     "READ_ONLY_IMAGE|READ_WRITE_IMAGE"},
    {DescriptorType::InputAttachment, bits({ResourceKind::ReadWriteImage}),
     "READ_ONLY_IMAGE|READ_WRITE_IMAGE"},
    {DescriptorType::UniformBuffer, bits({ResourceKind::UniformBuffer}), "UNIFORM_BUFFER"},
    {DescriptorType::StorageBuffer, bits({ResourceKind::ReadOnlyStorageBuffer}),
     "READ_ONLY_STORAGE_BUFFER|READ_WRITE_STORAGE_BUFFER"},
    {DescriptorType::StorageBuffer, bits({ResourceKind::ReadWriteStorageBuffer}),
     "READ_ONLY_STORAGE_BUFFER|READ_WRITE_STORAGE_BUFFER"},
    {DescriptorType::AccelerationStructureKHR, bits({ResourceKind::AccelerationStructure}),
     "ACCELERATION_STRUCTURE"},
    {DescriptorType::TensorARM, bits({ResourceKind::TensorARM}), "TENSOR_ARM"},
};

TEST_CASE("mappings: a resource, with both bits of its pair") {
  for (const Case& c : kSimple) {
    CAPTURE(to_string(c.type), c.mask);
    CHECK(map(Residence::Static, c.type, c.kinds) ==
          std::format("set 5 binding 41 {} resource HEAP_WITH_CONSTANT_OFFSET\n", c.mask));
    CHECK(map(Residence::Indexed, c.type, c.kinds) ==
          std::format("set 5 binding 41 {} resource HEAP_WITH_PUSH_INDEX tableIndex1\n", c.mask));
  }
}

TEST_CASE("mappings: a sampler is picked by the word for sampler tuples, if there are several") {
  const uint32_t kinds = bits({ResourceKind::Sampler});
  const auto type = DescriptorType::Sampler;
  const std::string constant = "set 5 binding 41 SAMPLER sampler HEAP_WITH_CONSTANT_OFFSET\n";
  CHECK(map(Residence::Static, type, kinds) == constant);
  CHECK(map(Residence::Indexed, type, kinds) ==
        "set 5 binding 41 SAMPLER sampler HEAP_WITH_PUSH_INDEX samplerIndex1\n");
  CHECK(map(Residence::Indexed, type, kinds, 1) == constant);
}

TEST_CASE("mappings: a combined image sampler has a word for each half") {
  const uint32_t kinds = bits({ResourceKind::CombinedSampledImage});
  const auto type = DescriptorType::CombinedImageSampler;
  CHECK(map(Residence::Static, type, kinds) ==
        "set 5 binding 41 COMBINED_SAMPLED_IMAGE combined HEAP_WITH_CONSTANT_OFFSET\n");
  CHECK(map(Residence::Indexed, type, kinds) ==
        "set 5 binding 41 COMBINED_SAMPLED_IMAGE combined HEAP_WITH_PUSH_INDEX tableIndex1 sampler "
        "samplerIndex1\n");
  CHECK(map(Residence::Indexed, type, kinds, 1) ==
        "set 5 binding 41 COMBINED_SAMPLED_IMAGE combined HEAP_WITH_PUSH_INDEX tableIndex1\n");
}

TEST_CASE("mappings: texture, sampler and combined variables on one binding") {
  const auto type = DescriptorType::CombinedImageSampler;
  const std::string sampler =
      "set 5 binding 41 SAMPLER sampler HEAP_WITH_PUSH_INDEX samplerIndex1\n";
  const std::string texture =
      "set 5 binding 41 SAMPLED_IMAGE resource HEAP_WITH_PUSH_INDEX tableIndex1\n";
  CHECK(map(Residence::Indexed, type, bits({ResourceKind::Sampler})) == sampler);
  CHECK(map(Residence::Indexed, type, bits({ResourceKind::SampledImage})) == texture);
  CHECK(map(Residence::Indexed, type, bits({ResourceKind::Sampler, ResourceKind::SampledImage})) ==
        sampler + texture);
  CHECK(map(Residence::Indexed, type,
            bits({ResourceKind::Sampler, ResourceKind::SampledImage,
                  ResourceKind::CombinedSampledImage})) ==
        sampler +
            "set 5 binding 41 SAMPLED_IMAGE|COMBINED_SAMPLED_IMAGE combined HEAP_WITH_PUSH_INDEX "
            "tableIndex1 sampler samplerIndex1\n");
}

constexpr uint32_t kSamplerKind = bits({ResourceKind::Sampler});
constexpr uint32_t kImageKind = bits({ResourceKind::SampledImage});
constexpr uint32_t kCombinedKind = bits({ResourceKind::CombinedSampledImage});

struct TableCase {
  Residence residence;
  const char* source;
  const char* index;    ///< what picks a resource
  const char* sampler;  ///< what picks a sampler of the table's
};

constexpr TableCase kTables[] = {
    {Residence::Indexed, "HEAP_WITH_PUSH_INDEX", "tableIndex1", "samplerIndex1"},
    {Residence::Indirect, "HEAP_WITH_INDIRECT_INDEX", "tableIndex1", "samplerIndex1"},
    {Residence::Record, "HEAP_WITH_SHADER_RECORD_INDEX", "tableIndex1", "samplerIndex1"},
    {Residence::Scattered, "HEAP_WITH_INDIRECT_INDEX_ARRAY", "resourceSlots1", "samplerSlots1"},
};

TEST_CASE("mappings: every residence of a table, with samplers of the table's") {
  for (const TableCase& c : kTables) {
    CAPTURE(c.source);
    CHECK(map(c.residence, DescriptorType::SampledImage, kImageKind) ==
          std::format("set 5 binding 41 SAMPLED_IMAGE resource {} {}\n", c.source, c.index));
    CHECK(map(c.residence, DescriptorType::Sampler, kSamplerKind) ==
          std::format("set 5 binding 41 SAMPLER sampler {} {}\n", c.source, c.sampler));
    CHECK(map(c.residence, DescriptorType::CombinedImageSampler, kCombinedKind) ==
          std::format("set 5 binding 41 COMBINED_SAMPLED_IMAGE combined {} {} sampler {}\n",
                      c.source, c.index, c.sampler));
  }
}

TEST_CASE("mappings: immutable samplers in the heap are the same for all instances") {
  for (const TableCase& c : kTables) {
    CAPTURE(c.source);
    const bool scattered =
        c.residence == Residence::Scattered;  // their slots are named all the same
    const auto mapped = [&](DescriptorType type, uint32_t kinds) {
      return map({.table = c.residence,
                  .binding = c.residence,
                  .type = type,
                  .kinds = kinds,
                  .placement = SamplerPlacement::Immutable});
    };
    CHECK(mapped(DescriptorType::CombinedImageSampler, kCombinedKind) ==
          std::format("set 5 binding 41 COMBINED_SAMPLED_IMAGE combined {} {}{}\n", c.source,
                      c.index, scattered ? " sampler samplerSlots1" : ""));
    CHECK(mapped(DescriptorType::Sampler, kSamplerKind) ==
          (scattered
               ? "set 5 binding 41 SAMPLER sampler HEAP_WITH_INDIRECT_INDEX_ARRAY samplerSlots1\n"
               : "set 5 binding 41 SAMPLER sampler HEAP_WITH_CONSTANT_OFFSET\n"));
  }
}

TEST_CASE("mappings: embedded samplers are in the mapping, wherever the image is") {
  const auto mapped = [](Residence residence, DescriptorType type, uint32_t kinds) {
    return map({.table = residence,
                .binding = residence,
                .type = type,
                .kinds = kinds,
                .placement = SamplerPlacement::Embedded});
  };
  const auto check = [&](Residence residence, const std::string& image) {
    CAPTURE(to_string(residence));
    const std::string sampler =
        "set 5 binding 41 SAMPLER sampler HEAP_WITH_CONSTANT_OFFSET embeds 6\n";
    CHECK(mapped(residence, DescriptorType::Sampler, kSamplerKind) == sampler);
    CHECK(mapped(residence, DescriptorType::CombinedImageSampler, kCombinedKind) ==
          "set 5 binding 41 COMBINED_SAMPLED_IMAGE combined " + image + " embeds 6\n");
    // A texture of its own on the same binding has no sampler.
    CHECK(mapped(residence, DescriptorType::CombinedImageSampler, kImageKind | kSamplerKind) ==
          sampler + "set 5 binding 41 SAMPLED_IMAGE resource " + image + "\n");
  };
  check(Residence::Static, "HEAP_WITH_CONSTANT_OFFSET");
  for (const TableCase& c : kTables)
    check(c.residence, std::format("{} {}", c.source, c.index));
}

TEST_CASE("mappings: a packed index is one word for both halves") {
  for (const TableCase& c : kTables) {
    if (c.residence == Residence::Scattered) continue;
    CAPTURE(c.source);
    const auto mapped = [&](DescriptorType type, uint32_t kinds, SamplerPlacement placement = {}) {
      return map({.table = c.residence,
                  .binding = c.residence,
                  .type = type,
                  .kinds = kinds,
                  .placement = placement,
                  .packed = true});
    };
    const auto expected = [&](const char* what) {
      return std::format("set 5 binding 41 {} {} packedIndex1 packed", what, c.source);
    };
    CHECK(mapped(DescriptorType::SampledImage, kImageKind) ==
          expected("SAMPLED_IMAGE resource") + "\n");
    CHECK(mapped(DescriptorType::Sampler, kSamplerKind) == expected("SAMPLER sampler") + "\n");
    CHECK(mapped(DescriptorType::CombinedImageSampler, kCombinedKind) ==
          expected("COMBINED_SAMPLED_IMAGE combined") + "\n");
    CHECK(
        mapped(DescriptorType::CombinedImageSampler, kCombinedKind, SamplerPlacement::Immutable) ==
        expected("COMBINED_SAMPLED_IMAGE combined") + "\n");
    CHECK(mapped(DescriptorType::CombinedImageSampler, kCombinedKind, SamplerPlacement::Embedded) ==
          expected("COMBINED_SAMPLED_IMAGE combined") + " embeds 6\n");
    CHECK(mapped(DescriptorType::Sampler, kSamplerKind, SamplerPlacement::Immutable) ==
          "set 5 binding 41 SAMPLER sampler HEAP_WITH_CONSTANT_OFFSET\n");
    CHECK(mapped(DescriptorType::Sampler, kSamplerKind, SamplerPlacement::Embedded) ==
          "set 5 binding 41 SAMPLER sampler HEAP_WITH_CONSTANT_OFFSET embeds 6\n");
  }
}

TEST_CASE("mappings: what has no descriptor reads its own field, whatever its table is") {
  struct BindingCase {
    Residence residence;
    const char* mapped;
  };
  constexpr BindingCase kCases[] = {
      {Residence::HeapData, "RESOURCE_HEAP_DATA heapDataOffset1"},
      {Residence::PushData, "PUSH_DATA data1"},
      {Residence::PushAddress, "PUSH_ADDRESS bufferAddress1"},
      {Residence::IndirectAddress, "INDIRECT_ADDRESS bufferAddress1"},
      {Residence::RecordData, "SHADER_RECORD_DATA data1"},
      {Residence::RecordAddress, "SHADER_RECORD_ADDRESS bufferAddress1"},
  };
  for (const BindingCase& c : kCases) {
    for (const Residence table : {Residence::Static, Residence::Indexed, Residence::Scattered}) {
      CAPTURE(c.mapped, to_string(table));
      CHECK(map({.table = table,
                 .binding = c.residence,
                 .type = DescriptorType::UniformBuffer,
                 .kinds = bits({ResourceKind::UniformBuffer})}) ==
            std::format("set 5 binding 41 UNIFORM_BUFFER resource {}\n", c.mapped));
    }
  }
  CHECK(map({.table = Residence::Indexed,
             .binding = Residence::PushAddress,
             .type = DescriptorType::StorageBuffer,
             .kinds = bits({ResourceKind::ReadOnlyStorageBuffer})}) ==
        "set 5 binding 41 READ_ONLY_STORAGE_BUFFER|READ_WRITE_STORAGE_BUFFER resource PUSH_ADDRESS "
        "bufferAddress1\n");
}

TEST_CASE("mappings: what a program does not use has none") {
  plan::HeapPlan plan;
  plan.programs.push_back({.name = "p"});
  CHECK(build_mappings(plan, plan.programs[0], {}).empty());
}

}  // namespace
}  // namespace heapsmith::mapping
