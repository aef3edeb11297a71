// SPDX-License-Identifier: MIT
#include "input/shader_name.h"

#include <array>
#include <filesystem>

namespace heapsmith::input {
namespace {

struct StageName {
  std::string_view extension;
  std::string_view name;
  ShaderStage stage;
};

constexpr std::array kStages = {
    StageName{"vert", "vertex", ShaderStage::Vertex},
    StageName{"tesc", "tesscontrol", ShaderStage::TessellationControl},
    StageName{"tese", "tesseval", ShaderStage::TessellationEvaluation},
    StageName{"geom", "geometry", ShaderStage::Geometry},
    StageName{"frag", "fragment", ShaderStage::Fragment},
    StageName{"comp", "compute", ShaderStage::Compute},
    StageName{"task", "task", ShaderStage::Task},
    StageName{"mesh", "mesh", ShaderStage::Mesh},
    StageName{"rgen", "raygen", ShaderStage::RayGeneration},
    StageName{"rahit", "anyhit", ShaderStage::AnyHit},
    StageName{"rchit", "closesthit", ShaderStage::ClosestHit},
    StageName{"rmiss", "miss", ShaderStage::Miss},
    StageName{"rint", "intersection", ShaderStage::Intersection},
    StageName{"rcall", "callable", ShaderStage::Callable},
};

// Takes ".spv" and the like off the end.
bool drop_extension(std::string& name, std::string_view extension) {
  if (name.size() <= extension.size() || !name.ends_with(extension)) return false;
  name.resize(name.size() - extension.size());
  return true;
}

}  // namespace

std::optional<ShaderStage> find_stage(std::string_view name) {
  for (const StageName& stage : kStages) {
    if (name == stage.extension || name == stage.name) return stage.stage;
  }
  return std::nullopt;
}

std::string_view stage_extension(ShaderStage stage) {
  for (const StageName& known : kStages) {
    if (known.stage == stage) return known.extension;
  }
  return {};
}

ShaderName parse_shader_name(const std::string& path) {
  ShaderName result;
  result.fileName = path == "-" ? "stdin" : std::filesystem::path(path).filename().string();
  std::string stem = result.fileName;
  if (!drop_extension(stem, ".spv")) drop_extension(stem, ".spvasm");
  drop_extension(stem, ".glsl");
  if (const size_t dot = stem.rfind('.'); dot != std::string::npos && dot != 0) {
    result.stage = find_stage(std::string_view(stem).substr(dot + 1));
    if (result.stage) stem.resize(dot);
  }
  result.stem = stem;
  return result;
}

}  // namespace heapsmith::input
