// SPDX-License-Identifier: MIT
#pragma once

#include <nlohmann/json.hpp>

#include "heapsmith/manifest.h"

namespace heapsmith::emit {

/// All members but those that a sampler ignores: its colour unless it has one of its own, its
/// conversion unless it converts.
[[nodiscard]] nlohmann::ordered_json sampler_json(const SamplerInfo& sampler);

}  // namespace heapsmith::emit
