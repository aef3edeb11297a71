// SPDX-License-Identifier: MIT

// Feeds damaged modules to the parser, the reflector and the reflection's JSON. Whatever comes in,
// either a diagnostic or a result must come out, in bounded time. Meant for the `asan` preset.
//
// usage: fuzz_reflect_module SEED_FOLDER SECONDS [SEED]

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

#include "emit/reflection_json.h"
#include "fuzz/mutate.h"
#include "reflect/reflect_module.h"
#include "spirv/parse.h"

namespace {

using namespace heapsmith;
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

struct Tally {
  size_t malformed = 0;
  size_t refused = 0;
  size_t reflected = 0;
};

// A failure without a diagnostic, or with an impossible one, is a bug.
void check(bool right, const char* what) {
  if (right) return;
  std::fprintf(stderr, "fuzz: %s\n", what);
  std::abort();
}

void run(const Words& words, Tally& tally) {
  Diagnostics diagnostics;
  const auto module = spirv::parse_module(std::as_bytes(std::span(words)), "fuzz.spv", diagnostics);
  if (!module) {
    check(diagnostics.all().size() == 1, "a malformed module has exactly one error");
    ++tally.malformed;
    return;
  }
  const auto shader = reflect::reflect_module(*module, "fuzz.spv", diagnostics);
  if (!shader) {
    check(diagnostics.has_errors(), "a refused module has an error");
    ++tally.refused;
    return;
  }
  const emit::NamedInterface named = {"fuzz.spv", &*shader};
  check(emit::reflection_json({&named, 1}) == emit::reflection_json({&named, 1}),
        "the same module, the same bytes");
  ++tally.reflected;
}

void save(const Words& words) {
  std::ofstream stream("fuzz-failure.spv", std::ios::binary | std::ios::trunc);
  stream.write(reinterpret_cast<const char*>(words.data()),
               static_cast<std::streamsize>(words.size() * 4));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: fuzz_reflect_module SEED_FOLDER SECONDS [SEED]\n");
    return 2;
  }
  const std::vector<Words> seeds = read_seeds(argv[1]);
  if (seeds.empty()) {
    std::fprintf(stderr, "fuzz: no seeds in %s\n", argv[1]);
    return 1;
  }
  fuzz::Random random(argc > 3 ? std::strtoull(argv[3], nullptr, 10) : 1);
  const auto end = Clock::now() + std::chrono::seconds(std::atoi(argv[2]));
  Tally tally;
  size_t count = 0;
  double slowest = 0;
  while (Clock::now() < end) {
    const std::clock_t before = std::clock();  // of this process: the machine may have other work
    Words words = seeds[random() % seeds.size()];
    fuzz::mutate(words, seeds, random);
    save(words);  // stays behind if this one ends the process
    run(words, tally);
    slowest = std::max(slowest, static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC);
    check(slowest < kSlow, "a module took too long");
    ++count;
  }
  std::filesystem::remove("fuzz-failure.spv");
  std::printf(
      "%zu modules from %zu seeds: %zu malformed, %zu refused, %zu reflected; slowest %.3f s\n",
      count, seeds.size(), tally.malformed, tally.refused, tally.reflected, slowest);
  return 0;
}
