// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "reflect/context.h"

namespace heapsmith::reflect {

/// A constant as an expression: "4", "COUNT * 2 + 1", "spec#3", "max(sizeOf(image),
/// sizeOf(buffer))". Specialization constants go by their names, else by their SpecIds. What is too
/// long or too deep is cut to "...".
[[nodiscard]] std::string constant_text(const Context& context, uint32_t id);

/// The two constants of which this one is the larger, if it is written so.
[[nodiscard]] std::optional<std::pair<uint32_t, uint32_t>> read_maximum(const Context& context,
                                                                        uint32_t id);

}  // namespace heapsmith::reflect
