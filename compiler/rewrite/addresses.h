// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "rewrite/block_words.h"
#include "rewrite/context.h"
#include "rewrite/objects.h"
#include "rewrite/slots.h"

namespace heapsmith::rewrite {

/// The addresses of buffers and acceleration structures, as pairs of 32-bit numbers: in push data,
/// in the shader record, in memory behind an address that is pushed, or handed to a function. Each
/// is computed once in a function, in its first block.
class Addresses {
 public:
  Addresses(const Context& context, const Objects& objects, Slots& slots, const Words& words);

  /// The address that a parameter is handed.
  void set_parameter(const Object& parameter, uint32_t id);
  /// In the function that `slots` has entered.
  [[nodiscard]] uint32_t of(const Object& object);

 private:
  struct Address {
    uint32_t id = 0;
    uint32_t function = 0;
  };
  uint32_t load(const DataLocation& location);

  const Context& context_;
  const Objects& objects_;
  Slots& slots_;
  const Words& words_;
  std::vector<Address> addresses_;             // by object
  std::map<uint32_t, uint32_t> pointerTypes_;  // to addresses in memory, by their offset
};

}  // namespace heapsmith::rewrite
