// SPDX-License-Identifier: MIT
#include <optional>
#include <string>
#include <vector>

#include "compiler/rewrite/folding_device.h"
#include "compiler/rewrite/rewritten.h"
#include "heapsmith/resolve.h"
#include "input/device_profile.h"

/// The constant expressions in rewritten modules and resolve() are two ways to compute the same
/// bytes: they must agree on every device.
namespace heapsmith::rewrite {
namespace {

using test::Device;

const std::string kShader =
    test::shader({.decorations = test::place("images", 0, 0) + test::place("buffers", 0, 1) +
                                 test::place("sampler_", 0, 2) +
                                 "OpDecorate %Block Block\nOpMemberDecorate %Block 0 Offset 0\n",
                  .declarations = R"(
          %uint = OpTypeInt 32 0
          %float = OpTypeFloat 32
          %zero = OpConstant %uint 0
          %two = OpConstant %uint 2
          %three = OpConstant %uint 3
          %image = OpTypeImage %float 2D 0 0 0 1 Unknown
          %sampler = OpTypeSampler
          %Block = OpTypeStruct %uint
          %images_ = OpTypeArray %image %three
          %buffers_ = OpTypeArray %Block %three
          %toImages = OpTypePointer UniformConstant %images_
          %toImage = OpTypePointer UniformConstant %image
          %toSampler = OpTypePointer UniformConstant %sampler
          %toBuffers = OpTypePointer Uniform %buffers_
          %toUint = OpTypePointer Uniform %uint
          %images = OpVariable %toImages UniformConstant
          %buffers = OpVariable %toBuffers Uniform
          %sampler_ = OpVariable %toSampler UniformConstant)",
                  .body = R"(
          %a = OpAccessChain %toImage %images %two
          %i = OpLoad %image %a
          %b = OpAccessChain %toUint %buffers %two %zero
          %x = OpLoad %uint %b
          %s = OpLoad %sampler %sampler_)"});

/// A table that some other images and buffers come before.
struct Sample {
  std::vector<ExternalRange> ranges;
  std::vector<Table> tables = {{.name = "t", .bindings = {0, 3}}};
  std::vector<Binding> bindings;

  Sample(uint32_t images, uint32_t buffers) {
    if (images != 0) ranges.push_back({"images", DescriptorClass::Image, images});
    if (buffers != 0) ranges.push_back({"buffers", DescriptorClass::Buffer, buffers});
    const auto add = [&](DescriptorType type, uint32_t capacity) {
      bindings.push_back({.name = "b",
                          .binding = static_cast<uint32_t>(bindings.size()),
                          .type = type,
                          .arrayKind = capacity == 1 ? ArrayKind::None : ArrayKind::Fixed,
                          .capacity = capacity});
    };
    add(DescriptorType::SampledImage, 3);
    add(DescriptorType::UniformBuffer, 3);
    add(DescriptorType::Sampler, 1);
  }
  [[nodiscard]] Manifest manifest() const {
    return {.tables = tables, .bindings = bindings, .externalRanges = ranges};
  }
};

Placements placements_of(const SlotLayout& slots, std::optional<uint32_t> specId) {
  const auto location = [&](DescriptorClass region, uint32_t binding) {
    const BindingSlots& own = slots.bindings[binding];
    const uint64_t inTable =
        region == DescriptorClass::Sampler ? own.firstSamplerSlot : own.firstSlot;
    return Location{.firstSlot = static_cast<uint32_t>(
                        slots.tables[0].firstSlot[static_cast<size_t>(region)] + inTable)};
  };
  Placements placements;
  placements.regions.imageSlots = {
      static_cast<uint32_t>(slots.regionSlots[static_cast<size_t>(DescriptorClass::Image)]),
      specId};
  placements.bindings = {
      {.set = 0, .binding = 0, .resource = location(DescriptorClass::Image, 0)},
      {.set = 0, .binding = 1, .resource = location(DescriptorClass::Buffer, 1)},
      {.set = 0, .binding = 2, .sampler = location(DescriptorClass::Sampler, 2)}};
  return placements;
}

}  // namespace

TEST_CASE("rewritten modules find what resolve() places, on every device", "[rewrite]") {
  for (const uint32_t images : {0u, 1u, 2u, 7u, 1000u, 100'001u}) {
    for (const uint32_t buffers : {0u, 5u}) {
      const Sample sample(images, buffers);
      const Manifest manifest = sample.manifest();
      const auto slots = assign_slots(manifest);
      REQUIRE(slots.has_value());
      const auto specId = images % 2 == 0 ? std::nullopt : std::optional(17u);
      const Placements placements = placements_of(*slots, specId);
      const spirv::Module module =
          spirv::test::parsed(test::rewritten_words(kShader, 0x00010300, &placements));
      for (const std::string_view name : input::built_in_profiles()) {
        Diagnostics diagnostics;
        const auto profile = input::load_device_profile(std::string(name), diagnostics);
        REQUIRE(profile.has_value());
        const auto layout = resolve(manifest, profile->limits);
        REQUIRE(layout.has_value());
        const Device device{.module = module, .limits = profile->limits};
        INFO(name << ", " << images << " images");
        CHECK(device.offset(0) == resource_offset(manifest, *layout, BindingId{0}, 2, 0));
        CHECK(device.offset(1) == resource_offset(manifest, *layout, BindingId{1}, 2, 0));
        CHECK(device.offset(2) == sampler_offset(manifest, *layout, BindingId{2}, 0, 0));
      }
    }
  }
}

}  // namespace heapsmith::rewrite
