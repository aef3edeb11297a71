// SPDX-License-Identifier: MIT
#include "plan/group_programs.h"

#include <catch2/catch_test_macros.hpp>
#include <chrono>
#include <deque>
#include <format>
#include <string>
#include <vector>

#include "reflect/sample_shaders.h"

namespace heapsmith::plan {
namespace {

using reflect::ShaderInterface;

struct Entry {
  std::string name;
  ShaderStage stage;
};

/// Modules, and the text of what they are grouped to.
class Modules {
 public:
  Modules() = default;
  Modules(Modules&&) = default;

  Modules& add(const std::string& path, const std::string& stem,
               const std::vector<Entry>& entries) {
    ShaderInterface& interface = interfaces_.emplace_back();
    for (const Entry& entry : entries)
      interface.entryPoints.push_back({.name = entry.name, .stage = entry.stage});
    names_.push_back({.path = path,
                      .fileName = path.substr(path.rfind('/') + 1),
                      .stem = stem,
                      .interface = &interface});
    return *this;
  }
  Modules& add(const std::string& path, const std::string& stem, ShaderStage stage) {
    return add(path, stem, {{"main", stage}});
  }

  /// "name: file:entry file:entry" and a newline for each program, or the diagnostics.
  std::string group(const std::vector<ProgramRequest>& requests = {}) const {
    Diagnostics diagnostics;
    const auto groups = group_programs(names_, requests, diagnostics);
    CHECK(groups.has_value() != diagnostics.has_errors());
    if (!groups) return reflect::sample::describe(diagnostics);
    CHECK(diagnostics.all().empty());
    std::string text;
    for (const ProgramGroup& group : *groups) {
      text += group.name + ":";
      for (const ProgramShader& shader : group.shaders) {
        const ModuleName& module = names_[shader.module];
        text += std::format(" {}:{}", module.path,
                            module.interface->entryPoints[shader.entryPoint].name);
      }
      text += "\n";
    }
    return text;
  }

