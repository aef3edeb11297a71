// SPDX-License-Identifier: MIT

// resolve() of 10,000 bindings against the least that could be done: adding up the same slots. And
// how often it allocates, which must not depend on the number of bindings.

#include "heapsmith/resolve.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

#include "runtime/allocations.h"
#include "runtime/sample_limits.h"

namespace {

using namespace heapsmith;
using Clock = std::chrono::steady_clock;

constexpr uint32_t kBindingsOfATable = 10;
constexpr int kRounds = 200;
constexpr double kMostTime = 1.6;  // 20 µs where adding up takes 12.4

struct Large {
  std::vector<Table> tables;
  std::vector<Binding> bindings;
  std::vector<Mapping> mappings;
  std::vector<Program> programs;

  [[nodiscard]] Manifest manifest() const {
    return {.tables = tables, .bindings = bindings, .programs = programs, .mappings = mappings};
  }
};

/// Static tables of buffers, images and combined image samplers, with a mapping for each binding.
Large make(uint32_t tableCount) {
  constexpr DescriptorType kTypes[] = {DescriptorType::UniformBuffer, DescriptorType::SampledImage,
                                       DescriptorType::StorageBuffer,
                                       DescriptorType::CombinedImageSampler};
  Large large;
  for (uint32_t table = 0; table < tableCount; ++table) {
    large.tables.push_back({.name = "table",
                            .set = table,
                            .bindings = {table * kBindingsOfATable, kBindingsOfATable}});
    for (uint32_t i = 0; i < kBindingsOfATable; ++i) {
      const DescriptorType type = kTypes[(table + i) % std::size(kTypes)];
      const auto binding = static_cast<uint32_t>(large.bindings.size());
      large.bindings.push_back(
          {.name = "binding", .table = table, .binding = i, .type = type, .capacity = 1 + i % 3});
      large.mappings.push_back(
          {.set = table,
           .binding = binding,
           .source = MappingSource::HeapWithConstantOffset,
           .part = has_samplers(type) ? MappingPart::Combined : MappingPart::Resource});
    }
  }
  large.programs.push_back(
      {.name = "all", .mappings = {0, static_cast<uint32_t>(large.mappings.size())}});
  return large;
}

/// First slots of all bindings, each class counted on its own.
void add_up(const Manifest& manifest, std::vector<uint64_t>& slots) {
  uint64_t next[kDescriptorClassCount] = {};
  for (size_t i = 0; i < manifest.bindings.size(); ++i) {
    const Binding& binding = manifest.bindings[i];
    uint64_t& own = next[static_cast<size_t>(descriptor_class(binding.type))];
    slots[i] = own;
    own += binding.capacity;
    if (has_samplers(binding.type))
      next[static_cast<size_t>(DescriptorClass::Sampler)] += binding.capacity;
  }
}

/// Seconds of the fastest of some rounds.
double best_of(const auto& work) {
  double best = 1e9;
  for (int i = 0; i < kRounds; ++i) {
    const auto before = Clock::now();
    work();
    best = std::min(best, std::chrono::duration<double>(Clock::now() - before).count());
  }
  return best;
}

bool resolves(const Manifest& manifest) {
  return static_cast<bool>(resolve(manifest, sample::kUnlimited));
}

size_t allocations_of(const Manifest& manifest) {
  const size_t before = allocations();
  (void)resolves(manifest);
  return allocations() - before;
}

}  // namespace

int main() {
  const Large small = make(1);
  const Large large = make(1'000);
  const Manifest manifest = large.manifest();
  if (!resolves(small.manifest()) || !resolves(manifest)) {
    std::fprintf(stderr, "resolve_speed: the manifest cannot be resolved\n");
    return 1;
  }
  std::vector<uint64_t> slots(manifest.bindings.size());
  const double anchor = best_of([&] { add_up(manifest, slots); });
  const double ours = best_of([&] { (void)resolves(manifest); });
  const size_t few = allocations_of(small.manifest());
  const size_t many = allocations_of(manifest);
  std::printf("resolve of %zu bindings / adding up their slots: %.1f, goal %.1f: %s\n",
              manifest.bindings.size(), ours / anchor, kMostTime,
              ours / anchor <= kMostTime ? "met" : "missed");
  std::printf("resolve allocates %zu times for %zu bindings, %zu times for %zu: %s\n", few,
              small.bindings.size(), many, large.bindings.size(), few == many ? "met" : "MISSED");
  return few == many ? 0 : 1;
}
