// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>

#include "reflect/context.h"
#include "reflect/shader_interface.h"

namespace heapsmith::reflect {

struct Classification {
  DescriptorType type{};
  ResourceKind kind{};
  std::optional<ImageFacts> image = std::nullopt;
  uint32_t blockType = 0;  ///< the structure, for buffers
  bool readOnly = false;   ///< by the variable's decorations
  bool writeOnly = false;
};

struct ClassificationDefect {
  Code code{};
  std::string text;
};

/// What descriptor a variable of that storage class stands for. `type`: the variable's type without
/// arrays.
[[nodiscard]] std::expected<Classification, ClassificationDefect> classify_type(
    const Context& context, uint32_t variable, spv::StorageClass storage, uint32_t type);

/// "uint32", "float16", "bool": a scalar type's name; empty for other types.
[[nodiscard]] std::string scalar_name(const spirv::Module& module, uint32_t type);

}  // namespace heapsmith::reflect
