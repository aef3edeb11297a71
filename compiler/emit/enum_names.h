// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

/// The JSON spelling of bit masks: Vulkan's names without prefix and suffix, ascending by bit.
namespace heapsmith::emit {

/// VkShaderStageFlags: {"VERTEX", "FRAGMENT"}
[[nodiscard]] std::vector<std::string> stage_names(uint32_t stages);

/// VkSpirvResourceTypeFlagsEXT: {"SAMPLED_IMAGE"}
[[nodiscard]] std::vector<std::string> resource_mask_names(uint32_t mask);

}  // namespace heapsmith::emit
