// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "spirv/editor.h"
#include "spirv/uses.h"

namespace heapsmith::spirv {

/// Tidies up behind all other edits. Removes the types and constants that those took the last use
/// from, and theirs in turn; what was unused before is left alone. Then takes names, decorations
/// and debug information away from ids that are no longer defined. `uses` must be of the editor's
/// module. Returns by id what is gone.
std::vector<uint8_t> sweep(Editor& editor, const Uses& uses);

}  // namespace heapsmith::spirv
