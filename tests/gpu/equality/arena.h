// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <vector>

#include "common/buffer.h"
#include "pipelines_gpu.h"

namespace equality {

/// The corpus device, as the examples' helpers take it.
[[nodiscard]] example::Gpu borrow(const corpus::Gpu& gpu);

/// Things that live as long as this: the last made goes first.
class Arena {
 public:
  explicit Arena(const example::Gpu& gpu) : gpu_(gpu) {}
  ~Arena();
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  [[nodiscard]] const example::Gpu& gpu() const { return gpu_; }
  void at_end(std::function<void()> action) { atEnd_.push_back(std::move(action)); }

  [[nodiscard]] example::Buffer buffer(VkDeviceSize size, VkBufferUsageFlags usage);
  [[nodiscard]] VkImage image(const VkImageCreateInfo& info);
  [[nodiscard]] VkImageView view(const VkImageViewCreateInfo& info);

 private:
  const example::Gpu& gpu_;
  std::vector<std::function<void()>> atEnd_;
};

/// Everything before this is over, caches included, before anything after it begins.
void full_barrier(VkCommandBuffer commands);

/// The same, with a transition of a whole image.
void full_barrier(VkCommandBuffer commands, VkImage image, VkImageAspectFlags aspect,
                  VkImageLayout before, VkImageLayout after);

}  // namespace equality
