// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "heapsmith/manifest.h"

namespace heapsmith::emit {

/// What block_structs() made, to stand in the header's namespace `blocks`.
struct HeaderStructs {
  std::string text;                   ///< empty: none
  std::vector<std::string> includes;  ///< "<glm/glm.hpp>"
};

/// The manifest as a C++20 header of constants, which needs nothing but heapsmith/manifest.h and,
/// for structs, heapsmith/block_types.h. `nameSpace` is "a" or "a::b".
[[nodiscard]] std::string manifest_header(const Manifest& manifest, std::string_view nameSpace,
                                          const HeaderStructs& structs = {});

}  // namespace heapsmith::emit
