// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "rewrite/memory_layout.h"
#include "rewrite/objects.h"

namespace heapsmith::rewrite {

/// A pointer to or into a buffer that has no descriptor.
struct DataPointer {
  const Object* object = nullptr;
  Place place;
  uint32_t alignment = 1;  ///< what its address is surely a multiple of
};

/// All such pointers of a module. Unlike pointers into buffers with descriptors they change as
/// far as they go, since they get another storage class, or none.
class DataPointers {
 public:
  [[nodiscard]] static DataPointers find(const Context& context, const Objects& objects);

  /// Null for all else.
  [[nodiscard]] const DataPointer* of(uint32_t id) const {
    return id < indices_.size() && indices_[id] != 0 ? &all_[indices_[id] - 1] : nullptr;
  }

 private:
  void add(uint32_t id, const DataPointer& pointer, std::vector<uint32_t>& open);
  [[nodiscard]] static DataPointer derive(const Context& context, const DataPointer& base,
                                          spirv::Instruction instruction);

  std::vector<DataPointer> all_;
  std::vector<uint32_t> indices_;  // by id: index in all_ plus one; empty if there are none
};

}  // namespace heapsmith::rewrite
