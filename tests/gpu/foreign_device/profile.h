// SPDX-License-Identifier: MIT
#pragma once

#include <vulkan/vulkan_core.h>

#include <map>
#include <optional>
#include <string>

namespace foreign_device {

/// A device profile, as in compiler/profiles/, with everything that a device answers.
struct Profile {
  std::string name;
  VkPhysicalDeviceDescriptorHeapPropertiesEXT heap{};
  std::map<VkDescriptorType, VkDeviceSize> descriptorSizes;
  VkPhysicalDeviceLimits limits{};  ///< only those that profiles have, others are 0
};

/// Null after a word on stderr: a test must not run on numbers other than those it asked for.
[[nodiscard]] std::optional<Profile> read_profile(const char* path);

}  // namespace foreign_device
