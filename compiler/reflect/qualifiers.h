// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "reflect/context.h"
#include "reflect/shader_interface.h"

namespace heapsmith::reflect {

/// Adds what a decoration promises.
void add_qualifier(spv::Decoration decoration, Qualifiers& qualifiers);

/// Adds what the decorations of an id, or of one member of it, promise.
void add_qualifiers(const Context& context, uint32_t id, uint32_t member, Qualifiers& qualifiers);

/// Adds to `a` what `b` promises.
void unite(Qualifiers& a, const Qualifiers& b);

/// Keeps in `a` what `b` promises too.
void intersect(Qualifiers& a, const Qualifiers& b);

}  // namespace heapsmith::reflect
