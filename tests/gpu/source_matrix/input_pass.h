// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "support/test_device.h"

namespace source_matrix {

/// A render pass of one subpass that reads `inputs` attachments and writes none.
class InputPass {
 public:
  InputPass(gpu_test::TestDevice& device, uint32_t inputs);

  [[nodiscard]] VkRenderPass handle() const { return handle_; }

  /// Three vertices, with these views as attachments.
  void record(VkCommandBuffer commands, VkPipeline pipeline,
              const std::vector<VkImageViewCreateInfo>& views);

 private:
  gpu_test::TestDevice& device_;
  VkRenderPass handle_ = VK_NULL_HANDLE;
};

}  // namespace source_matrix
