// SPDX-License-Identifier: MIT
#pragma once

#include <volk.h>

#include <span>

#include "heapsmith/device_limits.h"
#include "heapsmith/error.h"

namespace heapsmith {

/// What the runtime needs to know of the application's device. Borrowed: nothing in here is owned,
/// created or destroyed by heapsmith. `functions` comes from volkLoadDeviceTable() or is filled by
/// hand. The tables' layout depends on the VK_USE_PLATFORM_* macros: give the application, volk and
/// heapsmith_runtime the same ones (CMake: as definitions of volk's own target,
/// VOLK_STATIC_DEFINES).
struct Device {
  VkPhysicalDevice physicalDevice = VK_NULL_HANDLE;
  VkDevice device = VK_NULL_HANDLE;
  const VolkInstanceTable* instanceFunctions = nullptr;
  const VolkDeviceTable* functions = nullptr;
};

/// Asks a physical device whether it can use descriptor heaps, and for its limits. The feature bit
/// decides, not the extension's name: drivers exist that list the extension with the bit off. Fails
/// with MissingExtension, MissingFeature, InvalidLimits or Vulkan. Any thread.
[[nodiscard]] Result<DeviceLimits> query_limits(const VolkInstanceTable& functions,
                                                VkPhysicalDevice physicalDevice);

/// Device extensions that must be enabled, beside Vulkan 1.4 (or 1.3 with VK_KHR_maintenance5). Of
/// the features, descriptorHeap, bufferDeviceAddress, and for 1.3 maintenance5;
/// shaderUntypedPointers only if a shader reads the heaps itself.
[[nodiscard]] std::span<const char* const> required_device_extensions() noexcept;

}  // namespace heapsmith
