// SPDX-License-Identifier: MIT

// source_matrix_cases FOLDER: writes the shaders and policies of all cases, and does with them what
// `heapsmith map` and `heapsmith rewrite --emit glsl` do.

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <span>

#include "case.h"
#include "driver/load_shaders.h"
#include "driver/map.h"
#include "emit/diagnostics_text.h"
#include "input/read_file.h"
#include "input/shader_name.h"
#include "input/shader_source.h"

namespace {

using namespace source_matrix;
namespace fs = std::filesystem;

void write(const fs::path& file, std::span<const char> bytes) {
  std::ofstream(file, std::ios::binary).write(bytes.data(), std::ssize(bytes));
}

// The shaders say indices into kNumbers, and into the case's sets.
void give_numbers(const Case& test, std::span<uint32_t> words) {
  constexpr uint32_t kDecorate = 71;
  constexpr uint32_t kBinding = 33;
  constexpr uint32_t kDescriptorSet = 34;
  constexpr size_t kHeader = 5;
  for (size_t at = kHeader; at < words.size(); at += words[at] >> 16) {
    if ((words[at] & 0xFFFF) != kDecorate) continue;
    if (words[at + 2] == kBinding) words[at + 3] = kNumbers[words[at + 3]];
    if (words[at + 2] == kDescriptorSet) words[at + 3] = kNumbers[test.sets[words[at + 3]].number];
  }
}

bool failed(const Case& test, const heapsmith::Diagnostics& diagnostics, bool ok) {
  if (ok && diagnostics.all().empty()) return false;
  std::fprintf(stderr, "%s:\n", test.name.c_str());
  for (const heapsmith::Diagnostic& diagnostic : diagnostics.all())
    std::fputs(heapsmith::emit::diagnostic_text(diagnostic).c_str(), stderr);
  return true;
}

// What SPIRV-Cross or GLSL has no words for.
bool is_no_glsl(const heapsmith::Diagnostics& diagnostics) {
  return std::ranges::all_of(diagnostics.all(), [](const heapsmith::Diagnostic& diagnostic) {
    return diagnostic.code == heapsmith::Code::UnsupportedGlsl;
  });
}

// Puts what each text becomes in the place of the module that it was made of.
bool compile_all(const Case& test, const fs::path& folder) {
  for (const auto& entry : fs::directory_iterator(folder)) {
    fs::path file = entry.path();
    if (file.extension() != ".glsl") continue;
    heapsmith::Diagnostics diagnostics;
    const auto text = heapsmith::input::read_file(file.string(), diagnostics);
    if (failed(test, diagnostics, text.has_value())) return false;
    const auto stage = heapsmith::input::parse_shader_name(file.string()).stage;
    const auto compiled = heapsmith::input::compile_glsl(
        *text, file.string(), *stage, {.includeFolders = {}, .defines = {}}, diagnostics);
    if (failed(test, diagnostics, compiled.has_value())) return false;
    write(file.replace_extension(".spv"), {reinterpret_cast<const char*>(compiled->words.data()),
                                           compiled->words.size() * sizeof(uint32_t)});
  }
  return true;
}

bool map(const Case& test, const fs::path& folder) {
  const fs::path sources = folder / "sources" / test.name;
  fs::create_directories(sources);
  fs::create_directories(folder / "mapped");
  fs::create_directories(folder / "rewritten");
  fs::create_directories(folder / "glsl");
  heapsmith::driver::ShaderOptions glsl{.threads = 1};
  for (const ShaderText& shader : write_shaders(test)) {
    write(sources / shader.file, shader.text);
    glsl.inputs.push_back((sources / shader.file).string());
  }
  heapsmith::Diagnostics diagnostics;
  auto loaded = heapsmith::driver::load_shaders(glsl, diagnostics);
  if (failed(test, diagnostics, loaded.has_value())) return false;

  heapsmith::driver::MapOptions options;
  options.shaders.threads = 1;
  for (heapsmith::driver::LoadedShader& shader : *loaded) {
    give_numbers(test, shader.words);
    const fs::path file = shader.path + ".spv";
    write(file, {reinterpret_cast<const char*>(shader.words.data()),
                 shader.words.size() * sizeof(uint32_t)});
    options.shaders.inputs.push_back(file.string());
  }
  options.policyFile = (sources / "policy.json").string();
  write(options.policyFile, write_policy(test));
  for (const std::string_view form : {"mapped", "rewritten", "glsl"}) {
    options.rewrite = form != "mapped";
    options.emitGlsl = form == "glsl";
    options.outputFolder = (folder / form / test.name).string();
    heapsmith::Diagnostics said;
    const auto made = heapsmith::driver::map(options, said);
    if (options.emitGlsl && !made && is_no_glsl(said)) return true;
    if (failed(test, said, made.has_value())) return false;
  }
  return compile_all(test, options.outputFolder);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  uint32_t wrong = 0;
  for (const char* family : {"compute", "graphics", "ray", "special"}) {
    for (const Case& test : cases_of(family))
      wrong += map(test, argv[1]) ? 0 : 1;
  }
  if (wrong != 0) std::fprintf(stderr, "%u cases could not be mapped or rewritten\n", wrong);
  return wrong != 0;
}
