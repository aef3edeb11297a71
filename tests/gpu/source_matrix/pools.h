// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "case.h"
#include "support/acceleration.h"
#include "support/test_device.h"

namespace source_matrix {

using gpu_test::TestDevice;

/// Numbers below these can be told apart. Layered images have a few layers more, for views that
/// begin at the last number.
inline constexpr uint32_t kBufferNumbers = 192;
inline constexpr uint32_t kImageNumbers = 192;
inline constexpr uint32_t kStorageNumbers = 1000;
inline constexpr uint32_t kVolumes = 96;
inline constexpr uint32_t kScenes = 96;
inline constexpr uint32_t kMostLayers = 12;  ///< of a view: two cubes

/// What a shader that may write adds to the number that it reads.
inline constexpr uint32_t kWritten = 7777;
inline constexpr uint32_t kUntouched = 0xABABABAB;

/// Buffers of 128 bytes, the n-th with n in it: as the head of a uniform block, as the first word
/// of a storage buffer, as a texel.
class BufferPool {
 public:
  explicit BufferPool(TestDevice& device);

  static constexpr uint32_t kBlockSize = 128;
  [[nodiscard]] static uint32_t tail(uint32_t number) { return ~number; }

  [[nodiscard]] VkDeviceAddress address(uint32_t number) const;
  [[nodiscard]] std::span<const std::byte> block(uint32_t number) const;

  void reset();
  /// What shaders have made of the second word.
  [[nodiscard]] uint32_t second(uint32_t number) const;

 private:
  example::Buffer buffer_;
  VkDeviceSize stride_ = 0;
  VkDeviceSize start_ = 0;
};

/// An image that is described by views; layer n, or image n, holds n.
struct PoolImage {
  VkImage image = VK_NULL_HANDLE;
  VkFormat format = VK_FORMAT_UNDEFINED;
  uint32_t layers = 1;
  uint32_t levels = 1;
  VkImageAspectFlags aspect = VK_IMAGE_ASPECT_COLOR_BIT;
};

/// Texels of level l in layer n: n * 8 + l.
inline constexpr uint32_t kLevelSteps = 8;

class ImagePool {
 public:
  explicit ImagePool(TestDevice& device);

  /// The view that reads `number`, as the shaders of write_shaders.cpp read it.
  [[nodiscard]] VkImageViewCreateInfo sampled(Dim dim, uint32_t number) const;
  [[nodiscard]] VkImageViewCreateInfo storage(Dim dim, uint32_t number) const;
  [[nodiscard]] VkImageViewCreateInfo input(
      uint32_t number) const;  ///< of one level, to render with

  /// What the shader reads there without a sampler, or with one that picks level `level`.
  [[nodiscard]] static uint32_t value(Dim dim, uint32_t number, uint32_t level);
  [[nodiscard]] static uint32_t storage_value(Dim dim, uint32_t number);

  /// Writes all storage images anew.
  void reset();
  /// What shaders have made of the second texel.
  [[nodiscard]] std::vector<uint32_t> read_back() const;
  [[nodiscard]] static uint32_t read_back_index(Dim dim, uint32_t number);

 private:
  [[nodiscard]] PoolImage make(VkImageCreateInfo info, VkImageAspectFlags aspect);
  void fill_sampled();

  TestDevice& device_;
  PoolImage color_;
  PoolImage multisampled_;
  PoolImage depth_;
  std::vector<PoolImage> volumes_;
  PoolImage storage_;
  std::vector<PoolImage> storageVolumes_;
  example::Buffer upload_;
  example::Buffer download_;
};

/// A ray along x hits the n-th scene at a distance of n and a half.
class ScenePool {
 public:
  explicit ScenePool(TestDevice& device);
  [[nodiscard]] VkDeviceAddress address(uint32_t number) const { return scenes_[number].address; }

 private:
  gpu_test::AccelerationStructure triangle_;
  std::vector<gpu_test::AccelerationStructure> scenes_;
};

struct Pools {
  explicit Pools(TestDevice& device) : buffers(device), images(device), scenes(device) {}
  BufferPool buffers;
  ImagePool images;
  ScenePool scenes;
};

}  // namespace source_matrix
