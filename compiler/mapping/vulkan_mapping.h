// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "heapsmith/manifest.h"
#include "heapsmith/resolve.h"

namespace heapsmith::mapping {

/// VK_SPIRV_RESOURCE_TYPE_ALL_EXT
inline constexpr uint32_t kAllResourceTypes = 0x7FFFFFFF;

/// VkDescriptorSetAndBindingMappingEXT in plain numbers, as a driver gets it: ours for one device,
/// or one that somebody wrote by hand.
struct VulkanMapping {
  uint32_t set = 0;
  uint32_t firstBinding = 0;
  uint32_t bindingCount = 1;
  uint32_t resourceMask = 0;
  MappingSource source{};
  ResolvedMapping numbers;
  bool packedIndex = false;                    ///< useCombinedImageSamplerIndex
  std::optional<SamplerInfo> embeddedSampler;  ///< pEmbeddedSampler
  uint32_t line = 0;                           ///< of the file it comes from; 0: ours
};

/// A program's mappings on the device that `layout` was resolved for.
[[nodiscard]] std::vector<VulkanMapping> vulkan_mappings(const Manifest& manifest,
                                                         const ResolvedLayout& layout,
                                                         const Program& program);

}  // namespace heapsmith::mapping
