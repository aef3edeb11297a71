// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>

#include "heapsmith/manifest.h"
#include "heapsmith/resolve.h"
#include "rewrite/placements.h"

namespace heapsmith::rewrite {

/// Where rewritten shaders find a program's bindings: the manifest's tables and fields, in slots.
/// `bindings` are indices into Manifest::bindings. What only mappings can serve has a placement
/// without a location.
[[nodiscard]] Placements place_bindings(const Manifest& manifest, const SlotLayout& slots,
                                        std::span<const uint32_t> bindings);

/// The placement of a set and binding; null if there is none.
[[nodiscard]] const Placement* find_placement(const Placements& placements, uint32_t set,
                                              uint32_t binding);

/// Whether it says where a binding's resource is found, be it by a descriptor or without one.
[[nodiscard]] bool has_resource(const Placement& placement);

}  // namespace heapsmith::rewrite
