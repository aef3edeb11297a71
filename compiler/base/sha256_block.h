// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

/// One step of SHA-256: mixing a block of 64 bytes into the state. For sha256.cpp and its test.
namespace heapsmith::sha256 {

using State = std::array<uint32_t, 8>;

void add_block(State& state, const std::byte* block);

/// The same by the processor's own instructions, of which one does two of 64 rounds. Only where
/// has_instructions().
void add_block_by_instructions(State& state, const std::byte* block);
[[nodiscard]] bool has_instructions();

}  // namespace heapsmith::sha256
