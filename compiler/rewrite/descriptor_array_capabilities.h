// SPDX-License-Identifier: MIT
#pragma once

#include "rewrite/context.h"
#include "rewrite/objects.h"

namespace heapsmith::rewrite {

/// Arrays of descriptors with set and binding need capabilities, and so features of the device, for
/// their length and for how they are indexed; the heaps do not. Where no resource stays mapped
/// those capabilities go, and the NonUniform decorations that one of them allows.
void drop_descriptor_array_capabilities(const Context& context, const Objects& objects);

}  // namespace heapsmith::rewrite
