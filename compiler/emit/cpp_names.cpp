// SPDX-License-Identifier: MIT
#include "emit/cpp_names.h"

#include <algorithm>
#include <format>
#include <ranges>

namespace heapsmith::emit {
namespace {

// C++20's keywords and alternative tokens, sorted; `main`, which warnings dislike as a variable;
// and macros of the standard library, of GNU's C++ and of windows.h that shaders may well have as
// names.
constexpr std::string_view kReserved[] = {"NULL",
                                          "alignas",
                                          "alignof",
                                          "and",
                                          "and_eq",
                                          "asm",
                                          "assert",
                                          "auto",
                                          "bitand",
                                          "bitor",
                                          "bool",
                                          "break",
                                          "case",
                                          "catch",
                                          "char",
                                          "char16_t",
                                          "char32_t",
                                          "char8_t",
                                          "class",
                                          "co_await",
                                          "co_return",
                                          "co_yield",
                                          "compl",
                                          "concept",
                                          "const",
                                          "const_cast",
                                          "consteval",
                                          "constexpr",
                                          "constinit",
                                          "continue",
                                          "decltype",
                                          "default",
                                          "delete",
                                          "do",
                                          "double",
                                          "dynamic_cast",
                                          "else",
                                          "enum",
                                          "errno",
                                          "explicit",
                                          "export",
                                          "extern",
                                          "false",
                                          "far",
                                          "float",
                                          "for",
                                          "friend",
                                          "goto",
                                          "heapsmith",
                                          "i386",
                                          "if",
                                          "inline",
                                          "int",
                                          "interface",
                                          "linux",
                                          "long",
                                          "main",
                                          "mutable",
                                          "namespace",
                                          "near",
                                          "new",
                                          "noexcept",
                                          "not",
                                          "not_eq",
                                          "nullptr",
                                          "operator",
                                          "or",
                                          "or_eq",
                                          "private",
                                          "protected",
                                          "public",
                                          "register",
                                          "reinterpret_cast",
                                          "requires",
                                          "return",
                                          "short",
                                          "signed",
                                          "sizeof",
                                          "small",
                                          "static",
                                          "static_assert",
                                          "static_cast",
                                          "std",
                                          "stderr",
                                          "stdin",
                                          "stdout",
                                          "struct",
                                          "switch",
                                          "template",
                                          "this",
                                          "thread_local",
                                          "throw",
                                          "true",
                                          "try",
                                          "typedef",
                                          "typeid",
                                          "typename",
                                          "union",
                                          "unix",
                                          "unsigned",
                                          "using",
                                          "virtual",
                                          "void",
                                          "volatile",
                                          "wchar_t",
                                          "while",
                                          "xor",
                                          "xor_eq",
                                          "yield"};
static_assert(std::ranges::is_sorted(kReserved));

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

}  // namespace

std::string cpp_identifier(std::string_view name) {
  std::string identifier;
  for (const char c : name) {
    if (is_letter(c) || is_digit(c)) {
      identifier += c;
    } else if (!identifier.empty() && identifier.back() != '_') {
      identifier += '_';  // two in a row are reserved, and so is one in front
    }
  }
  if (identifier.empty()) return "unnamed";
  if (is_digit(identifier.front())) identifier.insert(0, "n");
  if (std::ranges::binary_search(kReserved, identifier)) identifier += '_';
  return identifier;
}

std::string CppScope::declare(std::string_view name) {
  std::string identifier = cpp_identifier(name);
  if (taken_.insert(identifier).second) return identifier;
  const std::string stem = identifier.ends_with('_') ? identifier : identifier + '_';
  int& number = last_number_.try_emplace(stem, 1).first->second;
  for (;;) {
    std::string unique = std::format("{}{}", stem, ++number);
    if (taken_.insert(unique).second) return unique;
  }
}

std::string cpp_string(std::string_view text) {
  std::string literal = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      literal += '\\';
      literal += c;
    } else if (byte >= 0x20 && byte < 0x7f && c != '?') {
      literal += c;
    } else {
      // Octal, since a hexadecimal escape has no end of its own.
      literal += std::format("\\{:03o}", byte);
    }
  }
  return literal + '"';
}

bool is_cpp_namespace(std::string_view name) {
  for (const auto part : std::views::split(name, std::string_view("::"))) {
    const std::string_view identifier(part.begin(), part.end());
    if (identifier.empty() || cpp_identifier(identifier) != identifier) return false;
  }
  return !name.empty();
}

}  // namespace heapsmith::emit
