// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "support/test_device.h"

namespace gpu_test {

struct AccelerationStructure {
  VkAccelerationStructureKHR structure = VK_NULL_HANDLE;
  VkDeviceAddress address = 0;
};

struct Vertex {
  float x = 0, y = 0, z = 0;
};

struct Box {
  Vertex from, to;
};

/// An instance of a bottom level, moved along x.
struct Instance {
  const AccelerationStructure* geometry = nullptr;
  float x = 0;
  uint32_t hitRecord = 0;  ///< instanceShaderBindingTableRecordOffset
};

/// Builds a bottom level of triangles (three vertices each) or boxes, none of them opaque: any-hit
/// shaders are called. Or a top level. The device owns it; it is built when the function returns.
[[nodiscard]] AccelerationStructure build_triangles(TestDevice& device,
                                                    std::span<const Vertex> vertices);
[[nodiscard]] AccelerationStructure build_boxes(TestDevice& device, std::span<const Box> boxes);
[[nodiscard]] AccelerationStructure build_instances(TestDevice& device,
                                                    std::span<const Instance> instances);

}  // namespace gpu_test
