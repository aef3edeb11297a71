// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "reflect/shader_interface.h"

namespace heapsmith::plan {

struct ModuleName {
  std::string path;      ///< as the user wrote it
  std::string fileName;  ///< its last part
  std::string stem;      ///< without extensions that name a stage or a format
  const reflect::ShaderInterface* interface = nullptr;
};

/// `name` and the shaders it is made of, each "FILE" or "FILE:ENTRY_POINT", FILE as written or its
/// last part.
struct ProgramRequest {
  std::string name;
  std::vector<std::string> shaders;
  std::string file{};  ///< for diagnostics: the policy that asks; empty for the command line
};

struct ProgramShader {
  uint32_t module = 0;      ///< index into the modules
  uint32_t entryPoint = 0;  ///< index into ShaderInterface::entryPoints
};

struct ProgramGroup {
  std::string name;
  std::vector<ProgramShader> shaders;  ///< by stage, then file name
};

/// Says which shaders belong together, sorted by program name. Modules that no request names are
/// grouped by stem: the graphics stages of one stem form a program, so do its ray-tracing stages;
/// every compute shader is a program of its own. Where that would give two programs one name, or
/// one program a stage twice, entry point names tell them apart ("stem_entry").
[[nodiscard]] Diagnosed<std::vector<ProgramGroup>> group_programs(
    std::span<const ModuleName> modules, std::span<const ProgramRequest> requests,
    Diagnostics& diagnostics);

}  // namespace heapsmith::plan
