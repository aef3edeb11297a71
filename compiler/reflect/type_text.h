// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include "reflect/context.h"

namespace heapsmith::reflect {

/// A type in words: "float32", "float32x4", "float32x3x2" (three columns of two),
/// "uint32[3][runtime]", a structure's name, "address", "unknown".
[[nodiscard]] std::string type_text(const Context& context, uint32_t type);

/// The same for a member of what an array of that type holds: the array's lengths come first.
[[nodiscard]] std::string member_type_text(const Context& context, uint32_t outerType,
                                           uint32_t type);

}  // namespace heapsmith::reflect
