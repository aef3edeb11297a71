// SPDX-License-Identifier: MIT
#include "support/launch.h"

#include <heapsmith/commands.h>

#include "common/commands.h"

namespace gpu_test {

Results::Results(TestDevice& device, uint32_t count)
    : buffer_(device.buffer(count * sizeof(uint32_t), VK_BUFFER_USAGE_STORAGE_BUFFER_BIT)),
      unwritten_(count, kUnwritten) {
  static_cast<void>(take());
}

std::vector<uint32_t> Results::take() {
  std::vector<uint32_t> words(unwritten_.size());
  std::memcpy(words.data(), buffer_.mapped, buffer_.size);
  std::memcpy(buffer_.mapped, unwritten_.data(), buffer_.size);
  return words;
}

void launch(const TestDevice& device, const heapsmith::Heaps& heaps, const PushData& push,
            const std::function<void(VkCommandBuffer)>& record) {
  const VkCommandBuffer commands = example::begin_commands(device.gpu());
  heapsmith::bind_heaps(device.heapsmith(), commands, heaps);
  heapsmith::push_data(device.heapsmith(), commands, 0, push.bytes);
  record(commands);
  example::submit_and_wait(device.gpu(), commands);
}

}  // namespace gpu_test
