// SPDX-License-Identifier: MIT
#pragma once

#include "rewrite/context.h"
#include "rewrite/heaps.h"
#include "rewrite/objects.h"
#include "rewrite/push_words.h"

namespace heapsmith::rewrite {

/// From SPIR-V 1.4 on an entry point lists all variables that it uses; to list a heap means to need
/// it bound. So each gets the heaps that its own resources lie in, and loses the variables that are
/// gone.
void update_interface_lists(const Context& context, const Objects& objects, const Heaps& heaps,
                            const PushWords& pushWords);

}  // namespace heapsmith::rewrite
