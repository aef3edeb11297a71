// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <regex>
#include <string>
#include <vector>

namespace corpus {

/// What a run finds and a list explains: {"explanations": [{"problem", "right", "why"}]}, where the
/// regular expression `problem` is searched for in "UNIT: KEY: TEXT".
class Explanations {
 public:
  void read(const std::string& file);

  /// Whether the list explains it. A unit counts once for an explanation, if its problems come one
  /// after another.
  [[nodiscard]] bool explain(const std::string& unit, const std::string& key,
                             const std::string& text);

  void print() const;

 private:
  struct Explanation {
    std::regex problem;
    std::string right;  ///< who is right
    std::string why;
    size_t units = 0;
    std::string last;  ///< of those
  };
  std::vector<Explanation> explanations_;
};

}  // namespace corpus
