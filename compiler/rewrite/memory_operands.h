// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace heapsmith::rewrite {

/// The memory operands of a load, store or copy, with the promise that the address is a multiple of
/// `alignment`. There may be none yet. `operands` is one set; what a stronger promise says stays.
[[nodiscard]] std::vector<uint32_t> with_alignment(std::span<const uint32_t> operands,
                                                   uint32_t alignment);

/// How many words the first set of memory operands has: OpCopyMemory may have two.
[[nodiscard]] size_t first_set_length(std::span<const uint32_t> operands);

/// Of those of an OpCopyMemory what an OpStore to its target has.
[[nodiscard]] std::vector<uint32_t> target_operands(std::span<const uint32_t> operands);

}  // namespace heapsmith::rewrite
