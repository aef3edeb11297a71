// SPDX-License-Identifier: MIT

// Feeds damaged modules to the parser, the reflector and the reflection's JSON. Whatever comes in,
// either a diagnostic or a result must come out, in bounded time. Meant for the `asan` preset.
//
// usage: fuzz_reflect_module SEED_FOLDER SECONDS [SEED]

#include "reflect/reflect_module.h"

#include <cstdio>
#include <vector>

#include "emit/reflection_json.h"
#include "fuzz/loop.h"
#include "spirv/parse.h"

namespace {

using namespace heapsmith;

struct Tally {
  size_t malformed = 0;
  size_t refused = 0;
  size_t reflected = 0;
};

// A failure without a diagnostic, or with an impossible one, is a bug.
void run(const std::vector<uint32_t>& words, Tally& tally) {
  Diagnostics diagnostics;
  const auto module = spirv::parse_module(std::as_bytes(std::span(words)), "fuzz.spv", diagnostics);
  if (!module) {
    fuzz::check(diagnostics.all().size() == 1, "a malformed module has exactly one error");
    ++tally.malformed;
    return;
  }
  const auto shader = reflect::reflect_module(*module, "fuzz.spv", diagnostics);
  if (!shader) {
    fuzz::check(diagnostics.has_errors(), "a refused module has an error");
    ++tally.refused;
    return;
  }
  const emit::NamedInterface named = {"fuzz.spv", &*shader};
  fuzz::check(emit::reflection_json({&named, 1}) == emit::reflection_json({&named, 1}),
              "the same module, the same bytes");
  ++tally.reflected;
}

}  // namespace

int main(int argc, char** argv) {
  Tally tally;
  return fuzz::run_loop(
      argc, argv, [&](const std::vector<uint32_t>& words) { run(words, tally); },
      [&](const fuzz::Loop& loop) {
        std::printf(
            "%zu modules from %zu seeds: %zu malformed, %zu refused, %zu reflected; slowest %.3f "
            "s\n",
            loop.modules, loop.seeds, tally.malformed, tally.refused, tally.reflected,
            loop.slowest);
      });
}
