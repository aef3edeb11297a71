// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "forms.h"

namespace bench {

/// A ratio, and who has it.
struct Worst {
  double ratio = 0;
  std::string name;

  void take(double other, const std::string& whose) {
    if (other > ratio) *this = {other, whose};
  }
};

/// What the executables of one form are to those of another one.
struct Against {
  size_t executables = 0;
  size_t identical = 0;
  double logInstructions = 0;  ///< sums of logarithms of ratios
  double logLatency = 0;
  Worst instructions;
  Worst latency;
  std::vector<std::string> different;
};

/// The same of the shaders that programs are made of; and of tests, which go through everything
/// that there is: those that the driver can treat alike in both forms, and those that it cannot.
struct AgainstPeer {
  Against programs;
  Against tests;
  Against limitedTests;
};

/// Takes in what was compiled for one chip, and holds it to the goals.
class CodeReport {
 public:
  /// `folder`: where to leave the code of executables that differ; empty: nowhere.
  explicit CodeReport(std::filesystem::path folder) : folder_(std::move(folder)) {}

  void add(const CompiledUnit& unit, bool isTest);
  /// Prints the tables. False if a goal is missed.
  [[nodiscard]] bool print(const std::string& chip) const;

 private:
  /// `stages`: nothing of the executables of others.
  void compare(const CompiledUnit& unit, Form form, Form reference, VkShaderStageFlags stages,
               Against& result);
  void leave_code(const std::string& name, Form form, const std::string& code) const;
  [[nodiscard]] bool print_goals() const;

  std::filesystem::path folder_;
  size_t units_ = 0;
  std::map<std::string, size_t> leftOut_;  // units by reason
  std::array<size_t, kFormCount> refused_{};
  std::array<Against, kFormCount> againstSets_;
  std::array<AgainstPeer, kFormCount> againstPeer_;  // what each must equal, see kPeers
  std::vector<std::string> failures_;
};

}  // namespace bench
