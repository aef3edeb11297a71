// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>

#include "base/diagnostics.h"
#include "heapsmith/device_limits.h"
#include "heapsmith/manifest.h"

namespace heapsmith::layout {

/// Refuses what no device can hold (TooManySlots), and warns of what some devices may not: more
/// slots than the specification guarantees (HeapLimit). For runs without a device in mind.
[[nodiscard]] Diagnosed<void> check_slot_counts(const Manifest& manifest, Diagnostics& diagnostics);

/// Resolves for one device and reports what it refuses, as HeapLimit errors.
[[nodiscard]] Diagnosed<void> check_limits(const Manifest& manifest, const DeviceLimits& limits,
                                           const std::string& profile, Diagnostics& diagnostics);

}  // namespace heapsmith::layout
