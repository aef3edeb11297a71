// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "rewrite/context.h"

namespace heapsmith::rewrite {

/// Pointers into which buffers' contents are of interest besides those to whole blocks.
struct FollowedContents {
  bool bufferBlocks = false;  ///< they change their class
  bool data = false;          ///< of buffers without a descriptor
};

/// By type: whether values of it may lead to a resource (Objects). Pointers to descriptors and to
/// blocks do, and so do arrays of descriptors and images with their samplers.
[[nodiscard]] std::vector<uint8_t> followed_types(const Context& context,
                                                  const FollowedContents& contents);

}  // namespace heapsmith::rewrite
