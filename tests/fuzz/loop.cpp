// SPDX-License-Identifier: MIT
#include "fuzz/loop.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "fuzz/mutate.h"

namespace fuzz {
namespace {

using Clock = std::chrono::steady_clock;
using Words = std::vector<uint32_t>;

constexpr double kSlow = 5.0;          // seconds for one module, sanitizers included
constexpr size_t kLargestSeed = 8192;  // words: small modules are mutated more often in a second

std::vector<Words> read_seeds(const char* folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".spv") files.push_back(entry.path());
  std::ranges::sort(files);
  std::vector<Words> seeds;
  for (const auto& file : files) {
    std::ifstream stream(file, std::ios::binary);
    const std::string bytes(std::istreambuf_iterator<char>(stream), {});
    Words words(bytes.size() / 4);
    if (words.empty() || words.size() > kLargestSeed) continue;
    std::memcpy(words.data(), bytes.data(), words.size() * 4);
    seeds.push_back(std::move(words));
  }
  return seeds;
}

void save(const Words& words) {
  std::ofstream stream("fuzz-failure.spv", std::ios::binary | std::ios::trunc);
  stream.write(reinterpret_cast<const char*>(words.data()),
               static_cast<std::streamsize>(words.size() * 4));
}

}  // namespace

void check(bool right, const char* what) {
  if (right) return;
  std::fprintf(stderr, "fuzz: %s\n", what);
  std::abort();
}

int run_loop(int argc, char** argv, const std::function<void(const Words&)>& run,
             const std::function<void(const Loop&)>& afterwards) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: %s SEED_FOLDER SECONDS [SEED]\n", argv[0]);
    return 2;
  }
  const std::vector<Words> seeds = read_seeds(argv[1]);
  if (seeds.empty()) {
    std::fprintf(stderr, "fuzz: no seeds in %s\n", argv[1]);
    return 1;
  }
  Random random(argc > 3 ? std::strtoull(argv[3], nullptr, 10) : 1);
  const auto end = Clock::now() + std::chrono::seconds(std::atoi(argv[2]));
  Loop loop{.seeds = seeds.size()};
  while (Clock::now() < end) {
    const std::clock_t before = std::clock();  // of this process: the machine may have other work
    Words words = seeds[random() % seeds.size()];
    mutate(words, seeds, random);
    save(words);  // stays behind if this one ends the process
    run(words);
    loop.slowest =
        std::max(loop.slowest, static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC);
    check(loop.slowest < kSlow, "a module took too long");
    ++loop.modules;
  }
  std::filesystem::remove("fuzz-failure.spv");
  afterwards(loop);
  return 0;
}

}  // namespace fuzz
