// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "reflect/uses.h"

namespace heapsmith::reflect {

/// What an entry point uses: what stands in a function that its calls reach.
struct StaticUse {
  std::vector<uint32_t> functions;  ///< indices
  std::vector<uint32_t> variables;  ///< indices, ascending
};

/// Call chains of any depth, and cycles.
class StaticUseFinder {
 public:
  StaticUseFinder(const ModuleUses& uses, size_t variableCount);
  [[nodiscard]] StaticUse find(uint32_t entryFunction);

 private:
  const ModuleUses& uses_;
  uint32_t round_ = 0;
  std::vector<uint32_t> functionRounds_;  // the last round that saw it
  std::vector<uint32_t> variableRounds_;
};

}  // namespace heapsmith::reflect
