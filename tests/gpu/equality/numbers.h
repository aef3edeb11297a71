// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "reflect/shader_interface.h"

namespace equality {

/// Numbers that follow from a seed: few and small, so that loops end, sums of floats are exact and
/// indices are in bounds.
class Numbers {
 public:
  Numbers(uint64_t seed, uint32_t below, uint64_t address)
      : state_(seed), below_(below), address_(address) {}

  [[nodiscard]] uint32_t bits();
  /// Below the bound: whole, and in sixteenths.
  [[nodiscard]] uint32_t integer() { return bits() % below_; }
  [[nodiscard]] float real() { return static_cast<float>(bits() % (16 * below_)) / 16.0f; }
  /// What a pointer in a buffer points to.
  [[nodiscard]] uint64_t address() const { return address_; }

 private:
  uint64_t state_;
  uint32_t below_;
  uint64_t address_;
};

/// The next number of that type, "float16", "uint64" or "address", at the start of `bytes`, which
/// may be too short for it. 8 and 16 bits are a number's parts as often as a number: all values are
/// there.
void put_number(std::span<std::byte> bytes, std::string_view type, Numbers& numbers);

/// Numbers in the members of a block, and of its runtime array up to the end of `bytes`.
void put_block(std::span<std::byte> bytes, std::span<const heapsmith::reflect::BlockType> types,
               uint32_t block, Numbers& numbers);

}  // namespace equality
