// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "rewrite/context.h"
#include "rewrite/objects.h"

namespace heapsmith::rewrite {

/// The words that a function needs of push data or of the shader record.
struct WordNeeds {
  std::set<uint32_t> offsets;                   ///< bytes
  const reflect::Resource* resource = nullptr;  ///< one that they are for
};

/// By function. `storage`: PushConstant or ShaderRecordBufferKHR.
[[nodiscard]] std::vector<WordNeeds> find_word_needs(const Context& context, const Objects& objects,
                                                     spv::StorageClass storage);

}  // namespace heapsmith::rewrite
