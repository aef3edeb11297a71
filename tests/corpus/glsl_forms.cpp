// SPDX-License-Identifier: MIT
#include "glsl_forms.h"

#include <algorithm>
#include <cstdio>
#include <format>
#include <map>
#include <optional>
#include <string>
#include <thread>

#include "driver/decide.h"
#include "driver/rewrite_shaders.h"
#include "input/shader_source.h"
#include "spirv/validate.h"
#include "workers.h"

namespace corpus {
namespace {

using namespace heapsmith;

constexpr JobLimits kLimits{.processorSeconds = 60, .waitSeconds = 900};

/// What becomes of a module, as the first letter of a line.
enum class Event : char {
  Unreadable = 'U',  ///< or not decided about: not the translator's affair
  Unchanged = 'N',   ///< nothing of it was rewritten
  Emitted = 'E',
  Refused = 'R',  ///< text: why
  Failed = 'F',   ///< text: how
};

plan::Policy policy_of(Residence residence) {
  plan::Policy policy;
  policy.runtimeArrayCapacity = 8;
  plan::SetPolicy wish{.residence = residence};
  if (residence == Residence::Indexed) wish.instances = wish.samplerInstances = 3;
  policy.setRules.push_back({.match = {}, .wish = wish});
  return policy;
}

/// Apart from the check that the compiler makes itself, and under other sizes of descriptors.
std::optional<std::string> defect_of(const std::string& text, ShaderStage stage) {
  Diagnostics diagnostics;
  const auto compiled = input::compile_glsl(text, "module.glsl", stage,
                                            {.includeFolders = {}, .defines = {}}, diagnostics);
  if (!compiled) return diagnostics.all().front().text;
  spirv::ValidationOptions options;
  options.scalarBlockLayout = true;
  options.buffer = {.size = 16, .alignment = 16};
  options.image = {.size = 64, .alignment = 64};
  options.sampler = {.size = 32, .alignment = 32};
  if (!spirv::validate_module(compiled->words, options, "", Code::InvalidSpirv, diagnostics))
    return diagnostics.all().front().text;
  return std::nullopt;
}

/// Every entry point counts for itself.
std::vector<std::string> try_module(const std::filesystem::path& file, Residence residence) {
  Diagnostics diagnostics;
  driver::ShaderOptions options{.threads = 1};
  options.inputs.push_back(file.string());
  const auto shaders = driver::load_shaders(options, diagnostics);
  if (!shaders) return {"U"};
  const std::string files[] = {file.filename().string()};
  auto content = driver::decide(*shaders, files, {}, policy_of(residence), diagnostics);
  if (!content) return {"U"};
  const auto outputs =
      driver::rewrite_shaders(*shaders, options, /*emitGlsl=*/true, *content, diagnostics);
  if (!outputs) {
    const Diagnostic& first = *std::ranges::find_if(
        diagnostics.all(), [](const Diagnostic& said) { return said.severity == Severity::Error; });
    return {std::format("R{} {}", code_text(first.code), first.text)};
  }
  std::vector<std::string> events;
  for (const driver::OutputModule& output : *outputs) {
    const auto& entryPoints = (*shaders)[output.shader].interface.entryPoints;
    if (output.glsl.empty()) events.emplace_back("N");
    for (const driver::OutputText& glsl : output.glsl) {
      const auto defect = defect_of(glsl.text, entryPoints[glsl.entryPoint].stage);
      events.push_back(defect ? "F" + *defect : "E");
    }
  }
  return events;
}

class Tally {
 public:
  void hear(const std::string& module, std::string_view line) {
    const auto event = static_cast<Event>(line.front());
    const std::string text(line.substr(1));
    ++counts_[event];
    if (event == Event::Refused) ++refusals_[text];
    if (event == Event::Failed) std::printf("FAILED %s: %s\n", module.c_str(), text.c_str());
  }

  bool print(const char* what, size_t modules) {
    std::printf(
        "%s: %zu modules: %zu sources in GLSL, %zu refused, %zu without resources, %zu "
        "unreadable, %zu failed\n",
        what, modules, counts_[Event::Emitted], counts_[Event::Refused], counts_[Event::Unchanged],
        counts_[Event::Unreadable], counts_[Event::Failed]);
    std::vector<std::pair<size_t, std::string>> reasons;
    for (const auto& [reason, count] : refusals_)
      reasons.emplace_back(count, reason);
    std::ranges::sort(reasons, std::greater());
    for (const auto& [count, reason] : reasons)
      std::printf("  %zu refused: %s\n", count, reason.c_str());
    return counts_[Event::Failed] == 0;
  }

 private:
  std::map<Event, size_t> counts_;
  std::map<std::string, size_t> refusals_;
};

bool count(const char* what, const std::vector<std::filesystem::path>& files, Residence residence) {
  Tally tally;
  const Jobs jobs = {
      .count = files.size(),
      .begin = [] { return true; },
      .run =
          [&](size_t job, const Speaker& say) {
            for (const std::string& event : try_module(files[job], residence))
              say(event);
          },
      .hear = [&](size_t job,
                  std::string_view line) { tally.hear(files[job].filename().string(), line); },
      .died =
          [&](size_t job, const std::string& how) {
            tally.hear(files[job].filename().string(), "F" + how);
          }};
  const size_t processes = std::max(1u, std::thread::hardware_concurrency());
  return do_jobs(jobs, processes, kLimits) && tally.print(what, files.size());
}

}  // namespace

bool count_glsl_forms(const std::vector<std::filesystem::path>& files) {
  const bool fixed = count("GLSL, static tables", files, Residence::Static);
  const bool indexed = count("GLSL, indexed tables", files, Residence::Indexed);
  return fixed && indexed;
}

}  // namespace corpus
