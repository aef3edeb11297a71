// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "rewrite/block_words.h"
#include "rewrite/context.h"
#include "rewrite/heaps.h"
#include "rewrite/objects.h"
#include "rewrite/slots.h"

namespace heapsmith::rewrite {

/// A place in a block: bytes from its start, and words that an index adds.
struct Position {
  uint32_t constant = 0;
  uint32_t dynamic = 0;  ///< id of a number of words; 0: none
  uint32_t step = 0;     ///< words, that `dynamic` is a multiple of
};

/// The 32-bit words of uniform blocks in the resource heap, which begin where a word of push data
/// says:
///
///   OpDecorate %pairs ArrayStride 8
///   %pairs = OpTypeRuntimeArray %address                  ; a pointer to physical memory
///   %n = OpShiftRightLogical %uint %pushed %three
///
///   %p = OpUntypedAccessChainKHR %pointer %pairs %resourceHeap %n
///   %a = OpLoad %address %p
///   %v = OpBitcast %v2uint %a
///   %w = OpCompositeExtract %uint %v 1
///
/// Nobody follows these addresses. They stand for pairs of numbers, since Mesa (26.2.6, its issue
/// 16396) reads 64 bits whatever the type is: a number of 32 bits gets its neighbour as an upper
/// half, which disturbs all that is computed with it, and a vector is a crash. Of the types that
/// have 64 bits, addresses are the one that every device with heaps knows.
class HeapWords {
 public:
  HeapWords(const Context& context, const Objects& objects, Slots& slots, Heaps& heaps,
            const BlockWords& pushWords);

  /// Emits, before the instruction at `word`, a load of the block's word at that position.
  [[nodiscard]] uint32_t load(const Object& object, const Position& position, uint32_t word);

 private:
  struct Base {
    uint32_t id = 0;
    uint32_t function = 0;
  };
  /// Which object's, and what is added to its first: an id, 0 for none, and a number.
  using PairKey = std::tuple<uint32_t, uint32_t, uint32_t>;

  uint32_t load_pair(const Object& object, uint32_t dynamic, uint32_t number, uint32_t word);
  uint32_t first_pair(const Object& object);
  uint32_t array_type();

  const Context& context_;
  const Objects& objects_;
  Slots& slots_;
  Heaps& heaps_;
  const BlockWords& pushWords_;
  std::vector<Base> firsts_;  // by object
  uint32_t arrayType_ = 0;
  uint32_t word_ = 0;                  // what was loaded last was loaded before that instruction
  std::map<PairKey, uint32_t> pairs_;  // loaded there
};

}  // namespace heapsmith::rewrite
