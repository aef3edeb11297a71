// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "heapsmith/device_limits.h"
#include "heapsmith/manifest.h"
#include "heapsmith/resolve.h"

namespace heapsmith::emit {

/// A manifest in the bytes of one device, for people: regions, every binding's offset and stride,
/// reserved ranges, totals, and each program's mapping entries.
[[nodiscard]] std::string resolved_layout_text(const Manifest& manifest,
                                               const ResolvedLayout& layout,
                                               const std::string& profile);

/// The same as JSON (schemas/resolved.schema.json).
[[nodiscard]] std::string resolved_layout_json(const Manifest& manifest,
                                               const ResolvedLayout& layout,
                                               const std::string& profile);

}  // namespace heapsmith::emit
