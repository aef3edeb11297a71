// SPDX-License-Identifier: MIT
#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

#include "heapsmith/error.h"

namespace heapsmith::detail {

using Json = nlohmann::json;

/// Text to JSON. Stricter than the parser: a repeated key is refused, where JSON leaves open which
/// value counts, and so is nesting deeper than any manifest's. Fails with InvalidManifest. Throws
/// nothing.
[[nodiscard]] Result<Json> parse_document(std::string_view text);

}  // namespace heapsmith::detail
