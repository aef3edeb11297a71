// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <unordered_map>

#include "rewrite/context.h"

namespace heapsmith::rewrite {

/// Words of memory, one for each element of a binding:
///
///   %b = OpBitcast %toWords %address
///   %p = OpAccessChain %toUint %b %zero %n
///   %w = OpLoad %uint %p Aligned 4
class ScatteredWords {
 public:
  /// Where to insert the pointer, where the load.
  struct At {
    uint32_t entryWord = 0;
    uint32_t word = 0;
  };
  /// Emits a load of the word with that number behind an address, which is known at the function's
  /// entry.
  [[nodiscard]] uint32_t load(const Context& context, At at, uint32_t address, uint32_t number);

 private:
  uint32_t point_to(const Context& context, uint32_t word, uint32_t address);

  uint32_t pointerType_ = 0;
  std::unordered_map<uint32_t, uint32_t> pointers_;  // by address
};

}  // namespace heapsmith::rewrite
