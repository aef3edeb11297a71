// SPDX-License-Identifier: MIT
#pragma once

#include <heapsmith/error.h>

#include <functional>
#include <span>
#include <vector>

#include "resources.h"

namespace equality {

/// One form of a scene's shader, ready to run.
struct Form {
  VkPipeline pipeline = VK_NULL_HANDLE;
  std::function<void(VkCommandBuffer)> bind;  ///< descriptors and push constants
};

/// What the forms' pipelines do not share.
struct PipelineMaker {
  VkPipelineLayout layout = VK_NULL_HANDLE;
  const char* entryPoint = nullptr;  ///< null: as the scene's shader has it
  const VkSpecializationInfo* specialization = nullptr;
  std::function<heapsmith::Result<VkPipeline>(const VkComputePipelineCreateInfo&)> compute;
  std::function<heapsmith::Result<VkPipeline>(const VkGraphicsPipelineCreateInfo&)> graphics;
};

/// Runs shaders: a few workgroups, or one triangle that covers all attachments.
class Launcher {
 public:
  /// `cover` is the vertex shader (cover.h); compute needs none.
  Launcher(Arena& arena, const Scene& scene, Resources& resources, std::vector<uint32_t> cover);

  [[nodiscard]] heapsmith::Result<VkPipeline> make_pipeline(std::span<const uint32_t> words,
                                                            const PipelineMaker& maker);

  /// From untouched resources; yields what the shader made of them.
  [[nodiscard]] Snapshot run(const Form& form);

 private:
  [[nodiscard]] heapsmith::Result<VkPipeline> make_graphics(std::span<const uint32_t> words,
                                                            const PipelineMaker& maker);
  [[nodiscard]] const char* entry_point(const PipelineMaker& maker) const;
  void draw(VkCommandBuffer commands) const;

  Arena& arena_;
  const Scene& scene_;
  Resources& resources_;
  std::vector<uint32_t> cover_;
  std::vector<VkFormat> formats_;   ///< of the colour attachments
  std::vector<VkImageView> views_;  ///< of all attachments
};

}  // namespace equality
