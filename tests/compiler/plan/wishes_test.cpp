// SPDX-License-Identifier: MIT
#include "plan/wishes.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "reflect/sample_shaders.h"

namespace heapsmith::plan {
namespace {

reflect::ProgramBinding binding(uint32_t set, uint32_t number, const std::string& name,
                                DescriptorType type = DescriptorType::SampledImage) {
  return {.set = set, .binding = number, .name = name, .type = type, .views = {{name, ""}}};
}

Rule<BindingPolicy> capacity_rule(Match match, uint32_t capacity) {
  return {std::move(match), {.capacity = capacity}};
}

std::string report(const Wishes& wishes) {
  Diagnostics diagnostics;
  wishes.report(diagnostics);
  return reflect::sample::describe(diagnostics);
}

TEST_CASE("patterns: '*' is any characters, '?' is one, the rest is itself") {
  CHECK(matches("", ""));
  CHECK_FALSE(matches("", "a"));
  CHECK_FALSE(matches("a", ""));
  CHECK(matches("abc", "abc"));
  CHECK_FALSE(matches("abc", "abcd"));
  CHECK_FALSE(matches("abc", "Abc"));
  CHECK(matches("*", ""));
  CHECK(matches("*", "anything"));
  CHECK(matches("**", "x"));
  CHECK(matches("a*", "a"));
  CHECK(matches("*c", "abc"));
  CHECK(matches("a*c", "abbbc"));
  CHECK_FALSE(matches("a*c", "abbb"));
  CHECK(matches("?", "x"));
  CHECK_FALSE(matches("?", ""));
  CHECK_FALSE(matches("?", "xy"));
  CHECK(matches("u_??", "u_ab"));
  CHECK(matches("*a*b", "xaybzb"));
  CHECK_FALSE(matches("*a*b", "xaybz"));
  CHECK(matches("a?*", "ab"));
  CHECK_FALSE(matches("a?*", "a"));
  CHECK(matches("a*b", "a*b"));
  CHECK(matches("*?x", "aax"));
  CHECK_FALSE(matches("[a-z]", "b"));
  // No exponential search: each '*' forgets those before it.
  CHECK_FALSE(matches("*a*a*a*a*a*a*a*a*a*a*b", std::string(20000, 'a')));
}

TEST_CASE("wishes: later rules win, member by member, and sets over all rules") {
  Policy policy;
  policy.setRules = {{{}, {.frequency = Frequency::View, .instances = 3, .samplerInstances = 2}},
                     {{.set = 1}, {.instances = 4, .packedIndex = true}}};
  policy.sets[1].instances = 5;
  Wishes wishes(policy);
  const SetPolicy one = wishes.of_set(1, "p");
  CHECK(one.frequency == Frequency::View);
  CHECK(one.samplerInstances == 2u);
  CHECK(one.packedIndex == true);
  CHECK(one.instances == 5u);
  const SetPolicy two = wishes.of_set(2, "p");
  CHECK(two.instances == 3u);
  CHECK_FALSE(two.packedIndex);
}

TEST_CASE("wishes: a set's bindings are no part of the set's own wish") {
  Policy policy;
  policy.sets[1].bindings["0"].capacity = 5;
  Wishes wishes(policy);
  CHECK(wishes.of_set(1, "p").bindings.empty());
}

TEST_CASE("wishes: rules for bindings match by all that they name") {
  const auto capacity = [](const Match& match, const reflect::ProgramBinding& of,
                           std::string_view program = "main") {
    Policy policy;
    policy.bindingRules = {capacity_rule(match, 9)};
    return Wishes(policy).of_binding(of, program).capacity == 9u;
  };
  reflect::ProgramBinding lights = binding(2, 3, "u_lights", DescriptorType::UniformBuffer);
  lights.views = {{"u_lights", "Lights"}, {"other", ""}};
  CHECK(capacity({}, lights));
  CHECK(capacity({.set = 2}, lights));
  CHECK_FALSE(capacity({.set = 3}, lights));
  CHECK(capacity({.binding = 3}, lights));
  CHECK_FALSE(capacity({.binding = 2}, lights));
  CHECK(capacity({.name = "u_*"}, lights));
  CHECK(capacity({.name = "Lights"}, lights));
  CHECK(capacity({.name = "oth?r"}, lights));
  CHECK_FALSE(capacity({.name = "lights"}, lights));
  CHECK_FALSE(capacity({.name = ""}, lights));  // a view without a block has no block of no name
  CHECK(capacity({.type = DescriptorType::UniformBuffer}, lights));
  CHECK_FALSE(capacity({.type = DescriptorType::StorageBuffer}, lights));
  CHECK(capacity({.program = "ma*"}, lights));
  CHECK_FALSE(capacity({.program = "sky"}, lights));
  CHECK_FALSE(capacity({.program = "*"}, lights, ""));  // a table that programs share
  CHECK(capacity({2, 3, "u_*", DescriptorType::UniformBuffer, "main"}, lights));
  CHECK_FALSE(capacity({2, 4, "u_*", DescriptorType::UniformBuffer, "main"}, lights));
}

TEST_CASE("wishes: of a binding, every member by its own precedence") {
  Policy policy;
  policy.bindingRules = {
      {{}, {.name = "first", .capacity = 1, .immutableSamplers = {"a"}, .embed = true}},
      {{}, {.name = "second", .frequency = Frequency::Draw}},
  };
  policy.sets[0].bindings["x"] = {.residence = Residence::PushData,
                                  .instances = 2,
                                  .legacyType = LegacyType::InlineUniformBlock,
                                  .immutableSamplers = {"b", "c"}};
  const BindingPolicy wish = Wishes(policy).of_binding(binding(0, 0, "x"), "p");
  CHECK(wish == BindingPolicy{.name = "second",
                              .capacity = 1,
                              .residence = Residence::PushData,
                              .frequency = Frequency::Draw,
                              .instances = 2,
                              .legacyType = LegacyType::InlineUniformBlock,
                              .immutableSamplers = {"b", "c"},
                              .embed = true});
}

TEST_CASE("wishes: what matches nothing is reported, a rule by its line") {
  Policy policy;
  policy.file = "policy.json";
  policy.setRules = {{{.set = 7}, {.instances = 2}, 3}, {{.set = 0}, {.instances = 2}, 4}};
  policy.bindingRules = {{{.name = "nobody"}, {.capacity = 1}, 5}, {{.name = "x"}, {}, 6}};
  policy.sets[0].bindings["4"] = {};
  policy.sets[9] = {};
  Wishes wishes(policy);
  (void)wishes.of_set(0, "p");
  (void)wishes.of_binding(binding(0, 0, "x"), "p");
  CHECK(report(wishes) ==
        "HS3005 policy.json: no shader declares binding '4' in set 0\n"
        "HS3005 policy.json: no shader declares anything in set 9\n"
        "HS3005 policy.json: this rule matches nothing that the shaders declare\n"
        "HS3005 policy.json: this rule matches nothing that the shaders declare\n");
  Diagnostics diagnostics;
  wishes.report(diagnostics);
  CHECK(diagnostics.all()[2].place.line == 3);
  CHECK(diagnostics.all()[3].place.line == 5);
}

TEST_CASE("wishes: two entries for one binding are an error") {
  Policy policy;
  policy.sets[0].bindings["0"] = {};
  policy.sets[0].bindings["x"] = {};
  Wishes wishes(policy);
  (void)wishes.of_set(0, "p");
  (void)wishes.of_binding(binding(0, 0, "x"), "p");
  CHECK(report(wishes) == "HS1012 : '0' and 'x' of set 0 are the same binding\n");
}

}  // namespace
}  // namespace heapsmith::plan
