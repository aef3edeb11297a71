// SPDX-License-Identifier: MIT
#include "pipelines_report.h"

#include <cstdio>
#include <map>

#include "explanations.h"

namespace corpus {
namespace {

constexpr size_t kMostShown = 5;  // of one kind of open problem

struct Canaries {
  size_t noticed = 0;
  size_t all = 0;
};

class Report {
 public:
  explicit Report(const std::string& file) { explanations_.read(file); }

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
    explanations_.print();
    return open_.empty();
  }

 private:
  void explain(const Outcome& outcome, const Problem& problem) {
    if (explanations_.explain(outcome.unit, problem.key, problem.text)) return;
    if (++open_[problem.key] <= kMostShown)
      std::printf("unexplained: %s: %s: %s\n", outcome.unit.c_str(), problem.key.c_str(),
                  problem.text.c_str());
  }

  Explanations explanations_;
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
