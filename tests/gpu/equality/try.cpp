// SPDX-License-Identifier: MIT
#include "try.h"

#include <algorithm>
#include <ctime>
#include <format>
#include <optional>

#include "compare.h"
#include "cover.h"
#include "driver/decide.h"
#include "driver/rewrite_shaders.h"
#include "heap_form.h"
#include "input/shader_source.h"
#include "set_form.h"

namespace equality {
namespace {

using namespace heapsmith;

/// How the tables of a heap form are reached.
struct Flavour {
  const char* name;
  Residence residence;
  uint32_t instances;
};
constexpr Flavour kFlavours[] = {{"static", Residence::Static, 1},
                                 {"indexed", Residence::Indexed, 3},
                                 {"indirect", Residence::Indirect, 3}};

/// Of the processor, for the two runs with sets: each of the nine others may take as long, within
/// what main() gives a module.
constexpr double kMostSeconds = 5;

/// Each region begins with a slot that no shader should read: SceneHeaps fills it.
plan::Policy policy_of(const Flavour& flavour) {
  plan::Policy policy;
  policy.robustBufferAccess = true;
  policy.runtimeArrayCapacity = kRuntimeElements;
  plan::SetPolicy wish{.residence = flavour.residence};
  if (flavour.instances != 1) wish.instances = wish.samplerInstances = flavour.instances;
  policy.externalRanges = {{"bufferGuard", DescriptorClass::Buffer, 1},
                           {"imageGuard", DescriptorClass::Image, 1},
                           {"samplerGuard", DescriptorClass::Sampler, 1}};
  policy.setRules.push_back({.match = {}, .wish = wish});
  return policy;
}

double processor_seconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

class Attempt {
 public:
  Attempt(corpus::Gpu& gpu, const example::Gpu& borrowed, const TryOptions& options,
          const Listener& listener)
      : gpu_(gpu), options_(options), listener_(listener), arena_(borrowed) {}

  void run(const std::filesystem::path& file) {
    Diagnostics diagnostics;
    shader_options_.inputs.push_back(file.string());
    shader_options_.optimize = options_.optimize;
    auto shaders = driver::load_shaders(shader_options_, diagnostics);
    if (!shaders)
      return not_runnable(
          std::format("heapsmith cannot read it ({})", code_text(diagnostics.all().front().code)));
    shaders_ = std::move(*shaders);
    const auto scene = make_scene(shaders_.front());
    if (!scene) return not_runnable(scene.error());
    scene_ = *scene;
    if (!fits_device()) return;
    std::vector<uint32_t> cover;
    if (scene_.stage == ShaderStage::Fragment) {
      auto made = cover_shader(scene_);
      if (!made) return not_runnable(made.error());
      cover = std::move(*made);
    }
    resources_.emplace(arena_, scene_);
    launcher_.emplace(arena_, scene_, *resources_, std::move(cover));
    if (!run_sets()) return;
    if (options_.shift) return run_shifted();
    for (const Flavour& flavour : kFlavours)
      run_heaps(flavour);
  }

 private:
  void not_runnable(const std::string& reason) { listener_(Event::NotRunnable, reason); }

  bool fits_device() {
    const auto& limits = arena_.gpu().properties.limits;
    for (const SceneBinding& binding : scene_.bindings) {
      if (binding.set < limits.maxBoundDescriptorSets) continue;
      not_runnable("it uses sets that the device cannot bind");
      return false;
    }
    const auto possible = Resources::check(scene_, arena_.gpu());
    if (!possible) not_runnable(possible.error());
    return possible.has_value();
  }

  void begin(const std::string& form) {
    gpu_.messages.clear();
    listener_(Event::Begins, form);
  }

  /// Reports what went wrong since begin().
  bool has_problems(const heapsmith::Error* error) {
    for (const corpus::Message& message : gpu_.messages)
      listener_(Event::Problem, std::format("layer {}: {}", message.id, message.text));
    if (gpu_.messages.empty() && error != nullptr)
      listener_(Event::Problem, std::format("{}: {}", to_string(error->code), error->text));
    return !gpu_.messages.empty() || error != nullptr;
  }

  bool run_sets() {
    begin(kSetsForm);
    const double before = processor_seconds();
    const auto form =
        make_set_form(arena_, scene_, *resources_, *launcher_, shaders_.front().words);
    if (has_problems(form ? nullptr : &form.error())) return false;
    expected_ = launcher_->run(*form);
    const Snapshot again = launcher_->run(*form);
    if (has_problems(nullptr)) return false;
    if (const auto where = difference(expected_, again)) {
      listener_(Event::NotDeterministic, *where);
      return false;
    }
    if (processor_seconds() - before > kMostSeconds) {
      not_runnable("it takes very long");
      return false;
    }
    listener_(Event::Runs, {});
    if (!difference(resources_->untouched(), expected_)) listener_(Event::WroteNothing, {});
    return true;
  }

  std::optional<emit::ManifestContent> decide(const Flavour& flavour) {
    Diagnostics diagnostics;
    const std::string files[] = {"module.spv"};
    auto content = driver::decide(shaders_, files, {}, policy_of(flavour), diagnostics);
    if (content) return std::move(*content);
    refused(diagnostics);
    return std::nullopt;
  }

