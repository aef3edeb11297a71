// SPDX-License-Identifier: MIT

// How fast modules are read, reflected and rewritten. Times of one machine say nothing about
// another one, so nothing but ratios to what others need for the same modules is printed.
//
// usage: speed FOLDER [--most N] [--only WORK]
//
// --only does that work once with every module, without a clock: for instruction counters.
// `valgrind --tool=callgrind speed FOLDER --only rewrite`, less the same with `nothing`, divided by
// the words that it prints, is the cost of a word.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "words.h"
#include "works.h"

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr int kRounds = 5;

struct Arguments {
  fs::path folder;
  size_t most = 0;  // 0: all
  std::string only;
};

std::optional<Arguments> parse(int argc, char** argv) {
  Arguments arguments;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument == "--most" && i + 1 < argc)
      arguments.most = std::strtoul(argv[++i], nullptr, 10);
    else if (argument == "--only" && i + 1 < argc)
      arguments.only = argv[++i];
    else if (argument.starts_with("-") || !arguments.folder.empty())
      return std::nullopt;
    else
      arguments.folder = argument;
  }
  if (arguments.folder.empty()) return std::nullopt;
  return arguments;
}

/// Evenly spread over all.
std::vector<bench::Module> read_modules(const Arguments& arguments) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(arguments.folder))
    if (entry.path().extension() == ".spv") files.push_back(entry.path());
  std::ranges::sort(files);
  const size_t count = arguments.most == 0 ? files.size() : std::min(arguments.most, files.size());
  std::vector<bench::Module> modules;
  for (size_t i = 0; i < count; ++i) {
    const fs::path& file = files[i * files.size() / count];
    modules.push_back({file.filename().string(), corpus::read_words(file)});
  }
  return modules;
}

std::vector<bench::Work> all_works() {
  std::vector<bench::Work> all(bench::own_works().begin(), bench::own_works().end());
  all.insert(all.end(), bench::peer_works().begin(), bench::peer_works().end());
  return all;
}

uint64_t run(const bench::Work& work, const std::vector<bench::Module>& modules) {
  uint64_t sum = 0;
  for (const bench::Module& module : modules)
    sum += work.run(module);
  return sum;
}

int run_only(const std::string& name, const std::vector<bench::Module>& modules) {
  size_t words = 0;
  for (const bench::Module& module : modules)
    words += module.words.size();
  for (const bench::Work& work : all_works()) {
    if (name != work.name) continue;
    const uint64_t sum = run(work, modules);
    std::printf("%zu words, %zu modules, result %llu\n", words, modules.size(),
                static_cast<unsigned long long>(sum));
    return 0;
  }
  std::fprintf(stderr, "speed: there is no work '%s'\n", name.c_str());
  return 2;
}

/// Seconds of each work: the best of some rounds, in which all take turns, so that a machine that
/// is busy for a while is so for all.
std::map<std::string, double> measure(const std::vector<bench::Module>& modules) {
  std::map<std::string, double> best;
  for (int round = 0; round < kRounds; ++round) {
    for (const bench::Work& work : all_works()) {
      const auto before = Clock::now();
      (void)run(work, modules);
      const double seconds = std::chrono::duration<double>(Clock::now() - before).count();
      const auto [entry, isNew] = best.try_emplace(work.name, seconds);
      entry->second = std::min(entry->second, seconds);
    }
  }
  return best;
}

struct Goal {
  const char* mine;
  const char* theirs;
  double atMost;  // mine / theirs
};
constexpr Goal kGoals[] = {
    {"reflect", "SPIRV-Reflect", 1 / 5.0},
    {"rewrite", "SPIRV-Reflect", 1 / 1.3},
    {"rewrite+validate", "validate", 1.08},
};

void print(std::map<std::string, double> seconds) {
  std::printf("times, as multiples of a walk from instruction to instruction:");
  for (const bench::Work& work : all_works())
    if (std::string_view(work.name) != "nothing")
      std::printf(" %s %.1f;", work.name, seconds[work.name] / seconds["walk"]);
  std::printf("\n");
  for (const Goal& goal : kGoals) {
    const double ratio = seconds[goal.mine] / seconds[goal.theirs];
    std::printf("%s / %s: %.3f, goal %.3f: %s\n", goal.mine, goal.theirs, ratio, goal.atMost,
                ratio <= goal.atMost ? "met" : "missed");
  }
}

}  // namespace

int main(int argc, char** argv) {
  const auto arguments = parse(argc, argv);
  if (!arguments) {
    std::fprintf(stderr, "usage: speed FOLDER [--most N] [--only WORK]\n");
    return 2;
  }
  const auto modules = read_modules(*arguments);
  if (modules.empty()) {
    std::fprintf(stderr, "speed: no modules in %s\n", arguments->folder.c_str());
    return 1;
  }
  if (!arguments->only.empty()) return run_only(arguments->only, modules);
  print(measure(modules));
  return 0;
}
