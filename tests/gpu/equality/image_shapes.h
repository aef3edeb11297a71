// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string_view>

#include "arena.h"
#include "formats.h"
#include "heapsmith/manifest.h"

namespace equality {

inline constexpr uint32_t kTexelBufferTexels = 256;
inline constexpr uint32_t kLevels = 3;  ///< of images that are sampled

/// A small image that views of the declared type can be made of: layers, levels and samples where
/// the type has them. Nothing for kinds that are not tried.
[[nodiscard]] std::optional<VkImageCreateInfo> image_info(
    const heapsmith::reflect::ImageFacts& image, const TexelFormat& format);
[[nodiscard]] VkImageViewType view_type(const heapsmith::reflect::ImageFacts& image);
[[nodiscard]] VkImageCreateInfo attachment_info(VkFormat format);

[[nodiscard]] bool is_supported(const example::Gpu& gpu, const VkImageCreateInfo& info);
[[nodiscard]] bool has_texels(const example::Gpu& gpu, VkFormat format,
                              heapsmith::DescriptorType type);

/// Locations that a scalar, a vector, or an array of those takes: "float32x4[2]" takes two.
[[nodiscard]] uint32_t locations_of(std::string_view type);

}  // namespace equality
