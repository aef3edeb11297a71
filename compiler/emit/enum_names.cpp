// SPDX-License-Identifier: MIT
#include "emit/enum_names.h"

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
  std::vector<std::string> names;
  for (uint32_t bit = 1; bit <= static_cast<uint32_t>(SpirvResourceType::TensorARM); bit <<= 1) {
    if (mask & bit) names.emplace_back(to_string(static_cast<SpirvResourceType>(bit)));
  }
  return names;
}

}  // namespace heapsmith::emit
