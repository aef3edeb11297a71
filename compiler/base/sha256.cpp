// SPDX-License-Identifier: MIT
#include "base/sha256.h"

#include <array>
#include <cstdint>
#include <cstring>
#include <format>

#include "base/sha256_block.h"

namespace heapsmith {

std::string sha256_hex(std::span<const std::byte> bytes) {
  // Asking the processor takes longer than a short message.
  static const auto add =
      sha256::has_instructions() ? sha256::add_block_by_instructions : sha256::add_block;
  sha256::State state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                         0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  size_t at = 0;
  for (; at + 64 <= bytes.size(); at += 64)
    add(state, bytes.data() + at);

  // The tail, a 1 bit, zeros, and the length in bits: one block, or two if the length no longer
  // fits.
  std::array<std::byte, 128> tail{};
  const size_t rest = bytes.size() - at;
  if (rest != 0) std::memcpy(tail.data(), bytes.data() + at, rest);
  tail[rest] = std::byte{0x80};
  const size_t tail_size = rest < 56 ? 64 : 128;
  const uint64_t bits = uint64_t{bytes.size()} * 8;
  for (size_t i = 0; i < 8; ++i)
    tail[tail_size - 1 - i] = static_cast<std::byte>(bits >> (8 * i));
  for (size_t i = 0; i < tail_size; i += 64)
    add(state, tail.data() + i);

  std::string text;
  for (const uint32_t word : state)
    text += std::format("{:08x}", word);
  return text;
}

}  // namespace heapsmith
