// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <vector>

#include "pipeline_state.h"
#include "scene.h"

namespace knots {

/// The scene, drawn with classic descriptor sets: the measure for the other renderer.
struct SetRenderer {
  std::array<VkDescriptorSetLayout, 4> setLayouts{};
  VkPipelineLayout pipelineLayout = VK_NULL_HANDLE;
  VkPipeline backdrop = VK_NULL_HANDLE;
  VkPipeline knot = VK_NULL_HANDLE;
  VkDescriptorPool pool = VK_NULL_HANDLE;
  VkDescriptorSet frameSet = VK_NULL_HANDLE;
  VkDescriptorSet floorSet = VK_NULL_HANDLE;
  std::array<VkDescriptorSet, kKnots> modelSets{};
  std::array<VkDescriptorSet, kKnots> materialSets{};
  std::vector<VkImageView> views;
  std::vector<VkSampler> samplers;
};

[[nodiscard]] SetRenderer create_set_renderer(const example::Gpu& gpu, const Shaders& shaders,
                                              const Scene& scene, VkSampleCountFlagBits samples);
void destroy_set_renderer(const example::Gpu& gpu, const SetRenderer& renderer);

/// Between begin_drawing() and end_drawing(). Changes two of four sets with every draw.
void draw(VkCommandBuffer commands, const SetRenderer& renderer, const Scene& scene);

}  // namespace knots
