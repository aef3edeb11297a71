// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "common/gpu.h"
#include "driver/load_shaders.h"
#include "mapping/vulkan_mapping.h"

namespace lint_agreement {

/// Numbers of VUIDs, "11244": several structs have the same rule under one number.
using Rules = std::set<std::string>;

/// The driver, the validation layer above it, and whatever HEAPSMITH_LAYERS puts between them.
class LayerSide {
 public:
  LayerSide();
  ~LayerSide();
  LayerSide(const LayerSide&) = delete;
  LayerSide& operator=(const LayerSide&) = delete;

  [[nodiscard]] const heapsmith::DeviceLimits& limits() const { return gpu_.limits; }
  [[nodiscard]] const char* device_name() const { return gpu_.properties.deviceName; }

  /// What the layer says while a pipeline of these shaders is created, all stages of which get the
  /// mappings. One that `isGood` must come into being, else "(does not compile)" is in the answer;
  /// another one is kept from the driver's compiler, which may rely on what the layer found broken.
  [[nodiscard]] Rules judge(std::span<const heapsmith::driver::LoadedShader> shaders,
                            std::span<const heapsmith::mapping::VulkanMapping> mappings,
                            bool isGood);

 private:
  example::Gpu gpu_;
  heapsmith::Device heapsmith_;
  VkDebugUtilsMessengerEXT messenger_ = VK_NULL_HANDLE;
  Rules heard_;
};

}  // namespace lint_agreement
