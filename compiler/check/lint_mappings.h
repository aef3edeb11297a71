// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "check/findings.h"
#include "heapsmith/device_limits.h"
#include "mapping/vulkan_mapping.h"
#include "reflect/shader_interface.h"

namespace heapsmith::check {

/// A shader that mappings are for.
struct LintedShader {
  const reflect::ShaderInterface* interface = nullptr;
  uint32_t entryPoint = 0;  ///< index into ShaderInterface::entryPoints
  std::string file;
};

struct LintedDevice {
  std::string name;
  DeviceLimits limits;
};

/// The rules of VkShaderDescriptorSetAndBindingMappingInfoEXT and of the pipelines that take it,
/// for one shader on one device, as the validation layer speaks of them; and what it does not see:
/// strides of 0 or too few bytes, indices that an array and another binding share, members that
/// nothing reads, push data that two read, offsets beyond 32 bits. `mappingsFile` is where
/// mappings with a line come from.
void lint_mappings(const LintedShader& shader, std::span<const mapping::VulkanMapping> mappings,
                   const LintedDevice& device, const std::string& mappingsFile, Findings& findings);

}  // namespace heapsmith::check
