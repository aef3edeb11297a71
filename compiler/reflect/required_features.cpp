// SPDX-License-Identifier: MIT
#include "reflect/required_features.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <unordered_set>

namespace heapsmith::reflect {
namespace {

struct Row {
  std::string_view capability;
  std::string_view features;  ///< separated by blanks
};

constexpr Row kRows[] = {
#define HEAPSMITH_CAPABILITY(capability, features) {#capability, features},
#include "reflect/capability_features.def"
#undef HEAPSMITH_CAPABILITY
};
static_assert(std::ranges::is_sorted(kRows, {}, &Row::capability));

std::vector<std::string> split(std::string_view words) {
  std::vector<std::string> parts;
  while (!words.empty()) {
    const size_t end = std::min(words.find(' '), words.size());
    parts.emplace_back(words.substr(0, end));
    words.remove_prefix(std::min(end + 1, words.size()));
  }
  return parts;
}

}  // namespace

std::vector<RequiredFeature> required_features(std::span<const std::string> capabilities) {
  std::vector<RequiredFeature> required;
  std::unordered_set<std::string_view> seen;
  const auto add = [&](std::string_view capability) {
    const auto row = std::ranges::lower_bound(kRows, capability, {}, &Row::capability);
    if (row == std::end(kRows) || row->capability != capability) return;
    if (!seen.insert(row->capability).second) return;
    required.push_back({.capability = std::string(capability), .features = split(row->features)});
  };
  for (const std::string& capability : capabilities) {
    add(capability);
    if (capability == "DescriptorHeapEXT") add("UntypedPointersKHR");
  }
  return required;
}

}  // namespace heapsmith::reflect
