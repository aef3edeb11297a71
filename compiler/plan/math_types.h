// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>
#include <vector>

namespace heapsmith::plan {

/// The application's own types for vectors and matrices in generated structs. A key is "float32x3"
/// for a vector, "float32x4x4" for a column-major matrix of 4 columns and 4 rows without padding. A
/// mapped type must have exactly the size and at most the alignment of what it stands for; the
/// header asserts offsets and sizes.
struct MathTypes {
  std::vector<std::string> includes;  ///< as they follow #include: "<glm/glm.hpp>"
  std::map<std::string, std::string> types;
};

/// "glm" and "directxmath"; nullptr for other names.
[[nodiscard]] const MathTypes* find_math_types(const std::string& name);

}  // namespace heapsmith::plan
