// SPDX-License-Identifier: MIT
#include "pipelines_try.h"

#include <heapsmith/manifest_json.h>
#include <heapsmith/pipeline.h>
#include <heapsmith/resolve.h>

#include <algorithm>
#include <format>
#include <optional>

#include "driver/map.h"
#include "pipelines_create.h"
#include "pipelines_stages.h"
#include "words.h"

namespace corpus {
namespace {

using heapsmith::Manifest;
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
      const Stages stages = read_stages(manifest, manifest.programs[program], folder_);
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
    heapsmith::Diagnostics diagnostics;
    if (heapsmith::driver::map(map_options(unit_, folder_), diagnostics)) return true;
    listener_(Event::Refused, {}, {});
    for (const heapsmith::Diagnostic& diagnostic : diagnostics.all()) {
      if (diagnostic.severity != heapsmith::Severity::Error) continue;
      listener_(Event::Problem, std::format("heapsmith {}", code_text(diagnostic.code)),
                diagnostic.text);
    }
    return false;
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
