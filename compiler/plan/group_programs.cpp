// SPDX-License-Identifier: MIT
#include "plan/group_programs.h"

#include <algorithm>
#include <format>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

namespace heapsmith::plan {
namespace {

enum class Kind : uint8_t { Graphics, Compute, RayTracing };

Kind kind_of(ShaderStage stage) {
  if (stage == ShaderStage::Compute) return Kind::Compute;
  const auto first_ray_stage = static_cast<uint32_t>(ShaderStage::RayGeneration);
  return static_cast<uint32_t>(stage) >= first_ray_stage ? Kind::RayTracing : Kind::Graphics;
}

class State {
 public:
  State(std::span<const ModuleName> modules, std::span<const ProgramRequest> requests,
        Diagnostics& diagnostics)
      : modules_(modules), requests_(requests), diagnostics_(diagnostics) {}

  Diagnosed<std::vector<ProgramGroup>> run() {
    named_.resize(modules_.size());
    for (uint32_t m = 0; m < modules_.size(); ++m) {
      by_path_[modules_[m].path].push_back(m);
      by_file_name_[modules_[m].fileName].push_back(m);
    }
    for (const ProgramRequest& request : requests_)
      add_request(request);
    group_the_rest();
    for (ProgramGroup& group : groups_)
      finish(group);
    std::ranges::sort(groups_, {}, &ProgramGroup::name);
    for (size_t i = 1; i < groups_.size(); ++i) {
      if (groups_[i].name != groups_[i - 1].name) continue;
      failed_ = true;
      diagnostics_.error(Code::DuplicateName, place_of(groups_[i].shaders.front()),
                         std::format("two programs would be named '{}'; name one with --program",
                                     groups_[i].name));
    }
    if (failed_) return diagnostics_.failed();
    return std::move(groups_);
  }

 private:
  const reflect::EntryPoint& entry_point(ProgramShader shader) const {
    return modules_[shader.module].interface->entryPoints[shader.entryPoint];
  }
  Kind kind(ProgramShader shader) const { return kind_of(entry_point(shader).stage); }
  Place place_of(ProgramShader shader) const {
    return {.file = modules_[shader.module].path, .entryPoint = entry_point(shader).name};
  }

  void add_request(const ProgramRequest& request) {
    ProgramGroup group = {.name = request.name, .shaders = {}};
    for (const std::string& wanted : request.shaders) {
      const std::vector<ProgramShader> found = find(wanted);
      if (found.empty()) report_unknown(request, wanted);
      for (const ProgramShader shader : found) {
        named_[shader.module] = true;
        group.shaders.push_back(shader);
      }
    }
    if (!group.shaders.empty()) groups_.push_back(std::move(group));
  }

  // The modules that are called `file`: by their path as written, else by its last part.
  const std::vector<uint32_t>* find_modules(std::string_view file) const {
    for (const auto* names : {&by_path_, &by_file_name_}) {
      const auto found = names->find(file);
      if (found != names->end()) return &found->second;
    }
    return nullptr;
  }

  // All entry points of "FILE", or the one of "FILE:ENTRY_POINT". Both may have colons inside.
  std::vector<ProgramShader> find(std::string_view wanted) const {
    std::vector<ProgramShader> found;
    const auto add = [&](std::string_view file, std::optional<std::string_view> name) {
      const std::vector<uint32_t>* modules = find_modules(file);
      if (modules == nullptr) return;
      for (const uint32_t m : *modules) {
        const auto& entry_points = modules_[m].interface->entryPoints;
        for (uint32_t e = 0; e < entry_points.size(); ++e) {
          if (!name || *name == entry_points[e].name) found.push_back({m, e});
        }
      }
    };
    add(wanted, std::nullopt);
    for (size_t colon = wanted.find(':'); colon != wanted.npos && found.empty();
         colon = wanted.find(':', colon + 1)) {
      add(wanted.substr(0, colon), wanted.substr(colon + 1));
    }
    return found;
  }

  void report_unknown(const ProgramRequest& request, std::string_view wanted) {
    failed_ = true;
    std::string reason = "which is none of the inputs";
    for (size_t colon = wanted.find(':'); colon != wanted.npos;
         colon = wanted.find(':', colon + 1)) {
      const std::vector<uint32_t>* modules = find_modules(wanted.substr(0, colon));
      if (modules == nullptr) continue;
      reason = std::format("but '{}' has no entry point '{}'", modules_[modules->front()].path,
                           wanted.substr(colon + 1));
      break;
    }
    diagnostics_.error(Code::ProgramUnknownShader, {.file = request.file},
                       std::format("program '{}' names '{}', {}", request.name, wanted, reason));
  }

