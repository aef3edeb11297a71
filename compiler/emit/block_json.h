// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>

#include "reflect/merge_blocks.h"

namespace heapsmith::emit {

/// A structure with its members; other structures in it appear by name. The form is that of the
/// manifest's "blocks" and of the reflection's "structures".
[[nodiscard]] nlohmann::ordered_json structure_json(const reflect::MergedBlocks& blocks,
                                                    uint32_t index);

}  // namespace heapsmith::emit
