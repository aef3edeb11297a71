// SPDX-License-Identifier: MIT
#pragma once

#include <heapsmith/heaps.h>
#include <heapsmith/manifest.h>

#include "support/test_device.h"

namespace gpu_test {

/// Where a run of equal descriptors lies in its heap.
struct Slots {
  uint32_t offset = 0;  ///< of the first, in bytes
  uint32_t size = 0;    ///< of one, which is the class's: also their distance

  [[nodiscard]] uint32_t at(uint32_t slot) const { return offset + slot * size; }
};

/// Heaps that are laid out by hand, one run of slots after the other, as an application does that
/// has a layout of its own. Every byte amount comes from the device's limits.
class HandHeaps {
 public:
  explicit HandHeaps(TestDevice& device);

  [[nodiscard]] Slots place_buffers(uint32_t count);
  [[nodiscard]] Slots place_images(uint32_t count);
  [[nodiscard]] Slots place_samplers(uint32_t count);

  /// Room for plain data in the resource heap, as aligned as uniform buffers must be.
  [[nodiscard]] uint32_t place_data(uint32_t bytes);
  [[nodiscard]] std::byte* data(uint32_t offset) { return heaps_.resources.mapped + offset; }

  /// Buffers, texel buffers excepted, and acceleration structures (of size 0).
  void write_buffer(uint32_t offset, VkDescriptorType type, VkDeviceAddress address,
                    VkDeviceSize size);
  void write_sampled_image(uint32_t offset, const example::Image& image);
  void write_sampler(uint32_t offset, const VkSamplerCreateInfo& sampler);

  [[nodiscard]] const heapsmith::Heaps& heaps() const { return heaps_; }

 private:
  uint32_t place(uint64_t& used, uint64_t bytes, uint64_t alignment, const heapsmith::Heap& heap);
  void write_resource(uint32_t offset, uint64_t size, const VkResourceDescriptorInfoEXT& info);

  TestDevice& device_;
  heapsmith::Heaps heaps_;
  uint64_t resourceBytes_ = 0;
  uint64_t samplerBytes_ = 0;
};

}  // namespace gpu_test
