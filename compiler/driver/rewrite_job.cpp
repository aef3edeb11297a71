// SPDX-License-Identifier: MIT
#include "driver/rewrite_job.h"

#include <algorithm>
#include <span>
#include <string>
#include <utility>

#include "base/check.h"
#include "driver/heap_strides.h"
#include "input/read_file.h"
#include "reflect/reflect_module.h"
#include "rewrite/rewrite_module.h"
#include "spirv/parse.h"
#include "spirv/validate.h"

namespace heapsmith::driver {
namespace {

// What spirv-val says of a module made of a valid one would be a bug of ours, and never an output.
// What reflection sees besides (reflect/heap_misuse.h) was wrong in the input already, where
// spirv-val let it pass.
Diagnosed<void> check_valid(const std::vector<uint32_t>& words, const std::string& shown,
                            Diagnostics& diagnostics) {
  Diagnostics said;
  if (!spirv::validate_module(words, with_smallest_descriptors(), shown, Code::InvalidSpirv,
                              said)) {
    const std::string text = shown + ", rewritten: " + said.all().front().text;
    internal_error(__FILE_NAME__, __LINE__, text.c_str());
  }
  const auto module = spirv::parse_module(std::as_bytes(std::span(words)), shown, diagnostics);
  if (!module) return std::unexpected(module.error());
  const auto interface = reflect::reflect_module(*module, shown, diagnostics);
  if (!interface) return std::unexpected(interface.error());
  return {};
}

bool is_refusal(const Diagnostic& diagnostic) {
  return diagnostic.severity == Severity::Error && diagnostic.code == Code::UnsupportedRewrite;
}

}  // namespace

bool reads_only_heaps(const LoadedShader& module) {
  const reflect::ShaderInterface& interface = module.interface;
  return interface.resources.empty() && (interface.usesResourceHeap || interface.usesSamplerHeap);
}

void run(RewriteJob& job, bool validates, const std::optional<GlslNumbers>& glsl,
         Diagnostics& diagnostics) {
  const LoadedShader& module = *job.module;
  const std::string shown = input::shown_path(module.path);
  const auto parsed =
      spirv::parse_module(std::as_bytes(std::span(module.words)), shown, diagnostics);
  if (!parsed) return;
  Diagnostics said;
  auto words = rewrite::rewrite_module(*parsed, module.interface, job.placements, shown, said);
  if (!words && std::ranges::all_of(said.all(), is_refusal)) {
    job.refused = said.all();
    return;
  }
  diagnostics.append(std::move(said));
  if (!words) return;
  if (*words == module.words && reads_only_heaps(module)) {
    diagnostics.note(Code::AlreadyRewritten, {.file = shown},
                     "reads the heaps already and declares no set and binding: nothing to do");
  }
  const bool is_rewritten = *words != module.words;
  if (validates && is_rewritten && !check_valid(*words, shown, diagnostics)) return;
  if (glsl && is_rewritten) {
    auto form =
        emit_glsl(module, *parsed, job.placements, job.entryPoints, *glsl, validates, diagnostics);
    if (!form) return;
    for (size_t i = 0; i < form->texts.size(); ++i)
      job.output.glsl.push_back(
          {.entryPoint = job.entryPoints[i],
           .file = glsl_name(job.output.file, module.interface.entryPoints, job.entryPoints[i]),
           .text = std::move(form->texts[i])});
    job.glslConstants = std::move(form->slotConstants);
  }
  job.output.words = std::move(*words);
}

}  // namespace heapsmith::driver
