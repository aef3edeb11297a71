// SPDX-License-Identifier: MIT
#include "layout/check_limits.h"

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "reflect/sample_shaders.h"

namespace heapsmith::layout {
namespace {

/// A manifest of one table of one binding.
struct OneBinding {
  Table table{.name = "set0", .bindings = {0, 1}};
  Binding binding{.name = "b", .binding = 3, .type = DescriptorType::SampledImage};
  ExternalRange range{.name = "ui", .descriptorClass = DescriptorClass::Image, .slots = 0};

  Manifest manifest() const {
    return {.tables = {&table, 1}, .bindings = {&binding, 1}, .externalRanges = {&range, 1}};
  }
};

std::string check(const OneBinding& one) {
  Diagnostics diagnostics;
  const bool fits = check_slot_counts(one.manifest(), diagnostics).has_value();
  CHECK(fits != diagnostics.has_errors());
  return reflect::sample::describe(diagnostics);
}

TEST_CASE("slot counts: what every device has passes without a word") {
  OneBinding one;
  one.binding.capacity = (1u << 20) - (1u << 15);
  CHECK(check(one).empty());
  one.binding.type = DescriptorType::Sampler;
  one.binding.capacity = 4000;
  CHECK(check(one).empty());
}

TEST_CASE("slot counts: more than some devices have is a warning, more than any an error") {
  OneBinding one;
  one.binding.capacity = 1u << 20;
  CHECK(check(one) ==
        "HS4002 : 1048576 resource slots are more than the 1015808 that every device has\n");
  one.binding.capacity = (1u << 28) + 1;
  CHECK(check(one).starts_with("HS4003 : 268435457 image slots exceed the heap limit"));
  one.binding.type = DescriptorType::Sampler;
  one.binding.capacity = 4001;
  CHECK(check(one).starts_with("HS4002 : 4001 sampler slots"));
}

TEST_CASE("slot counts: capacity times instances does not wrap") {
  OneBinding one;
  one.table.residence = Residence::Indexed;
  one.table.instances = UINT32_MAX;
  one.binding.capacity = UINT32_MAX;
  CHECK(check(one).starts_with("HS4003 : "));
  one.binding.capacity = 1u << 16;
  CHECK(check(one).starts_with("HS4003 : "));
}

TEST_CASE("slot counts: the binding that asks for most is blamed") {
  OneBinding one;
  one.binding.capacity = 1u << 29;
  Diagnostics diagnostics;
  CHECK_FALSE(check_slot_counts(one.manifest(), diagnostics));
  REQUIRE(diagnostics.all().size() == 1);
  CHECK(diagnostics.all()[0].place.resource == "b");
  CHECK(diagnostics.all()[0].place.binding == 3u);
}

TEST_CASE("slot counts: what has no descriptor, and what is embedded, counts for nothing") {
  OneBinding one;
  one.table.residence = Residence::Indexed;
  one.table.instances = UINT32_MAX;
  one.binding.type = DescriptorType::UniformBuffer;
  one.binding.residence = Residence::HeapData;
  one.binding.capacity = UINT32_MAX;
  CHECK(check(one).empty());
  one.binding = {.name = "s",
                 .type = DescriptorType::Sampler,
                 .residence = Residence::Indexed,
                 .samplerPlacement = SamplerPlacement::Embedded};
  one.table.samplerInstances = UINT32_MAX;
  CHECK(check(one).empty());
  // Immutable ones are there once, however many tuples there are.
  one.binding.samplerPlacement = SamplerPlacement::Immutable;
  one.binding.capacity = 4000;
  CHECK(check(one).empty());
  one.binding.capacity = 4001;
  CHECK(check(one).starts_with("HS4002 : 4001 sampler slots"));
}

TEST_CASE("slot counts: external ranges count") {
  OneBinding one;
  one.range.slots = 1u << 20;
  CHECK(check(one).starts_with("HS4002 : 1048577 resource slots"));
}

TEST_CASE("device limits: what a device refuses is an error that names the profile") {
  DeviceLimits limits;
  limits.samplerHeapAlignment = limits.resourceHeapAlignment = 64;
  limits.samplerDescriptorSize = limits.samplerDescriptorAlignment = 16;
  limits.imageDescriptorSize = limits.imageDescriptorAlignment = 32;
  limits.bufferDescriptorSize = limits.bufferDescriptorAlignment = 16;
  limits.maxResourceHeapSize = limits.maxSamplerHeapSize = 4096;
  limits.maxPushDataSize = 256;
  OneBinding one;
  one.binding.capacity = 128;
  Diagnostics diagnostics;
  CHECK(check_limits(one.manifest(), limits, "card", diagnostics));
  CHECK(diagnostics.all().empty());
  one.binding.capacity = 129;
  CHECK_FALSE(check_limits(one.manifest(), limits, "card", diagnostics));
  CHECK(reflect::sample::describe(diagnostics).starts_with("HS4002 : profile 'card': "));
}

}  // namespace
}  // namespace heapsmith::layout
