// SPDX-License-Identifier: MIT
#pragma once

#include <heapsmith/device.h>
#include <volk.h>

#include <memory>
#include <string>
#include <vector>

namespace corpus {

/// What the validation layer said.
struct Message {
  std::string id;  ///< "VUID-VkComputePipelineCreateInfo-layout-...", or the layer's own name
  std::string text;
};

/// The first device that can use descriptor heaps, with the validation layer on and every feature
/// of pipelines_features.def that it has. What the layer finds wrong never reaches the driver.
struct Gpu {
  VkInstance instance = VK_NULL_HANDLE;
  VkPhysicalDevice physicalDevice = VK_NULL_HANDLE;
  VkDevice device = VK_NULL_HANDLE;
  VolkInstanceTable instanceFunctions{};
  VolkDeviceTable functions{};
  heapsmith::DeviceLimits limits;
  std::vector<Message> messages;  ///< warnings and errors since somebody last cleared it

  [[nodiscard]] heapsmith::Device borrowed() const {
    return {physicalDevice, device, &instanceFunctions, &functions};
  }
};

/// Null, after a word on stderr, where there is no such device or no layer. Lives as long as the
/// process.
[[nodiscard]] std::unique_ptr<Gpu> create_gpu();

}  // namespace corpus
