// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "reflect/context.h"

namespace heapsmith::reflect {

/// Two facts about types that following resources through functions needs, by type id.
class DescriptorTypes {
 public:
  explicit DescriptorTypes(const Context& context);

  /// Whether a value of the type may stand for a resource: images, samplers and the like, pointers
  /// into resources, and pointers to variables that hold those. Not buffer addresses: what they
  /// point to is no resource.
  [[nodiscard]] bool is_tracked(uint32_t type) const {
    return type < tracked_.size() && tracked_[type];
  }

  /// Whether it is a pointer to memory that holds such values: what is stored through one is loaded
  /// through another.
  [[nodiscard]] bool holds_tracked(uint32_t type) const {
    return type < holds_.size() && holds_[type];
  }

  /// How many indices pick a descriptor out of what has that type. Arrays inside of a block pick
  /// none.
  [[nodiscard]] uint32_t array_levels(uint32_t type) const {
    return type < levels_.size() && levels_[type] != kNoDescriptor ? levels_[type] : 0;
  }

 private:
  static constexpr uint16_t kNoDescriptor = 0xFFFF;

  void read_type(const Context& context, spirv::Instruction type);

  std::vector<uint8_t> tracked_;
  std::vector<uint8_t> holds_;
  std::vector<uint16_t> levels_;
};

}  // namespace heapsmith::reflect
