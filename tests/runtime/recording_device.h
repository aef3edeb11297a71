// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "heapsmith/device.h"

/// A Vulkan device that does nothing but write down what it is asked. Tables of functions have no
/// room for a context, so that one can exist at a time.
class RecordingDevice {
 public:
  RecordingDevice();
  ~RecordingDevice();
  RecordingDevice(const RecordingDevice&) = delete;
  RecordingDevice& operator=(const RecordingDevice&) = delete;

  [[nodiscard]] heapsmith::Device device() const;

  // What the device is like; set before use.
  heapsmith::DeviceLimits limits;
  std::vector<std::string> extensions = {"VK_EXT_descriptor_heap"};
  bool feature = true;
  uint32_t apiVersion = VK_API_VERSION_1_4;
  VkDeviceAddress firstAddress = 0x10000;  ///< of the first buffer; later ones follow
  std::vector<VkMemoryPropertyFlags> memoryTypes;
  uint32_t memoryTypeBits = ~0u;
  std::map<std::string, VkResult> failures;  ///< by the call's name, or "name#2" for the second

  // What was asked of it.
  std::string log;  ///< a line for each call, and one more for each thing in it
  std::string take_log();
  int liveBuffers = 0;
  int liveMemories = 0;
  int liveShaders = 0;
  int liveConversions = 0;
  int liveBorderColors = 0;

  VolkInstanceTable instanceFunctions{};
  VolkDeviceTable functions{};

 private:
  friend struct Calls;
  void line(const std::string& text) { log += text + '\n'; }
  VkResult result_of(const std::string& call);

  std::map<std::string, int> calls_;
  std::map<VkBuffer, VkDeviceSize> bufferSizes_;
  std::map<VkBuffer, VkDeviceAddress> addresses_;
  std::map<VkDeviceMemory, std::vector<std::byte>> memories_;
  uint64_t nextHandle_ = 1;
  VkDeviceAddress nextAddress_ = 0;
};
