// SPDX-License-Identifier: MIT
#include "code_report.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <format>
#include <fstream>
#include <utility>

namespace bench {
namespace {

struct Goal {
  double leastIdentical;  ///< of the executables
  double mostLatency;     ///< of any executable, as a ratio
};

/// Whose code the code of a form ought to equal.
struct Peer {
  Form form;
  Form reference;
  Goal goal;
  Goal limitedGoal;  ///< of tests that the driver treats worse: to become no worse than they are
};
constexpr Peer kPeers[] = {
    {Form::Mapped, Form::ByHand, {1.0, 1.0}, {1.0, 1.0}},
    {Form::Rewritten, Form::Mapped, {0.97, 1.10}, {0.0, 1.45}},
    {Form::PushWord, Form::PushIndex, {0.0, 1.10}, {0.0, 1.45}},
};
constexpr auto kAllStages = static_cast<VkShaderStageFlags>(-1);
constexpr size_t kMostNames = 12;

double ratio_of(uint64_t mine, uint64_t theirs) {
  return static_cast<double>(mine) / static_cast<double>(theirs);
}

double geometric_mean(double sumOfLogarithms, size_t count) {
  return count == 0 ? 1 : std::exp(sumOfLogarithms / static_cast<double>(count));
}

double share(size_t part, size_t whole) {
  return whole == 0 ? 1 : static_cast<double>(part) / static_cast<double>(whole);
}

std::string percent(double share) {
  return std::format("{:.1f} %", 100 * share);
}

void print_line(const std::string& line) {
  std::puts(line.c_str());
}

std::string summary(const Against& against) {
  return std::format("{} of {} identical ({}), worst latency {:.3f}, instructions {:.3f}",
                     against.identical, against.executables,
                     percent(share(against.identical, against.executables)), against.latency.ratio,
                     against.instructions.ratio);
}

bool meets(const Against& against, const Goal& goal) {
  return share(against.identical, against.executables) >= goal.leastIdentical &&
         against.latency.ratio <= goal.mostLatency;
}

/// Whether the goal is met.
bool print_against(const char* what, const Against& against, const Goal& goal) {
  const bool isMet = meets(against, goal);
  print_line(std::format("    {}, goal {} and {:.2f}: {}: {}", what, percent(goal.leastIdentical),
                         goal.mostLatency, summary(against), isMet ? "met" : "MISSED"));
  for (size_t i = 0; i < std::min(kMostNames, against.different.size()); ++i)
    print_line("      differs: " + against.different[i]);
  return isMet;
}

}  // namespace

void CodeReport::add(const CompiledUnit& unit, bool isTest) {
  for (const std::string& failure : unit.failures)
    failures_.push_back(unit.name + ": " + failure);
  if (!unit.leftOut.empty()) {
    ++leftOut_[unit.leftOut];
    return;
  }
  if (!unit.failures.empty()) return;
  ++units_;
  for (size_t form = 1; form < kFormCount; ++form) {
    refused_[form] += unit.forms[form] ? 0 : 1;
    compare(unit, static_cast<Form>(form), Form::Sets, kAllStages, againstSets_[form]);
  }
  for (const Peer& peer : kPeers) {
    auto& [programs, tests, limited] = againstPeer_[static_cast<size_t>(peer.form)];
    if (!isTest) {
      compare(unit, peer.form, peer.reference, kAllStages, programs);
      continue;
    }
    compare(unit, peer.form, peer.reference, ~unit.limitedStages, tests);
    compare(unit, peer.form, peer.reference, unit.limitedStages, limited);
  }
}

void CodeReport::compare(const CompiledUnit& unit, Form form, Form reference,
                         VkShaderStageFlags stages, Against& result) {
  if (!unit.of(form) || !unit.of(reference)) return;
  const auto& mine = *unit.of(form);
  const auto& theirs = *unit.of(reference);
  for (size_t i = 0; i < mine.size(); ++i) {
    if ((mine[i].stages & stages) == 0) continue;
    const std::string name = unit.name + ", " + mine[i].name;
    const double instructions = ratio_of(mine[i].instructions, theirs[i].instructions);
    const double latency = ratio_of(mine[i].latency, theirs[i].latency);
    ++result.executables;
    result.logInstructions += std::log(instructions);
    result.logLatency += std::log(latency);
    result.instructions.take(instructions, name);
    result.latency.take(latency, name);
    if (mine[i].code == theirs[i].code) {
      ++result.identical;
      continue;
    }
    if (reference == Form::Sets) continue;
    result.different.push_back(
        std::format("{} (instructions {:.3f}, latency {:.3f})", name, instructions, latency));
    leave_code(name, form, mine[i].code);
    leave_code(name, reference, theirs[i].code);
  }
}

void CodeReport::leave_code(const std::string& name, Form form, const std::string& code) const {
  if (folder_.empty()) return;
  std::filesystem::create_directories(folder_);
  std::string file = std::format("{}.{}.s", name, form_name(form));
  std::ranges::replace(file, '/', '_');
  std::ofstream(folder_ / file) << code;
}

bool CodeReport::print(const std::string& chip) const {
  print_line(std::format("{}: {} pipelines, {} executables", chip, units_,
                         againstSets_[static_cast<size_t>(Form::Mapped)].executables));
  print_line(std::format("  {:16} {:>6} {:>10} {:>22} {:>22}", "against sets", "count", "identical",
                         "instructions (worst)", "latency (worst)"));
  for (size_t form = 1; form < kFormCount; ++form) {
    const Against& all = againstSets_[form];
    print_line(std::format("  {:16} {:>6} {:>10} {:>14.3f} ({:.3f}) {:>14.3f} ({:.3f})",
                           form_name(static_cast<Form>(form)), all.executables,
                           percent(share(all.identical, all.executables)),
                           geometric_mean(all.logInstructions, all.executables),
                           all.instructions.ratio, geometric_mean(all.logLatency, all.executables),
                           all.latency.ratio));
    if (all.latency.ratio > 1)
      print_line(std::format("  {:16} worst latency: {}", "", all.latency.name));
    if (refused_[form] != 0) print_line(std::format("  {:16} {} refused", "", refused_[form]));
  }
  for (const auto& [why, count] : leftOut_)
    print_line(std::format("  left out: {}: {}", count, why));
  return print_goals();
}

bool CodeReport::print_goals() const {
  bool areMet = true;
  for (const Peer& peer : kPeers) {
    const auto& [programs, tests, limited] = againstPeer_[static_cast<size_t>(peer.form)];
    print_line(std::format("  {} against {}", form_name(peer.form), form_name(peer.reference)));
    areMet &=
        print_against("corpus and examples", programs, peer.goal) && programs.executables != 0;
    areMet &= print_against("tests", tests, peer.goal);
    areMet &= print_against("tests at the driver's limits", limited, peer.limitedGoal);
  }
  for (const std::string& failure : failures_)
    print_line("  FAILED " + failure);
  if (units_ == 0) print_line("  FAILED: nothing was compiled");
  return areMet && failures_.empty() && units_ != 0;
}

}  // namespace bench
