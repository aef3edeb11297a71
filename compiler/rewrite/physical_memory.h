// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "rewrite/block_words.h"
#include "rewrite/context.h"

/// Memory behind 64-bit addresses, which shaders hold as two 32-bit numbers.
namespace heapsmith::rewrite {

/// Declares that the module uses addresses. May be called twice.
void require_addresses(const Context& context);

/// The type of an address: two 32-bit numbers.
[[nodiscard]] uint32_t address_type(const Context& context);

/// The type of pointers that hold an address and are not followed.
[[nodiscard]] uint32_t any_address(const Context& context);

/// Emits, before the instruction at `word`, the address in push data or the shader record at that
/// offset:
///
///   %lo = OpLoad %uint %pushed           %a = OpCompositeConstruct %v2uint %lo %hi
///   %hi = OpLoad %uint %pushed4
[[nodiscard]] uint32_t load_address(const Context& context, const BlockWords& words, uint32_t word,
                                    uint32_t offset);

/// Declares a structure whose only member lies `offset` bytes from its start, so that nothing has
/// to be added to an address, and returns the type of addresses of such structures.
[[nodiscard]] uint32_t pointer_to_member(const Context& context, uint32_t type, uint32_t offset);

/// What to read there, by that type of pointers.
struct MemberAccess {
  uint32_t pointerType = 0;
  uint32_t type = 0;
  uint32_t alignment = 0;
};
/// Emits, before the instruction at `word`, a load of that member:
///
///   %b = OpBitcast %pointer %address
///   %p = OpAccessChain %toMember %b %zero
///   %m = OpLoad %type %p Aligned 4
[[nodiscard]] uint32_t load_member(const Context& context, uint32_t word, uint32_t address,
                                   const MemberAccess& access);

}  // namespace heapsmith::rewrite
