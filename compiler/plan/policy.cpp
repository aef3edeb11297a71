// SPDX-License-Identifier: MIT
#include "plan/policy.h"

#include <algorithm>

namespace heapsmith::plan {

bool is_policy_name(std::string_view name) {
  const auto is_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  const auto is_part = [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); };
  return !name.empty() && is_letter(name.front()) && std::ranges::all_of(name, is_part);
}

}  // namespace heapsmith::plan
