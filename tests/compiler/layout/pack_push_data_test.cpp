// SPDX-License-Identifier: MIT
#include "layout/pack_push_data.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <chrono>
#include <format>
#include <set>
#include <string>
#include <vector>

#include "plan/random_programs.h"

namespace heapsmith::layout {
namespace {

/// A plan of indexed tables and of the programs that use them.
class Plan {
 public:
  Plan& table(const std::string& name, DescriptorType type = DescriptorType::UniformBuffer,
              uint32_t sampler_instances = 1) {
    plan.tables.push_back({.name = name,
                           .residence = Residence::Indexed,
                           .instances = 8,
                           .samplerInstances = sampler_instances,
                           .bindings = {{.name = "b", .type = type}}});
    return *this;
  }
  Plan& program(std::vector<uint32_t> tables, uint32_t push_offset = 0, uint32_t push_size = 0) {
    plan::PlannedProgram made = {.name = std::format("p{}", plan.programs.size()),
                                 .tables = std::move(tables)};
    if (push_size != 0) made.pushConstants = reflect::PushConstants{"push", push_offset, push_size};
    plan.programs.push_back(std::move(made));
    return *this;
  }
  Plan& budget(uint32_t bytes) {
    plan.pushDataBudget = bytes;
    return *this;
  }

  /// "name@offset name@offset", or the diagnostics.
  std::string pack() const {
    Diagnostics diagnostics;
    const auto fields = pack_push_data(plan, diagnostics);
    CHECK(fields.has_value() != diagnostics.has_errors());
    if (!fields) return reflect::sample::describe(diagnostics);
    std::string text;
    for (const PackedField& field : *fields) {
      CHECK(field.size == 4);
      text += std::format("{}{}@{}", text.empty() ? "" : " ", field.name, field.offset);
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
  Plan plan = Plan().table("a").program({0});
  plan.plan.tables[0].residence = Residence::Static;
  CHECK(plan.pack().empty());
}

TEST_CASE("push data: a gap in front is used where there is no room behind") {
  CHECK(Plan().table("a").table("b").program({0, 1}, 4, 248).pack() == "a@252 b@0");
  CHECK(Plan().table("a").program({0}, 16, 240).pack() == "a@0");
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

TEST_CASE("push data: offsets far beyond the budget do not wrap") {
  CHECK(Plan().table("a").program({0}, 0xFFFFFFF0, 12).pack().starts_with("HS4001 "));
}

TEST_CASE("push data: names of fields differ") {
  CHECK(Plan()
            .table("a", DescriptorType::CombinedImageSampler, 2)
            .table("aSampler")
            .program({0, 1})
            .pack() == "a@0 aSampler_2@4 aSampler@8");
}

TEST_CASE("push data: random programs") {
  uint32_t packed = 0;
  for (uint32_t seed = 0; seed < 3000; ++seed) {
    CAPTURE(seed);
    plan::sample::Random random(seed);
    const auto programs = plan::sample::random_programs(random);
    Diagnostics diagnostics;
    const auto plan = plan::plan_heaps(programs, plan::sample::random_policy(random), diagnostics);
    REQUIRE(plan);
    const auto fields = pack_push_data(*plan, diagnostics);
    if (!fields) {
      CHECK(diagnostics.all().back().code == Code::PushDataBudget);
      continue;
    }
    ++packed;
    std::set<std::string> names;
    for (const PackedField& field : *fields) {
      CHECK(names.insert(field.name).second);
      CHECK(field.offset % 4 == 0);
      CHECK(field.offset + field.size <= plan->pushDataBudget);
    }
    CHECK(std::ranges::is_sorted(
        *fields, {}, [](const PackedField& field) { return std::pair(field.table, field.kind); }));
    for (const plan::PlannedProgram& program : plan->programs) {
      std::vector<uint32_t> owners(plan->pushDataBudget);
      const auto take = [&](uint32_t offset, uint32_t size) {
        for (uint32_t byte = offset; byte < offset + size; ++byte)
          CHECK(++owners[byte] == 1);
      };
      if (program.pushConstants) take(program.pushConstants->offset, program.pushConstants->size);
      for (const PackedField& field : *fields) {
        if (std::ranges::contains(program.tables, field.table)) take(field.offset, field.size);
      }
    }
  }
  CHECK(packed > 2000);
}

TEST_CASE("push data: ten thousand tables in ten thousand programs take no time") {
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
