// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <functional>
#include <map>

#include "profile.h"

namespace foreign_device {

/// Which of the two heaps: their real descriptors lie in different places.
enum class HeapKind : uint8_t { Samplers, Resources };

inline constexpr VkDeviceSize kMebibyte = 1u << 20;

/// Descriptors of the real driver can be larger than the foreign ones, so they cannot lie where the
/// application thinks that its descriptors are. A heap that starts at byte b of its buffer has the
/// real descriptor of heap offset o at byte b + distance + scale * o of the buffer, which is made
/// larger for it; the driver commits memory only where it is touched. The distances are constants,
/// because pipelines are made before heaps, and so large that no heap's real descriptors meet
/// bytes of the application's or those of the other heap, wherever in the buffer both start.
inline constexpr VkDeviceSize kLargestHeapBuffer = 160 * kMebibyte;
inline constexpr VkDeviceSize kLargestResourceHeap = 128 * kMebibyte;  // the least that is allowed
inline constexpr VkDeviceSize kLargestSamplerHeap = 16 * kMebibyte;
inline constexpr VkDeviceSize kLargestScale = 4;
inline constexpr VkDeviceSize kSamplerDistance = kLargestHeapBuffer;
inline constexpr VkDeviceSize kResourceDistance =
    kSamplerDistance + kLargestHeapBuffer + kLargestScale * kLargestSamplerHeap;

struct DescriptorSize {
  VkDeviceSize foreign = 0;
  VkDeviceSize real = 0;
};

/// What the foreign device answers, and how it is made from the real one.
class Numbers {
 public:
  /// `realSize` is the driver's vkGetPhysicalDeviceDescriptorSizeEXT. Null where a driver's
  /// descriptors cannot be made to look like the profile's.
  static std::optional<Numbers> make(const Profile& profile,
                                     const VkPhysicalDeviceDescriptorHeapPropertiesEXT& realHeap,
                                     const std::function<VkDeviceSize(VkDescriptorType)>& realSize);

  const VkPhysicalDeviceDescriptorHeapPropertiesEXT& heap() const { return heap_; }
  DescriptorSize size(VkDescriptorType type) const;
  VkDeviceSize class_size(VkDescriptorType type) const;
  VkDeviceSize class_alignment(VkDescriptorType type) const;
  VkDeviceSize uniform_alignment() const { return limits_.minUniformBufferOffsetAlignment; }
  VkDeviceSize largest_offset_alignment() const;
  VkDeviceSize scale(HeapKind kind) const { return scales_[static_cast<size_t>(kind)]; }
  static VkDeviceSize distance(HeapKind kind) {
    return kind == HeapKind::Samplers ? kSamplerDistance : kResourceDistance;
  }
  /// The size of the real buffer for one that the application wants for heaps.
  VkDeviceSize real_buffer_size(VkDeviceSize size) const {
    return size + kResourceDistance + scale(HeapKind::Resources) * size;
  }

  /// Replaces numbers where those of the profile are the stricter ones: nothing is promised that
  /// the driver cannot do.
  void restrict_limits(VkPhysicalDeviceLimits& limits) const;
  void replace_heap(VkPhysicalDeviceDescriptorHeapPropertiesEXT& heap) const;

 private:
  VkPhysicalDeviceDescriptorHeapPropertiesEXT heap_{};
  std::map<VkDescriptorType, DescriptorSize> sizes_;
  VkPhysicalDeviceLimits limits_{};
  std::array<VkDeviceSize, 2> scales_{1, 1};
};

HeapKind heap_kind(VkDescriptorType type);

}  // namespace foreign_device
