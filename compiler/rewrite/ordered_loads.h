// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "spirv/annotations.h"
#include "spirv/module.h"

namespace heapsmith::rewrite {

/// The loads from buffers that must stay before the writes and barriers behind them, whatever
/// memory these seem to be about:
///
///   %a = OpBufferPointerEXT ...        ; may be the buffer of %b
///   %v = OpLoad %uint %pointerIntoA
///        OpStore %pointerIntoB %one
///        OpStore %result %v            ; what was there before
///
/// For a translator that writes an expression where its value is used unless it sees a write to
/// the same variable: pointers into heaps are variables of their own to it.
[[nodiscard]] std::vector<uint32_t> ordered_loads(const spirv::Module& module,
                                                  const spirv::Annotations& annotations);

}  // namespace heapsmith::rewrite
