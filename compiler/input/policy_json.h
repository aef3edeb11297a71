// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "base/diagnostics.h"
#include "plan/policy.h"

namespace heapsmith::input {

/// Reads a policy (schemas/policy.schema.json). Everything that is wrong is reported, each at its
/// line: MalformedJson or InvalidPolicy.
[[nodiscard]] Diagnosed<plan::Policy> parse_policy(std::string_view text, const std::string& file,
                                                   Diagnostics& diagnostics);

}  // namespace heapsmith::input
