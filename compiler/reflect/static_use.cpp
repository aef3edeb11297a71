// SPDX-License-Identifier: MIT
#include "reflect/static_use.h"

#include <algorithm>
#include <utility>

namespace heapsmith::reflect {

StaticUseFinder::StaticUseFinder(const ModuleUses& uses, size_t variableCount)
    : uses_(uses), functionRounds_(uses.functions.size()), variableRounds_(variableCount) {}

StaticUse StaticUseFinder::find(uint32_t entryFunction) {
  ++round_;
  StaticUse result;
  const auto reach = [&](uint32_t function) {
    if (std::exchange(functionRounds_[function], round_) != round_)
      result.functions.push_back(function);
  };
  reach(entryFunction);
  // The list of the functions reached is also the list of those still to be looked at.
  for (size_t next = 0; next < result.functions.size(); ++next) {
    const FunctionUses& function = uses_.functions[result.functions[next]];
    for (uint32_t i = function.calls.begin; i < function.calls.end; ++i)
      reach(uses_.calls[i]);
    for (uint32_t i = function.variables.begin; i < function.variables.end; ++i) {
      const uint32_t variable = uses_.variables[i];
      if (std::exchange(variableRounds_[variable], round_) != round_)
        result.variables.push_back(variable);
    }
  }
  std::ranges::sort(result.variables);
  return result;
}

}  // namespace heapsmith::reflect
