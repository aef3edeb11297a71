// SPDX-License-Identifier: MIT
#include "input/math_types_json.h"

#include <algorithm>
#include <regex>

#include "input/json_object.h"
#include "input/json_text.h"

namespace heapsmith::input {
namespace {

// Both end up as source text, so that only what can be one is taken.
bool is_include(const std::string& text) {
  static const std::regex kInclude("<[^<>\"\\n]+>|\"[^<>\"\\n]+\"");
  return std::regex_match(text, kInclude);
}
bool is_type_key(const std::string& text) {
  static const std::regex kKey("(float|u?int)(8|16|32|64)x[2-4](x[2-4])?");
  return std::regex_match(text, kKey);
}
bool is_cpp_type(const std::string& text) {
  static const std::regex kType("[A-Za-z_][A-Za-z0-9_:<>, ]*");
  return std::regex_match(text, kType);
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
