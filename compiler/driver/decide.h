// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>

#include "base/diagnostics.h"
#include "driver/load_shaders.h"
#include "emit/make_manifest.h"
#include "plan/group_programs.h"
#include "plan/plan_heaps.h"
#include "plan/policy.h"

namespace heapsmith::driver {

/// An empty path is the default policy.
[[nodiscard]] Diagnosed<plan::Policy> read_policy(const std::string& path,
                                                  Diagnostics& diagnostics);

/// Shaders as programs: which of them belong together, and what each program declares.
struct MergedPrograms {
  std::vector<plan::ProgramGroup> groups;
  std::vector<plan::NamedProgram> programs;  ///< parallel to groups
  reflect::MergedBlocks blocks;
};

/// The command line's programs come first, then those of the policy that it does not name. `files`
/// are the shaders' names in the manifest, parallel to `shaders`; their order decides that of the
/// blocks, so that the order of arguments does not matter.
[[nodiscard]] Diagnosed<MergedPrograms> merge_programs(
    std::span<const LoadedShader> shaders, std::span<const std::string> files,
    std::span<const plan::ProgramRequest> requests, const plan::Policy& policy,
    Diagnostics& diagnostics);

/// Everything between reflection and bytes.
[[nodiscard]] Diagnosed<emit::ManifestContent> decide(
    std::span<const LoadedShader> shaders, std::span<const std::string> files,
    std::span<const plan::ProgramRequest> requests, const plan::Policy& policy,
    Diagnostics& diagnostics);

}  // namespace heapsmith::driver
