// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "rewrite/context.h"
#include "rewrite/objects.h"

namespace heapsmith::rewrite {

/// Decorates the members of storage blocks that no shader code writes with NonWritable. Drivers
/// find that out for variables by themselves, but not for pointers; without it AMD's compiler does
/// not use scalar loads. `gone`: what is no longer defined.
void mark_read_only_blocks(const Context& context, const Objects& objects,
                           const std::vector<uint8_t>& gone);

}  // namespace heapsmith::rewrite
