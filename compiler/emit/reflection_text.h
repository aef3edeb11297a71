// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>

#include "emit/reflection_json.h"

namespace heapsmith::emit {

/// What `heapsmith reflect --format text` prints: the same facts for people to read, in the order
/// given. Not meant to be parsed. The same input gives the same bytes.
[[nodiscard]] std::string reflection_text(std::span<const NamedInterface> shaders);

}  // namespace heapsmith::emit
