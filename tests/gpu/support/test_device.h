// SPDX-License-Identifier: MIT
#pragma once

#include <cstring>
#include <filesystem>
#include <functional>
#include <span>
#include <vector>

#include "common/buffer.h"
#include "common/gpu.h"
#include "common/image.h"

namespace gpu_test {

/// A device whose owner need not tidy up: what is made through it lives until finish().
class TestDevice {
 public:
  explicit TestDevice(const char* name, const example::GpuOptions& options = {});
  ~TestDevice() { finish(); }
  TestDevice(const TestDevice&) = delete;
  TestDevice& operator=(const TestDevice&) = delete;

  [[nodiscard]] const example::Gpu& gpu() const { return gpu_; }
  [[nodiscard]] const heapsmith::DeviceLimits& limits() const { return gpu_.limits; }
  [[nodiscard]] const heapsmith::Device& heapsmith() const { return heapsmith_; }

  /// Does something before the device dies: last come, first served.
  void at_end(std::function<void()> action) { atEnd_.push_back(std::move(action)); }

  [[nodiscard]] example::Buffer buffer(VkDeviceSize size, VkBufferUsageFlags usage);

  template <typename T>
  [[nodiscard]] example::Buffer buffer(std::span<const T> values, VkBufferUsageFlags usage) {
    const example::Buffer made = buffer(values.size_bytes(), usage);
    std::memcpy(made.mapped, values.data(), values.size_bytes());
    return made;
  }

  template <typename T>
  [[nodiscard]] example::UniformArray uniform_array(std::span<const T> values) {
    const example::UniformArray made = example::create_uniform_array(gpu_, values);
    at_end([this, made] { example::destroy_buffer(gpu_, made.buffer); });
    return made;
  }

  [[nodiscard]] example::Image image(const example::ImageOptions& options);
  [[nodiscard]] VkShaderModule shader(const std::filesystem::path& file);

  /// Takes over a pipeline.
  VkPipeline own(VkPipeline pipeline);

  /// Destroys everything, and yields how often the validation layer spoke.
  uint32_t finish();

 private:
  example::Gpu gpu_;
  heapsmith::Device heapsmith_;
  std::vector<std::function<void()>> atEnd_;
  bool finished_ = false;
};

}  // namespace gpu_test
