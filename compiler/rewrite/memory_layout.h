// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "rewrite/context.h"

/// Where the parts of a block lie, as the module's decorations say.
namespace heapsmith::rewrite {

/// What a pointer leads to: a type, and what the structure around it says of matrices in it.
struct Place {
  uint32_t type = 0;
  uint32_t matrixStride = 0;  ///< bytes from one column (or row) to the next
  bool rowMajor = false;
  uint32_t componentStride = 0;  ///< bytes, of the vector that is a column of a row-major matrix;
                                 ///< 0: its components are packed
};

/// What one index leads to: `offset` bytes on, and `stride` bytes for each time of an index that is
/// no literal.
struct Step {
  Place place;
  uint32_t offset = 0;
  uint32_t stride = 0;  ///< 0: the index is a literal
};

/// `index` is the id of an index into what lies at `place`: a structure, array, matrix or vector.
[[nodiscard]] Step step_into(const Context& context, const Place& place, uint32_t index);
/// Likewise, the part with that number.
[[nodiscard]] Step step_to(const Context& context, const Place& place, uint32_t number);

/// Bytes of a number or an address; 0 for other types.
[[nodiscard]] uint32_t scalar_size(const Context& context, uint32_t type);
/// Bytes of the largest scalar in a type.
[[nodiscard]] uint32_t scalar_alignment(const Context& context, uint32_t type);
/// Whether numbers of less than 32 bits are part of a type, or lie where an address in it leads.
[[nodiscard]] bool may_hold_narrow_numbers(const Context& context, uint32_t type);
/// What an address of such a block is surely a multiple of: the base alignment that std430 gives
/// the block, or 16 if that is less; and no more than the largest scalar where the block keeps
/// other rules.
[[nodiscard]] uint32_t block_alignment(const Context& context, const reflect::Resource& resource,
                                       uint32_t type);

}  // namespace heapsmith::rewrite
