// SPDX-License-Identifier: MIT
#include "works.h"

#include <algorithm>

#include "compiler/rewrite/sample_placements.h"
#include "reflect/reflect_module.h"
#include "rewrite/rewrite_module.h"
#include "spirv/parse.h"
#include "spirv/validate.h"

namespace bench {
namespace {

using namespace heapsmith;
using Words = std::vector<uint32_t>;

uint64_t nothing(const Module& module) {
  return module.words.size();
}

uint64_t copy(const Module& module) {
  const Words words = module.words;
  return words[words.size() / 2];
}

/// From one instruction's first word to the next one's.
uint64_t walk(const Module& module) {
  uint64_t sum = 0;
  for (size_t at = 5; at < module.words.size(); at += std::max(1u, module.words[at] >> 16))
    sum += module.words[at];
  return sum;
}

Diagnosed<spirv::Module> parsed(const Module& module, Diagnostics& diagnostics) {
  return spirv::parse_module(std::as_bytes(std::span(module.words)), module.name, diagnostics);
}

uint64_t parse(const Module& module) {
  Diagnostics diagnostics;
  const auto result = parsed(module, diagnostics);
  return result ? result->bound() : 0;
}

uint64_t reflect_it(const Module& module) {
  Diagnostics diagnostics;
  const auto result = parsed(module, diagnostics);
  if (!result) return 0;
  const auto shader = reflect::reflect_module(*result, module.name, diagnostics);
  return shader ? shader->resources.size() : 0;
}

Words rewritten(const Module& module) {
  Diagnostics diagnostics;
  const auto result = parsed(module, diagnostics);
  if (!result) return {};
  const auto shader = reflect::reflect_module(*result, module.name, diagnostics);
  if (!shader) return {};
  const auto placements = rewrite::sample::place_all(*shader);
  auto output = rewrite::rewrite_module(*result, *shader, placements, module.name, diagnostics);
  return output ? std::move(*output) : Words();
}

bool is_valid(const Words& words, const std::string& name) {
  Diagnostics diagnostics;
  return spirv::validate_module(words, {}, name, Code::InvalidSpirv, diagnostics).has_value();
}

uint64_t rewrite_it(const Module& module) {
  return rewritten(module).size();
}

uint64_t validate(const Module& module) {
  return is_valid(module.words, module.name) ? 1 : 0;
}

uint64_t rewrite_and_validate(const Module& module) {
  const Words words = rewritten(module);
  return is_valid(words.empty() ? module.words : words, module.name) ? words.size() : 0;
}

constexpr Work kWorks[] = {
    {.name = "nothing", .run = nothing},
    {.name = "copy", .run = copy},
    {.name = "walk", .run = walk},
    {.name = "parse", .run = parse},
    {.name = "reflect", .run = reflect_it},
    {.name = "rewrite", .run = rewrite_it},
    {.name = "validate", .run = validate},
    {.name = "rewrite+validate", .run = rewrite_and_validate},
};

}  // namespace

std::span<const Work> own_works() {
  return kWorks;
}

}  // namespace bench
