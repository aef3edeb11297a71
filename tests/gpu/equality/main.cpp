// SPDX-License-Identifier: MIT

// Equality by execution: runs every compute and fragment shader of a folder with descriptor sets,
// mapped, rewritten and as GLSL, and compares all that they write, bit by bit. See try.h.
//
// usage: equality [--shift] [--optimize] [--verbose] [--every N] FOLDER [EXPLAINED.json...]
//
// --shift makes rewritten shaders read slots that are off by one, which must be noticed: a
// comparison that cannot fail proves nothing. --optimize lets spirv-opt at each module first.
// --every N takes each N-th module, --verbose tells of every step. The lists say what is
// understood; what they do not explain fails the run.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <thread>

#include "arena.h"
#include "report.h"
#include "workers.h"

namespace {

using namespace equality;

constexpr const char* kUsage =
    "usage: equality [--shift] [--optimize] [--verbose] [--every N] FOLDER [EXPLAINED.json...]\n";

constexpr corpus::JobLimits kLimits{.processorSeconds = 120, .waitSeconds = 900};

struct Arguments {
  TryOptions options;
  bool verbose = false;
  size_t every = 1;
  std::string folder;
  std::vector<std::string> explanations;
};

bool parse(int argc, char** argv, Arguments& arguments) {
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--shift") {
      arguments.options.shift = true;
    } else if (word == "--optimize") {
      arguments.options.optimize = true;
    } else if (word == "--verbose") {
      arguments.verbose = true;
    } else if (word == "--every" && i + 1 < argc) {
      arguments.every = std::strtoul(argv[++i], nullptr, 10);
    } else if (arguments.folder.empty()) {
      arguments.folder = word;
    } else {
      arguments.explanations.push_back(word);
    }
  }
  return !arguments.folder.empty() && arguments.every != 0;
}

std::vector<std::filesystem::path> find_modules(const std::string& folder, size_t every) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const auto extension = entry.path().extension();
    if (extension == ".spv" || extension == ".spvasm" || extension == ".comp" ||
        extension == ".frag")
      files.push_back(entry.path());
  }
  std::ranges::sort(files);
  std::vector<std::filesystem::path> taken;
  for (size_t i = 0; i < files.size(); i += every)
    taken.push_back(files[i]);
  return taken;
}

}  // namespace

int main(int argc, char** argv) {
  Arguments arguments;
  if (!parse(argc, argv, arguments)) {
    std::fprintf(stderr, "%s", kUsage);
    return 2;
  }
  // One thread runs all invocations: what races then has one outcome, more often.
  setenv("LP_NUM_THREADS", "1", 0);
  std::setvbuf(stdout, nullptr, _IOLBF, 0);  // who waits wants to see
  const auto modules = find_modules(arguments.folder, arguments.every);
  std::vector<Outcome> outcomes(modules.size());
  for (size_t i = 0; i < modules.size(); ++i)
    outcomes[i].module = modules[i].filename().string();
  const auto hear = [&](Outcome& outcome, std::string_view line) {
    const std::string text(line.substr(1));
    if (arguments.verbose)
      std::printf("%s: %c %s\n", outcome.module.c_str(), line.front(), text.c_str());
    outcome.hear(static_cast<Event>(line.front()), text);
  };
  std::unique_ptr<corpus::Gpu> gpu;  // of a process
  std::unique_ptr<example::Gpu> borrowed;
  const corpus::Jobs jobs = {
      .count = modules.size(),
      .begin =
          [&] {
            gpu = corpus::create_gpu();
            if (gpu) borrowed = std::make_unique<example::Gpu>(borrow(*gpu));
            return gpu != nullptr;
          },
      .run =
          [&](size_t module, const corpus::Speaker& say) {
            try_module(*gpu, *borrowed, modules[module], arguments.options,
                       [&](Event event, const std::string& text) {
                         say(static_cast<char>(event) + text);
                       });
          },
      .hear = [&](size_t module, std::string_view line) { hear(outcomes[module], line); },
      .died =
          [&](size_t module, const std::string& how) {
            if (arguments.verbose)
              std::printf("%s: %s\n", outcomes[module].module.c_str(), how.c_str());
            outcomes[module].died(how);
          }};
  const size_t processes = std::max(1u, std::thread::hardware_concurrency());
  if (!corpus::do_jobs(jobs, processes, kLimits)) {
    std::fprintf(stderr, "equality: a process could not begin its work\n");
    return 1;
  }
  if (arguments.options.shift) return report_shifted(outcomes) ? 0 : 1;
  return report(outcomes, arguments.explanations) ? 0 : 1;
}
