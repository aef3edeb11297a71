// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "base/diagnostics.h"

namespace heapsmith::spirv {

enum class TargetEnvironment : uint8_t {
  Vulkan10,
  Vulkan11,
  Vulkan11Spirv14,
  Vulkan12,
  Vulkan13,
  Vulkan14
};

struct DescriptorSize {
  uint32_t size = 0;
  uint32_t alignment = 0;
};

struct ValidationOptions {
  TargetEnvironment environment = TargetEnvironment::Vulkan14;
  bool scalarBlockLayout = false;      ///< the device feature of that name, for all storage classes
  bool uniformStandardLayout = false;  ///< uniformBufferStandardLayout
  bool beforeHlslLegalization = false;
  /// Concrete descriptor sizes, which let the validator find heap arrays whose elements overlap.
  std::optional<DescriptorSize> buffer;
  std::optional<DescriptorSize> image;
  std::optional<DescriptorSize> sampler;
};

/// Runs SPIRV-Tools' validator; what it says becomes one error with that code for each message.
[[nodiscard]] Diagnosed<void> validate_module(std::span<const uint32_t> words,
                                              const ValidationOptions& options,
                                              const std::string& file, Code code,
                                              Diagnostics& diagnostics);

}  // namespace heapsmith::spirv
