// SPDX-License-Identifier: MIT
#pragma once

#include <array>

#include "common/gpu.h"

namespace knots {

/// The SPIR-V of both programs, byte for byte as the compiler left it. Both renderers use these
/// modules.
struct Shaders {
  VkShaderModule knotVertex = VK_NULL_HANDLE;
  VkShaderModule knotFragment = VK_NULL_HANDLE;
  VkShaderModule backdropVertex = VK_NULL_HANDLE;
  VkShaderModule backdropFragment = VK_NULL_HANDLE;
};

/// Everything a pipeline is made of but the one thing in which the renderers differ: how its
/// shaders reach descriptors. `info` has no layout yet. It points into the object, which therefore
/// stays where it is.
class PipelineState {
 public:
  [[nodiscard]] static PipelineState knot(const Shaders& shaders, VkSampleCountFlagBits samples) {
    return {shaders.knotVertex, shaders.knotFragment, samples, true};
  }
  [[nodiscard]] static PipelineState backdrop(const Shaders& shaders,
                                              VkSampleCountFlagBits samples) {
    return {shaders.backdropVertex, shaders.backdropFragment, samples, false};
  }
  PipelineState(const PipelineState&) = delete;
  PipelineState& operator=(const PipelineState&) = delete;

  VkGraphicsPipelineCreateInfo info{};

 private:
  PipelineState(VkShaderModule vertex, VkShaderModule fragment, VkSampleCountFlagBits samples,
                bool isSolid);

  std::array<VkPipelineShaderStageCreateInfo, 2> stages_{};
  VkPipelineVertexInputStateCreateInfo vertexInput_{};
  VkPipelineInputAssemblyStateCreateInfo inputAssembly_{};
  VkPipelineViewportStateCreateInfo viewport_{};
  VkPipelineRasterizationStateCreateInfo rasterization_{};
  VkPipelineMultisampleStateCreateInfo multisample_{};
  VkPipelineDepthStencilStateCreateInfo depth_{};
  VkPipelineColorBlendStateCreateInfo blend_{};
  VkPipelineDynamicStateCreateInfo dynamic_{};
  VkPipelineRenderingCreateInfo rendering_{};
};

}  // namespace knots
