// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "base/diagnostics.h"
#include "plan/math_types.h"

namespace heapsmith::input {

/// Reads a type map (schemas/math-types.schema.json):
/// { "includes": ["<my/math.h>"], "types": { "float32x3": "my::Vec3" } }
[[nodiscard]] Diagnosed<plan::MathTypes> parse_math_types(std::string_view text,
                                                          const std::string& file,
                                                          Diagnostics& diagnostics);

}  // namespace heapsmith::input
