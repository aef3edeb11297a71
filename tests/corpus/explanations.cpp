// SPDX-License-Identifier: MIT
#include "explanations.h"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>

namespace corpus {

void Explanations::read(const std::string& file) {
  const auto json = nlohmann::json::parse(std::ifstream(file));
  for (const auto& entry : json.at("explanations")) {
    explanations_.push_back({.problem = std::regex(entry.at("problem").get<std::string>()),
                             .right = entry.at("right"),
                             .why = entry.at("why"),
                             .last = {}});
  }
}

bool Explanations::explain(const std::string& unit, const std::string& key,
                           const std::string& text) {
  const std::string line = unit + ": " + key + ": " + text;
  const auto explanation = std::ranges::find_if(explanations_, [&](const Explanation& candidate) {
    return std::regex_search(line, candidate.problem);
  });
  if (explanation == explanations_.end()) return false;
  if (explanation->last != unit) ++explanation->units;
  explanation->last = unit;
  return true;
}

void Explanations::print() const {
  for (const Explanation& explanation : explanations_) {
    if (explanation.units == 0) continue;
    std::printf("explained for %4zu (right: %s): %s\n", explanation.units,
                explanation.right.c_str(), explanation.why.c_str());
  }
}

}  // namespace corpus
