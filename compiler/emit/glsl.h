// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "base/diagnostics.h"

namespace heapsmith::emit {

/// What the text's first lines explain.
struct GlslConstants {
  std::optional<uint32_t> firstBufferId;  ///< SpecId of `firstBuffer`; nothing: it has none
  uint32_t imageSlots = 0;                ///< in front of the buffers
};

/// Writes a module as GLSL with GL_EXT_descriptor_heap, through SPIRV-Cross:
///
///   layout(descriptor_heap, std430) buffer Result { uint numbers[]; } ResultHeap[];
///   ResultHeap[firstBuffer + 2u].numbers[0] = 1u;
///
/// Arrays in the heaps are named after the block or the type that they hold. The module must be
/// valid, with one entry point, and read the heaps as plain arrays whose first slots are no
/// expression of sizes. What SPIRV-Cross refuses is an error (UnsupportedGlsl).
[[nodiscard]] Diagnosed<std::string> glsl(std::span<const uint32_t> words,
                                          const GlslConstants& constants, const std::string& file,
                                          Diagnostics& diagnostics);

}  // namespace heapsmith::emit
