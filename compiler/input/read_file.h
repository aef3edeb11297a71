// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "base/diagnostics.h"

namespace heapsmith::input {

/// How a path appears in diagnostics: standard input, which is named "-", as "<stdin>".
[[nodiscard]] std::string shown_path(const std::string& path);

/// The bytes of a file, or of standard input for "-". Fails with FileNotFound.
[[nodiscard]] Diagnosed<std::string> read_file(const std::string& path, Diagnostics& diagnostics);

}  // namespace heapsmith::input
