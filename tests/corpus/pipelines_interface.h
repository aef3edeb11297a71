// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "heapsmith/manifest.h"

namespace corpus {

/// Location and component of a variable, and its type: "float32x4".
using Locations = std::map<std::pair<uint32_t, uint32_t>, std::string>;

/// Descriptor types by set and binding.
using Bindings = std::map<std::pair<uint32_t, uint32_t>, heapsmith::DescriptorType>;

/// What the first entry point of a module shares with other stages.
struct StageInterface {
  heapsmith::ShaderStage stage{};
  Locations inputs;
  Locations outputs;
  Bindings bindings;
};

/// Nothing, if heapsmith cannot read the module.
[[nodiscard]] std::optional<StageInterface> stage_interface(std::span<const uint32_t> words);

}  // namespace corpus
