// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace heapsmith::emit {

/// Rows of cells, printed in columns that are as wide as they must be.
class TextTable {
 public:
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  /// Appends the rows, each behind `indent` blanks. No line ends in a blank.
  void print(size_t indent, std::string& text) const;

 private:
  std::vector<std::vector<std::string>> rows_;
};

/// A name with its control characters as \xNN, so that it stays on its line.
[[nodiscard]] std::string printable(std::string_view name);

/// Words with something between them.
[[nodiscard]] std::string join(const std::vector<std::string>& words, std::string_view between);

}  // namespace heapsmith::emit
