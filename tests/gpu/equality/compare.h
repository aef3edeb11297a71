// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "resources.h"

namespace equality {

/// Where two snapshots of the same resources differ first, and in how many bytes, in words. Nothing
/// if every bit is the same.
[[nodiscard]] std::optional<std::string> difference(const Snapshot& expected, const Snapshot& seen);

}  // namespace equality
