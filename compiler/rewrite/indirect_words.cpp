// SPDX-License-Identifier: MIT
#include "rewrite/indirect_words.h"

#include "rewrite/physical_memory.h"

namespace heapsmith::rewrite {

uint32_t IndirectWords::load(const Context& context, const BlockWords& pushWords, uint32_t word,
                             const Location& location) {
  const uint32_t address = load_address(context, pushWords, word, location.pushOffset);
  return load_member(context, word, address,
                     {.pointerType = pointer_type(context, location.addressOffset),
                      .type = context.builder.uint_type(),
                      .alignment = 4});
}

uint32_t IndirectWords::pointer_type(const Context& context, uint32_t offset) {
  if (pointerTypes_.empty()) require_addresses(context);
  const auto [entry, isNew] = pointerTypes_.try_emplace(offset);
  if (isNew) entry->second = pointer_to_member(context, context.builder.uint_type(), offset);
  return entry->second;
}

}  // namespace heapsmith::rewrite
