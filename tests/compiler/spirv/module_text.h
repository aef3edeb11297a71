// SPDX-License-Identifier: MIT
#pragma once

#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <span>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "spirv/assemble.h"
#include "spirv/parse.h"
#include "spirv/validate.h"

/// Modules from and to assembly text, for tests.
namespace heapsmith::spirv::test {

inline std::vector<uint32_t> words_of(const std::string& text, uint32_t version = 0x00010300) {
  Diagnostics diagnostics;
  auto words = assemble(text, {.version = version}, "test.spvasm", diagnostics);
  for (const Diagnostic& diagnostic : diagnostics.all())
    UNSCOPED_INFO(diagnostic.text);
  REQUIRE(words.has_value());
  return std::move(*words);
}

inline Module parsed(const std::vector<uint32_t>& words) {
  Diagnostics diagnostics;
  auto module = parse_module(std::as_bytes(std::span(words)), "test.spv", diagnostics);
  for (const Diagnostic& diagnostic : diagnostics.all())
    UNSCOPED_INFO(diagnostic.text);
  REQUIRE(module.has_value());
  return std::move(*module);
}

/// One instruction a line, without indentation; names as spirv-dis makes them up.
inline std::string text_of(const std::vector<uint32_t>& words) {
  Diagnostics diagnostics;
  const auto text = disassemble(words, true, "test.spv", diagnostics);
  REQUIRE(text.has_value());
  std::string result;
  std::istringstream lines(*text);
  for (std::string line; std::getline(lines, line);) {
    const size_t begin = line.find_first_not_of(' ');
    if (begin != std::string::npos && line[begin] != ';') result += line.substr(begin) + "\n";
  }
  return result;
}

/// Assembly text in the form of text_of(): for texts in a test's source.
inline std::string plain(const std::string& text) {
  std::string result;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const size_t begin = line.find_first_not_of(' ');
    if (begin != std::string::npos) result += line.substr(begin) + "\n";
  }
  return result;
}

inline void require_valid(const std::vector<uint32_t>& words,
                          const ValidationOptions& options = {}) {
  Diagnostics diagnostics;
  const bool valid =
      validate_module(words, options, "test.spv", Code::InvalidSpirv, diagnostics).has_value();
  const std::string text = valid ? std::string() : text_of(words);
  UNSCOPED_INFO(text);
  for (const Diagnostic& diagnostic : diagnostics.all())
    UNSCOPED_INFO(diagnostic.text);
  REQUIRE(valid);
}

}  // namespace heapsmith::spirv::test
