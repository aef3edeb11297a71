// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <map>
#include <vector>

#include "numbers.h"
#include "report.h"

namespace foreign_device {

/// A heap as a command binds it, in bytes of its buffer.
struct Heap {
  HeapKind kind = HeapKind::Resources;
  VkDeviceSize start = 0;
  VkDeviceSize size = 0;
  VkDeviceSize reservedStart = 0;
  VkDeviceSize reservedSize = 0;

  VkDeviceSize end() const { return start + size; }
  VkDeviceSize reservedEnd() const { return reservedStart + reservedSize; }
  bool operator==(const Heap&) const = default;
};

/// A descriptor that was written: the driver's bytes, and those that the application sees.
struct Descriptor {
  VkDescriptorType type = VK_DESCRIPTOR_TYPE_SAMPLER;
  std::vector<std::byte> real;
  std::vector<std::byte> foreign;
  bool isInHeap = false;  ///< one of its kind was bound around it
};

/// A buffer that can hold heaps, and what was written into it. Where the application's descriptors
/// are, it finds bytes of the foreign size; the driver finds its own at their real place, once it
/// is known where in the buffer the heap starts.
class HeapBuffer {
 public:
  HeapBuffer(const Numbers& numbers, const Reporter& reporter, VkDeviceSize size)
      : numbers_(&numbers), reporter_(&reporter), size_(size) {}

  VkDeviceMemory memory = VK_NULL_HANDLE;
  VkDeviceSize memoryOffset = 0;
  VkDeviceAddress address = 0;
  std::byte* host = nullptr;  ///< its first byte; null while its memory was never mapped

  VkDeviceSize size() const { return size_; }
  void write(VkDeviceSize offset, Descriptor descriptor);
  void bind(const Heap& heap);
  /// What can be seen only when commands are about to run.
  void check_before_run(const Heap& heap);
  /// The last look at its bytes, before buffer or memory are gone: finds descriptors that no heap
  /// ever had around them.
  void finish();

 private:
  void remove_overlapped(VkDeviceSize offset, VkDeviceSize size);
  void check(VkDeviceSize offset, const Descriptor& descriptor, const Heap& heap) const;
  void put_into(const Heap& heap, VkDeviceSize offset, Descriptor& descriptor);
  std::byte* real_place(const Heap& heap, VkDeviceSize offset) const;
  bool is_intact(VkDeviceSize offset, const Descriptor& descriptor) const;

  const Numbers* numbers_;
  const Reporter* reporter_;
  VkDeviceSize size_;
  std::map<VkDeviceSize, Descriptor> descriptors_;
  std::vector<Heap> heaps_;
};

/// Bytes of the foreign size that stand for these real ones. The same descriptor gives the same
/// bytes, as the specification demands.
std::vector<std::byte> foreign_bytes(const std::vector<std::byte>& real, VkDeviceSize size);

}  // namespace foreign_device
