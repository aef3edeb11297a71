// SPDX-License-Identifier: MIT
#include "input/policy_json.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <format>
#include <string>

namespace heapsmith::input {
namespace {

TEST_CASE("policy: an empty object is the default policy") {
  Diagnostics diagnostics;
  const auto policy = parse_policy("{}", "policy.json", diagnostics);
  REQUIRE(policy);
  CHECK(policy->file == "policy.json");
  CHECK(policy->sets.empty());
  CHECK(policy->runtimeArrayCapacity == plan::Policy().runtimeArrayCapacity);
  CHECK(policy->pushDataBudget == 256);
  CHECK(policy->pushDataHeadroom == 0);
  CHECK(policy->externalRanges.empty());
  CHECK(policy->programs.empty());
  CHECK(diagnostics.all().empty());
}

TEST_CASE("policy: everything arrives in its field") {
  Diagnostics diagnostics;
  const auto policy = parse_policy(R"({
    "$schema": "urn:heapsmith:schema:policy:1",
    "sets": {
      "0": {"residence": "static", "shared": true, "table": "frame"},
      "1": {"residence": "auto", "frequency": "material", "packedIndex": true,
            "indirectBlock": "words", "bindings": {
              "a": {"residence": "indirectAddress", "frequency": "frame", "instances": 7,
                    "descriptorType": "STORAGE_BUFFER_DYNAMIC"},
              "b": {"immutableSamplers": "s", "embedSamplers": false},
              "c": {"immutableSamplers": ["s", "s"]}}},
      "4294967295": {"residence": "indexed", "instances": 4294967295, "samplerInstances": 1,
                     "bindings": {"3": {"name": "x", "capacity": 9}, "albedo": {}}}
    },
    "rules": [
      {"match": {}, "frequency": "view"},
      {"match": {"set": 3, "program": "sky*"}, "residence": "scattered"},
      {"match": {"set": 3, "binding": 4, "name": "u_?", "type": "TENSOR_ARM", "program": "p"},
       "residence": "recordData"}
    ],
    "samplers": {"s": {"magFilter": "LINEAR"}},
    "robustBufferAccess": true,
    "runtimeArrayCapacity": 7,
    "pushData": {"headroom": 128, "budget": 128},
    "externalRanges": [{"name": "ui", "class": "tensor", "slots": 2}],
    "programs": {"sky": ["full.vert", "sky.frag:main"]}
  })",
                                   "policy.json", diagnostics);
  REQUIRE(policy);
  const plan::SetPolicy& frame = policy->sets.at(0);
  CHECK(frame.residence == Residence::Static);
  CHECK(frame.shared == true);
  CHECK(frame.table == "frame");
  CHECK_FALSE(frame.samplerInstances);
  const plan::SetPolicy& material = policy->sets.at(1);
  CHECK_FALSE(material.residence);
  CHECK_FALSE(material.shared);
  CHECK(material.frequency == plan::Frequency::Material);
  CHECK(material.packedIndex == true);
  CHECK(material.indirectBlock == "words");
  const plan::BindingPolicy& a = material.bindings.at("a");
  CHECK(a.residence == Residence::IndirectAddress);
  CHECK(a.frequency == plan::Frequency::Frame);
  CHECK(a.instances == 7u);
  CHECK(a.legacyType == plan::LegacyType::StorageBufferDynamic);
  CHECK(material.bindings.at("b").immutableSamplers == std::vector<std::string>{"s"});
  CHECK(material.bindings.at("b").embed == false);
  CHECK(material.bindings.at("c").immutableSamplers == std::vector<std::string>{"s", "s"});
  CHECK_FALSE(material.bindings.at("c").embed);
  REQUIRE(policy->setRules.size() == 2);
  CHECK_FALSE(policy->setRules[0].match.set);
  CHECK(policy->setRules[0].wish.frequency == plan::Frequency::View);
  CHECK(policy->setRules[1].match.set == 3u);
  CHECK(policy->setRules[1].match.program == "sky*");
  CHECK(policy->setRules[1].wish.residence == Residence::Scattered);
  CHECK(policy->setRules[1].line == 16);
  REQUIRE(policy->bindingRules.size() == 1);
  const plan::Match& match = policy->bindingRules[0].match;
  CHECK(match.set == 3u);
  CHECK(match.binding == 4u);
  CHECK(match.name == "u_?");
  CHECK(match.type == DescriptorType::TensorARM);
  CHECK(match.program == "p");
  CHECK(policy->bindingRules[0].wish.residence == Residence::RecordData);
  CHECK(policy->samplers.at("s").magFilter == 1);
  CHECK(policy->robustBufferAccess);
  const plan::SetPolicy& last = policy->sets.at(UINT32_MAX);
  CHECK(last.residence == Residence::Indexed);
  CHECK(last.instances == UINT32_MAX);
  CHECK(last.samplerInstances == 1u);
  CHECK(last.bindings.at("3").name == "x");
  CHECK(last.bindings.at("3").capacity == 9u);
  CHECK_FALSE(last.bindings.at("albedo").name);
  CHECK(policy->runtimeArrayCapacity == 7);
  CHECK(policy->pushDataBudget == 128);
  CHECK(policy->pushDataHeadroom == 128);
  REQUIRE(policy->externalRanges.size() == 1);
  CHECK(policy->externalRanges[0].descriptorClass == DescriptorClass::Tensor);
  CHECK(policy->programs.at("sky").size() == 2);
}

