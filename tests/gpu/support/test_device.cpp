// SPDX-License-Identifier: MIT
#include "support/test_device.h"

#include <utility>

#include "common/files.h"

namespace gpu_test {

TestDevice::TestDevice(const char* name, const example::GpuOptions& options)
    : gpu_(example::create_gpu(name, options)), heapsmith_(example::heapsmith_device(gpu_)) {}

example::Buffer TestDevice::buffer(VkDeviceSize size, VkBufferUsageFlags usage) {
  const example::Buffer made = example::create_buffer(gpu_, size, usage);
  at_end([this, made] { example::destroy_buffer(gpu_, made); });
  return made;
}

example::Image TestDevice::image(const example::ImageOptions& options) {
  const example::Image made = example::create_image(gpu_, options);
  at_end([this, made] { example::destroy_image(gpu_, made); });
  return made;
}

VkShaderModule TestDevice::shader(const std::filesystem::path& file) {
  const VkShaderModule made = example::load_shader(gpu_, file);
  at_end([this, made] { vkDestroyShaderModule(gpu_.device, made, nullptr); });
  return made;
}

VkPipeline TestDevice::own(VkPipeline pipeline) {
  at_end([this, pipeline] { vkDestroyPipeline(gpu_.device, pipeline, nullptr); });
  return pipeline;
}

uint32_t TestDevice::finish() {
  if (!std::exchange(finished_, true)) {
    for (; !atEnd_.empty(); atEnd_.pop_back())
      atEnd_.back()();
    static_cast<void>(example::destroy_gpu(gpu_));
  }
  return *gpu_.messageCount;
}

}  // namespace gpu_test
