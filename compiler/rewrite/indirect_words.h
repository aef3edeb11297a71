// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>

#include "rewrite/context.h"
#include "rewrite/push_words.h"

namespace heapsmith::rewrite {

/// Words of memory that pick instances, behind an address in push data:
///
///   %lo = OpLoad %uint %pushed           %a = OpCompositeConstruct %v2uint %lo %hi
///   %hi = OpLoad %uint %pushed4          %b = OpBitcast %toWord %a
///                                        %p = OpAccessChain %toUint %b %zero
///                                        %w = OpLoad %uint %p Aligned 4
///
/// %toWord points to a structure whose only member lies at the word's offset, so that nothing has
/// to be added to the address.
class IndirectWords {
 public:
  /// Emits the load before the instruction at `word`.
  uint32_t load(const Context& context, const PushWords& pushWords, uint32_t word,
                const Location& location);

 private:
  uint32_t pointer_type(const Context& context, uint32_t offset);
  static void require_addresses(const Context& context);

  std::map<uint32_t, uint32_t> pointerTypes_;  // by the word's offset
};

}  // namespace heapsmith::rewrite
