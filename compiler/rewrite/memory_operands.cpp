// SPDX-License-Identifier: MIT
#include "rewrite/memory_operands.h"

#include <algorithm>
#include <bit>
#include <spirv/unified1/spirv.hpp11>

namespace heapsmith::rewrite {
namespace {

constexpr auto kAligned = static_cast<uint32_t>(spv::MemoryAccessMask::Aligned);
/// Those that have an operand of their own. They follow in the order of their bits.
constexpr uint32_t kWithOperand =
    kAligned | static_cast<uint32_t>(spv::MemoryAccessMask::MakePointerAvailable) |
    static_cast<uint32_t>(spv::MemoryAccessMask::MakePointerVisible);

}  // namespace

std::vector<uint32_t> with_alignment(std::span<const uint32_t> operands, uint32_t alignment) {
  if (operands.empty()) return {kAligned, alignment};
  std::vector<uint32_t> result(operands.begin(), operands.end());
  if ((operands[0] & kAligned) == 0) {  // its operand is the first
    result[0] |= kAligned;
    result.insert(result.begin() + 1, alignment);
  } else if (result.size() > 1) {
    result[1] = std::max(result[1], alignment);
  }
  return result;
}

size_t first_set_length(std::span<const uint32_t> operands) {
  if (operands.empty()) return 0;
  const auto own = static_cast<size_t>(std::popcount(operands[0] & kWithOperand));
  return std::min(operands.size(), 1 + own);
}

std::vector<uint32_t> target_operands(std::span<const uint32_t> operands) {
  constexpr auto kVisible = static_cast<uint32_t>(spv::MemoryAccessMask::MakePointerVisible);
  const auto first = operands.first(first_set_length(operands));
  std::vector<uint32_t> result(first.begin(), first.end());
  if (result.empty() || (result[0] & kVisible) == 0) return result;  // that is about the source
  result[0] &= ~kVisible;
  result.pop_back();  // its operand is the last
  return result;
}

}  // namespace heapsmith::rewrite
