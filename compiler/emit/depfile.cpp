// SPDX-License-Identifier: MIT
#include "emit/depfile.h"

namespace heapsmith::emit {
namespace {

// As gcc does it: spaces and '#' get a backslash, '$' doubles.
std::string escaped(const std::string& path) {
  std::string text;
  for (const char c : path) {
    if (c == ' ' || c == '#') text += '\\';
    if (c == '$') text += '$';
    text += c;
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
