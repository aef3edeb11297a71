// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "rewrite/block_words.h"
#include "rewrite/context.h"
#include "rewrite/objects.h"

namespace heapsmith::rewrite {

/// A place in a block: bytes from its start, and words that an index adds.
struct Position {
  uint32_t constant = 0;
  uint32_t dynamic = 0;  ///< id of a number of words; 0: none
  uint32_t step = 0;     ///< words, that `dynamic` is a multiple of
};

/// The 32-bit words of uniform blocks in push data. Every one is a member of its own, so that an
/// index chooses among them:
///
///   %a  = OpLoad %uint %pushed
///   %b  = OpLoad %uint %pushed16
///   %is = OpIEqual %bool %dynamic %four
///   %w  = OpSelect %uint %is %b %a
class DataWords {
 public:
  DataWords(const Context& context, const BlockWords& pushWords)
      : context_(context), pushWords_(pushWords) {}

  /// Emits, before the instruction at `word`, a load of the word at that position.
  [[nodiscard]] uint32_t load(const Object& object, const Position& position, uint32_t word);

 private:
  const Context& context_;
  const BlockWords& pushWords_;
};

}  // namespace heapsmith::rewrite
