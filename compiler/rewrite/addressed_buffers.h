// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "rewrite/addresses.h"
#include "rewrite/context.h"
#include "rewrite/data_pointers.h"
#include "rewrite/objects.h"
#include "rewrite/slots.h"

namespace heapsmith::rewrite {

/// Uniform and storage buffers at an address. Every pointer into them changes its class, and
/// whoever reads or writes through one says what the address is a multiple of:
///
///   %p = OpAccessChain %pu %b %one %i       %b = OpBitcast %physicalB %address   ; in the first
///   block %v = OpLoad %uint %p               →    %p = OpAccessChain %physicalU %b %one %i
///                                           %v = OpLoad %uint %p Aligned 4
///
/// Access chains, copies, choices, loads, stores, atomics and cooperative matrices can be had of
/// such pointers, lengths and comparisons cannot.
class AddressedBuffers {
 public:
  AddressedBuffers(const Context& context, const Objects& objects, const DataPointers& pointers,
                   Slots& slots, Addresses& addresses);

  /// `use` is one of a pointer to or into such a buffer.
  [[nodiscard]] Diagnosed<void> replace(const DataPointer& pointer, const spirv::Use& use);

 private:
  struct Root {
    uint32_t id = 0;
    uint32_t function = 0;
  };
  [[nodiscard]] uint32_t pointer_type(uint32_t type);
  uint32_t announced_pointer_type(uint32_t pointee);
  /// The pointer to a whole block that takes the place of a variable or parameter.
  uint32_t root(const Object& object);
  uint32_t replacement_of(uint32_t pointer);
  void replace_operand(const spirv::Use& use);
  Diagnosed<void> replace_choice(const DataPointer& pointer, const spirv::Use& use);
  [[nodiscard]] uint32_t alignment_of(const DataPointer& pointer) const;
  void align(const DataPointer& pointer, const spirv::Use& use, uint32_t firstMemoryWord);
  Diagnosed<void> replace_copy(const DataPointer& pointer, const spirv::Use& use);
  Diagnosed<void> refuse_use(const DataPointer& pointer, spirv::Instruction instruction);
  void move_qualifiers();

  const Context& context_;
  const Objects& objects_;
  const DataPointers& pointers_;
  Slots& slots_;
  Addresses& addresses_;
  std::vector<Root> roots_;                 // by object
  std::map<uint32_t, uint32_t> types_;      // of pointers, by what they were
  std::map<uint32_t, uint32_t> announced_;  // likewise, by what they point to
};

}  // namespace heapsmith::rewrite
