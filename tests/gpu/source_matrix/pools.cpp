// SPDX-License-Identifier: MIT
#include "pools.h"

#include <algorithm>
#include <cstring>

#include "common/check.h"
#include "common/commands.h"
#include "support/align.h"

namespace source_matrix {
namespace {

constexpr VkFormat kColor = VK_FORMAT_R32_SFLOAT;
constexpr VkFormat kDepth = VK_FORMAT_D32_SFLOAT;
constexpr VkFormat kStorage = VK_FORMAT_R32_UINT;
constexpr uint32_t kStorageSide = 2;  // a cube's faces are square
constexpr uint32_t kStorageTexels = kStorageSide * kStorageSide;
constexpr uint32_t kLayers = kImageNumbers + kMostLayers;
constexpr uint32_t kStorageLayers = kStorageNumbers + kMostLayers;
constexpr uint32_t kColorSide = 1u << (kLevels - 1);

constexpr VkBufferUsageFlags kBufferUsage =
    VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
    VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT | VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT;

VkImageCreateInfo image_info(VkFormat format, uint32_t side, VkImageUsageFlags usage) {
  return {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
          .imageType = VK_IMAGE_TYPE_2D,
          .format = format,
          .extent = {side, side, 1},
          .mipLevels = 1,
          .arrayLayers = 1,
          .samples = VK_SAMPLE_COUNT_1_BIT,
          .tiling = VK_IMAGE_TILING_OPTIMAL,
          .usage = usage | VK_IMAGE_USAGE_TRANSFER_DST_BIT};
}

void barrier(VkCommandBuffer commands, const PoolImage& image, VkImageLayout from,
             VkImageLayout to) {
  const VkImageMemoryBarrier2 all{
      .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2,
      .srcStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
      .srcAccessMask = VK_ACCESS_2_MEMORY_WRITE_BIT,
      .dstStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
      .dstAccessMask = VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT,
      .oldLayout = from,
      .newLayout = to,
      .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
      .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
      .image = image.image,
      .subresourceRange = {image.aspect, 0, VK_REMAINING_MIP_LEVELS, 0, VK_REMAINING_ARRAY_LAYERS}};
  const VkDependencyInfo dependency{.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
                                    .imageMemoryBarrierCount = 1,
                                    .pImageMemoryBarriers = &all};
  vkCmdPipelineBarrier2(commands, &dependency);
}

void fill(VkCommandBuffer commands, const PoolImage& image, uint32_t level, uint32_t layer,
          uint32_t value) {
  const VkImageSubresourceRange range{image.aspect, level, 1, layer, 1};
  if (image.aspect == VK_IMAGE_ASPECT_DEPTH_BIT) {
    const VkClearDepthStencilValue depth{.depth = static_cast<float>(value) / 256.0f};
    vkCmdClearDepthStencilImage(commands, image.image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, &depth,
                                1, &range);
  } else {
    const VkClearColorValue color{.float32 = {static_cast<float>(value)}};
    vkCmdClearColorImage(commands, image.image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, &color, 1,
                         &range);
  }
}

/// Layers that a view has, and how many behind the first the shaders look.
uint32_t view_layers(Dim dim) {
  return dim == Dim::D2Array ? 2 : dim == Dim::Cube ? 6 : dim == Dim::CubeArray ? 12 : 1;
}
uint32_t read_layer(Dim dim) {
  return dim == Dim::D2Array || dim == Dim::Cube ? 1 : dim == Dim::CubeArray ? 7 : 0;
}

VkImageViewType view_type(Dim dim) {
  switch (dim) {
    case Dim::D2Array:
      return VK_IMAGE_VIEW_TYPE_2D_ARRAY;
    case Dim::Cube:
      return VK_IMAGE_VIEW_TYPE_CUBE;
    case Dim::CubeArray:
      return VK_IMAGE_VIEW_TYPE_CUBE_ARRAY;
    case Dim::D3:
      return VK_IMAGE_VIEW_TYPE_3D;
    default:
      return VK_IMAGE_VIEW_TYPE_2D;
  }
}

VkImageViewCreateInfo view(const PoolImage& image, Dim dim, uint32_t layer) {
  return {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
          .image = image.image,
          .viewType = view_type(dim),
          .format = image.format,
          .subresourceRange = {image.aspect, 0, image.levels, layer, view_layers(dim)}};
}

}  // namespace

BufferPool::BufferPool(TestDevice& device) {
  const VkPhysicalDeviceLimits& limits = device.gpu().properties.limits;
  stride_ =
      std::max({limits.minUniformBufferOffsetAlignment, limits.minStorageBufferOffsetAlignment,
                limits.minTexelBufferOffsetAlignment, VkDeviceSize{kBlockSize}});
  buffer_ = device.buffer((kBufferNumbers + 1) * stride_, kBufferUsage);
  // A uniform buffer's address has to be aligned, not only its offset.
  start_ = gpu_test::align(buffer_.address, stride_) - buffer_.address;
  reset();
}

VkDeviceAddress BufferPool::address(uint32_t number) const {
  return buffer_.address + start_ + number * stride_;
}

std::span<const std::byte> BufferPool::block(uint32_t number) const {
  return {buffer_.mapped + start_ + number * stride_, kBlockSize};
}

void BufferPool::reset() {
  for (uint32_t number = 0; number < kBufferNumbers; ++number) {
    const uint32_t words[kBlockSize / 4] = {number, kUntouched, number, number, tail(number)};
    std::memcpy(buffer_.mapped + start_ + number * stride_, words, sizeof words);
  }
}

uint32_t BufferPool::second(uint32_t number) const {
  uint32_t word = 0;
  std::memcpy(&word, block(number).data() + sizeof word, sizeof word);
  return word;
}

PoolImage ImagePool::make(VkImageCreateInfo info, VkImageAspectFlags aspect) {
  const example::Gpu& gpu = device_.gpu();
  PoolImage made{.format = info.format,
                 .layers = info.arrayLayers,
                 .levels = info.mipLevels,
                 .aspect = aspect};
  example::check(vkCreateImage(gpu.device, &info, nullptr, &made.image), "creating an image");
  VkMemoryRequirements needs;
  vkGetImageMemoryRequirements(gpu.device, made.image, &needs);
  const VkDeviceMemory memory =
      example::allocate_memory(gpu, needs, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, false);
  example::check(vkBindImageMemory(gpu.device, made.image, memory, 0), "binding an image");
  device_.at_end([device = gpu.device, image = made.image, memory] {
    vkDestroyImage(device, image, nullptr);
    vkFreeMemory(device, memory, nullptr);
  });
  return made;
}

ImagePool::ImagePool(TestDevice& device) : device_(device) {
  VkImageCreateInfo info = image_info(
      kColor, kColorSide, VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT);
  info.flags = VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT;
  info.mipLevels = kLevels;
  info.arrayLayers = kLayers;
  color_ = make(info, VK_IMAGE_ASPECT_COLOR_BIT);

  info = image_info(kColor, 1, VK_IMAGE_USAGE_SAMPLED_BIT);
  info.imageType = VK_IMAGE_TYPE_3D;
  for (uint32_t i = 0; i < kVolumes; ++i)
    volumes_.push_back(make(info, VK_IMAGE_ASPECT_COLOR_BIT));
  info.imageType = VK_IMAGE_TYPE_2D;
  info.arrayLayers = kLayers;
  info.samples = VK_SAMPLE_COUNT_4_BIT;
  multisampled_ = make(info, VK_IMAGE_ASPECT_COLOR_BIT);
  info.samples = VK_SAMPLE_COUNT_1_BIT;
  info.format = kDepth;
  depth_ = make(info, VK_IMAGE_ASPECT_DEPTH_BIT);

  info = image_info(kStorage, kStorageSide,
                    VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT);
  info.flags = VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT;
  info.arrayLayers = kStorageLayers;
  storage_ = make(info, VK_IMAGE_ASPECT_COLOR_BIT);
  info.flags = 0;
  info.arrayLayers = 1;
  info.imageType = VK_IMAGE_TYPE_3D;
  for (uint32_t i = 0; i < kVolumes; ++i)
    storageVolumes_.push_back(make(info, VK_IMAGE_ASPECT_COLOR_BIT));

  std::vector<uint32_t> texels;
  for (uint32_t layer = 0; layer < kStorageLayers + kVolumes; ++layer) {
    for (uint32_t texel = 0; texel < kStorageTexels; ++texel)
      texels.push_back(texel == 1               ? kUntouched
                       : layer < kStorageLayers ? layer
                                                : layer - kStorageLayers);
  }
  upload_ = device.buffer(std::span<const uint32_t>(texels), VK_BUFFER_USAGE_TRANSFER_SRC_BIT);
  download_ = device.buffer(upload_.size, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
  fill_sampled();
}

void ImagePool::fill_sampled() {
  const VkCommandBuffer commands = example::begin_commands(device_.gpu());
  std::vector<PoolImage> images = volumes_;
  images.insert(images.end(), {color_, multisampled_, depth_});
  for (const PoolImage& image : images)
    barrier(commands, image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
  for (uint32_t number = 0; number < kVolumes; ++number)
    fill(commands, volumes_[number], 0, 0, number * kLevelSteps);
  for (uint32_t layer = 0; layer < kLayers; ++layer) {
    for (uint32_t level = 0; level < kLevels; ++level)
      fill(commands, color_, level, layer, layer * kLevelSteps + level);
    fill(commands, multisampled_, 0, layer, layer * kLevelSteps);
    fill(commands, depth_, 0, layer, layer);
  }
  for (const PoolImage& image : images) {
    barrier(commands, image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
            VK_IMAGE_LAYOUT_READ_ONLY_OPTIMAL);
  }
  std::vector<PoolImage> storages = storageVolumes_;
  storages.push_back(storage_);
  for (const PoolImage& image : storages)
    barrier(commands, image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
  example::submit_and_wait(device_.gpu(), commands);
}

VkImageViewCreateInfo ImagePool::sampled(Dim dim, uint32_t number) const {
  if (dim == Dim::D3) return view(volumes_[number], dim, 0);
  if (dim == Dim::Multisampled) return view(multisampled_, dim, number);
  return view(dim == Dim::Shadow ? depth_ : color_, dim, number);
}

VkImageViewCreateInfo ImagePool::storage(Dim dim, uint32_t number) const {
  if (dim == Dim::D3) return view(storageVolumes_[number], dim, 0);
  return view(storage_, dim, number);
}

VkImageViewCreateInfo ImagePool::input(uint32_t number) const {
  VkImageViewCreateInfo made = view(color_, Dim::D2, number);
  made.subresourceRange.levelCount = 1;
  return made;
}

uint32_t ImagePool::value(Dim dim, uint32_t number, uint32_t level) {
  if (dim == Dim::Shadow) return number;
  const bool has_levels = dim != Dim::D3 && dim != Dim::Multisampled;
  return (number + read_layer(dim)) * kLevelSteps + (has_levels ? level : 0);
}

uint32_t ImagePool::storage_value(Dim dim, uint32_t number) {
  return number + read_layer(dim);
}

namespace {

std::vector<VkBufferImageCopy> copies(uint32_t first, uint32_t layers) {
  std::vector<VkBufferImageCopy> regions;
  for (uint32_t layer = 0; layer < layers; ++layer) {
    regions.push_back({.bufferOffset = (first + layer) * kStorageTexels * sizeof(uint32_t),
                       .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, layer, 1},
                       .imageExtent = {kStorageSide, kStorageSide, 1}});
  }
  return regions;
}

}  // namespace

void ImagePool::reset() {
  const VkCommandBuffer commands = example::begin_commands(device_.gpu());
  const auto upload = [&](const PoolImage& image, uint32_t first) {
    const auto regions = copies(first, image.layers);
    vkCmdCopyBufferToImage(commands, upload_.buffer, image.image, VK_IMAGE_LAYOUT_GENERAL,
                           static_cast<uint32_t>(regions.size()), regions.data());
    barrier(commands, image, VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_GENERAL);
  };
  upload(storage_, 0);
  for (uint32_t i = 0; i < kVolumes; ++i)
    upload(storageVolumes_[i], kStorageLayers + i);
  example::submit_and_wait(device_.gpu(), commands);
}

std::vector<uint32_t> ImagePool::read_back() const {
  const VkCommandBuffer commands = example::begin_commands(device_.gpu());
  const auto download = [&](const PoolImage& image, uint32_t first) {
    const auto regions = copies(first, image.layers);
    barrier(commands, image, VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_GENERAL);
    vkCmdCopyImageToBuffer(commands, image.image, VK_IMAGE_LAYOUT_GENERAL, download_.buffer,
                           static_cast<uint32_t>(regions.size()), regions.data());
  };
  download(storage_, 0);
  for (uint32_t i = 0; i < kVolumes; ++i)
    download(storageVolumes_[i], kStorageLayers + i);
  example::submit_and_wait(device_.gpu(), commands);
  std::vector<uint32_t> texels(download_.size / sizeof(uint32_t));
  std::memcpy(texels.data(), download_.mapped, download_.size);
  std::vector<uint32_t> seconds;
  for (size_t texel = 1; texel < texels.size(); texel += kStorageTexels)
    seconds.push_back(texels[texel]);
  return seconds;
}

uint32_t ImagePool::read_back_index(Dim dim, uint32_t number) {
  return dim == Dim::D3 ? kStorageLayers + number : number + read_layer(dim);
}

ScenePool::ScenePool(TestDevice& device) {
  const gpu_test::Vertex corners[] = {{0.5f, -1, -1}, {0.5f, 1, -1}, {0.5f, 0, 1}};
  triangle_ = gpu_test::build_triangles(device, corners);
  for (uint32_t number = 0; number < kScenes; ++number) {
    // Any record that the ray asks for is then its own.
    const gpu_test::Instance instance{&triangle_, static_cast<float>(number), 0};
    scenes_.push_back(gpu_test::build_instances(device, {&instance, 1}));
  }
}

}  // namespace source_matrix
