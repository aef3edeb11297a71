// SPDX-License-Identifier: MIT
#include "rewrite/addresses.h"

#include "rewrite/physical_memory.h"

namespace heapsmith::rewrite {

Addresses::Addresses(const Context& context, const Objects& objects, Slots& slots,
                     const Words& words)
    : context_(context),
      objects_(objects),
      slots_(slots),
      words_(words),
      addresses_(objects.all().size()) {}

void Addresses::set_parameter(const Object& parameter, uint32_t id) {
  addresses_[objects_.index_of(parameter)] = {.id = id, .function = slots_.function()};
}

uint32_t Addresses::of(const Object& object) {
  Address& address = addresses_[objects_.index_of(object)];
  if (address.function != slots_.function())
    address = {.id = load(*object.placement->data), .function = slots_.function()};
  return address.id;
}

uint32_t Addresses::load(const DataLocation& location) {
  constexpr uint32_t kAddressAlignment = 8;
  const uint32_t word = slots_.entry_word();
  if (location.source == DataSource::RecordAddress)
    return load_address(context_, words_.record, word, location.recordOffset);
  const uint32_t pushed = load_address(context_, words_.push, word, location.pushOffset);
  if (location.source != DataSource::IndirectAddress) return pushed;
  require_addresses(context_);
  const uint32_t type = address_type(context_);
  const auto [entry, isNew] = pointerTypes_.try_emplace(location.addressOffset);
  if (isNew) entry->second = pointer_to_member(context_, type, location.addressOffset);
  return load_member(context_, word, pushed,
                     {.pointerType = entry->second, .type = type, .alignment = kAddressAlignment});
}

}  // namespace heapsmith::rewrite
