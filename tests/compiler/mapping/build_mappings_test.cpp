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

std::string describe(const Mapping& mapping) {
  std::string text = std::format("set {} binding {} ", mapping.set, mapping.binding);
  for (const std::string& name : emit::resource_mask_names(mapping.resourceMask))
    text += name + "|";
  text.back() = ' ';
  text += std::format("{} {}", to_string(mapping.part), to_string(mapping.source));
  if (mapping.pushField != kNone) text += std::format(" push {}", mapping.pushField);
  if (mapping.samplerPushField != kNone)
    text += std::format(" sampler {}", mapping.samplerPushField);
  return text + "\n";
}

/// One binding in table 0 of set 5, reached by variables of these kinds. Push field 0 belongs to
/// another table.
std::string map(Residence residence, DescriptorType type, uint32_t kinds,
                uint32_t sampler_instances = 8) {
  plan::HeapPlan plan;
  plan.tables.push_back({.name = "other", .set = 5, .residence = Residence::Indexed});
  plan.tables.push_back(
      {.name = "t",
       .set = 5,
       .residence = residence,
       .instances = residence == Residence::Static ? 1u : 8u,
       .samplerInstances = residence == Residence::Static ? 1u : sampler_instances,
       .firstBinding = 40,
       .bindings = {{.name = "x", .binding = 0, .type = type},
                    {.name = "b", .binding = 9, .type = type}}});
  plan.programs.push_back({.name = "p", .tables = {1}, .uses = {{1, 1, kinds}}});
  std::vector<layout::PackedField> fields = {
      {.name = "other", .kind = PushFieldKind::TableIndex, .table = 0}};
  if (residence == Residence::Indexed) {
    if (has_resource_slots(type)) {
      fields.push_back({.name = "t", .kind = PushFieldKind::TableIndex, .table = 1, .offset = 4});
    }
    if (has_sampler_slots(type) && sampler_instances > 1) {
      fields.push_back(
          {.name = "tSampler", .kind = PushFieldKind::SamplerIndex, .table = 1, .offset = 8});
    }
  }
  std::string text;
  for (const Mapping& mapping : build_mappings(plan, plan.programs[0], fields))
    text += describe(mapping);
  return text;
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
          std::format("set 5 binding 41 {} resource HEAP_WITH_PUSH_INDEX push 1\n", c.mask));
  }
}

TEST_CASE("mappings: a sampler is picked by the word for sampler tuples, if there are several") {
  const uint32_t kinds = bits({ResourceKind::Sampler});
  const auto type = DescriptorType::Sampler;
  const std::string constant = "set 5 binding 41 SAMPLER sampler HEAP_WITH_CONSTANT_OFFSET\n";
  CHECK(map(Residence::Static, type, kinds) == constant);
  CHECK(map(Residence::Indexed, type, kinds) ==
        "set 5 binding 41 SAMPLER sampler HEAP_WITH_PUSH_INDEX push 1\n");
  CHECK(map(Residence::Indexed, type, kinds, 1) == constant);
}

TEST_CASE("mappings: a combined image sampler has a word for each half") {
  const uint32_t kinds = bits({ResourceKind::CombinedSampledImage});
  const auto type = DescriptorType::CombinedImageSampler;
  CHECK(map(Residence::Static, type, kinds) ==
        "set 5 binding 41 COMBINED_SAMPLED_IMAGE combined HEAP_WITH_CONSTANT_OFFSET\n");
  CHECK(map(Residence::Indexed, type, kinds) ==
        "set 5 binding 41 COMBINED_SAMPLED_IMAGE combined HEAP_WITH_PUSH_INDEX push 1 sampler 2\n");
  CHECK(map(Residence::Indexed, type, kinds, 1) ==
        "set 5 binding 41 COMBINED_SAMPLED_IMAGE combined HEAP_WITH_PUSH_INDEX push 1\n");
}

TEST_CASE("mappings: texture, sampler and combined variables on one binding") {
  const auto type = DescriptorType::CombinedImageSampler;
  const std::string sampler = "set 5 binding 41 SAMPLER sampler HEAP_WITH_PUSH_INDEX push 2\n";
  const std::string texture =
      "set 5 binding 41 SAMPLED_IMAGE resource HEAP_WITH_PUSH_INDEX push 1\n";
  CHECK(map(Residence::Indexed, type, bits({ResourceKind::Sampler})) == sampler);
  CHECK(map(Residence::Indexed, type, bits({ResourceKind::SampledImage})) == texture);
  CHECK(map(Residence::Indexed, type, bits({ResourceKind::Sampler, ResourceKind::SampledImage})) ==
        sampler + texture);
  CHECK(map(Residence::Indexed, type,
            bits({ResourceKind::Sampler, ResourceKind::SampledImage,
                  ResourceKind::CombinedSampledImage})) ==
        sampler +
            "set 5 binding 41 SAMPLED_IMAGE|COMBINED_SAMPLED_IMAGE combined HEAP_WITH_PUSH_INDEX "
            "push 1 sampler 2\n");
}

TEST_CASE("mappings: what a program does not use has none") {
  plan::HeapPlan plan;
  plan.programs.push_back({.name = "p"});
  CHECK(build_mappings(plan, plan.programs[0], {}).empty());
}

}  // namespace
}  // namespace heapsmith::mapping
