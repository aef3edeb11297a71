// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>

#include "rewrite/block_words.h"
#include "rewrite/context.h"

namespace heapsmith::rewrite {

/// Words of memory that pick instances, behind an address in push data.
class IndirectWords {
 public:
  /// Emits the load before the instruction at `word`.
  uint32_t load(const Context& context, const BlockWords& pushWords, uint32_t word,
                const Location& location);

 private:
  uint32_t pointer_type(const Context& context, uint32_t offset);

  std::map<uint32_t, uint32_t> pointerTypes_;  // by the word's offset
};

}  // namespace heapsmith::rewrite
