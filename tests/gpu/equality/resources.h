// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <expected>
#include <string>
#include <vector>

#include "arena.h"
#include "formats.h"
#include "scene.h"

namespace equality {

/// Different descriptors of an array, at most; the others repeat them.
inline constexpr uint32_t kDifferentElements = 6;

/// Attachments are as wide and high, and images are half of that.
inline constexpr uint32_t kSide = 16;

struct SceneImage {
  std::string name;
  VkImage image = VK_NULL_HANDLE;
  TexelFormat format;
  VkImageAspectFlags aspect = VK_IMAGE_ASPECT_COLOR_BIT;
  VkExtent3D extent{};
  uint32_t layers = 1;
  uint32_t levels = 1;
  bool multisampled = false;
  VkDeviceSize staging = 0;  ///< where its texels are in the staging buffer
  VkDeviceSize bytes = 0;
  VkImageViewCreateInfo view{};
};

/// What descriptors of a binding show, by element: one of the vectors, and samplers for types that
/// have them. Elements that follow each other differ in contents and in size, and their samplers in
/// the level that they begin at.
struct BindingResources {
  std::vector<example::Buffer> buffers;
  VkFormat texels = VK_FORMAT_UNDEFINED;  ///< of texel buffers
  std::vector<SceneImage> images;
  std::vector<VkSamplerCreateInfo> samplers;

  template <typename T>
  [[nodiscard]] static const T& of(const std::vector<T>& all, uint32_t element) {
    return all[element % all.size()];
  }
};

/// Some of the memory that shaders can write.
struct Section {
  std::string name;
  std::vector<std::byte> bytes;
};
using Snapshot = std::vector<Section>;

/// Everything that the shader of a scene reads and writes, filled with numbers of a seed. The same
/// resources serve all forms of a shader.
class Resources {
 public:
  /// `scene` is borrowed. Fails with a reason why the device cannot have them.
  [[nodiscard]] static std::expected<void, std::string> check(const Scene& scene,
                                                              const example::Gpu& gpu);
  Resources(Arena& arena, const Scene& scene);

  /// Parallel to Scene::bindings.
  [[nodiscard]] const std::vector<BindingResources>& bindings() const { return bindings_; }
  /// The bytes of Scene::pushConstants, from its offset on.
  [[nodiscard]] const std::vector<std::byte>& push_constants() const { return pushConstants_; }
  /// By location, null where the shader writes none; and the depth buffer, at the end.
  [[nodiscard]] const std::vector<SceneImage>& attachments() const { return attachments_; }

  /// Fills everything as it was at first.
  void reset(VkCommandBuffer commands);
  /// Records what snapshot() needs.
  void read_back(VkCommandBuffer commands);
  /// All that shaders may have written, once the commands are over.
  [[nodiscard]] Snapshot snapshot() const;
  /// The same, before anything was written.
  [[nodiscard]] const Snapshot& untouched() const { return untouched_; }

 private:
  void make_buffers(const SceneBinding& binding, BindingResources& made);
  void make_images(const SceneBinding& binding, BindingResources& made);
  void make_samplers(const SceneBinding& binding, BindingResources& made);
  void make_attachments();
  void add_image(SceneImage& image, const VkImageCreateInfo& info, uint64_t seed);
  void keep(const std::string& name, const example::Buffer& buffer);
  void stage_images();
  void upload(VkCommandBuffer commands, const SceneImage& image) const;
  [[nodiscard]] std::vector<VkBufferImageCopy> regions(const SceneImage& image) const;
  [[nodiscard]] bool filters_linearly() const;

  struct Kept {
    std::string name;
    example::Buffer buffer;
    std::vector<std::byte> initial;
  };

  Arena& arena_;
  const Scene& scene_;
  std::vector<BindingResources> bindings_;
  std::vector<std::byte> pushConstants_;
  std::vector<SceneImage> attachments_;
  std::vector<Kept> buffers_;
  std::vector<SceneImage> images_;  ///< copies: all that have texels in the staging buffers
  std::vector<std::byte> texels_;   ///< of those
  example::Buffer upload_;
  example::Buffer download_;
  example::Buffer pointee_;  ///< what addresses in buffers point to
  Snapshot untouched_;
};

}  // namespace equality
