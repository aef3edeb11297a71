// SPDX-License-Identifier: MIT
#include "input/close_names.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

namespace heapsmith::input {
namespace {

constexpr size_t kLongestName = 64;  // the distance costs the product of the lengths
constexpr size_t kMostNames = 3;

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

/// Levenshtein's: how many letters to insert, delete or replace. Case does not count.
size_t distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 0; i < a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i + 1;
    for (size_t j = 0; j < b.size(); ++j) {
      const size_t replaced = diagonal + (lower(a[i]) == lower(b[j]) ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row[b.size()];
}

}  // namespace

std::string did_you_mean(std::string_view name, std::span<const std::string_view> candidates) {
  if (name.empty() || name.size() > kLongestName) return {};
  std::vector<std::pair<size_t, std::string_view>> near;
  for (const std::string_view candidate : candidates) {
    if (candidate.size() > kLongestName) continue;
    const size_t letters = distance(name, candidate);
    const bool isPart = name.size() >= 3 && candidate.find(name) != std::string_view::npos;
    if (isPart || letters <= std::max<size_t>(1, name.size() / 3))
      near.emplace_back(letters, candidate);
  }
  if (near.empty()) return {};
  std::ranges::sort(near);

  std::string text = "; did you mean ";
  const size_t count = std::min(near.size(), kMostNames);
  for (size_t i = 0; i < count; ++i) {
    if (i != 0) text += i + 1 == count ? " or " : ", ";
    text += '\'';
    text += near[i].second;
    text += '\'';
  }
  return text + "?";
}

}  // namespace heapsmith::input
