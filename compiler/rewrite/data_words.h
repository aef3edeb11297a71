// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>

#include "rewrite/block_words.h"
#include "rewrite/context.h"
#include "rewrite/heap_words.h"
#include "rewrite/heaps.h"
#include "rewrite/objects.h"
#include "rewrite/slots.h"

namespace heapsmith::rewrite {

/// The 32-bit words of uniform blocks without a descriptor: in the resource heap (HeapWords), in
/// push data or in the shader record. There every one is a member of its own, so that an index
/// chooses among them:
///
///   %a  = OpLoad %uint %pushed
///   %b  = OpLoad %uint %pushed16
///   %is = OpIEqual %bool %dynamic %four
///   %w  = OpSelect %uint %is %b %a
class DataWords {
 public:
  DataWords(const Context& context, const Objects& objects, Slots& slots, Heaps& heaps,
            const Words& words)
      : context_(context), words_(words), heapWords_(context, objects, slots, heaps, words.push) {}

  /// Emits, before the instruction at `word`, a load of the word at that position.
  [[nodiscard]] uint32_t load(const Object& object, const Position& position, uint32_t word);

 private:
  [[nodiscard]] uint32_t choose_member(const Object& object, const Position& position,
                                       uint32_t word) const;
  [[nodiscard]] uint32_t load_member(const DataLocation& location, uint32_t offset,
                                     uint32_t word) const;

  const Context& context_;
  const Words& words_;
  HeapWords heapWords_;
};

/// What the bytes of a resource are called where they cannot be rewritten.
[[nodiscard]] std::string_view name_of_data(const Context& context,
                                            const reflect::Resource& resource);

}  // namespace heapsmith::rewrite
