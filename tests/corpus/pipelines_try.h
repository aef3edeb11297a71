// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "pipelines_gpu.h"
#include "pipelines_units.h"

namespace corpus {

enum class Event : char {
  Refused = 'R',    ///< heapsmith refused the unit; its problems follow
  Mapped = 'M',     ///< the next program of a unit that it mapped
  Problem = 'P',    ///< of the program of the last event; with key and text
  Noticed = 'N',    ///< the layer speaks where a mapping is missing
  Unnoticed = 'U',  ///< it does not: a problem of its own follows
};

/// Takes events as they come, so that they are known even if the next step ends the process.
using Listener = std::function<void(Event, const std::string& key, const std::string& text)>;

/// Takes a unit the way that an application's goes: `heapsmith map` with default options writes
/// SPIR-V and manifest into `folder`, the runtime reads both, resolves for this device, and makes
/// a pipeline of each program. Then it makes the pipeline once more without one of the mappings
/// that it needs: a layer that is silent then says nothing by its silence.
///
/// A problem's key says who has it: "heapsmith HS1007", "layer VUID-...", "driver -3";
/// "layer unnoticed" where the missing mapping was not.
void try_unit(Gpu& gpu, const Unit& unit, const std::filesystem::path& folder,
              const Listener& listener);

}  // namespace corpus
