// SPDX-License-Identifier: MIT
#include "forms.h"

#include <heapsmith/manifest_json.h>
#include <heapsmith/pipeline.h>
#include <heapsmith/resolve.h>

#include <algorithm>
#include <format>
#include <fstream>

#include "bindings.h"
#include "pipelines_stages.h"
#include "words.h"

namespace bench {
namespace {

using Mappings = std::vector<VkDescriptorSetAndBindingMappingEXT>;

constexpr uint32_t kMostSets = 32;  // of RADV

/// What heapsmith makes of a unit.
struct Prepared {
  corpus::Stages stages;
  Mappings mappings;
};

class Compiler {
 public:
  Compiler(corpus::Gpu& gpu, const corpus::Unit& unit, const std::filesystem::path& folder)
      : gpu_(gpu), unit_(unit), folder_(folder) {
    result_.name = unit.name;
  }

  CompiledUnit run() {
    const auto mapped = prepare(Form::Mapped);
    if (!mapped) return std::move(result_);
    const Bindings bindings = bindings_of(mapped->stages);
    result_.limitedStages = bindings.limitedStages;
    if (!is_comparable(*mapped, bindings) || !compile_sets(mapped->stages, bindings))
      return std::move(result_);
    compile(Form::ByHand, mapped->stages, {.mappings = map_by_hand(bindings, gpu_.limits)});
    compile(Form::Mapped, mapped->stages, {.mappings = mapped->mappings});
    for (const Form form : {Form::Rewritten, Form::PushIndex, Form::PushWord})
      if (const auto prepared = prepare(form))
        compile(form, prepared->stages, {.mappings = prepared->mappings});
    return std::move(result_);
  }

 private:
  bool leave_out(std::string why) {
    result_.leftOut = std::move(why);
    return false;
  }

  /// Every set has many instances, picked by a word of push data.
  std::string indexed_policy() const {
    const auto file = folder_ / "indexed.json";
    std::ofstream(file) << R"({ "rules": [ { "match": {}, "residence": "indexed", )"
                           R"("instances": 100 } ] })";
    return file.string();
  }

  std::optional<Prepared> prepare(Form form) {
    const auto folder = folder_ / std::to_string(static_cast<int>(form));
    std::filesystem::create_directories(folder);
    auto options = corpus::map_options(unit_, folder);
    options.shaders.threads = 1;
    options.shaders.validate = false;  // the validation layer does
    options.rewrite = form == Form::Rewritten || form == Form::PushWord;
    if (form == Form::PushIndex || form == Form::PushWord) options.policyFile = indexed_policy();
    heapsmith::Diagnostics diagnostics;
    if (!heapsmith::driver::map(options, diagnostics)) {
      if (form == Form::Mapped)
        leave_out("heapsmith refuses it: " + diagnostics.all().front().text);
      return std::nullopt;
    }
    const auto storage = heapsmith::load_manifest_json(corpus::read_text(folder / "manifest.json"));
    if (!storage) return fails(form, storage.error().text);
    const heapsmith::Manifest& manifest = storage->manifest;
    if (manifest.programs.size() != 1) {
      leave_out("several entry points");
      return std::nullopt;
    }
    const auto layout = heapsmith::resolve(manifest, gpu_.limits);
    if (!layout) return fails(form, layout.error().text);
    return Prepared{corpus::read_stages(manifest, manifest.programs[0], folder),
                    heapsmith::vulkan_mappings(manifest, *layout, {0})};
  }

  std::nullopt_t fails(Form form, const std::string& what) {
    result_.failures.push_back(std::format("{}: {}", form_name(form), what));
    return std::nullopt;
  }

  bool is_comparable(const Prepared& mapped, const Bindings& bindings) {
    if (!corpus::makes_pipeline(mapped.stages)) return leave_out("no pipeline of these stages");
    if (bindings.all.empty()) return leave_out("no resources");
    if (bindings.all.back().set >= kMostSets) return leave_out("more sets than there are");
    return true;
  }

  bool compile_sets(const corpus::Stages& stages, const Bindings& bindings) {
    gpu_.messages.clear();
    const SetLayout layout(gpu_, bindings);
    if (layout.layout() == VK_NULL_HANDLE) return leave_out("no pipeline layout");
    compile(Form::Sets, stages, {.layout = layout.layout()});
    if (result_.failures.empty()) return true;
    const std::string why = result_.failures.front();
    result_.failures.clear();
    return leave_out(why);
  }

  void compile(Form form, const corpus::Stages& stages, corpus::Reach reach) {
    reach.flags = kCaptureCode;
    gpu_.messages.clear();
    const auto pipeline = corpus::create_pipeline(gpu_, stages, reach);
    for (const corpus::Message& message : gpu_.messages)
      fails(form, message.id + ": " + message.text.substr(0, message.text.find('\n')));
    if (!pipeline) {
      fails(form, pipeline.error().text);
      return;
    }
    result_.forms[static_cast<size_t>(form)] = executables_of(gpu_, *pipeline);
    gpu_.functions.vkDestroyPipeline(gpu_.device, *pipeline, nullptr);
    const size_t expected = result_.of(Form::Sets)->size();
    if (result_.of(form)->size() != expected)
      fails(form, "other executables than with descriptor sets");
  }

  corpus::Gpu& gpu_;
  const corpus::Unit& unit_;
  const std::filesystem::path& folder_;
  CompiledUnit result_;
};

}  // namespace

const char* form_name(Form form) {
  constexpr const char* kNames[] = {"descriptor sets", "mapped by hand", "mapped",
                                    "rewritten",       "push index",     "push word"};
  return kNames[static_cast<size_t>(form)];
}

CompiledUnit compile_unit(corpus::Gpu& gpu, const corpus::Unit& unit,
                          const std::filesystem::path& folder) {
  return Compiler(gpu, unit, folder).run();
}

}  // namespace bench
