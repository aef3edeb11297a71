// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "base/diagnostics.h"

namespace heapsmith::emit {

/// "file:line:column: error: text [HS1004]" and a newline, as compilers print it and editors jump
/// to it.
[[nodiscard]] std::string diagnostic_text(const Diagnostic& diagnostic);

/// One JSON object on one line, for tools.
[[nodiscard]] std::string diagnostic_json(const Diagnostic& diagnostic);

}  // namespace heapsmith::emit
