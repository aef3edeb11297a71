// SPDX-License-Identifier: MIT
#include "plan/plan_heaps.h"

#include <catch2/catch_test_macros.hpp>
#include <chrono>
#include <format>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "reflect/sample_shaders.h"

namespace heapsmith::plan {
namespace {

using reflect::ProgramBinding;

ProgramBinding binding(uint32_t set, uint32_t number, const std::string& name,
                       DescriptorType type) {
  return {.set = set,
          .binding = number,
          .name = name,
          .type = type,
          .stages = static_cast<uint32_t>(ShaderStage::Fragment),
          .kinds = static_cast<uint32_t>(reflect::sample::kind_of(type)),
          .views = {{name, ""}},
          .file = name + ".frag"};
}

ProgramBinding array(ProgramBinding of, ArrayKind kind, uint64_t count) {
  of.arrayKind = kind;
  of.dims = {kind == ArrayKind::Runtime ? 0 : static_cast<uint32_t>(count)};
  of.count = count;
  return of;
}

ProgramBinding unused(ProgramBinding of) {
  of.stages = 0;
  of.kinds = 0;
  return of;
}

NamedProgram program(const std::string& name, std::vector<ProgramBinding> bindings) {
  return {name, {.bindings = std::move(bindings), .pushConstants = {}}};
}

struct Planned {
  HeapPlan plan;
  std::string tables;  ///< "set name residence x instances/samplerInstances: bindings"
  std::string diagnostics;
  bool failed = false;
};

Planned plan(const std::vector<NamedProgram>& programs, const Policy& policy = {}) {
  Diagnostics diagnostics;
  auto made = plan_heaps(programs, policy, Squeeze::Nothing, diagnostics);
  Planned planned;
  planned.diagnostics = reflect::sample::describe(diagnostics);
  planned.failed = !made;
  CHECK(planned.failed == diagnostics.has_errors());
  if (!made) return planned;
  uint32_t bindings = 0;
  for (const PlannedTable& table : made->tables) {
    CHECK(table.firstBinding == bindings);
    bindings += static_cast<uint32_t>(table.bindings.size());
    planned.tables +=
        std::format("{} {} {} x{}/{}:", table.set, table.name, to_string(table.residence),
                    table.instances, table.samplerInstances);
    for (const PlannedBinding& b : table.bindings)
      planned.tables += std::format(" {}={}*{}", b.binding, b.name, b.capacity);
    planned.tables += "\n";
  }
  planned.plan = std::move(*made);
  return planned;
}

const ProgramBinding kCamera = binding(0, 0, "camera", DescriptorType::UniformBuffer);
const ProgramBinding kAlbedo = binding(1, 0, "albedo", DescriptorType::CombinedImageSampler);
const ProgramBinding kFactors = binding(1, 1, "factors", DescriptorType::StorageBuffer);
const ProgramBinding kTextures =
    array(binding(2, 0, "textures", DescriptorType::SampledImage), ArrayKind::Runtime, 0);

SetPolicy indexed(uint32_t instances) {
  SetPolicy policy;
  policy.residence = Residence::Indexed;
  policy.instances = instances;
  return policy;
}

TEST_CASE("tables: nothing in, nothing out") {
  const Planned planned = plan({});
  CHECK(planned.tables.empty());
  CHECK(planned.diagnostics.empty());
  CHECK(plan({program("a", {})}).plan.programs.size() == 1);
}

TEST_CASE("tables: sets of one shape are one table; others are named after their programs") {
  const ProgramBinding image = binding(1, 0, "image", DescriptorType::StorageImage);
  const Planned planned = plan({program("a", {kCamera, kAlbedo}), program("b", {kCamera, kAlbedo}),
                                program("c", {kCamera, image}), program("d", {kCamera, image})});
  CHECK(planned.tables ==
        "0 set0 static x1/1: 0=camera*1\n"
        "1 set1_a static x1/1: 0=albedo*1\n"
        "1 set1_c static x1/1: 0=image*1\n");
  CHECK(planned.plan.programs[0].tables == std::vector<uint32_t>{0, 1});
  CHECK(planned.plan.programs[3].tables == std::vector<uint32_t>{0, 2});
}

TEST_CASE("tables: shape is number, type, array and count of every binding") {
  const auto shared = [](const ProgramBinding& a, const ProgramBinding& b) {
    return plan({program("a", {a}), program("b", {b})}).plan.tables.size() == 1;
  };
  const ProgramBinding texture = binding(0, 0, "t", DescriptorType::SampledImage);
  const ProgramBinding renamed = binding(0, 0, "other", DescriptorType::SampledImage);
  CHECK(shared(texture, texture));
  CHECK(shared(texture, renamed));
  CHECK(shared(texture, unused(texture)));
  CHECK_FALSE(shared(texture, binding(0, 1, "t", DescriptorType::SampledImage)));
  CHECK_FALSE(shared(texture, binding(0, 0, "t", DescriptorType::StorageImage)));
  CHECK_FALSE(shared(texture, array(texture, ArrayKind::Fixed, 1)));
  CHECK_FALSE(shared(array(texture, ArrayKind::Fixed, 2), array(texture, ArrayKind::Fixed, 3)));
  CHECK_FALSE(
      shared(array(texture, ArrayKind::Fixed, 2), array(texture, ArrayKind::Specialization, 2)));
}

TEST_CASE("tables: sharing unites stages, views and sizes") {
  ProgramBinding small = kCamera;
  small.minBufferSize = 16;
  ProgramBinding large = binding(0, 0, "view", DescriptorType::UniformBuffer);
  large.minBufferSize = 64;
  large.stages = static_cast<uint32_t>(ShaderStage::Vertex);
  const Planned planned = plan({program("a", {small}), program("b", {large})});
  REQUIRE(planned.plan.tables.size() == 1);
  const PlannedBinding& united = planned.plan.tables[0].bindings[0];
  CHECK(united.name == "camera");
  CHECK(united.stages == 0x11);
  CHECK(united.minBufferSize == 64);
  CHECK(united.views.size() == 2);
}

TEST_CASE("tables: a shared set is the union of what programs declare") {
  Policy policy;
  policy.sets[1].shared = true;
  policy.sets[1].table = "material";
  const Planned planned =
      plan({program("a", {kFactors}), program("b", {array(kAlbedo, ArrayKind::Fixed, 3)}),
            program("c", {kAlbedo, kFactors})},
           policy);
  CHECK(planned.tables == "1 material static x1/1: 0=albedo*3 1=factors*1\n");
  REQUIRE(planned.plan.programs.size() == 3);
  REQUIRE(planned.plan.programs[0].uses.size() == 1);
  CHECK(planned.plan.programs[0].uses[0].binding == 1);
  CHECK(planned.plan.programs[1].uses[0].binding == 0);
}

TEST_CASE("tables: a shared set that cannot be united names binding, types and both files") {
  Policy policy;
  policy.sets[1].shared = true;
  const ProgramBinding image = binding(1, 0, "image", DescriptorType::StorageImage);
  const Planned planned = plan({program("a", {kAlbedo}), program("b", {image})}, policy);
  CHECK(planned.failed);
  CHECK(planned.diagnostics ==
        "HS2006 image.frag: the policy shares set 1, but 'image' is STORAGE_IMAGE here and "
        "'albedo' is COMBINED_IMAGE_SAMPLER in albedo.frag\n");
}

TEST_CASE("tables: what is declared only has slots, and no use") {
  const Planned planned = plan({program("a", {kCamera, unused(kAlbedo)})});
  CHECK(planned.tables ==
        "0 set0 static x1/1: 0=camera*1\n"
        "1 set1 static x1/1: 0=albedo*1\n");
  CHECK(planned.plan.programs[0].tables == std::vector<uint32_t>{0});
  CHECK(planned.plan.programs[0].uses.size() == 1);
}

TEST_CASE("tables: names that would come twice are refused") {
  Policy policy;
  policy.sets[0].table = "set1";
  const Planned planned = plan({program("a", {kCamera, kAlbedo})}, policy);
  CHECK(planned.failed);
  CHECK(planned.diagnostics.starts_with("HS3003 "));
  CHECK(planned.diagnostics.contains("'set1'"));
}

TEST_CASE("bindings: names within a table differ, however hostile") {
  const auto named = [](uint32_t number, const std::string& name) {
    return binding(0, number, name, DescriptorType::SampledImage);
  };
  CHECK(plan({program("a", {named(1, "x"), named(2, "x")})}).tables ==
        "0 set0 static x1/1: 1=x*1 2=x_2*1\n");
  const Planned planned =
      plan({program("a", {named(0, "x_2"), named(1, "x"), named(2, "x"), named(3, "x_2_2")})});
  CHECK_FALSE(planned.failed);
  std::set<std::string> names;
  for (const PlannedBinding& b : planned.plan.tables.at(0).bindings)
    CHECK(names.insert(b.name).second);
}

TEST_CASE("bindings: a name of the policy is kept, and other bindings give way") {
  Policy policy;
  policy.sets[0].bindings["7"].name = "x";
  const auto named = [](uint32_t number, const std::string& name) {
    return binding(0, number, name, DescriptorType::SampledImage);
  };
  CHECK(plan({program("a", {named(1, "x"), named(7, "y")})}, policy).tables ==
        "0 set0 static x1/1: 1=x_1*1 7=x*1\n");
  policy.sets[0].bindings["1"].name = "x";
  const Planned planned = plan({program("a", {named(1, "x"), named(7, "y")})}, policy);
  CHECK(planned.failed);
  CHECK(planned.diagnostics.starts_with("HS3003 "));
}

TEST_CASE("bindings: the policy names them by number or by any view's name") {
  Policy policy;
  policy.sets[2].bindings["textures"].capacity = 5;
  CHECK(plan({program("a", {kTextures})}, policy).tables == "2 set2 static x1/1: 0=textures*5\n");
  policy = {};
  policy.sets[2].bindings["0"] = {.name = "all", .capacity = 6};
  CHECK(plan({program("a", {kTextures})}, policy).tables == "2 set2 static x1/1: 0=all*6\n");
  policy = {};
  policy.sets[2].bindings["cubes"].capacity = 7;
  ProgramBinding aliased = kTextures;
  aliased.views.push_back({"cubes", ""});
  CHECK(plan({program("a", {aliased})}, policy).tables == "2 set2 static x1/1: 0=textures*7\n");
}

TEST_CASE("bindings: two entries of the policy for one binding are refused") {
  Policy policy;
  policy.file = "policy.json";
  policy.sets[2].bindings["0"].capacity = 5;
  policy.sets[2].bindings["textures"].capacity = 6;
  const Planned planned = plan({program("a", {kTextures})}, policy);
  CHECK(planned.failed);
  CHECK(planned.diagnostics ==
        "HS1012 policy.json: '0' and 'textures' of set 2 are the same binding\n");
}

TEST_CASE("capacity: runtime arrays get the default, with a warning, or what the policy says") {
  const Planned planned = plan({program("a", {kTextures})});
  CHECK(planned.tables == "2 set2 static x1/1: 0=textures*1024\n");
  CHECK(planned.diagnostics ==
        "HS2008 textures.frag: 'textures' is unbounded and gets 1024 elements; set \"capacity\" in "
        "the policy, or override it at run time\n");
  Policy policy;
  policy.runtimeArrayCapacity = 10;
  CHECK(plan({program("a", {kTextures})}, policy).tables == "2 set2 static x1/1: 0=textures*10\n");
  // At least what some shader declares with a size.
  const ProgramBinding longer = array(kTextures, ArrayKind::Runtime, 64);
  CHECK(plan({program("a", {longer})}, policy).tables == "2 set2 static x1/1: 0=textures*64\n");
  policy.sets[2].bindings["textures"].capacity = 100;
  const Planned chosen = plan({program("a", {longer})}, policy);
  CHECK(chosen.tables == "2 set2 static x1/1: 0=textures*100\n");
  CHECK(chosen.diagnostics.empty());
}

TEST_CASE("capacity: a runtime array of samplers gets few, for sampler heaps are small") {
  const ProgramBinding samplers =
      array(binding(0, 0, "samplers", DescriptorType::Sampler), ArrayKind::Runtime, 0);
  CHECK(plan({program("a", {samplers})}).tables == "0 set0 static x1/1: 0=samplers*256\n");
  Policy policy;
  policy.runtimeArrayCapacity = 10;
  CHECK(plan({program("a", {samplers})}, policy).tables == "0 set0 static x1/1: 0=samplers*10\n");
  CHECK(plan({program("a", {array(samplers, ArrayKind::Runtime, 300)})}).tables ==
        "0 set0 static x1/1: 0=samplers*300\n");
}

TEST_CASE("capacity: what the policy may not ask for") {
  Policy policy;
  policy.file = "policy.json";
  policy.sets[0].bindings["x"].capacity = 3;
  const ProgramBinding single = binding(0, 0, "x", DescriptorType::SampledImage);
  const auto refusal = [&](const ProgramBinding& b) {
    const Planned planned = plan({program("a", {b})}, policy);
    CHECK(planned.failed);
    return planned.diagnostics;
  };
  CHECK(refusal(single).starts_with("HS1012 policy.json: 'x' has a fixed number of elements"));
  CHECK(refusal(array(single, ArrayKind::Fixed, 3))
            .starts_with("HS1012 policy.json: 'x' has a fixed number of elements"));
  CHECK(refusal(array(single, ArrayKind::Runtime, 4))
            .starts_with("HS1012 policy.json: capacity 3 is less than the 4 elements"));
  // A specialization constant may be set to less than its default.
  CHECK(plan({program("a", {array(single, ArrayKind::Specialization, 8)})}, policy).tables ==
        "0 set0 static x1/1: 0=x*3\n");
}

TEST_CASE("capacity: counts beyond 32 bits are refused, and never wrap") {
  ProgramBinding huge = binding(0, 0, "x", DescriptorType::SampledImage);
  huge.arrayKind = ArrayKind::Fixed;
  huge.dims = {65536, 65536};
  huge.count = uint64_t{1} << 32;
  const Planned planned = plan({program("a", {huge})});
  CHECK(planned.failed);
  CHECK(planned.diagnostics ==
        "HS4003 x.frag: 'x' has 4294967296 elements, which exceeds the heap limit\n");
  huge.count = UINT32_MAX;
  CHECK(plan({program("a", {huge})}).tables == "0 set0 static x1/1: 0=x*4294967295\n");
}

TEST_CASE("instances: indexed tables have few sampler tuples, unless the policy says otherwise") {
  Policy policy;
  policy.sets[1] = indexed(1000);
  CHECK(plan({program("a", {kAlbedo})}, policy).tables == "1 set1 indexed x1000/16: 0=albedo*1\n");
  CHECK(plan({program("a", {kFactors})}, policy).tables == "1 set1 indexed x1000/1: 1=factors*1\n");
  policy.sets[1] = indexed(4);
  CHECK(plan({program("a", {kAlbedo})}, policy).tables == "1 set1 indexed x4/4: 0=albedo*1\n");
  policy.sets[1].samplerInstances = 1;
  CHECK(plan({program("a", {kAlbedo})}, policy).tables == "1 set1 indexed x4/1: 0=albedo*1\n");
}

BindingPolicy reside(Residence residence, std::optional<uint32_t> instances = std::nullopt) {
  return {.residence = residence, .instances = instances};
}

TEST_CASE("splitting: bindings of another residence get a table of their own") {
  Policy policy;
  policy.sets[1] = indexed(10);
  policy.sets[1].table = "material";
  policy.sets[1].bindings["1"] = reside(Residence::Static);
  policy.sets[1].bindings["2"] = reside(Residence::Indexed, 3);
  policy.sets[1].bindings["3"] = reside(Residence::Indexed);  // as its table
  const ProgramBinding third = binding(1, 2, "third", DescriptorType::StorageImage);
  const ProgramBinding fourth = binding(1, 3, "fourth", DescriptorType::StorageImage);
  const Planned planned = plan({program("a", {kAlbedo, kFactors, third, fourth})}, policy);
  CHECK(planned.tables ==
        "1 material indexed x10/10: 0=albedo*1 3=fourth*1\n"
        "1 material_static static x1/1: 1=factors*1\n"
        "1 material_indexed indexed x3/1: 2=third*1\n");
  CHECK(planned.plan.programs[0].tables == std::vector<uint32_t>{0, 1, 2});
  REQUIRE(planned.plan.programs[0].uses.size() == 4);
  CHECK(planned.plan.programs[0].uses[1].table == 1);
  CHECK(planned.plan.programs[0].uses[1].binding == 0);
  CHECK(planned.plan.programs[0].uses[3].table == 0);
  CHECK(planned.plan.programs[0].uses[3].binding == 1);
}

TEST_CASE("splitting: what needs no descriptor stays with its set's table") {
  Policy policy;
  policy.sets[1] = indexed(10);
  policy.sets[1].bindings["1"] = reside(Residence::PushAddress);
  CHECK(plan({program("a", {kAlbedo, kFactors})}, policy).tables ==
        "1 set1 indexed x10/10: 0=albedo*1 1=factors*1\n");
  // Also if all of the others have left.
  policy.sets[1].bindings["0"] = reside(Residence::Static);
  CHECK(plan({program("a", {kAlbedo, kFactors})}, policy).tables ==
        "1 set1 indexed x10/1: 1=factors*1\n"
        "1 set1_static static x1/1: 0=albedo*1\n");
}

TEST_CASE("splitting: two parts of one residence are told apart by their instances") {
  Policy policy;
  policy.sets[2].bindings["0"] = reside(Residence::Indexed, 4);
  policy.sets[2].bindings["1"] = reside(Residence::Indexed, 9);
  const auto image = [](uint32_t number) {
    return binding(2, number, "i", DescriptorType::StorageImage);
  };
  CHECK(plan({program("a", {image(0), image(1), image(2)})}, policy).tables ==
        "2 set2 static x1/1: 2=i*1\n"
        "2 set2_indexed indexed x4/1: 0=i*1\n"
        "2 set2_indexed9 indexed x9/1: 1=i*1\n");
}

TEST_CASE("splitting: copies of a block in the heap are its capacity") {
  Policy policy;
  policy.sets[0].bindings["0"] = reside(Residence::HeapData, 7);
  CHECK(plan({program("a", {kCamera})}, policy).tables == "0 set0 static x1/1: 0=camera*7\n");
}

TEST_CASE("policy: programs of whom different things are wanted do not share a table") {
  Policy policy;
  policy.setRules = {{{.set = 1, .program = "b"}, indexed(6)}};
  CHECK(plan({program("a", {kAlbedo}), program("b", {kAlbedo}), program("c", {kAlbedo})}, policy)
            .tables ==
        "1 set1_a static x1/1: 0=albedo*1\n"
        "1 set1_b indexed x6/6: 0=albedo*1\n");
  policy = {};
  policy.bindingRules = {{{.name = "factors", .program = "b"}, reside(Residence::PushAddress)}};
  CHECK(plan({program("a", {kFactors}), program("b", {kFactors})}, policy).plan.tables.size() == 2);
}

TEST_CASE("policy: a table that all share follows rules without a program") {
  Policy policy;
  policy.sets[1].shared = true;
  policy.setRules = {{{.set = 1}, indexed(6)}, {{.set = 1, .program = "b"}, indexed(9)}};
  const Planned planned = plan({program("a", {kAlbedo}), program("b", {kAlbedo})}, policy);
  CHECK(planned.tables == "1 set1 indexed x6/6: 0=albedo*1\n");
  CHECK(planned.diagnostics.starts_with("HS3005 "));  // the other rule was of no use
}

TEST_CASE("indirect blocks: by name, or by their table's") {
  Policy policy;
  policy.sets[1] = {.residence = Residence::Indirect, .instances = 2, .indirectBlock = "words"};
  policy.sets[2] = {.residence = Residence::Scattered};
  policy.sets[2].bindings["textures"].capacity = 3;
  policy.sets[0].bindings["0"] = reside(Residence::IndirectAddress);
  const Planned planned = plan({program("a", {kCamera, kAlbedo, kTextures})}, policy);
  REQUIRE(planned.plan.tables.size() == 3);
  CHECK(planned.plan.tables[0].indirectBlock == "set0");
  CHECK(planned.plan.tables[1].indirectBlock == "words");
  CHECK(planned.plan.tables[2].indirectBlock == "set2");
  CHECK(plan({program("a", {kCamera})}).plan.tables[0].indirectBlock.empty());
}

TEST_CASE("samplers: immutable ones are no part of the tuples") {
  Policy policy;
  policy.samplers["plain"] = {};
  policy.sets[1] = indexed(20);
  policy.sets[1].bindings["0"].immutableSamplers = {"plain"};
  const Planned planned = plan({program("a", {kAlbedo})}, policy);
  CHECK(planned.tables == "1 set1 indexed x20/1: 0=albedo*1\n");
  REQUIRE(planned.plan.samplers.size() == 1);
  CHECK(planned.plan.samplers[0].name == "plain");
  CHECK(planned.plan.tables[0].bindings[0].samplerPlacement == SamplerPlacement::Embedded);
}

TEST_CASE("packed index: for tables of combined image samplers that are picked by a word") {
  const auto packed = [](SetPolicy wish, const std::vector<ProgramBinding>& bindings) {
    Policy policy;
    wish.packedIndex = true;
    policy.sets[1] = std::move(wish);
    const Planned planned = plan({program("a", bindings)}, policy);
    if (planned.failed) return planned.diagnostics;
    return std::string(planned.plan.tables[0].packedIndex ? "packed" : "not packed");
  };
  const ProgramBinding sampler = binding(1, 2, "s", DescriptorType::Sampler);
  const ProgramBinding image = binding(1, 3, "i", DescriptorType::SampledImage);
  CHECK(packed(indexed(4), {kAlbedo}) == "packed");
  CHECK(packed(indexed(4), {kAlbedo, sampler}) ==
        "HS1012 : table 'set1' cannot have a packed index: 's' is no combined image sampler, and "
        "nothing else reads one\n");
  CHECK(packed(indexed(4), {kAlbedo, image}).contains("'i' is no combined image sampler"));
  CHECK(packed({.residence = Residence::Indirect, .instances = 4}, {kAlbedo}) == "packed");
  CHECK(packed({.frequency = Frequency::Material}, {kAlbedo}) == "packed");
  CHECK(packed({}, {kAlbedo}) ==
        "HS1012 : table 'set1' cannot have a packed index: nothing picks an instance of a static "
        "table by one word\n");
  CHECK(packed({.residence = Residence::Scattered, .instances = 4}, {kAlbedo})
            .contains("of a scattered table by one word"));
  CHECK(packed(indexed(4), {kAlbedo, kFactors}).contains("'factors' is no combined image sampler"));
  CHECK(packed(indexed(1u << 20), {kAlbedo}) == "packed");
  CHECK(packed(indexed((1u << 20) + 1), {kAlbedo}).starts_with("HS1012 "));
  SetPolicy many = indexed(4);
  many.samplerInstances = 1u << 12;
  CHECK(packed(many, {kAlbedo}) == "packed");
  many.samplerInstances = (1u << 12) + 1;
  CHECK(packed(many, {kAlbedo}) ==
        "HS1012 : table 'set1' cannot have a packed index: it has room for 1048576 instances and "
        "4096 sampler tuples, not 4 and 4097\n");
}

TEST_CASE("choices: a table's, and those of bindings that differ or nearly did") {
  Policy policy;
  policy.sets[1].frequency = Frequency::Draw;
  ProgramBinding written = kFactors;
  written.isWritten = true;
  const Planned planned = plan({program("a", {kCamera, kAlbedo, written})}, policy);
  std::string text;
  for (const Choice& choice : planned.plan.choices) {
    text += std::format("{} {} {} {}: {}; {} refused\n", choice.set,
                        choice.binding ? std::to_string(*choice.binding) : "-", choice.name,
                        to_string(choice.residence), choice.reason, choice.refused.size());
  }
  CHECK(text ==
        "0 - set0 static: one instance: a constant address is the fastest; 0 refused\n"
        "1 - set1 indexed: 4096 instances, one a draw; 2 refused\n"
        "1 1 factors indexed: as its table; 1 refused\n");
}

TEST_CASE("policy: what matches nothing is a warning") {
  Policy policy;
  policy.file = "policy.json";
  policy.sets[0].bindings["camera"].name = "view";
  policy.sets[0].bindings["3"].name = "nothing";
  policy.sets[0].bindings["nobody"].name = "nothing2";
  policy.sets[9] = {};
  const Planned planned = plan({program("a", {kCamera})}, policy);
  CHECK_FALSE(planned.failed);
  CHECK(planned.diagnostics ==
        "HS3005 policy.json: no shader declares binding '3' in set 0\n"
        "HS3005 policy.json: no shader declares binding 'nobody' in set 0\n"
        "HS3005 policy.json: no shader declares anything in set 9\n");
}

TEST_CASE("policy: external ranges and the push data budget arrive") {
  Policy policy;
  policy.pushDataBudget = 128;
  policy.pushDataHeadroom = 32;
  policy.externalRanges = {{"ui", DescriptorClass::Image, 4}, {"fx", DescriptorClass::Buffer, 2}};
  const Planned planned = plan({}, policy);
  CHECK(planned.plan.pushDataBudget == 96);
  REQUIRE(planned.plan.externalRanges.size() == 2);
  CHECK(planned.plan.externalRanges[1].name == "fx");
  CHECK(planned.plan.externalRanges[1].descriptorClass == DescriptorClass::Buffer);
  CHECK(planned.plan.externalRanges[1].slots == 2);
}

TEST_CASE("tables: ten thousand shapes of one set, and ten thousand policy entries, take no time") {
  std::vector<NamedProgram> programs;
  for (uint32_t i = 0; i < 10000; ++i) {
    std::vector<ProgramBinding> bindings = {
        kCamera, array(binding(1, 0, "t", DescriptorType::SampledImage), ArrayKind::Fixed, i + 1)};
    programs.push_back(program(std::format("p{}", i), std::move(bindings)));
  }
  std::vector<ProgramBinding> many;
  Policy policy;
  for (uint32_t i = 0; i < 10000; ++i) {
    many.push_back(array(binding(2, i, std::format("b{}", i), DescriptorType::SampledImage),
                         ArrayKind::Runtime, 0));
    policy.sets[2].bindings[std::format("b{}", i)].capacity = 2;
  }
  programs.push_back(program("many", std::move(many)));
  const auto start = std::chrono::steady_clock::now();
  const Planned planned = plan(programs, policy);
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(4));
  CHECK(planned.plan.tables.size() == 10002);
}

}  // namespace
}  // namespace heapsmith::plan
