// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "base/diagnostics.h"
#include "spirv/module.h"

namespace heapsmith::spirv {

/// Reads SPIR-V 1.0 to 1.6 of either byte order. Refuses whatever is not of a module's form with
/// one error that names the byte; see Module for what can be relied on afterwards. Time and memory
/// are linear in the size of the file, but for the index by id, which has at most kMaxBound
/// entries.
[[nodiscard]] Diagnosed<Module> parse_module(std::span<const std::byte> bytes,
                                             const std::string& file, Diagnostics& diagnostics);

}  // namespace heapsmith::spirv
