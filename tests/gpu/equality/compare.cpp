// SPDX-License-Identifier: MIT
#include "compare.h"

#include <algorithm>
#include <cstring>
#include <format>

namespace equality {
namespace {

// The word at the offset, or what there is of it.
uint32_t word_at(const std::vector<std::byte>& bytes, size_t offset) {
  uint32_t word = 0;
  std::memcpy(&word, bytes.data() + offset, std::min(sizeof word, bytes.size() - offset));
  return word;
}

size_t count_different(const Section& expected, const Section& seen) {
  size_t count = 0;
  for (size_t i = 0; i < expected.bytes.size(); ++i)
    count += expected.bytes[i] != seen.bytes[i];
  return count;
}

}  // namespace

std::optional<std::string> difference(const Snapshot& expected, const Snapshot& seen) {
  std::optional<std::string> first;
  size_t bytes = 0;
  for (size_t section = 0; section < expected.size(); ++section) {
    const auto at = std::ranges::mismatch(expected[section].bytes, seen[section].bytes).in1;
    if (at == expected[section].bytes.end()) continue;
    bytes += count_different(expected[section], seen[section]);
    if (first) continue;
    const auto offset = static_cast<size_t>(at - expected[section].bytes.begin()) / 4 * 4;
    first =
        std::format("{} at byte {}: {:#010x}, expected {:#010x}", expected[section].name, offset,
                    word_at(seen[section].bytes, offset), word_at(expected[section].bytes, offset));
  }
  if (first) *first += std::format("; {} bytes in all", bytes);
  return first;
}

}  // namespace equality
