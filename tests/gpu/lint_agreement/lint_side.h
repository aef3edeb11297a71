// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <vector>

#include "driver/load_shaders.h"
#include "heapsmith/device_limits.h"
#include "layer_side.h"
#include "mapping/vulkan_mapping.h"

namespace lint_agreement {

/// What `heapsmith lint` says of shaders and mappings on one device.
struct LintVerdict {
  Rules errors;                    ///< numbers in error messages
  Rules findings;                  ///< in all messages
  std::vector<std::string> texts;  ///< of all messages: a good case has none
};

[[nodiscard]] LintVerdict lint(std::span<const heapsmith::driver::LoadedShader> shaders,
                               std::span<const heapsmith::mapping::VulkanMapping> mappings,
                               const heapsmith::DeviceLimits& limits);

}  // namespace lint_agreement
