// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include "heapsmith/manifest.h"
#include "rewrite/placements.h"

namespace heapsmith::rewrite {

/// Whether a binding's placement has all that variables of those kinds (reflect::ResourceKind bits)
/// need to be rewritten.
[[nodiscard]] bool serves(const Placement& placement, DescriptorType type, uint32_t kinds);

/// Why place_bindings() gave a binding no place, to follow on a word such as "mapped: ".
[[nodiscard]] std::string why_mapped(const Manifest& manifest, uint32_t binding);

}  // namespace heapsmith::rewrite
