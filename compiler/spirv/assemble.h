// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics.h"

namespace heapsmith::spirv {

struct AssembleOptions {
  uint32_t version =
      0x00010300;  ///< of the header: 1.0 to 1.6; a "; Version: 1.5" comment does not count
  bool preserveNumericIds = false;  ///< %12 becomes id 12
};

/// Assembly text as spirv-as reads it. Errors are MalformedSpirv and name the line.
[[nodiscard]] Diagnosed<std::vector<uint32_t>> assemble(std::string_view text,
                                                        const AssembleOptions& options,
                                                        const std::string& file,
                                                        Diagnostics& diagnostics);

/// Text that assemble() reads back to the same words, with friendly names where `friendlyNames`.
[[nodiscard]] Diagnosed<std::string> disassemble(std::span<const uint32_t> words,
                                                 bool friendlyNames, const std::string& file,
                                                 Diagnostics& diagnostics);

}  // namespace heapsmith::spirv
