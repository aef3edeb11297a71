// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "spirv/annotations.h"
#include "spirv/module.h"

namespace heapsmith::spirv {

/// The low word of an integer constant that nobody can change, not even by a SpecId.
[[nodiscard]] std::optional<uint32_t> literal_value(const Module& module, uint32_t id);

/// The values of integer and boolean constants, specialization constants at their defaults. Refers
/// to the module and its annotations, which must live longer.
class Constants {
 public:
  Constants(const Module& module, const Annotations& annotations);

  /// The value, truncated to the width of its type; nothing where it is not known or no such
  /// constant.
  [[nodiscard]] std::optional<uint64_t> value(uint32_t id) const;

  /// The SpecIds that a constant depends on, ascending; nothing if finding them takes too long.
  [[nodiscard]] std::optional<std::vector<uint32_t>> spec_ids(uint32_t id) const;

 private:
  const Module* module_;
  const Annotations* annotations_;
  std::unordered_map<uint32_t, uint64_t> folded_;  // results of OpSpecConstantOp that are known
};

}  // namespace heapsmith::spirv