  void group_the_rest() {
    std::map<std::string, std::vector<ProgramShader>> by_stem;
    for (uint32_t m = 0; m < modules_.size(); ++m) {
      if (named_[m]) continue;
      const auto& entry_points = modules_[m].interface->entryPoints;
      for (uint32_t e = 0; e < entry_points.size(); ++e) {
        by_stem[modules_[m].stem].push_back({m, e});
      }
    }
    for (const auto& [stem, shaders] : by_stem)
      group_stem(stem, shaders);
  }

  void group_stem(const std::string& stem, const std::vector<ProgramShader>& shaders) {
    std::map<Kind, std::vector<ProgramShader>> kinds;
    for (const ProgramShader shader : shaders)
      kinds[kind(shader)].push_back(shader);
    for (const auto& [kind, members] : kinds) {
      const bool together = kind == Kind::RayTracing ||
                            (kind == Kind::Graphics && !repeats_a_stage(members)) ||
                            members.size() == 1;
      if (!together) {
        for (const ProgramShader shader : members) {
          groups_.push_back({std::format("{}_{}", stem, entry_point(shader).name), {shader}});
        }
      } else if (kinds.size() == 1 || kind == Kind::Graphics) {
        groups_.push_back({stem, members});
      } else {
        const std::string_view suffix = kind == Kind::Compute ? "compute" : "raytracing";
        groups_.push_back({std::format("{}_{}", stem, suffix), members});
      }
    }
  }

  bool repeats_a_stage(const std::vector<ProgramShader>& shaders) const {
    std::set<ShaderStage> stages;
    return !std::ranges::all_of(shaders, [&](ProgramShader shader) {
      return stages.insert(entry_point(shader).stage).second;
    });
  }

  void finish(ProgramGroup& group) {
    std::ranges::sort(group.shaders, {}, [&](ProgramShader shader) {
      return std::tuple(entry_point(shader).stage, modules_[shader.module].fileName,
                        shader.entryPoint);
    });
    if (forms_one_pipeline(group.shaders)) return;
    failed_ = true;
    diagnostics_.error(Code::ProgramStages, place_of(group.shaders.front()),
                       std::format("the shaders of program '{}' cannot form one pipeline; group "
                                   "them with --program NAME=FILE,FILE",
                                   group.name));
  }

  bool forms_one_pipeline(const std::vector<ProgramShader>& shaders) const {
    const Kind kind = this->kind(shaders.front());
    for (const ProgramShader shader : shaders) {
      if (this->kind(shader) != kind) return false;
    }
    if (kind == Kind::RayTracing) return true;
    if (kind == Kind::Compute) return shaders.size() == 1;
    uint32_t stages = 0;
    for (const ProgramShader shader : shaders) {
      stages |= static_cast<uint32_t>(entry_point(shader).stage);
    }
    const uint32_t mesh =
        static_cast<uint32_t>(ShaderStage::Task) | static_cast<uint32_t>(ShaderStage::Mesh);
    const uint32_t fragment = static_cast<uint32_t>(ShaderStage::Fragment);
    const bool mixes_mesh_and_vertex = (stages & mesh) != 0 && (stages & ~(mesh | fragment)) != 0;
    return !mixes_mesh_and_vertex && !repeats_a_stage(shaders);
  }

  std::span<const ModuleName> modules_;
  std::span<const ProgramRequest> requests_;
  Diagnostics& diagnostics_;
  std::map<std::string_view, std::vector<uint32_t>> by_path_;
  std::map<std::string_view, std::vector<uint32_t>> by_file_name_;
  std::vector<bool> named_;
  std::vector<ProgramGroup> groups_;
  bool failed_ = false;
};

}  // namespace

Diagnosed<std::vector<ProgramGroup>> group_programs(std::span<const ModuleName> modules,
                                                    std::span<const ProgramRequest> requests,
                                                    Diagnostics& diagnostics) {
  return State(modules, requests, diagnostics).run();
}

}  // namespace heapsmith::plan
