// SPDX-License-Identifier: MIT
#include "plan/plan_samplers.h"

#include <catch2/catch_test_macros.hpp>
#include <format>
#include <string>
#include <utility>

#include "heapsmith/sampler_members.h"
#include "reflect/sample_shaders.h"

namespace heapsmith::plan {
namespace {

using reflect::ProgramBinding;

constexpr auto kCombined = DescriptorType::CombinedImageSampler;

Policy policy() {
  Policy made;
  made.file = "policy.json";
  made.samplers["plain"] = {};
  made.samplers["other"] = {.magFilter = 1};
  made.samplers["red"] = {.borderColor = kFloatCustomBorderColor};
  made.samplers["film"] = {.convertsYcbcr = true};
  return made;
}

ProgramBinding of(DescriptorType type, uint32_t elements = 0) {
  ProgramBinding made = {.set = 1,
                         .binding = 2,
                         .name = "b",
                         .type = type,
                         .kinds = static_cast<uint32_t>(reflect::sample::kind_of(type))};
  if (elements != 0) made.arrayKind = ArrayKind::Fixed;
  return made;
}

/// "placement slots: index index", or the diagnostics.
std::string plan(const ProgramBinding& binding, const BindingPolicy& wish, uint32_t capacity = 1) {
  const Policy samplers = policy();
  Diagnostics diagnostics;
  PlannedBinding planned = {.type = binding.type, .capacity = capacity};
  SamplerPlanner(samplers, diagnostics).plan(binding, wish, planned);
  if (!diagnostics.all().empty()) return reflect::sample::describe(diagnostics);
  std::string text =
      std::format("{} {}:", to_string(planned.samplerPlacement), planned.slotsPerElement);
  for (const uint32_t sampler : planned.immutableSamplers)
    text += std::format(" {}", sampler);
  return text;
}

std::string refusal(const std::string& why) {
  return "HS1012 policy.json: immutable samplers of 'b': " + why + "\n";
}

TEST_CASE("samplers: embedded where Vulkan allows it, and nobody objects") {
  CHECK(plan(of(kCombined), {}) == "table 1:");
  CHECK(plan(of(kCombined), {.immutableSamplers = {"plain"}}) == "embedded 1: 0");
  CHECK(plan(of(DescriptorType::Sampler), {.immutableSamplers = {"plain"}}) == "embedded 1: 0");
  CHECK(plan(of(kCombined), {.immutableSamplers = {"plain"}, .embed = true}) == "embedded 1: 0");
  CHECK(plan(of(kCombined), {.immutableSamplers = {"plain"}, .embed = false}) == "immutable 1: 0");
}

TEST_CASE("samplers: arrays (11399) and custom border colours (11445) go to the heap") {
  CHECK(plan(of(kCombined, 3), {.immutableSamplers = {"plain"}}, 3) == "immutable 1: 0");
  CHECK(plan(of(kCombined, 3), {.immutableSamplers = {"plain", "other", "plain"}}, 3) ==
        "immutable 1: 0 1 0");
  CHECK(plan(of(kCombined), {.immutableSamplers = {"red"}}) == "immutable 1: 0");
  CHECK(plan(of(kCombined, 2), {.immutableSamplers = {"plain"}, .embed = true}, 2) ==
        refusal("an array's samplers cannot be embedded (11399)"));
  CHECK(plan(of(kCombined), {.immutableSamplers = {"red"}, .embed = true}) ==
        refusal("a custom border colour cannot be embedded (11445)"));
  // Also an array of one element.
  CHECK(plan(of(kCombined, 1), {.immutableSamplers = {"plain"}}) == "immutable 1: 0");
}

TEST_CASE("samplers: what converts from YCbCr takes three slots and must be embedded") {
  CHECK(plan(of(kCombined), {.immutableSamplers = {"film"}}) == "embedded 3: 0");
  ProgramBinding unused = of(kCombined);
  unused.kinds = 0;
  CHECK(plan(unused, {.immutableSamplers = {"film"}}) == "embedded 3: 0");
  CHECK(plan(of(kCombined, 2), {.immutableSamplers = {"film"}}, 2) ==
        refusal("one converts from YCbCr and must be embedded, but an array's samplers cannot be "
                "embedded (11399)"));
  CHECK(plan(of(kCombined), {.immutableSamplers = {"film"}, .embed = false}) ==
        refusal("one that converts from YCbCr must be embedded (11204)"));
  ProgramBinding apart = of(kCombined);
  apart.kinds = static_cast<uint32_t>(reflect::ResourceKind::SampledImage) |
                static_cast<uint32_t>(reflect::ResourceKind::Sampler);
  const std::string separate =
      refusal("one that converts from YCbCr needs an OpTypeSampledImage variable (12203, 12204)");
  CHECK(plan(apart, {.immutableSamplers = {"film"}}) == separate);
  ProgramBinding sampler = of(DescriptorType::Sampler);
  CHECK(plan(sampler, {.immutableSamplers = {"film"}}) == separate);
  sampler.kinds = 0;  // declared only
  CHECK(plan(sampler, {.immutableSamplers = {"film"}}) == separate);
}

TEST_CASE("samplers: names, counts and types that do not fit") {
  CHECK(plan(of(kCombined), {.immutableSamplers = {"nobody"}}) ==
        refusal("the policy's samplers have no 'nobody'"));
  CHECK(plan(of(kCombined, 3), {.immutableSamplers = {"plain", "plain"}}, 3) ==
        refusal("2 are given, but it has 3 elements"));
  CHECK(plan(of(kCombined), {.immutableSamplers = {"plain", "plain"}}) ==
        refusal("2 are given, but it has 1 elements"));
  CHECK(plan(of(DescriptorType::SampledImage), {.immutableSamplers = {"plain"}}) ==
        refusal("SAMPLED_IMAGE has no sampler"));
  CHECK(plan(of(kCombined), {.embed = true}) == refusal("there are none to embed"));
  CHECK(plan(of(kCombined), {.embed = false}) == refusal("there are none to embed"));
}

TEST_CASE("samplers: a sampler is listed once, and only if it is used") {
  const Policy samplers = policy();
  Diagnostics diagnostics;
  SamplerPlanner planner(samplers, diagnostics);
  PlannedBinding first;
  PlannedBinding second;
  planner.plan(of(kCombined), {.immutableSamplers = {"red"}}, first);
  planner.plan(of(kCombined), {.immutableSamplers = {"plain"}}, second);
  planner.plan(of(kCombined), {.immutableSamplers = {"red"}}, first);
  const auto taken = planner.take();
  REQUIRE(taken.size() == 2);
  CHECK(taken[first.immutableSamplers.back()].name == "red");
  CHECK(taken[second.immutableSamplers.back()].name == "plain");
  CHECK(has_custom_border_color(taken[first.immutableSamplers.back()].info));
}

}  // namespace
}  // namespace heapsmith::plan
