// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "heapsmith/error.h"

namespace heapsmith {

/// VkPhysicalDeviceDescriptorHeapPropertiesEXT as far as a layout depends on it, and
/// VkPhysicalDeviceDescriptorHeapTensorPropertiesARM (0 where the device has no tensors), and what
/// else bounds a mapping. All in bytes but the embedded samplers and the conversion count. Filled
/// by query_limits() (device.h) or from a profile.
struct DeviceLimits {
  uint64_t samplerHeapAlignment = 0;
  uint64_t resourceHeapAlignment = 0;
  uint64_t maxSamplerHeapSize = 0;
  uint64_t maxResourceHeapSize = 0;
  uint64_t minSamplerHeapReservedRange = 0;
  uint64_t minSamplerHeapReservedRangeWithEmbedded = 0;
  uint64_t minResourceHeapReservedRange = 0;
  uint64_t samplerDescriptorSize = 0;
  uint64_t imageDescriptorSize = 0;
  uint64_t bufferDescriptorSize = 0;
  uint64_t tensorDescriptorSize = 0;
  uint64_t samplerDescriptorAlignment = 0;
  uint64_t imageDescriptorAlignment = 0;
  uint64_t bufferDescriptorAlignment = 0;
  uint64_t tensorDescriptorAlignment = 0;
  uint64_t maxPushDataSize = 0;
  uint32_t maxDescriptorHeapEmbeddedSamplers = 0;
  uint32_t samplerYcbcrConversionCount = 0;
  uint64_t minUniformBufferOffsetAlignment = 256;  ///< the most that Vulkan allows, until told
  uint64_t minStorageBufferOffsetAlignment = 256;
  uint64_t maxShaderRecordSize = 0;  ///< maxShaderGroupStride less the group handle; 0: unknown, or
                                     ///< no ray-tracing pipelines
};

/// Refuses limits that the specification forbids: a size or alignment that is 0 or no power of two,
/// or an alignment above its own size (chapter "Limits"). What passes is safe to compute with.
[[nodiscard]] Status check_limits(const DeviceLimits& limits);

}  // namespace heapsmith
