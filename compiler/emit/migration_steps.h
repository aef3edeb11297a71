// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "emit/migration_report.h"

namespace heapsmith::emit {

/// What an application that used descriptor sets does instead, in the order in which it will.
[[nodiscard]] std::vector<MigrationStep> migration_steps(const Manifest& manifest,
                                                         const SlotLayout& slots,
                                                         std::span<const MigratedShader> shaders);

}  // namespace heapsmith::emit
