// SPDX-License-Identifier: MIT

// Lint against the validation layer: cases/PIPELINE/ holds the shaders of one pipeline, and files
// of mappings for it. The shaders are for Vulkan 1.0 where PIPELINE ends so. A file's name says
// what it is:
//
//   good_*       neither finds anything, and the driver makes the pipeline
//   11244_*      both find the rule with this number (and may find more)
//   device_*     broken where descriptors are aligned to more than 4 bytes: then as "11251_*", with
//                the number that follows, else as "good_*"
//
// Then every file is changed at random, a hundred times. Whatever the layer finds, lint must find,
// be it in a warning. What lint alone finds needs a reason in only_lint.h.

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <format>
#include <fstream>
#include <iterator>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "driver/load_shaders.h"
#include "input/mappings_json.h"
#include "layer_side.h"
#include "lint_side.h"
#include "mutate.h"
#include "only_lint.h"

namespace lint_agreement {
namespace {

using heapsmith::Diagnostics;
using heapsmith::driver::LoadedShader;
using heapsmith::mapping::VulkanMapping;
using std::filesystem::path;

std::string joined(const Rules& rules) {
  std::string text;
  for (const std::string& rule : rules)
    text += (text.empty() ? "" : " ") + rule;
  return text.empty() ? "nothing" : text;
}

std::string read(const path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

// A rule for commands that run, which lint knows from the largest heap that there can be.
constexpr const char* kHeapEnd = "11309";

constexpr uint32_t kMutants = 100;

class Comparison {
 public:
  explicit Comparison(path only) : only_(std::move(only)) {}

  // Exit code.
  int run(const path& cases) {
    std::vector<path> folders(std::filesystem::directory_iterator(cases), {});
    std::ranges::sort(folders);
    for (const path& folder : folders)
      run_pipeline(folder);
    if (only_.empty()) check_reasons();
    std::printf("both find %s\n%s: %zu cases, %zu wrong\n", joined(both_).c_str(),
                layer_.device_name(), count_, wrong_);
    return wrong_ == 0 && count_ != 0 ? 0 : 1;
  }

 private:
  void wrong(const std::string& where, const std::string& what) {
    ++wrong_;
    std::printf("%s: %s\n", where.c_str(), what.c_str());
  }

  void run_pipeline(const path& folder) {
    heapsmith::driver::ShaderOptions options = {.threads = 1};
    if (folder.string().ends_with("_vulkan1.0"))
      options.target = heapsmith::spirv::TargetEnvironment::Vulkan10;
    std::vector<path> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      if (entry.path().extension() == ".json") {
        files.push_back(entry.path());
      } else {
        options.inputs.push_back(entry.path().string());
      }
    }
    std::ranges::sort(files);
    std::ranges::sort(options.inputs);
    Diagnostics diagnostics;
    const auto shaders = heapsmith::driver::load_shaders(options, diagnostics);
    if (!shaders) return wrong(folder.string(), diagnostics.all().front().text);
    for (const path& file : files)
      run_case(*shaders, file);
  }

  void run_case(const std::vector<LoadedShader>& shaders, const path& file) {
    const std::string name = (file.parent_path().filename() / file.stem()).generic_string();
    if (name.find(only_.string()) == std::string::npos) return;
    ++count_;
    Diagnostics diagnostics;
    const auto mappings = heapsmith::input::parse_mappings(read(file), name, diagnostics);
    if (!mappings) return wrong(name, diagnostics.all().front().text);
    const std::string expected = expected_rule(file.stem().string());
    const Rules layer = layer_.judge(shaders, *mappings, expected.empty());
    const LintVerdict verdict = lint(shaders, *mappings, layer_.limits());
    compare(name, expected, layer, verdict);
    if (!is_ray_tracing(shaders)) run_mutants(shaders, name, *mappings);
  }

  // Their pipelines are compiled, and no compiler needs to survive what is broken at random.
  static bool is_ray_tracing(const std::vector<LoadedShader>& shaders) {
    return shaders.front().interface.entryPoints.front().stage ==
           heapsmith::ShaderStage::RayGeneration;
  }

  void run_mutants(const std::vector<LoadedShader>& shaders, const std::string& name,
                   const std::vector<VulkanMapping>& mappings) {
    for (uint32_t i = 0; i < kMutants; ++i) {
      std::vector<VulkanMapping> mutant = mappings;
      mutate(mutant, random_);
      const size_t before = wrong_;
      compare_rules(std::format("{}, change {}", name, i), layer_.judge(shaders, mutant, false),
                    lint(shaders, mutant, layer_.limits()));
      if (wrong_ == before) continue;
      for (const VulkanMapping& mapping : mutant)
        std::printf("    %s\n", describe(mapping).c_str());
    }
  }

  // Empty: none.
  std::string expected_rule(std::string stem) const {
    if (stem.starts_with("good")) return {};
    if (stem.starts_with("device_")) {
      const auto& limits = layer_.limits();
      const uint64_t least =
          std::min({limits.imageDescriptorAlignment, limits.bufferDescriptorAlignment,
                    limits.samplerDescriptorAlignment});
      if (least <= 4) return {};
      stem.erase(0, std::string("device_").size());
    }
    return stem.substr(0, stem.find('_'));
  }

  void compare(const std::string& name, const std::string& expected, const Rules& layer,
               const LintVerdict& verdict) {
    compare_rules(name, layer, verdict);
    if (expected.empty() && !verdict.texts.empty()) wrong(name, "is good, and lint speaks");
    if (!expected.empty() && !verdict.findings.contains(expected))
      wrong(name, "lint misses " + expected);
  }

  void compare_rules(const std::string& name, const Rules& layer, const LintVerdict& verdict) {
    const size_t before = wrong_;
    for (const std::string& rule : layer) {
      if (verdict.findings.contains(rule)) {
        both_.insert(rule);
      } else {
        wrong(name, "only the layer finds " + rule);
      }
    }
    // Where it cannot tell which mapping is whose, the layer looks no further.
    if (layer.contains("11244") || layer.contains("11312")) return report(before, layer, verdict);
    for (const std::string& rule : verdict.errors) {
      if (layer.contains(rule) || rule == kHeapEnd) continue;
      only_lint_.insert(rule);
      if (!kOnlyLint.contains(rule))
        wrong(name, "only lint finds " + rule + ", and only_lint.h has no reason");
    }
    report(before, layer, verdict);
  }

  void report(size_t before, const Rules& layer, const LintVerdict& verdict) const {
    if (wrong_ == before) return;
    std::printf("  layer: %s\n  lint:  %s\n", joined(layer).c_str(),
                joined(verdict.findings).c_str());
    for (const std::string& text : verdict.texts)
      std::printf("    %s\n", text.c_str());
  }

  // Reasons do not outlive what they explain: a newer layer may have learnt a rule.
  void check_reasons() {
    for (const auto& [rule, reason] : kOnlyLint) {
      if (only_lint_.contains(rule)) {
        std::printf("only lint finds %s: %s\n", rule.c_str(), reason.c_str());
      } else {
        wrong("only_lint.h", "no case shows that " + rule + " is lint's alone");
      }
    }
  }

  LayerSide layer_;
  path only_;
  size_t count_ = 0;
  size_t wrong_ = 0;
  std::minstd_rand random_{1};
  Rules both_;
  Rules only_lint_;
};

}  // namespace
}  // namespace lint_agreement

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: lint_agreement CASES [PART-OF-A-NAME]\n");
    return 2;
  }
  return lint_agreement::Comparison(argc > 2 ? argv[2] : "").run(argv[1]);
}
