// SPDX-License-Identifier: MIT
#pragma once

#include "rewrite/block_words.h"
#include "rewrite/context.h"
#include "rewrite/heaps.h"
#include "rewrite/objects.h"

namespace heapsmith::rewrite {

/// From SPIR-V 1.4 on an entry point lists all variables that it uses; to list a heap means to need
/// it bound. So each gets the heaps that its own resources lie in, and loses the variables that are
/// gone.
void update_interface_lists(const Context& context, const Objects& objects, const Heaps& heaps,
                            const Words& words);

}  // namespace heapsmith::rewrite
