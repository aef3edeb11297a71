// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pipelines_gpu.h"

namespace bench {

/// What a driver compiled one shader of a pipeline to.
struct Executable {
  std::string name;  ///< "Compute Shader"
  VkShaderStageFlags stages = 0;
  std::string code;           ///< the machine's instructions, as text
  uint64_t instructions = 0;  ///< the driver's own statistics
  uint64_t latency = 0;       ///< cycles, as its compiler estimates them
};

inline constexpr VkPipelineCreateFlags2 kCaptureCode =
    VK_PIPELINE_CREATE_2_CAPTURE_STATISTICS_BIT_KHR |
    VK_PIPELINE_CREATE_2_CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR;

/// Of a pipeline that was made with kCaptureCode, by a driver that reports assembly and these
/// statistics: AMD's. An executable without them is left out.
[[nodiscard]] std::vector<Executable> executables_of(const corpus::Gpu& gpu, VkPipeline pipeline);

}  // namespace bench
