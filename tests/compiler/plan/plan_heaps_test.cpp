// SPDX-License-Identifier: MIT
#include "plan/plan_heaps.h"

#include <catch2/catch_test_macros.hpp>
#include <chrono>
#include <format>
#include <set>
#include <string>
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
  auto made = plan_heaps(programs, policy, diagnostics);
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
