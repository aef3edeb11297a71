// SPDX-License-Identifier: MIT
#include "emit/depfile.h"

namespace heapsmith::emit {
namespace {

// As gcc does it: blanks and '#' get a backslash, and backslashes in front of them double; '$'
// doubles.
std::string escaped(const std::string& path) {
  std::string text;
  size_t backslashes = 0;
  for (const char c : path) {
    if (c == ' ' || c == '\t' || c == '#') text.append(backslashes + 1, '\\');
    if (c == '$') text += '$';
    text += c;
    backslashes = c == '\\' ? backslashes + 1 : 0;
  }
  return text;
}

}  // namespace

std::string depfile(std::span<const std::string> targets, std::span<const std::string> inputs) {
  std::string text;
  for (const std::string& target : targets) {
    if (!text.empty()) text += " \\\n  ";
    text += escaped(target);
  }
  text += ":";
  for (const std::string& input : inputs)
    text += " \\\n  " + escaped(input);
  return text + "\n";
}

}  // namespace heapsmith::emit