  void refused(const Diagnostics& diagnostics) {
    const Diagnostic& first =
        *std::ranges::find(diagnostics.all(), Severity::Error, &Diagnostic::severity);
    listener_(Event::Refused, std::format("{} {}", code_text(first.code), first.text));
  }

  void run_heaps(const Flavour& flavour) {
    begin(std::format("mapped, {}", flavour.name));
    const auto content = decide(flavour);
    if (!content) return;
    const ManifestStorage storage = emit::make_manifest(*content);
    const SceneHeaps heaps(arena_, gpu_.borrowed(), scene_, *resources_, storage.manifest);
    compare(heaps.make_form(*launcher_,
                            {.words = shaders_.front().words, .manifest = storage.manifest}));

    begin(std::format("rewritten, {}", flavour.name));
    const auto rewritten = rewrite(*content, /*emitGlsl=*/false);
    if (!rewritten) return;
    compare(heaps.make_form(
        *launcher_, {.words = rewritten->module.words, .manifest = rewritten->storage.manifest}));
    if (rewritten->module.words == shaders_.front().words) return;

    begin(std::format("GLSL, {}", flavour.name));
    run_glsl(heaps, *content, 0);
  }

  struct Rewritten {
    driver::OutputModule module;
    ManifestStorage storage;
  };

  /// The mappings that are left are those of what stays mapped.
  std::optional<Rewritten> rewrite(emit::ManifestContent content, bool emitGlsl) {
    Diagnostics diagnostics;
    auto outputs =
        driver::rewrite_shaders(shaders_, shader_options_, emitGlsl, content, diagnostics);
    if (outputs) return Rewritten{std::move(outputs->front()), emit::make_manifest(content)};
    refused(diagnostics);
    return std::nullopt;
  }

  /// The source that the rewritten module becomes, compiled as an application would.
  void run_glsl(const SceneHeaps& heaps, const emit::ManifestContent& content,
                uint32_t slotsAmiss) {
    const auto rewritten = rewrite(content, /*emitGlsl=*/true);
    if (!rewritten || rewritten->module.glsl.empty()) return;
    Diagnostics diagnostics;
    const auto compiled =
        input::compile_glsl(rewritten->module.glsl.front().text, "module.glsl", scene_.stage,
                            {.includeFolders = {}, .defines = {}}, diagnostics);
    if (!compiled) {
      listener_(Event::Problem, "glslang: " + diagnostics.all().front().text);
      return;
    }
    const Manifest& manifest = rewritten->storage.manifest;
    compare(heaps.make_form(*launcher_, {.words = compiled->words,
                                         .manifest = manifest,
                                         .entryPoint = "main",
                                         .slotsAmiss = slotsAmiss}));
  }

  void compare(const heapsmith::Result<Form>& form) {
    if (has_problems(form ? nullptr : &form.error())) return;
    const Snapshot seen = launcher_->run(*form);
    if (has_problems(nullptr)) return;
    const auto where = difference(expected_, seen);
    listener_(where ? Event::Different : Event::Equal, where.value_or(""));
  }

  /// Rewritten for heaps without the guard at the start of a region, or told that buffers begin
  /// there: every slot is one too low.
  void run_shifted() {
    const auto content = decide(kFlavours[0]);
    if (!content) return;
    const ManifestStorage storage = emit::make_manifest(*content);
    const SceneHeaps heaps(arena_, gpu_.borrowed(), scene_, *resources_, storage.manifest);
    for (const DescriptorClass region : used_classes()) {
      begin(std::format("shifted, {}", to_string(region)));
      emit::ManifestContent shifted = *content;
      std::erase_if(shifted.plan.externalRanges,
                    [&](const auto& range) { return range.descriptorClass == region; });
      if (const auto rewritten = rewrite(shifted, /*emitGlsl=*/false))
        compare(heaps.make_form(*launcher_,
                                {.words = rewritten->module.words, .manifest = storage.manifest}));
      if (region != DescriptorClass::Buffer) continue;
      begin("GLSL, shifted, buffer");
      run_glsl(heaps, *content, UINT32_MAX);
    }
  }

  std::vector<DescriptorClass> used_classes() const {
    std::vector<DescriptorClass> used;
    for (const SceneBinding& binding : scene_.bindings) {
      const DescriptorClass region = descriptor_class(binding.type);
      if (!std::ranges::contains(used, region)) used.push_back(region);
    }
    return used;
  }

  corpus::Gpu& gpu_;
  const TryOptions& options_;
  const Listener& listener_;
  Arena arena_;
  driver::ShaderOptions shader_options_{.threads = 1};
  std::vector<driver::LoadedShader> shaders_;
  Scene scene_;
  std::optional<Resources> resources_;
  std::optional<Launcher> launcher_;
  Snapshot expected_;
};

}  // namespace

void try_module(corpus::Gpu& gpu, const example::Gpu& borrowed, const std::filesystem::path& file,
                const TryOptions& options, const Listener& listener) {
  Attempt(gpu, borrowed, options, listener).run(file);
}

}  // namespace equality
