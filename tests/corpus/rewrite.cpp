// SPDX-License-Identifier: MIT

// Rewrites every module of a folder, with tables and single buffers that are found in every way
// there is, with only every second binding, and with each binding in another way than the next; and
// validates what comes out under several sizes of descriptors. Also writes each module without an
// edit, which must give the same words. Modules that are not valid themselves may be refused or
// rewritten, but not validated.
//
// usage: corpus_rewrite [--glsl] FOLDER [FAILURE]
//
// FAILURE: a file that the last bad output is left in. --glsl: counts the modules that become GLSL
// instead (glsl_forms.h).

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/rewrite/sample_placements.h"
#include "glsl_forms.h"
#include "reflect/reflect_module.h"
#include "rewrite/rewrite_module.h"
#include "spirv/editor.h"
#include "spirv/parse.h"
#include "spirv/validate.h"

namespace {

using namespace heapsmith;
using Words = std::vector<uint32_t>;
using Clock = std::chrono::steady_clock;

// How resources are found.
struct Way {
  const char* name;
  rewrite::sample::Options options;
  bool ofRecords = false;      // only shaders of ray-tracing pipelines have any
  bool everySecond = false;    // the other bindings stay mapped
  bool eachItsOwnWay = false;  // bindings take turns through all ways
};

constexpr auto kIndexed = rewrite::InstanceSource::PushWord;

constexpr std::array kWays = {
    Way{"static tables", {}},
    Way{"indexed tables", {.source = kIndexed}},
    Way{"indirect tables", {.source = rewrite::InstanceSource::IndirectWord}},
    Way{"scattered tables", {.source = rewrite::InstanceSource::ScatteredWords}},
    Way{"record tables", {.source = rewrite::InstanceSource::RecordWord}, true},
    Way{"pushed addresses", {.source = kIndexed, .data = rewrite::DataSource::PushAddress}},
    Way{"indirect addresses", {.source = kIndexed, .data = rewrite::DataSource::IndirectAddress}},
    Way{"pushed blocks", {.source = kIndexed, .data = rewrite::DataSource::PushData}},
    Way{"recorded addresses", {.data = rewrite::DataSource::RecordAddress}, true},
    Way{"recorded blocks", {.data = rewrite::DataSource::RecordData}, true},
    Way{"blocks in the heap", {.source = kIndexed, .data = rewrite::DataSource::HeapData}},
    Way{"every second binding", {.source = kIndexed}, false, true},
    Way{"each its own way", {.data = rewrite::DataSource::PushAddress}, false, false, true},
};

struct Tally {
  size_t modules = 0;
  size_t unreadable = 0;  // not parsed or not reflected: not the rewriter's affair
  size_t invalid = 0;     // that spirv-val refuses as they are
  size_t unchanged = 0;   // without resources, or without the records that they should be found by
  size_t rewritten = 0;
  size_t failed = 0;
  std::map<std::string, std::vector<std::string>> refusals;  // modules by what the first error says
  size_t words = 0;
  double seconds = 0;
};

Words read_words(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  const std::string bytes(std::istreambuf_iterator<char>(stream), {});
  Words words(bytes.size() / 4);
  if (!words.empty()) std::memcpy(words.data(), bytes.data(), words.size() * 4);
  return words;
}

std::vector<spirv::ValidationOptions> environments() {
  spirv::ValidationOptions base;
  base.scalarBlockLayout = true;
  std::vector<spirv::ValidationOptions> all = {base, base, base, base};
  const auto set = [](spirv::ValidationOptions& options, uint32_t buffer, uint32_t image,
                      uint32_t sampler) {
    options.buffer = {.size = buffer, .alignment = buffer};
    options.image = {.size = image, .alignment = image};
    options.sampler = {.size = sampler, .alignment = sampler};
  };
  set(all[1], 16, 32, 16);
  set(all[2], 64, 64, 32);
  set(all[3], 128, 64, 32);
  return all;
}

bool is_valid(const Words& words, const spirv::ValidationOptions& options, std::string& message) {
  Diagnostics diagnostics;
  if (spirv::validate_module(words, options, "", Code::InvalidSpirv, diagnostics)) return true;
  message = diagnostics.all().front().text;
  return false;
}

/// "variable 'x': an array of descriptors in OpLoad" without the name.
std::string reason_of(const Diagnostics& diagnostics) {
  const std::string& text = diagnostics.all().front().text;
  const size_t colon = text.find("': ");
  return colon == std::string::npos ? text : text.substr(colon + 3);
}

struct Module {
  std::string name;
  Words words;
  bool valid = false;
  const char* failure = nullptr;  // file name
};

/// A binding with an address keeps it, if it is not its turn for another way.
void take_turns(rewrite::Placements& placements) {
  constexpr rewrite::InstanceSource kSources[] = {
      rewrite::InstanceSource::None, rewrite::InstanceSource::PushWord,
      rewrite::InstanceSource::IndirectWord, rewrite::InstanceSource::ScatteredWords};
  size_t turn = 0;
  for (rewrite::Placement& placement : placements.bindings) {
    const rewrite::InstanceSource source = kSources[turn % std::size(kSources)];
    if (placement.data && turn % 3 == 0)
      placement.data->source = rewrite::DataSource::IndirectAddress;
    for (auto* location : {&placement.resource, &placement.sampler})
      if (*location) (*location)->source = source;
    ++turn;
  }
}

rewrite::Placements place(const reflect::ShaderInterface& shader, const Way& way) {
  auto placements = rewrite::sample::place_all(shader, way.options);
  if (way.eachItsOwnWay) take_turns(placements);
  if (!way.everySecond) return placements;
  size_t index = 0;
  std::erase_if(placements.bindings, [&](const auto&) { return index++ % 2 != 0; });
  return placements;
}

void fail(Tally& tally, const Module& module, const Way& way, const Words& words,
          const std::string& message) {
  ++tally.failed;
  std::printf("FAILED %s, %s: %s\n", module.name.c_str(), way.name, message.c_str());
  if (module.failure == nullptr) return;
  std::ofstream stream(module.failure, std::ios::binary | std::ios::trunc);
  stream.write(reinterpret_cast<const char*>(words.data()),
               static_cast<std::streamsize>(words.size() * 4));
}

bool has_records(const reflect::ShaderInterface& shader) {
  return std::ranges::all_of(shader.entryPoints, [](const reflect::EntryPoint& entryPoint) {
    return entryPoint.stage >= ShaderStage::RayGeneration;
  });
}

void run(const Module& input, const Way& way, Tally& tally) {
  Diagnostics diagnostics;
  ++tally.modules;
  const auto parsed =
      spirv::parse_module(std::as_bytes(std::span(input.words)), input.name, diagnostics);
  if (!parsed) {
    ++tally.unreadable;
    return;
  }
  if (!std::ranges::equal(spirv::Editor(*parsed).write(), parsed->words()))
    fail(tally, input, way, input.words, "is not written as it was");
  const auto shader = reflect::reflect_module(*parsed, input.name, diagnostics);
  if (!shader) {
    ++tally.unreadable;
    return;
  }
  if (way.ofRecords && !has_records(*shader)) {
    ++tally.unchanged;
    return;
  }
  const auto placements = place(*shader, way);
  const auto before = Clock::now();
  const auto output =
      rewrite::rewrite_module(*parsed, *shader, placements, input.name, diagnostics);
  tally.seconds += std::chrono::duration<double>(Clock::now() - before).count();
  tally.words += input.words.size();
  if (!output) {
    tally.refusals[reason_of(diagnostics)].push_back(input.name);
    return;
  }
  if (!input.valid) {
    ++tally.invalid;
    return;
  }
  if (std::ranges::equal(*output, parsed->words())) {
    ++tally.unchanged;
    return;
  }
  std::string message;
  std::string ignored;
  for (const auto& options : environments())
    // What reads heaps by itself may be for some devices only.
    if (!is_valid(*output, options, message) && is_valid(input.words, options, ignored))
      return fail(tally, input, way, *output, message);
  ++tally.rewritten;
}

void print(const char* what, const Tally& tally) {
  std::printf(
      "%s: %zu modules: %zu rewritten, %zu without resources, %zu not valid before, "
      "%zu unreadable, %zu failed; %.1f ns a word\n",
      what, tally.modules, tally.rewritten, tally.unchanged, tally.invalid, tally.unreadable,
      tally.failed, 1e9 * tally.seconds / static_cast<double>(std::max<size_t>(tally.words, 1)));
  for (const auto& [reason, modules] : tally.refusals)
    std::printf("  %zu refused, %s first: %s\n", modules.size(), modules[0].c_str(),
                reason.c_str());
}

}  // namespace

int main(int argc, char** argv) {
  const bool glsl = argc > 1 && std::string_view(argv[1]) == "--glsl";
  if (glsl) {
    --argc;
    ++argv;
  }
  if (argc < 2) {
    std::fprintf(stderr, "usage: corpus_rewrite [--glsl] FOLDER [FAILURE]\n");
    return 2;
  }
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(argv[1]))
    if (entry.path().extension() == ".spv") files.push_back(entry.path());
  std::ranges::sort(files);
  if (glsl) return corpus::count_glsl_forms(files) ? 0 : 1;
  std::array<Tally, kWays.size()> tallies;
  for (const auto& file : files) {
    Module module{.name = file.filename().string(),
                  .words = read_words(file),
                  .failure = argc > 2 ? argv[2] : nullptr};
    std::string message;
    module.valid = is_valid(module.words, environments().front(), message);
    for (size_t i = 0; i < kWays.size(); ++i)
      run(module, kWays[i], tallies[i]);
  }
  size_t failed = 0;
  for (size_t i = 0; i < kWays.size(); ++i) {
    print(kWays[i].name, tallies[i]);
    failed += tallies[i].failed;
  }
  return failed == 0 ? 0 : 1;
}
