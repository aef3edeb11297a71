// SPDX-License-Identifier: MIT
#include "pipelines_try.h"

#include <heapsmith/manifest_json.h>
#include <heapsmith/pipeline.h>
#include <heapsmith/resolve.h>

#include <algorithm>
#include <format>
#include <fstream>
#include <iterator>
#include <optional>

#include "driver/map.h"
#include "pipelines_create.h"
#include "pipelines_interface.h"
#include "words.h"

namespace corpus {
namespace {

using heapsmith::Manifest;
using heapsmith::ShaderStage;
using Mappings = std::vector<VkDescriptorSetAndBindingMappingEXT>;

class Attempt {
 public:
  Attempt(Gpu& gpu, const Unit& unit, const std::filesystem::path& folder, const Listener& listener)
      : gpu_(gpu), unit_(unit), folder_(folder), listener_(listener) {}

  void run() {
    if (!map()) return;
    const auto storage = heapsmith::load_manifest_json(read_text(folder_ / "manifest.json"));
    if (!storage) return refused(storage.error());
    const Manifest& manifest = storage->manifest;
    const auto layout = heapsmith::resolve(manifest, gpu_.limits);
    if (!layout) return refused(layout.error());
    for (uint32_t program = 0; program < manifest.programs.size(); ++program) {
      listener_(Event::Mapped, {}, {});
      const Stages stages = read_stages(manifest, manifest.programs[program]);
      const Mappings mappings = heapsmith::vulkan_mappings(manifest, *layout, {program});
      create(stages, mappings);
      miss_a_mapping(manifest, program, stages, mappings);
    }
  }

 private:
  void refused(const heapsmith::Error& error) {
    listener_(Event::Refused, {}, {});
    listener_(Event::Problem, std::format("heapsmith {}", to_string(error.code)), error.text);
  }

  bool map() {
    heapsmith::driver::MapOptions options;
    for (const auto& file : unit_.files)
      options.shaders.inputs.push_back(file.string());
    if (unit_.files.size() > 1) options.programs.push_back(one_program());
    options.outputFolder = folder_.string();
    heapsmith::Diagnostics diagnostics;
    if (heapsmith::driver::map(options, diagnostics)) return true;
    listener_(Event::Refused, {}, {});
    for (const heapsmith::Diagnostic& diagnostic : diagnostics.all()) {
      if (diagnostic.severity != heapsmith::Severity::Error) continue;
      listener_(Event::Problem, std::format("heapsmith {}", code_text(diagnostic.code)),
                diagnostic.text);
    }
    return false;
  }

  /// `--program`: only files with one stem are taken for a program unasked.
  heapsmith::plan::ProgramRequest one_program() const {
    heapsmith::plan::ProgramRequest request{.name = "pair"};
    for (const auto& file : unit_.files)
      request.shaders.push_back(file.filename().string());
    return request;
  }

  static std::string read_text(const std::filesystem::path& path) {
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }

  Stages read_stages(const Manifest& manifest, const heapsmith::Program& program) const {
    Stages stages;
    for (const heapsmith::Shader& shader :
         manifest.shaders.subspan(program.shaders.first, program.shaders.count)) {
      stages.stages.push_back(
          {shader.stage, std::string(shader.entryPoint), read_words(folder_ / shader.file)});
      if (shader.stage == ShaderStage::Fragment)
        stages.colorFormats = color_formats(stages.stages.back().words);
    }
    return stages;
  }

  /// What a fragment shader writes. Attachments that it does not write are there, without a
  /// format: it may read them.
  static std::vector<VkFormat> color_formats(std::span<const uint32_t> words) {
    constexpr size_t kMostAttachments = 8;
    std::vector<VkFormat> formats(kMostAttachments, VK_FORMAT_UNDEFINED);
    const auto interface = stage_interface(words);
    if (!interface) return formats;
    for (const auto& [place, type] : interface->outputs) {
      if (place.first >= kMostAttachments) continue;
      VkFormat& format = formats[place.first];
      format = VK_FORMAT_R32G32B32A32_SFLOAT;
      if (type.starts_with("int")) format = VK_FORMAT_R32G32B32A32_SINT;
      if (type.starts_with("uint")) format = VK_FORMAT_R32G32B32A32_UINT;
    }
    return formats;
  }

  void create(const Stages& stages, const Mappings& mappings) {
    gpu_.messages.clear();
    const auto status = create_and_destroy(gpu_, stages, mappings);
    for (const Message& message : gpu_.messages)
      listener_(Event::Problem, "layer " + message.id, message.text);
    if (!gpu_.messages.empty() || status) return;
    const heapsmith::Error& error = status.error();
    const bool is_ours = error.code != heapsmith::ErrorCode::Vulkan;
    listener_(Event::Problem,
              is_ours ? std::format("heapsmith {}", to_string(error.code))
                      : std::format("driver {}", error.vkResult),
              error.text);
  }

  void miss_a_mapping(const Manifest& manifest, uint32_t program, const Stages& stages,
                      Mappings mappings) {
    const heapsmith::IndexRange range = manifest.programs[program].mappings;
    const auto own = manifest.mappings.subspan(range.first, range.count);
    const auto needed = std::ranges::find_if(own, [&](const heapsmith::Mapping& mapping) {
      return manifest.bindings[mapping.binding].stages != 0;
    });
    if (needed == own.end()) return;
    mappings.erase(mappings.begin() + (needed - own.begin()));
    gpu_.messages.clear();
    // VUID 11312 in pipelines, 11292 in shader objects: "... must have a mapping".
    const auto status = create_and_destroy(gpu_, stages, mappings);
    std::string said;
    for (const Message& message : gpu_.messages) {
      const bool is_it = message.id.ends_with("-11312") || message.id.ends_with("-11292");
      if (is_it && !status) return listener_(Event::Noticed, {}, {});
      said += " " + message.id;
    }
    listener_(Event::Unnoticed, {}, {});
    listener_(Event::Problem, "layer unnoticed",
              "a mapping is missing, and the layer says only:" + said);
  }

  Gpu& gpu_;
  const Unit& unit_;
  const std::filesystem::path& folder_;
  const Listener& listener_;
};

}  // namespace

void try_unit(Gpu& gpu, const Unit& unit, const std::filesystem::path& folder,
              const Listener& listener) {
  Attempt(gpu, unit, folder, listener).run();
}

}  // namespace corpus
