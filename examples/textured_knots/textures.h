// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <glm/glm.hpp>
#include <vector>

/// Procedural pictures. No Vulkan.
namespace knots {

/// Square, 8-bit RGBA, with all mip levels one after the other, the largest first. Red, green and
/// blue of a colour picture are encoded as sRGB, alpha never is.
struct Picture {
  uint32_t size = 0;
  uint32_t mipLevels = 0;
  std::vector<uint32_t> texels;
};

/// Diagonal ribbons between threads of gold.
[[nodiscard]] Picture make_ribbons();
/// Overlapping scales, rimmed with gold.
[[nodiscard]] Picture make_scales();
/// Tiles of one texel each, to be magnified without interpolation.
[[nodiscard]] Picture make_mosaic();

/// A picture with one mip level whose texel at (x, y), both from 0 to 1, is `value` without any
/// encoding.
[[nodiscard]] Picture make_linear_picture(uint32_t size,
                                          const std::function<glm::vec4(glm::vec2)>& value);

}  // namespace knots
