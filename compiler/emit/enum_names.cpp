// SPDX-License-Identifier: MIT
#include "emit/enum_names.h"

#include <iterator>

#include "heapsmith/manifest.h"

namespace heapsmith::emit {

std::vector<std::string> stage_names(uint32_t stages) {
  std::vector<std::string> names;
  for (uint32_t bit = 1; bit <= static_cast<uint32_t>(ShaderStage::Callable); bit <<= 1) {
    if (stages & bit) names.emplace_back(to_string(static_cast<ShaderStage>(bit)));
  }
  return names;
}

std::vector<std::string> resource_mask_names(uint32_t mask) {
  static constexpr const char* kNames[] = {"SAMPLER",
                                           "SAMPLED_IMAGE",
                                           "READ_ONLY_IMAGE",
                                           "READ_WRITE_IMAGE",
                                           "COMBINED_SAMPLED_IMAGE",
                                           "UNIFORM_BUFFER",
                                           "READ_ONLY_STORAGE_BUFFER",
                                           "READ_WRITE_STORAGE_BUFFER",
                                           "ACCELERATION_STRUCTURE",
                                           "TENSOR_ARM"};
  std::vector<std::string> names;
  for (size_t bit = 0; bit < std::size(kNames); ++bit) {
    if (mask & (1u << bit)) names.emplace_back(kNames[bit]);
  }
  return names;
}

}  // namespace heapsmith::emit
