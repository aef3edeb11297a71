// SPDX-License-Identifier: MIT
#pragma once

#include <heapsmith/samplers.h>

#include <span>
#include <vector>

#include "mapping/vulkan_mapping.h"

namespace lint_agreement {

/// Mappings as Vulkan takes them, with all that they point to.
struct VulkanStructs {
  std::vector<heapsmith::SamplerInfo> samplerInfos;
  heapsmith::Samplers samplers;
  std::vector<VkDescriptorSetAndBindingMappingEXT> mappings;
};

[[nodiscard]] VulkanStructs make_structs(const heapsmith::Device& device,
                                         std::span<const heapsmith::mapping::VulkanMapping> from);
void destroy_structs(const heapsmith::Device& device, VulkanStructs& structs);

}  // namespace lint_agreement