/// "code line:column: text", a line for each.
std::string refusal(const std::string& text) {
  Diagnostics diagnostics;
  CHECK_FALSE(parse_policy(text, "policy.json", diagnostics));
  std::string all;
  for (const Diagnostic& diagnostic : diagnostics.all()) {
    CHECK(diagnostic.severity == Severity::Error);
    CHECK(diagnostic.place.file == "policy.json");
    all += std::format("{}{} {}:{}: {}", all.empty() ? "" : "\n", code_text(diagnostic.code),
                       diagnostic.place.line, diagnostic.place.column, diagnostic.text);
  }
  return all;
}

TEST_CASE("policy: what is wrong is refused, once, where it stands") {
  struct Case {
    const char* text;
    const char* expected;  ///< what the complaint begins with
  };
  const Case cases[] = {
      {"", "HS1011 1:1: "},
      {"[]", "HS1012 1:1: "},
      {"{\n  \"set\": {}}", "HS1012 2:3: /set: "},
      {R"({"$schema": 1})", "HS1012 1:13: /$schema: "},
      {R"({"$schema": "urn:heapsmith:schema:profile:1"})", "HS1012 1:13: /$schema: "},
      {R"({"sets": []})", "HS1012 1:10: /sets: "},
      {R"({"sets": {"x": {}}})", "HS1012 1:11: /sets/x: is not a set number"},
      {R"({"sets": {"01": {}}})", "HS1012 1:11: /sets/01: is not a set number"},
      {R"({"sets": {"-1": {}}})", "HS1012 1:11: /sets/-1: is not a set number"},
      {R"({"sets": {"": {}}})", "HS1012 1:11: /sets/: is not a set number"},
      {R"({"sets": {"4294967296": {}}})", "HS1012 1:11: /sets/4294967296: is not a set number"},
      {R"({"sets": {"0": {}, "0": {}}})", "HS1011 1:20: "},
      {R"({"sets": {"0": 3}})", "HS1012 1:16: /sets/0: "},
      {R"({"sets": {"0": {"residense": "static"}}})", "HS1012 1:17: /sets/0/residense: "},
      {R"({"sets": {"0": {"residence": "heap"}}})", "HS1012 1:30: /sets/0/residence: "},
      {R"({"sets": {"0": {"residence": "static", "instances": 4}}})",
       "HS1012 1:53: /sets/0/instances: a static table has one instance"},
      {R"({"sets": {"0": {"residence": "static", "samplerInstances": 4}}})",
       "HS1012 1:60: /sets/0/samplerInstances: a static table has one instance"},
      {R"({"sets": {"0": {"frequency": "often"}}})",
       "HS1012 1:30: /sets/0/frequency: must be 'frame', 'view', 'material' or 'draw'"},
      {R"({"sets": {"0": {"packedIndex": "yes"}}})", "HS1012 1:32: /sets/0/packedIndex: "},
      {R"({"sets": {"0": {"indirectBlock": "a b"}}})",
       "HS1012 1:34: /sets/0/indirectBlock: a name is letters"},
      {R"({"sets": {"0": {"bindings": {"3": {"residence": "heap"}}}}})",
       "HS1012 1:49: /sets/0/bindings/3/residence: "},
      {R"({"sets": {"0": {"bindings": {"3": {"instances": 0}}}}})",
       "HS1012 1:49: /sets/0/bindings/3/instances: "},
      {R"({"sets": {"0": {"bindings": {"3": {"descriptorType": "UNIFORM_BUFFER"}}}}})",
       "HS1012 1:54: /sets/0/bindings/3/descriptorType: "},
      {R"({"sets": {"0": {"bindings": {"3": {"immutableSamplers": 1}}}}})",
       "HS1012 1:57: /sets/0/bindings/3/immutableSamplers: "},
      {R"({"sets": {"0": {"bindings": {"3": {"immutableSamplers": ["a", 1]}}}}})",
       "HS1012 1:63: /sets/0/bindings/3/immutableSamplers/1: "},
      {R"({"sets": {"0": {"bindings": {"3": {"embedSamplers": 1}}}}})",
       "HS1012 1:53: /sets/0/bindings/3/embedSamplers: "},
      {R"({"sets": {"0": {"bindings": {"3": {"samplerInstances": 1}}}}})",
       "HS1012 1:36: /sets/0/bindings/3/samplerInstances: "},
      {R"({"robustBufferAccess": 1})", "HS1012 1:24: /robustBufferAccess: "},
      {R"({"rules": {}})", "HS1012 1:11: /rules: "},
      {R"({"rules": [{}]})", "HS1012 1:12: /rules/0: lacks the key 'match'"},
      {R"({"rules": [{"match": 1}]})", "HS1012 1:22: /rules/0/match: "},
      {R"({"rules": [{"match": {"set": -1}}]})", "HS1012 1:30: /rules/0/match/set: "},
      {R"({"rules": [{"match": {"binding": "3"}}]})", "HS1012 1:34: /rules/0/match/binding: "},
      {R"({"rules": [{"match": {"name": 3}}]})", "HS1012 1:31: /rules/0/match/name: "},
      {R"({"rules": [{"match": {"program": 3}}]})", "HS1012 1:34: /rules/0/match/program: "},
      {R"({"rules": [{"match": {"type": "SAMPLERS"}}]})", "HS1012 1:31: /rules/0/match/type: "},
      {R"({"rules": [{"match": {"table": "x"}}]})", "HS1012 1:23: /rules/0/match/table: "},
      {R"({"rules": [{"match": {"set": 1}, "capacity": 3}]})", "HS1012 1:34: /rules/0/capacity: "},
      {R"({"rules": [{"match": {"name": "*"}, "shared": true}]})",
       "HS1012 1:37: /rules/0/shared: "},
      {R"({"rules": [{"match": {"program": "*"}, "shared": true}]})",
       "HS1012 1:50: /rules/0/shared: a table that all programs share is not for some of them"},
      {R"({"sets": {"0": {"residence": "indexed", "instances": 0}}})",
       "HS1012 1:54: /sets/0/instances: "},
      {R"({"sets": {"0": {"residence": "indexed", "instances": 4294967296}}})",
       "HS1012 1:54: /sets/0/instances: "},
      {R"({"sets": {"0": {"residence": "indexed", "instances": 1.5}}})",
       "HS1012 1:54: /sets/0/instances: "},
      {R"({"sets": {"0": {"residence": "indexed", "samplerInstances": 0}}})",
       "HS1012 1:61: /sets/0/samplerInstances: "},
      {R"({"sets": {"0": {"table": "a b"}}})", "HS1012 1:26: /sets/0/table: a name is letters"},
      {R"({"sets": {"0": {"table": ""}}})", "HS1012 1:26: /sets/0/table: a name is letters"},
      {R"({"sets": {"0": {"table": "1a"}}})", "HS1012 1:26: /sets/0/table: a name is letters"},
      {R"({"sets": {"0": {"table": 3}}})", "HS1012 1:26: /sets/0/table: "},
      {R"({"sets": {"0": {"shared": 1}}})", "HS1012 1:27: /sets/0/shared: "},
      {R"({"sets": {"0": {"bindings": []}}})", "HS1012 1:29: /sets/0/bindings: "},
      {R"({"sets": {"0": {"bindings": {"3": {"names": "x"}}}}})",
       "HS1012 1:36: /sets/0/bindings/3/names: "},
      {R"({"sets": {"0": {"bindings": {"3": {"name": "é"}}}}})",
       "HS1012 1:44: /sets/0/bindings/3/name: "},
      {R"({"sets": {"0": {"bindings": {"3": {"capacity": 0}}}}})",
       "HS1012 1:48: /sets/0/bindings/3/capacity: "},
      {R"({"runtimeArrayCapacity": 0})", "HS1012 1:26: /runtimeArrayCapacity: "},
      {R"({"pushData": {"budget": 65537}})", "HS1012 1:25: /pushData/budget: "},
      {R"({"pushData": {"headroom": 257}})", "HS1012 1:27: /pushData/headroom: "},
      {R"({"pushData": {"headroom": 9, "budget": 8}})", "HS1012 1:27: /pushData/headroom: "},
      {R"({"pushData": {"size": 9}})", "HS1012 1:15: /pushData/size: "},
      {R"({"externalRanges": {}})", "HS1012 1:20: /externalRanges: "},
      {R"({"externalRanges": [{"class": "image", "slots": 1}]})",
       "HS1012 1:21: /externalRanges/0: lacks the key 'name'"},
      {R"({"externalRanges": [{"name": "a", "slots": 1}]})",
       "HS1012 1:21: /externalRanges/0: lacks the key 'class'"},
      {R"({"externalRanges": [{"name": "a", "class": "image"}]})",
       "HS1012 1:21: /externalRanges/0: lacks the key 'slots'"},
      {R"({"externalRanges": [{"name": "a", "class": "data", "slots": 1}]})",
       "HS1012 1:44: /externalRanges/0/class: "},
      {R"({"externalRanges": [{"name": "a", "class": "image", "slots": 0}]})",
       "HS1012 1:62: /externalRanges/0/slots: "},
      {R"({"externalRanges": [{"name": "a", "class": "image", "slots": 1},)"
       R"({"name": "a", "class": "image", "slots": 1}]})",
       "HS1012 1:74: /externalRanges/1/name: two external ranges have this name"},
      {R"({"programs": []})", "HS1012 1:14: /programs: "},
      {R"({"programs": {"a": "x.vert"}})", "HS1012 1:20: /programs/a: "},
      {R"({"programs": {"a": []}})", "HS1012 1:20: /programs/a: a program needs at least one"},
      {R"({"programs": {"a": [1]}})", "HS1012 1:21: /programs/a/0: "},
      {R"({"programs": {"": ["x.vert"]}})", "HS1012 1:15: /programs/: a program needs a name"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.text);
    const std::string complaint = refusal(c.text);
    CAPTURE(complaint);
    CHECK(complaint.starts_with(c.expected));
    CHECK_FALSE(complaint.contains('\n'));
  }
}

TEST_CASE("policy: one run reports everything") {
  const std::string all = refusal(R"({
  "runtimeArrayCapacity": "x",
  "sets": {"a": {}, "1": {"residence": "static", "instances": 2, "table": "-"}},
  "programs": {"p": []},
  "extra": 1
})");
  CHECK(std::ranges::count(all, '\n') == 5);
}

}  // namespace
}  // namespace heapsmith::input
