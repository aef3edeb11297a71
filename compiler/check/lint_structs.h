// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>

#include "check/findings.h"
#include "check/lint_mappings.h"
#include "mapping/vulkan_mapping.h"

namespace heapsmith::check {

/// Where a finding about a mapping itself points.
[[nodiscard]] Place place_of(const mapping::VulkanMapping& mapping, const std::string& file);

/// Whether the source reads the shader record.
[[nodiscard]] bool reads_record(MappingSource source);

/// The rules that mapping structures keep whatever shader they meet.
void lint_structs(std::span<const mapping::VulkanMapping> mappings, const LintedDevice& device,
                  const std::string& mappingsFile, Findings& findings);

}  // namespace heapsmith::check
