// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "common/gpu.h"
#include "pipelines_gpu.h"

namespace equality {

/// What becomes of a module, step by step.
enum class Event : char {
  NotRunnable = 'N',       ///< text: why, the same for all modules with that reason
  Begins = 'B',            ///< text: the form that is made and run next
  Runs = 'R',              ///< with descriptor sets, and the same twice
  WroteNothing = 'W',      ///< so far as it runs
  NotDeterministic = 'D',  ///< text: where the second run differs
  Equal = 'E',             ///< the form that began last wrote the same
  Different = 'X',         ///< text: where not
  Refused = 'F',           ///< by the compiler, with that text
  Problem = 'P',           ///< text: "layer VUID-...: ...", "runtime: ..."
};

/// Takes events as they come, so that they are known even if the next step ends the process.
using Listener = std::function<void(Event, const std::string& text)>;

/// The form that all others are compared with, and that no code of ours takes part in.
inline constexpr const char* kSetsForm = "descriptor sets";

struct TryOptions {
  /// Rewrites with every slot of a class off by one, and tells GLSL a wrong first slot: comparing
  /// must notice.
  bool shift = false;
  /// Runs what spirv-opt makes of the module, in all forms: there, values have no variables.
  bool optimize = false;
};

/// Runs a module (SPIR-V, or GLSL) with descriptor sets twice, then mapped, rewritten, and as the
/// GLSL that the rewritten one becomes, with tables of several residences, always from the same
/// contents of the same resources, and compares all memory that it can write.
void try_module(corpus::Gpu& gpu, const example::Gpu& borrowed, const std::filesystem::path& file,
                const TryOptions& options, const Listener& listener);

}  // namespace equality
