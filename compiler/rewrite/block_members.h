// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "rewrite/context.h"

namespace heapsmith::rewrite {

/// Decorates all members of a structure that do not have that decoration yet.
void decorate_members(const Context& context, uint32_t structure, spv::Decoration kind);

}  // namespace heapsmith::rewrite
