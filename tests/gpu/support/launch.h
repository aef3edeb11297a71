// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include <heapsmith/heaps.h>

#include "support/test_device.h"

namespace gpu_test {

/// All the push data that every device has.
struct PushData {
  alignas(8) std::array<std::byte, 256> bytes{};

  template <typename T>
  void put(uint32_t offset, const T& value) {
    std::memcpy(bytes.data() + offset, &value, sizeof value);
  }
};

/// The words that shaders write: a storage buffer, filled with kUnwritten.
class Results {
 public:
  static constexpr uint32_t kUnwritten = 0xEEEEEEEE;

  Results(TestDevice& device, uint32_t count);

  [[nodiscard]] const example::Buffer& buffer() const { return buffer_; }

  /// What was written since the last call.
  [[nodiscard]] std::vector<uint32_t> take();

 private:
  example::Buffer buffer_;
  std::vector<uint32_t> unwritten_;
};

/// Binds the heaps, pushes the data, records, runs, and waits.
void launch(const TestDevice& device, const heapsmith::Heaps& heaps, const PushData& push,
            const std::function<void(VkCommandBuffer)>& record);

}  // namespace gpu_test
