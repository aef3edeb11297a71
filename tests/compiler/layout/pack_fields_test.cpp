// SPDX-License-Identifier: MIT
#include "layout/pack_fields.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <chrono>
#include <format>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "plan/random_programs.h"

namespace heapsmith::layout {
namespace {

using plan::PlannedBinding;

PlannedBinding uniform_block(const std::string& name, Residence residence, uint64_t size = 16) {
  return {.name = name,
          .type = DescriptorType::UniformBuffer,
          .minBufferSize = size,
          .residence = residence};
}

/// A plan, and the programs that use all bindings of some of its tables.
class Plan {
 public:
  /// An indexed table of one binding.
  Plan& table(const std::string& name, DescriptorType type = DescriptorType::UniformBuffer,
              uint32_t sampler_instances = 1) {
    table(name, Residence::Indexed, {{.name = "b", .type = type, .residence = Residence::Indexed}});
    plan.tables.back().samplerInstances = sampler_instances;
    return *this;
  }
  Plan& table(const std::string& name, Residence residence, std::vector<PlannedBinding> bindings) {
    const uint32_t first = plan.tables.empty()
                               ? 0
                               : plan.tables.back().firstBinding +
                                     static_cast<uint32_t>(plan.tables.back().bindings.size());
    for (uint32_t i = 0; i < bindings.size(); ++i)
      bindings[i].binding = i;
    plan.tables.push_back({.name = name,
                           .residence = residence,
                           .instances = residence == Residence::Static ? 1u : 8u,
                           .firstBinding = first,
                           .bindings = std::move(bindings)});
    return *this;
  }
  Plan& in_block(const std::string& name) {
    plan.tables.back().indirectBlock = name;
    return *this;
  }
  Plan& program(const std::vector<uint32_t>& tables, uint32_t push_offset = 0,
                uint32_t push_size = 0) {
    plan::PlannedProgram made = {.name = std::format("p{}", plan.programs.size()),
                                 .tables = tables};
    for (const uint32_t table : tables) {
      for (uint32_t b = 0; b < plan.tables[table].bindings.size(); ++b)
        made.uses.push_back({table, b, 1});
    }
    if (push_size != 0) made.pushConstants = reflect::PushConstants{"push", push_offset, push_size};
    plan.programs.push_back(std::move(made));
    return *this;
  }
  Plan& record_block(uint32_t size) {
    plan.programs.back().recordBlockSize = size;
    return *this;
  }
  Plan& budget(uint32_t bytes) {
    plan.pushDataBudget = bytes;
    return *this;
  }

  /// "name@offset name@offset" of a space, or the diagnostics; "+size" where it is not 4, blocks as
  /// "[name size address-field]".
  std::string pack(FieldSpace space = FieldSpace::PushData) const {
    Diagnostics diagnostics;
    const auto packed = pack_fields(plan, diagnostics);
    CHECK(packed.has_value() != diagnostics.has_errors());
    if (!packed) return reflect::sample::describe(diagnostics);
    std::string text;
    uint32_t block = kNone;
    for (const PackedField& field : packed->fields) {
      if (field.space != space) continue;
      if (space == FieldSpace::Indirect && field.block != block) {
        block = field.block;
        const PackedBlock& of = packed->blocks.at(block);
        text += std::format("{}[{} {} {}]", text.empty() ? "" : " ", of.name, of.size,
                            packed->fields.at(of.addressField).name);
      }
      text += std::format("{}{}@{}", text.empty() ? "" : " ", field.name, field.offset);
      if (field.size != 4) text += std::format("+{}", field.size);
    }
    return text;
  }

