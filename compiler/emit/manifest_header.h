// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "heapsmith/manifest.h"

namespace heapsmith::emit {

/// The manifest as a C++20 header of constants, which needs nothing but heapsmith/manifest.h.
/// `nameSpace` is "a" or "a::b".
[[nodiscard]] std::string manifest_header(const Manifest& manifest, std::string_view nameSpace);

}  // namespace heapsmith::emit
