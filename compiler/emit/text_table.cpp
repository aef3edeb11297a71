// SPDX-License-Identifier: MIT
#include "emit/text_table.h"

#include <algorithm>
#include <format>

namespace heapsmith::emit {
namespace {

/// Columns that UTF-8 takes up, to a first approximation.
size_t width_of(std::string_view text) {
  return static_cast<size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

}  // namespace

void TextTable::print(size_t indent, std::string& text) const {
  std::vector<size_t> widths;
  for (const auto& row : rows_) {
    widths.resize(std::max(widths.size(), row.size()));
    for (size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], width_of(row[i]));
  }
  for (const auto& row : rows_) {
    text.append(indent, ' ');
    for (size_t i = 0; i < row.size(); ++i) {
      if (widths[i] == 0) continue;
      text += row[i];
      text.append(widths[i] - width_of(row[i]) + 2, ' ');
    }
    while (!text.empty() && text.back() == ' ')
      text.pop_back();
    text += '\n';
  }
}

std::string printable(std::string_view name) {
  std::string result;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7F)
      result += std::format("\\x{:02X}", byte);
    else
      result += c;
  }
  return result;
}

std::string join(const std::vector<std::string>& words, std::string_view between) {
  std::string result;
  for (const std::string& word : words) {
    if (&word != &words.front()) result += between;
    result += word;
  }
  return result;
}

}  // namespace heapsmith::emit
