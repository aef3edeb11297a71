// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "rewrite/context.h"
#include "rewrite/objects.h"

namespace heapsmith::rewrite {

/// The storage blocks that no shader code writes: their members become NonWritable. Drivers find
/// that out for variables by themselves, but not for pointers; without it AMD's compiler does not
/// use scalar loads.
class ReadOnlyBlocks {
 public:
  [[nodiscard]] static ReadOnlyBlocks find(const Context& context, const Objects& objects);

  [[nodiscard]] bool has(uint32_t block) const;
  /// Decorates the members. `gone`: what is no longer defined.
  void mark(const Context& context, const std::vector<uint8_t>& gone) const;

 private:
  std::vector<uint32_t> blocks_;  // ascending
};

}  // namespace heapsmith::rewrite
