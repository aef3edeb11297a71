// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics.h"
#include "mapping/vulkan_mapping.h"

namespace heapsmith::input {

/// Reads mappings that somebody wrote for one device (schemas/mappings.schema.json): the members of
/// VkDescriptorSetAndBindingMappingEXT and of its source, by name. Everything that is wrong is
/// reported, each at its line: MalformedJson or InvalidMappings.
[[nodiscard]] Diagnosed<std::vector<mapping::VulkanMapping>> parse_mappings(
    std::string_view text, const std::string& file, Diagnostics& diagnostics);

}  // namespace heapsmith::input
