// SPDX-License-Identifier: MIT
#include "plan/math_types.h"

#include <format>
#include <string_view>
#include <utility>

namespace heapsmith::plan {
namespace {

MathTypes make_glm() {
  MathTypes glm = {.includes = {"<glm/glm.hpp>"}, .types = {}};
  const std::pair<std::string_view, std::string_view> scalars[] = {
      {"float32", ""}, {"float64", "d"}, {"int32", "i"}, {"uint32", "u"}};
  for (const auto& [scalar, prefix] : scalars) {
    for (int n = 2; n <= 4; ++n)
      glm.types[std::format("{}x{}", scalar, n)] = std::format("glm::{}vec{}", prefix, n);
  }
  for (const auto& [scalar, prefix] : {scalars[0], scalars[1]}) {
    for (int columns = 2; columns <= 4; ++columns) {
      for (int rows = 2; rows <= 4; ++rows)
        glm.types[std::format("{}x{}x{}", scalar, columns, rows)] =
            std::format("glm::{}mat{}x{}", prefix, columns, rows);
    }
  }
  return glm;
}

// DirectXMath multiplies row vectors by row-major matrices, which lie in memory as column-major
// ones do that multiply column vectors.
MathTypes make_directxmath() {
  MathTypes math = {.includes = {"<DirectXMath.h>"}, .types = {}};
  const std::pair<std::string_view, std::string_view> scalars[] = {
      {"float32", "FLOAT"}, {"int32", "INT"}, {"uint32", "UINT"}};
  for (const auto& [scalar, name] : scalars) {
    for (int n = 2; n <= 4; ++n)
      math.types[std::format("{}x{}", scalar, n)] = std::format("DirectX::XM{}{}", name, n);
  }
  math.types["float32x4x4"] = "DirectX::XMFLOAT4X4";
  math.types["float32x3x3"] = "DirectX::XMFLOAT3X3";
  return math;
}

}  // namespace

const MathTypes* find_math_types(const std::string& name) {
  static const MathTypes kGlm = make_glm();
  static const MathTypes kDirectXMath = make_directxmath();
  if (name == "glm") return &kGlm;
  if (name == "directxmath") return &kDirectXMath;
  return nullptr;
}

}  // namespace heapsmith::plan
