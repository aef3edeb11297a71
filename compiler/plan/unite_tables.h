// SPDX-License-Identifier: MIT
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "base/diagnostics.h"
#include "reflect/program_interface.h"

namespace heapsmith::plan {

/// What a descriptor set layout says of a binding.
struct BindingShape {
  uint32_t binding = 0;
  DescriptorType type{};
  ArrayKind arrayKind{};
  uint64_t count = 1;
  std::vector<uint32_t> dims;
  friend auto operator<=>(const BindingShape&, const BindingShape&) = default;
};
using Shape = std::vector<BindingShape>;

/// Sets of equal shape have the same bindings: one descriptor set layout would serve them all.
[[nodiscard]] Shape shape_of(const std::vector<reflect::ProgramBinding>& set);

/// Adds the stages, views and buffer sizes of a set of the same shape.
void unite_uses(std::vector<reflect::ProgramBinding>& into,
                const std::vector<reflect::ProgramBinding>& from);

/// Makes `into` serve both, if one descriptor type serves every binding that they have in common.
/// Else reports each binding where none does (SharedTableConflict) and returns false.
[[nodiscard]] bool unite(std::vector<reflect::ProgramBinding>& into,
                         const std::vector<reflect::ProgramBinding>& from,
                         Diagnostics& diagnostics);

}  // namespace heapsmith::plan