 private:
  std::deque<ShaderInterface> interfaces_;
  std::vector<ModuleName> names_;
};

TEST_CASE("programs: graphics stages of one stem, in stage order; sorted by name") {
  CHECK(Modules()
            .add("z.frag", "z", ShaderStage::Fragment)
            .add("b/z.vert", "z", ShaderStage::Vertex)
            .add("a.vert", "a", ShaderStage::Vertex)
            .group() == "a: a.vert:main\nz: b/z.vert:main z.frag:main\n");
}

TEST_CASE("programs: each compute shader is one, and is told apart from graphics of its stem") {
  CHECK(Modules().add("a.comp", "a", ShaderStage::Compute).group() == "a: a.comp:main\n");
  CHECK(Modules()
            .add("a.comp", "a", ShaderStage::Compute)
            .add("a.vert", "a", ShaderStage::Vertex)
            .add("a.frag", "a", ShaderStage::Fragment)
            .group() == "a: a.vert:main a.frag:main\na_compute: a.comp:main\n");
}

TEST_CASE("programs: several entry points") {
  CHECK(Modules()
            .add("k.spv", "k", {{"fill", ShaderStage::Compute}, {"draw", ShaderStage::Compute}})
            .group() == "k_draw: k.spv:draw\nk_fill: k.spv:fill\n");
  CHECK(Modules()
            .add("k.spv", "k", {{"fs", ShaderStage::Fragment}, {"vs", ShaderStage::Vertex}})
            .group() == "k: k.spv:vs k.spv:fs\n");
  CHECK(Modules()
            .add("k.spv", "k",
                 {{"vs", ShaderStage::Vertex},
                  {"day", ShaderStage::Fragment},
                  {"night", ShaderStage::Fragment}})
            .group() == "k_day: k.spv:day\nk_night: k.spv:night\nk_vs: k.spv:vs\n");
}

TEST_CASE("programs: ray-tracing stages of one stem go together, however many of one stage") {
  CHECK(Modules()
            .add("r.rchit", "r", {{"a", ShaderStage::ClosestHit}, {"b", ShaderStage::ClosestHit}})
            .add("r.rgen", "r", ShaderStage::RayGeneration)
            .add("r.rmiss", "r", ShaderStage::Miss)
            .group() == "r: r.rgen:main r.rchit:a r.rchit:b r.rmiss:main\n");
  CHECK(Modules()
            .add("r.rgen", "r", ShaderStage::RayGeneration)
            .add("r.vert", "r", ShaderStage::Vertex)
            .group() == "r: r.vert:main\nr_raytracing: r.rgen:main\n");
}

TEST_CASE("programs: mesh and vertex stages form no pipeline") {
  CHECK(Modules()
            .add("m.task", "m", ShaderStage::Task)
            .add("m.mesh", "m", ShaderStage::Mesh)
            .add("m.frag", "m", ShaderStage::Fragment)
            .group() == "m: m.frag:main m.task:main m.mesh:main\n");
  const std::string refusal = Modules()
                                  .add("m.vert", "m", ShaderStage::Vertex)
                                  .add("m.mesh", "m", ShaderStage::Mesh)
                                  .group();
  CHECK(refusal.starts_with("HS3002 m.vert: "));
  CHECK(refusal.contains("program 'm'"));
}

Modules three() {
  Modules modules;
  modules.add("s/full.vert", "full", ShaderStage::Vertex)
      .add("s/sky.frag", "sky", ShaderStage::Fragment)
      .add("s/sea.frag", "sea", ShaderStage::Fragment);
  return modules;
}

TEST_CASE("programs: requests name paths or file names, and shaders may be shared") {
  CHECK(three().group(
            {{"sky", {"full.vert", "s/sky.frag"}}, {"sea", {"sea.frag", "s/full.vert:main"}}}) ==
        "sea: s/full.vert:main s/sea.frag:main\nsky: s/full.vert:main s/sky.frag:main\n");
}

TEST_CASE("programs: what no request names is grouped by stem") {
  CHECK(three().group({{"day", {"full.vert", "sky.frag"}}}) ==
        "day: s/full.vert:main s/sky.frag:main\nsea: s/sea.frag:main\n");
}

TEST_CASE("programs: FILE:ENTRY picks one entry point, also where the path has colons") {
  Modules modules;
  modules.add("a:b.spv", "a:b", {{"x:y", ShaderStage::Compute}, {"z", ShaderStage::Compute}});
  CHECK(modules.group({{"p", {"a:b.spv:x:y"}}}) == "p: a:b.spv:x:y\n");
  CHECK(modules.group({{"p", {"a:b.spv:z"}}}) == "p: a:b.spv:z\n");
}

TEST_CASE("programs: the path as written wins over another file's last part") {
  CHECK(Modules()
            .add("old/a.comp", "a", ShaderStage::Compute)
            .add("a.comp", "a", ShaderStage::Compute)
            .group({{"new", {"a.comp"}}, {"old", {"old/a.comp"}}}) ==
        "new: a.comp:main\nold: old/a.comp:main\n");
}

TEST_CASE("programs: requests that cannot be met") {
  struct Case {
    ProgramRequest request;
    const char* refusal;
  };
  const Case cases[] = {
      {{"p", {"no.vert"}}, "HS3001 : program 'p' names 'no.vert', which is none of the inputs\n"},
      {{"p", {"sky"}}, "HS3001 : program 'p' names 'sky', which is none of the inputs\n"},
      {{"p", {""}}, "HS3001 : program 'p' names '', which is none of the inputs\n"},
      {{"p", {"sky.frag:other"}},
       "HS3001 : program 'p' names 'sky.frag:other', but 's/sky.frag' has no entry point "
       "'other'\n"},
      {{"p", {"sky.frag", "sea.frag"}},
       "HS3002 s/sea.frag: the shaders of program 'p' cannot form one pipeline; group them with "
       "--program NAME=FILE,FILE\n"},
  };
  for (const Case& c : cases)
    CHECK(three().group({c.request}) == c.refusal);
}

TEST_CASE("programs: a request of the policy is refused at the policy") {
  CHECK(three().group({{"p", {"no.vert"}, "policy.json"}}) ==
        "HS3001 policy.json: program 'p' names 'no.vert', which is none of the inputs\n");
}

TEST_CASE("programs: two of one name are refused") {
  const std::string twice = three().group({{"p", {"sky.frag"}}, {"p", {"sea.frag"}}});
  CHECK(twice.starts_with("HS3003 "));
  CHECK(twice.contains("'p'"));
  CHECK(Modules()
            .add("a/x.comp", "x", ShaderStage::Compute)
            .add("b/x.comp", "x", ShaderStage::Compute)
            .group()
            .starts_with("HS3003 "));
}

TEST_CASE("programs: ten thousand requests over ten thousand modules take no time") {
  Modules modules;
  std::vector<ProgramRequest> requests;
  for (int i = 0; i < 10000; ++i) {
    modules.add(std::format("folder/shader{}.comp", i), std::format("shader{}", i),
                ShaderStage::Compute);
    requests.push_back({std::format("p{}", i), {std::format("shader{}.comp", i)}});
  }
  const auto start = std::chrono::steady_clock::now();
  (void)modules.group(requests);
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(2));
}

}  // namespace
}  // namespace heapsmith::plan
