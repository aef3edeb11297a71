// SPDX-License-Identifier: MIT
#include "pipelines_report.h"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>

namespace corpus {
namespace {

constexpr size_t kMostShown = 5;  // of one kind of open problem

struct Explanation {
  std::regex problem;  // matches "UNIT: KEY: TEXT"
  std::string right;   // who is right
  std::string why;
  size_t programs = 0;
  const Outcome* last = nullptr;  // of those, so that each counts once
};

struct Canaries {
  size_t noticed = 0;
  size_t all = 0;
};

class Report {
 public:
  explicit Report(const std::string& file) {
    const auto json = nlohmann::json::parse(std::ifstream(file));
    for (const auto& entry : json.at("explanations")) {
      explanations_.push_back(
          {std::regex(entry.at("problem").get<std::string>()), entry.at("right"), entry.at("why")});
    }
  }

  void add(const Outcome& outcome) {
    mapped_ += outcome.isMapped;
    if (outcome.problems.empty()) ++created_;
    if (outcome.canary != Canary::None) ++canaries_.all;
    if (outcome.canary == Canary::Noticed) ++canaries_.noticed;
    for (const Problem& problem : outcome.problems)
      explain(outcome, problem);
    if (!outcome.problems.empty()) ++troubled_[outcome.problems.front().key];
  }

  bool print(const Units& units, size_t programs) const {
    std::printf("%zu modules, %zu pairs of a vertex and a fragment shader: %zu programs\n",
                units.modules, units.pairs, programs);
    std::printf("%8zu mapped by heapsmith\n", mapped_);
    std::printf("%8zu of them created, with a silent validation layer\n", created_);
    for (const auto& [key, count] : troubled_)
      std::printf("%8zu not, because of %s\n", count, key.c_str());
    std::printf("%8zu created once more, one mapping short: the layer objects to %zu\n",
                canaries_.all, canaries_.noticed);
    for (const Explanation& explanation : explanations_) {
      if (explanation.programs == 0) continue;
      std::printf("explained for %4zu (right: %s): %s\n", explanation.programs,
                  explanation.right.c_str(), explanation.why.c_str());
    }
    return open_.empty();
  }

 private:
  void explain(const Outcome& outcome, const Problem& problem) {
    const std::string line = outcome.unit + ": " + problem.key + ": " + problem.text;
    const auto explanation = std::ranges::find_if(explanations_, [&](const Explanation& candidate) {
      return std::regex_search(line, candidate.problem);
    });
    if (explanation != explanations_.end()) {
      if (explanation->last != &outcome) ++explanation->programs;
      explanation->last = &outcome;
      return;
    }
    if (++open_[problem.key] <= kMostShown) std::printf("unexplained: %s\n", line.c_str());
  }

  std::vector<Explanation> explanations_;
  std::map<std::string, size_t> troubled_;  // programs, by their first problem
  std::map<std::string, size_t> open_;
  Canaries canaries_;
  size_t mapped_ = 0;
  size_t created_ = 0;
};

}  // namespace

bool report(const Units& units, const std::vector<Outcome>& outcomes,
            const std::string& explanations) {
  Report report(explanations);
  for (const Outcome& outcome : outcomes)
    report.add(outcome);
  return report.print(units, outcomes.size());
}

}  // namespace corpus
