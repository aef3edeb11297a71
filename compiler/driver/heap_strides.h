// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "driver/load_shaders.h"
#include "heapsmith/device_limits.h"
#include "spirv/validate.h"

namespace heapsmith::driver {

/// Sizes of descriptors, which let spirv-val find elements that overlap on every device.
[[nodiscard]] spirv::ValidationOptions with_smallest_descriptors();

/// Looks at the arrays through which a shader reads the heaps by itself.
class StrideCheck {
 public:
  StrideCheck(const LoadedShader& shader, const ShaderOptions& options)
      : shader_(&shader), options_(&options) {}

  [[nodiscard]] const LoadedShader& shader() const { return *shader_; }

  /// What is wrong where descriptors have these sizes: elements that overlap, of nested arrays too.
  /// spirv-val sees it only if it is told the sizes; it runs once for those that devices share.
  /// Nothing if all fits, or if the shader is not to be validated.
  const std::optional<std::string>& find_wrong(const DeviceLimits& limits);

 private:
  [[nodiscard]] std::optional<std::string> validate(const spirv::ValidationOptions& sizes) const;

  const LoadedShader* shader_;
  const ShaderOptions* options_;
  std::map<std::vector<uint64_t>, std::optional<std::string>> known_;  // by sizes and alignments
};

/// Refuses shaders whose arrays overlap even on the device with the smallest descriptors.
[[nodiscard]] Diagnosed<void> check_heap_strides(const std::vector<LoadedShader>& shaders,
                                                 const ShaderOptions& options,
                                                 Diagnostics& diagnostics);

}  // namespace heapsmith::driver
