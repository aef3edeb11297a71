// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>

#include "check/findings.h"
#include "check/lint_mappings.h"
#include "mapping/vulkan_mapping.h"

namespace heapsmith::check {

/// Everything that can be said of the shaders of one pipeline, all of which get the mappings: the
/// structs by themselves, each shader with them, and how many samplers they embed.
void lint_program(std::span<const LintedShader> shaders,
                  std::span<const mapping::VulkanMapping> mappings, const LintedDevice& device,
                  const std::string& mappingsFile, Findings& findings);

}  // namespace heapsmith::check
