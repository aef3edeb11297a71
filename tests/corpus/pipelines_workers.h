// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "pipelines_units.h"

namespace corpus {

struct Problem {
  std::string key;  ///< as in pipelines_try.h, or "crash SIGSEGV"
  std::string text;
};

enum class Canary : char { None, Noticed, Unnoticed };

/// What became of a program, or of a unit that heapsmith refused.
struct Outcome {
  std::string unit;
  bool isMapped = false;
  std::vector<Problem> problems;
  Canary canary = Canary::None;
};

/// Tries all units, in as many processes. A process that ends on the way, because a driver crashed,
/// hung or ate memory, costs the unit that it was at, and is replaced. False where a process
/// cannot even begin.
[[nodiscard]] bool try_units(const std::vector<Unit>& units, size_t processes,
                             std::vector<Outcome>& outcomes);

}  // namespace corpus
