// SPDX-License-Identifier: MIT
#pragma once

#include <vulkan/vulkan_core.h>

#include <cstddef>
#include <deque>
#include <vector>

namespace foreign_device {

/// Copies of pNext chains. What the application passes is const, so nothing of it may be changed
/// in place.
class CopiedChains {
 public:
  /// The copy's first struct. Null with `*unknown` set to the sType of a struct whose size is not
  /// known here.
  VkBaseOutStructure* copy(const void* chain, VkStructureType* unknown);

  template <typename T>
  T* array(std::vector<T> values) {
    const auto* bytes = reinterpret_cast<const std::byte*>(values.data());
    return reinterpret_cast<T*>(keep({bytes, bytes + values.size() * sizeof(T)}));
  }

 private:
  std::byte* keep(std::vector<std::byte> bytes);

  std::deque<std::vector<std::byte>> kept_;  // a vector's bytes are aligned for any Vulkan struct
};

template <typename T>
T* find_in_chain(VkBaseOutStructure* chain, VkStructureType type) {
  for (; chain != nullptr; chain = chain->pNext) {
    if (chain->sType == type) return reinterpret_cast<T*>(chain);
  }
  return nullptr;
}

template <typename T>
const T* find_in_chain(const void* chain, VkStructureType type) {
  for (auto* link = static_cast<const VkBaseInStructure*>(chain); link; link = link->pNext) {
    if (link->sType == type) return reinterpret_cast<const T*>(link);
  }
  return nullptr;
}

}  // namespace foreign_device
