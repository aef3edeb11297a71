// SPDX-License-Identifier: MIT
#include "cover.h"

#include <cctype>
#include <format>
#include <optional>

#include "image_shapes.h"
#include "input/shader_source.h"

namespace equality {
namespace {

using namespace heapsmith;

/// "float32x4[2]" taken apart.
struct VaryingType {
  std::string scalar;
  uint32_t columns = 1;
  uint32_t rows = 1;  ///< components
};

std::optional<VaryingType> parse_type(const std::string& text) {
  VaryingType type;
  const size_t end = std::min(text.find('['), text.size());
  const size_t cross = std::min(text.find('x'), end);
  type.scalar = text.substr(0, cross);
  if (type.scalar != "float32" && type.scalar != "int32" && type.scalar != "uint32")
    return std::nullopt;
  std::vector<uint32_t> numbers;
  for (size_t at = cross; at < end; at += 2)
    numbers.push_back(static_cast<uint32_t>(text[at + 1] - '0'));
  if (!numbers.empty()) type.rows = numbers.back();
  if (numbers.size() == 2) type.columns = numbers.front();
  return type;
}

/// "vec3", "uint"
std::string glsl_type(const VaryingType& type) {
  const std::string prefix = type.scalar == "float32" ? "" : type.scalar.substr(0, 1);
  if (type.rows > 1)
    return std::format("{}vec{}", type.scalar == "float32" ? "" : prefix, type.rows);
  return type.scalar == "float32" ? "float" : type.scalar.substr(0, type.scalar.size() - 2);
}

/// A value below the bound, for each component, that depends on the vertex.
std::string glsl_value(const VaryingType& type, uint32_t location, uint32_t below) {
  std::string values;
  for (uint32_t component = 0; component < type.rows; ++component) {
    if (component != 0) values += ", ";
    const uint32_t salt = location * 5 + component * 3;
    if (type.scalar == "float32") {
      values += std::format("number({}u, {}u)", salt, 16 * below - 1);
    } else {
      values += std::format("{}({}u)", type.scalar == "int32" ? "int" : "uint", salt % below);
    }
  }
  return std::format("{}({})", glsl_type(type), values);
}

std::expected<std::string, std::string> cover_source(const Scene& scene) {
  std::string declarations;
  std::string stores;
  for (const Varying& input : scene.inputs) {
    const auto type = parse_type(input.type);
    if (!type) return std::unexpected("it reads an input of an unusual type");
    // Arrays and matrices are as many outputs, one a location: stages match by location.
    const uint32_t count = locations_of(input.type) * type->columns;
    for (uint32_t location = input.location; location < input.location + count; ++location) {
      const std::string name = std::format("v{}_{}", location, input.component);
      declarations += std::format("layout(location = {}, component = {}) out {} {};\n", location,
                                  input.component, glsl_type(*type), name);
      stores += std::format("  {} = {};\n", name,
                            glsl_value(*type, location + input.component, scene.numbersBelow));
    }
  }
  return std::format(
      "#version 460\n"
      "{}"
      "float number(uint salt, uint below) {{\n"
      "  return float((salt + uint(gl_VertexIndex) * 7u) % below) / 16.0;\n"
      "}}\n"
      "void main() {{\n"
      "{}"
      "  gl_Position = vec4(gl_VertexIndex == 1 ? 3.0 : -1.0, gl_VertexIndex == 2 ? 3.0 : -1.0,\n"
      "                     0.25, 1.0);\n"
      "}}\n",
      declarations, stores);
}

}  // namespace

std::expected<std::vector<uint32_t>, std::string> cover_shader(const Scene& scene) {
  const auto source = cover_source(scene);
  if (!source) return std::unexpected(source.error());
  Diagnostics diagnostics;
  auto compiled = input::compile_glsl(*source, "cover.vert", ShaderStage::Vertex, {}, diagnostics);
  if (!compiled) return std::unexpected("no vertex shader fits: " + diagnostics.all().front().text);
  return std::move(compiled->words);
}

}  // namespace equality
