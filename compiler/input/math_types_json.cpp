// SPDX-License-Identifier: MIT
#include "input/math_types_json.h"

#include <algorithm>
#include <string_view>

#include "input/json_object.h"
#include "input/json_text.h"

namespace heapsmith::input {
namespace {

// Both end up as source text, so that only what can be one is taken.
bool is_include(std::string_view text) {
  const bool angles = text.size() > 2 && text.front() == '<' && text.back() == '>';
  const bool quotes = text.size() > 2 && text.front() == '"' && text.back() == '"';
  if (!angles && !quotes) return false;
  return text.substr(1, text.size() - 2).find_first_of("<>\"\\\n") == std::string_view::npos;
}

bool is_cpp_type(std::string_view text) {
  constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_";
  constexpr std::string_view kOthers = "0123456789:<>, ";
  const auto fits = [&](char c) { return kLetters.contains(c) || kOthers.contains(c); };
  return !text.empty() && kLetters.contains(text.front()) && std::ranges::all_of(text, fits);
}

// "float32x3", "uint8x4x2": a scalar, then components or columns and rows.
bool is_type_key(std::string_view text) {
  constexpr std::string_view kScalars[] = {"float16", "float32", "float64", "int8",
                                           "int16",   "int32",   "int64",   "uint8",
                                           "uint16",  "uint32",  "uint64"};
  const auto is_dimension = [](std::string_view part) {
    return part.size() == 2 && part[0] == 'x' && part[1] >= '2' && part[1] <= '4';
  };
  for (const std::string_view scalar : kScalars) {
    if (!text.starts_with(scalar)) continue;
    const std::string_view rest = text.substr(scalar.size());
    if (is_dimension(rest)) return true;
    if (rest.size() == 4 && is_dimension(rest.substr(0, 2)) && is_dimension(rest.substr(2)))
      return true;
  }
  return false;
}

}  // namespace

Diagnosed<plan::MathTypes> parse_math_types(std::string_view text, const std::string& file,
                                            Diagnostics& diagnostics) {
  const auto root = parse_json(text, file, diagnostics);
  if (!root) return std::unexpected(root.error());
  JsonErrors errors(file, Code::InvalidMathTypes, diagnostics);
  plan::MathTypes math_types;
  JsonObject in(*root, errors);
  (void)in.string_or("$schema", "");
  if (const JsonValue* includes = in.array_or_null("includes")) {
    math_types.includes = read_strings(*includes, errors).value_or(std::vector<std::string>());
    if (!std::ranges::all_of(math_types.includes, is_include))
      errors.at(*includes, "an include is <FILE> or \"FILE\"");
  }
  if (const JsonValue* types = in.object("types")) {
    for (const JsonValue& type : types->children) {
      if (!is_type_key(type.key))
        errors.at_key(type, "is no vector (\"float32x3\") and no matrix (\"float32x4x4\")");
      const std::string name = read_string(type, errors).value_or("");
      if (type.kind == JsonValue::Kind::String && !is_cpp_type(name))
        errors.at(type, "is no C++ type");
      math_types.types[type.key] = name;
    }
  }
  in.finish();
  if (errors.any()) return errors.failed();
  return math_types;
}

}  // namespace heapsmith::input