  plan::HeapPlan plan;
};

TEST_CASE("push data: words come behind the push constants") {
  CHECK(Plan().table("a").table("b").program({0, 1}).pack() == "a@0 b@4");
  CHECK(Plan().table("a").table("b").program({0, 1}, 8, 56).pack() == "a@64 b@68");
  CHECK(Plan().table("a").program({0}, 0, 16).program({0}, 0, 32).pack() == "a@32");
  CHECK(Plan().table("a").program({0}).program({}, 0, 64).pack() == "a@0");
}

TEST_CASE("push data: which tables need words") {
  CHECK(Plan().table("a", DescriptorType::CombinedImageSampler, 4).program({0}).pack() ==
        "a@0 aSampler@4");
  CHECK(Plan().table("a", DescriptorType::CombinedImageSampler, 1).program({0}).pack() == "a@0");
  CHECK(Plan().table("a", DescriptorType::Sampler, 4).program({0}).pack() == "aSampler@0");
  CHECK(Plan().table("a", DescriptorType::Sampler, 1).program({0}).pack().empty());
  CHECK(Plan()
            .table("a", Residence::Static, {{.name = "b", .residence = Residence::Static}})
            .program({0})
            .pack()
            .empty());
  // A table whose bindings have no descriptors has no instances to pick.
  CHECK(Plan()
            .table("a", Residence::Indexed, {uniform_block("b", Residence::PushAddress)})
            .program({0})
            .pack() == "b@0+8");
}

TEST_CASE("push data: one word picks instance and sampler tuple, if the table packs them") {
  Plan plan = Plan().table("a", DescriptorType::CombinedImageSampler, 4).program({0});
  plan.plan.tables[0].packedIndex = true;
  CHECK(plan.pack() == "a@0");
  Diagnostics diagnostics;
  CHECK(pack_fields(plan.plan, diagnostics)->fields[0].kind == FieldKind::PackedIndex);
}

TEST_CASE("push data: a gap in front is used where there is no room behind") {
  CHECK(Plan().table("a").table("b").program({0, 1}, 4, 248).pack() == "b@0 a@252");
  CHECK(Plan().table("a").program({0}, 16, 240).pack() == "a@0");
  // An address does not fit into a gap that is not aligned for it.
  const auto address = [](uint32_t push_offset) {
    return Plan()
        .table("t", Residence::Static, {uniform_block("a", Residence::PushAddress)})
        .program({0}, push_offset, 256 - push_offset)
        .pack();
  };
  CHECK(address(8) == "a@0+8");
  CHECK(address(4).starts_with("HS4001 "));
}

TEST_CASE("push data: a field has one offset in all programs") {
  // b shares a program with a, and another with push constants of 12 bytes.
  CHECK(Plan().table("a").table("b").program({0, 1}).program({1}, 0, 12).pack() == "a@0 b@12");
}

TEST_CASE("push data: tables that no program uses together may share an offset") {
  CHECK(Plan().table("a").table("b").table("c").program({0}).program({1}).program({0, 2}).pack() ==
        "a@0 b@0 c@4");
}

TEST_CASE("push data: a table that no program uses still has a word") {
  CHECK(Plan().table("a").table("b").program({1}).pack() == "a@0 b@0");
}

TEST_CASE("push data: addresses come before data, and data before words") {
  Plan plan = Plan()
                  .table("a")
                  .table("t", Residence::Static,
                         {uniform_block("data", Residence::PushData, 20),
                          uniform_block("address", Residence::PushAddress),
                          uniform_block("heap", Residence::HeapData, 100),
                          uniform_block("odd", Residence::PushData, 9)})
                  .program({0, 1}, 0, 12);
  // Data is aligned to 8, so that a C++ struct can have its 64-bit members; words fill its gaps.
  CHECK(plan.pack() == "a@12 address@16+8 data@24+20 heap@44 odd@48+12");
  CHECK(plan.budget(60).pack() == "a@12 address@16+8 data@24+20 heap@44 odd@48+12");
  CHECK(plan.budget(59).pack().starts_with("HS4001 : no room for push field 'odd'"));
}

TEST_CASE("records: fields come behind the shaders' own blocks") {
  const auto records = [](uint32_t own) {
    Plan plan = Plan()
                    .table("t", Residence::Record,
                           {{.name = "image",
                             .type = DescriptorType::SampledImage,
                             .residence = Residence::Record},
                            uniform_block("data", Residence::RecordData, 12),
                            uniform_block("address", Residence::RecordAddress)})
                    .program({0})
                    .record_block(own);
    CHECK(plan.pack().empty());  // nothing of it is pushed
    return plan.pack(FieldSpace::ShaderRecord);
  };
  CHECK(records(0) == "address@0+8 data@8+12 t@20");
  CHECK(records(20) == "t@20 address@24+8 data@32+12");
}

TEST_CASE("records: what does not fit is refused, beyond what every device has") {
  const auto record = [](uint64_t size) {
    return Plan()
        .table("t", Residence::Static, {uniform_block("data", Residence::RecordData, size)})
        .program({0})
        .pack(FieldSpace::ShaderRecord);
  };
  CHECK(record(4064) == "data@0+4064");
  CHECK(record(4065) ==
        "HS4002 : no room for 'data' in the shader record: every device has 4064 bytes behind the "
        "shader group handle\n");
  CHECK(record(UINT64_MAX).starts_with("HS4002 "));
}

TEST_CASE("indirect blocks: words and addresses lie in memory, one address is pushed") {
  const Plan plan = Plan()
                        .table("a", Residence::Indirect,
                               {{.name = "image",
                                 .type = DescriptorType::CombinedImageSampler,
                                 .residence = Residence::Indirect},
                                uniform_block("far", Residence::IndirectAddress)})
                        .in_block("shared")
                        .table("b", Residence::Indirect,
                               {{.name = "image",
                                 .type = DescriptorType::SampledImage,
                                 .residence = Residence::Indirect}})
                        .in_block("shared")
                        .table("c", Residence::Indirect,
                               {{.name = "image",
                                 .type = DescriptorType::SampledImage,
                                 .residence = Residence::Indirect}})
                        .in_block("alone")
                        .program({0, 1, 2}, 0, 4);
  CHECK(plan.pack() == "aloneAddress@8+8 sharedAddress@16+8");
  CHECK(plan.pack(FieldSpace::Indirect) ==
        "[alone 4 aloneAddress] c@0 [shared 16 sharedAddress] far@0+8 a@8 b@12");
}

TEST_CASE("indirect blocks: a scattered table has a word for every element, and every sampler") {
  const PlannedBinding textures = {.name = "textures",
                                   .type = DescriptorType::CombinedImageSampler,
                                   .capacity = 3,
                                   .residence = Residence::Scattered};
  PlannedBinding embedded = textures;
  embedded.name = "embedded";
  embedded.samplerPlacement = SamplerPlacement::Embedded;
  PlannedBinding immutable = textures;
  immutable.name = "immutable";
  immutable.samplerPlacement = SamplerPlacement::Immutable;
  PlannedBinding sampler = textures;
  sampler.name = "sampler";
  sampler.type = DescriptorType::Sampler;
  sampler.capacity = 1;
  CHECK(Plan()
            .table("t", Residence::Scattered, {textures, embedded, immutable, sampler})
            .in_block("t")
            .program({0})
            .pack(FieldSpace::Indirect) ==
        "[t 64 tAddress] textures@0+12 texturesSampler@12+12 embedded@24+12 immutable@36+12 "
        "immutableSampler@48+12 samplerSampler@60");
}

TEST_CASE("indirect blocks: one that no memory holds is refused") {
  const auto words = [](uint32_t capacity) {
    return Plan()
        .table("t", Residence::Scattered,
               {{.name = "x",
                 .type = DescriptorType::SampledImage,
                 .capacity = capacity,
                 .residence = Residence::Scattered}})
        .in_block("t")
        .program({0})
        .pack(FieldSpace::Indirect);
  };
  CHECK(words(1u << 28) == "[t 1073741824 tAddress] x@0+1073741824");
  for (const uint32_t capacity : {1u << 29, 1u << 30, UINT32_MAX})
    CHECK(words(capacity) == "HS4003 : 'x' does not fit into its indirect block\n");
}

TEST_CASE("indirect blocks: the address is pushed for every program that reads the block") {
  // p1 does not touch table a, but its push constants stand where a's address would go.
  const Plan plan = Plan()
                        .table("a", Residence::Indirect,
                               {{.name = "x",
                                 .type = DescriptorType::SampledImage,
                                 .residence = Residence::Indirect}})
                        .in_block("block")
                        .table("b", Residence::Indirect,
                               {{.name = "x",
                                 .type = DescriptorType::SampledImage,
                                 .residence = Residence::Indirect}})
                        .in_block("block")
                        .program({0}, 0, 8)
                        .program({1}, 0, 40);
  CHECK(plan.pack() == "blockAddress@40+8");
}

TEST_CASE("fields: names differ over all spaces, and tables have the first right to theirs") {
  CHECK(Plan()
            .table("a", DescriptorType::CombinedImageSampler, 2)
            .table("aSampler")
            .program({0, 1})
            .pack() == "a@0 aSampler_2@4 aSampler@8");
  // A binding that is called like a table, or like a binding of another one, gets its table's name.
  CHECK(Plan()
            .table("a")
            .table("t", Residence::Static, {uniform_block("a", Residence::PushAddress)})
            .table("u", Residence::Static, {uniform_block("x", Residence::PushAddress)})
            .table("v", Residence::Static, {uniform_block("x", Residence::PushAddress)})
            .program({0, 1, 2, 3})
            .pack() == "t_a@0+8 u_x@8+8 v_x@16+8 a@24");
  CHECK(Plan()
            .table("t", Residence::Static,
                   {uniform_block("blockAddress", Residence::PushAddress),
                    uniform_block("i", Residence::IndirectAddress)})
            .in_block("block")
            .program({0})
            .pack() == "t_blockAddress@0+8 blockAddress@8+8");
}

TEST_CASE("push data: the budget") {
  CHECK(Plan().table("a").program({0}).budget(4).pack() == "a@0");
  CHECK(Plan().table("a").program({0}, 0, 4).budget(8).pack() == "a@4");
  CHECK(Plan().table("a").program({0}, 0, 4).budget(7).pack().starts_with("HS4001 "));
  CHECK(Plan().table("a").program({0}).budget(0).pack().starts_with("HS4001 "));
  CHECK(Plan().program({}, 0, 16).budget(16).pack().empty());
  CHECK(Plan().program({}, 4, 16).budget(16).pack() ==
        "HS4001 : the push constants of program 'p0' end at byte 20, beyond the 16 bytes that "
        "every device has\n");
  const std::string refusal =
      Plan().table("a").table("b").table("c").program({0, 1, 2}, 0, 8).budget(12).pack();
  CHECK(refusal.contains("'b'"));
  CHECK(refusal.contains("'c'"));
  CHECK_FALSE(refusal.contains("'a'"));
}

TEST_CASE("push data: errors point at the policy, if there is one") {
  Plan plan = Plan().program({}, 4, 16).budget(16);
  plan.plan.policyFile = "policy.json";
  const std::string refusal = plan.pack();
  CHECK(refusal.starts_with("HS4001 policy.json: "));
  CHECK(refusal.contains("the 16 bytes that the policy allows"));
}

TEST_CASE("push data: offsets and sizes far beyond the budget do not wrap") {
  CHECK(Plan().table("a").program({0}, 0xFFFFFFF0, 12).pack().starts_with("HS4001 "));
  for (const uint64_t size : {uint64_t{257}, uint64_t{UINT32_MAX}, UINT64_MAX}) {
    CHECK(Plan()
              .table("t", Residence::Static, {uniform_block("b", Residence::PushData, size)})
              .program({0})
              .pack()
              .starts_with("HS4001 : no room for push field 'b'"));
  }
}

/// Which fields the mappings of a program read, an indirect block's address included.
std::set<uint32_t> fields_of(const PackedFields& packed, const plan::HeapPlan& plan,
                             const plan::PlannedProgram& program) {
  std::set<uint32_t> bindings;
  std::set<uint32_t> tables;
  for (const plan::PlannedUse& use : program.uses) {
    bindings.insert(plan.tables[use.table].firstBinding + use.binding);
    if (is_table_residence(plan.tables[use.table].bindings[use.binding].residence))
      tables.insert(use.table);
  }
  std::set<uint32_t> fields;
  for (uint32_t i = 0; i < packed.fields.size(); ++i) {
    const PackedField& field = packed.fields[i];
    const bool read = field.binding != kNone ? bindings.contains(field.binding)
                                             : field.table != kNone && tables.contains(field.table);
    if (!read) continue;
    fields.insert(i);
    if (field.space == FieldSpace::Indirect) fields.insert(packed.blocks[field.block].addressField);
  }
  return fields;
}

void check_program(const PackedFields& packed, const plan::HeapPlan& plan,
                   const plan::PlannedProgram& program) {
  std::map<std::pair<FieldSpace, uint32_t>, std::vector<std::pair<uint64_t, uint64_t>>> taken;
  if (program.pushConstants) {
    taken[{FieldSpace::PushData, kNone}].emplace_back(
        program.pushConstants->offset, program.pushConstants->offset + program.pushConstants->size);
  }
  if (program.recordBlockSize != 0)
    taken[{FieldSpace::ShaderRecord, kNone}].emplace_back(0, program.recordBlockSize);
  for (const uint32_t index : fields_of(packed, plan, program)) {
    const PackedField& field = packed.fields[index];
    const uint32_t block = field.space == FieldSpace::Indirect ? field.block : kNone;
    taken[{field.space, block}].emplace_back(field.offset, uint64_t{field.offset} + field.size);
  }
  for (auto& [space, spans] : taken) {
    std::ranges::sort(spans);
    for (size_t i = 1; i < spans.size(); ++i)
      CHECK(spans[i].first >= spans[i - 1].second);
  }
}

void check_field(const PackedField& field, const PackedFields& packed, const plan::HeapPlan& plan) {
  const bool address =
      field.kind == FieldKind::BlockAddress || field.kind == FieldKind::BufferAddress;
  CHECK(field.offset % (address || field.kind == FieldKind::Data ? 8 : 4) == 0);
  CHECK(field.size % 4 == 0);
  const uint64_t end = uint64_t{field.offset} + field.size;
  if (field.space == FieldSpace::PushData) CHECK(end <= plan.pushDataBudget);
  if (field.space == FieldSpace::ShaderRecord) CHECK(end <= 4064);
  if (field.space == FieldSpace::Indirect) CHECK(end <= packed.blocks.at(field.block).size);
  CHECK((field.kind == FieldKind::BlockAddress) == (field.table == kNone));
}

TEST_CASE("fields: random programs and policies") {
  uint32_t count = 0;
  std::set<FieldKind> kinds;
  for (uint32_t seed = 0; seed < 4000; ++seed) {
    CAPTURE(seed);
    plan::sample::Random random(seed);
    const auto programs = plan::sample::random_programs(random);
    Diagnostics diagnostics;
    const auto plan = plan::plan_heaps(programs, plan::sample::random_policy(random, programs),
                                       plan::Squeeze::Nothing, diagnostics);
    if (!plan) continue;
    const auto packed = pack_fields(*plan, diagnostics);
    if (!packed) {
      const Code code = diagnostics.all().back().code;
      CHECK((code == Code::PushDataBudget || code == Code::HeapLimit));
      continue;
    }
    ++count;
    std::set<std::string> names;
    for (const PackedField& field : packed->fields) {
      CHECK(names.insert(field.name).second);
      kinds.insert(field.kind);
      check_field(field, *packed, *plan);
    }
    CHECK(std::ranges::is_sorted(packed->fields, {}, [](const PackedField& field) {
      const uint32_t block = field.space == FieldSpace::Indirect ? field.block : 0;
      return std::tuple(field.space, block, field.offset);
    }));
    for (uint32_t b = 0; b < packed->blocks.size(); ++b) {
      const PackedField& address = packed->fields.at(packed->blocks[b].addressField);
      CHECK(address.kind == FieldKind::BlockAddress);
      CHECK(address.block == b);
    }
    for (const plan::PlannedProgram& program : plan->programs)
      check_program(*packed, *plan, program);
  }
  CHECK(count > 1500);
  CHECK(kinds.size() == 9);  // all of them, or the test shows little
}

TEST_CASE("fields: ten thousand tables in ten thousand programs take no time") {
  Plan plan;
  for (uint32_t i = 0; i < 10000; ++i) {
    plan.table(std::format("t{}", i));
    plan.program(i == 0 ? std::vector<uint32_t>{0} : std::vector<uint32_t>{0, i});
  }
  const auto start = std::chrono::steady_clock::now();
  (void)plan.pack();
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(2));
}

}  // namespace
}  // namespace heapsmith::layout
