// SPDX-License-Identifier: MIT

// Feeds damaged modules to the editor and the rewriter. What the parser takes must be written back
// as it was; a rewrite must end with words or with a diagnostic; and what spirv-val took before it
// must take afterwards. Meant for the `asan` preset.
//
// usage: fuzz_rewrite_module SEED_FOLDER SECONDS [SEED]

#include "rewrite/rewrite_module.h"

#include <algorithm>
#include <cstdio>
#include <vector>

#include "compiler/rewrite/sample_placements.h"
#include "fuzz/loop.h"
#include "reflect/reflect_module.h"
#include "spirv/editor.h"
#include "spirv/parse.h"
#include "spirv/validate.h"

namespace {

using namespace heapsmith;
using Words = std::vector<uint32_t>;

struct Tally {
  size_t unreadable = 0;
  size_t refused = 0;
  size_t rewritten = 0;
  size_t valid = 0;
};

bool is_valid(const Words& words) {
  Diagnostics diagnostics;
  return spirv::validate_module(words, {.scalarBlockLayout = true}, "fuzz.spv", Code::InvalidSpirv,
                                diagnostics)
      .has_value();
}

void rewrite_one(const spirv::Module& module, const reflect::ShaderInterface& shader,
                 rewrite::InstanceSource source, bool valid, Tally& tally) {
  const auto placements = rewrite::sample::place_all(shader, {.source = source});
  Diagnostics diagnostics;
  const auto output = rewrite::rewrite_module(module, shader, placements, "fuzz.spv", diagnostics);
  if (!output) {
    fuzz::check(diagnostics.has_errors(), "a refused module has an error");
    ++tally.refused;
    return;
  }
  ++tally.rewritten;
  if (!valid) return;
  ++tally.valid;
  fuzz::check(is_valid(*output), "what was valid is valid afterwards");
}

void run(const Words& words, Tally& tally) {
  Diagnostics diagnostics;
  const auto module = spirv::parse_module(std::as_bytes(std::span(words)), "fuzz.spv", diagnostics);
  if (!module) {
    ++tally.unreadable;
    return;
  }
  const spirv::Editor editor(*module);
  fuzz::check(std::ranges::equal(editor.write(), module->words()),
              "an unedited module is the same");
  const auto shader = reflect::reflect_module(*module, "fuzz.spv", diagnostics);
  if (!shader) {
    ++tally.unreadable;
    return;
  }
  const bool valid = is_valid(words);
  rewrite_one(*module, *shader, rewrite::InstanceSource::None, valid, tally);
  rewrite_one(*module, *shader, rewrite::InstanceSource::PushWord, valid, tally);
  rewrite_one(*module, *shader, rewrite::InstanceSource::IndirectWord, valid, tally);
}

}  // namespace

int main(int argc, char** argv) {
  Tally tally;
  return fuzz::run_loop(
      argc, argv, [&](const Words& words) { run(words, tally); },
      [&](const fuzz::Loop& loop) {
        std::printf(
            "%zu modules from %zu seeds: %zu unreadable, %zu refused, %zu rewritten, %zu of them "
            "valid; slowest %.3f s\n",
            loop.modules, loop.seeds, tally.unreadable, tally.refused, tally.rewritten, tally.valid,
            loop.slowest);
      });
}
