// SPDX-License-Identifier: MIT
#include "textures.h"

#include <bit>
#include <cmath>
#include <glm/gtc/color_space.hpp>
#include <glm/gtc/packing.hpp>

namespace knots {
namespace {

using Pattern = std::function<glm::vec4(glm::vec2)>;

const glm::vec3 kGold{1.0f, 0.60f, 0.20f};  // linear, as every colour here

glm::vec3 from_hex(uint32_t rgb) {
  const glm::vec3 encoded{static_cast<float>(rgb >> 16 & 0xFF), static_cast<float>(rgb >> 8 & 0xFF),
                          static_cast<float>(rgb & 0xFF)};
  return glm::convertSRGBToLinear(encoded / 255.0f);
}

uint32_t encode_srgb(const glm::vec4& linear) {
  return glm::packUnorm4x8(glm::vec4(glm::convertLinearToSRGB(glm::vec3(linear)), linear.a));
}

glm::vec4 average_of_four(const std::vector<glm::vec4>& level, uint32_t size, uint32_t x,
                          uint32_t y) {
  const glm::vec4* upper = &level[size_t{2} * y * size + size_t{2} * x];
  const glm::vec4* lower = upper + size;
  return (upper[0] + upper[1] + lower[0] + lower[1]) * 0.25f;
}

// Averages are taken of linear values, and encoded at last.
Picture with_mip_levels(uint32_t size, std::vector<glm::vec4> level) {
  Picture picture{.size = size, .mipLevels = static_cast<uint32_t>(std::bit_width(size))};
  for (uint32_t width = size;; width /= 2) {
    for (const glm::vec4& texel : level)
      picture.texels.push_back(encode_srgb(texel));
    if (width == 1) return picture;
    std::vector<glm::vec4> half;
    for (uint32_t y = 0; y < width / 2; ++y) {
      for (uint32_t x = 0; x < width / 2; ++x)
        half.push_back(average_of_four(level, width, x, y));
    }
    level = std::move(half);
  }
}

Picture draw(uint32_t size, const Pattern& pattern) {
  constexpr uint32_t kSamples = 3;  // in each direction, against stairs
  std::vector<glm::vec4> level;
  for (uint32_t y = 0; y < size; ++y) {
    for (uint32_t x = 0; x < size; ++x) {
      glm::vec4 sum(0.0f);
      for (uint32_t sample = 0; sample < kSamples * kSamples; ++sample) {
        const glm::vec2 inside{sample % kSamples, sample / kSamples};
        sum += pattern((glm::vec2(x, y) + (inside + 0.5f) / static_cast<float>(kSamples)) /
                       static_cast<float>(size));
      }
      level.push_back(sum / static_cast<float>(kSamples * kSamples));
    }
  }
  return with_mip_levels(size, std::move(level));
}

float hash(glm::uvec2 cell) {
  uint32_t bits = cell.x * 0x9E3779B1u ^ cell.y * 0x85EBCA77u;
  bits = (bits ^ bits >> 15) * 0x2C1B3C6Du;
  bits = (bits ^ bits >> 12) * 0x297A2D39u;
  return static_cast<float>((bits ^ bits >> 15) >> 8) / static_cast<float>(1u << 24);
}

}  // namespace

Picture make_ribbons() {
  const glm::vec3 coral = from_hex(0xDC4427);
  const glm::vec3 cream = from_hex(0xF6E9D6);
  const glm::vec3 wine = from_hex(0x7C1F33);
  return draw(512, [=](glm::vec2 at) {
    const float across = glm::fract(at.x + at.y) * 2.0f;
    const float band = glm::fract(across);
    const glm::vec3 ribbon = across < 1.0f ? coral : cream;
    if (band < 0.055f || band > 0.945f) return glm::vec4(kGold, 1.0f);
    if (std::abs(band - 0.5f) < 0.03f) return glm::vec4(across < 1.0f ? cream : wine, 0.0f);
    return glm::vec4(ribbon, 0.0f);
  });
}

Picture make_scales() {
  const glm::vec3 deep = from_hex(0x06343F);
  const glm::vec3 bright = from_hex(0x3FC9B0);
  constexpr float kRows = 8.0f;  // even: every second row is shifted by half a scale
  constexpr float kColumns = 4.0f;
  return draw(512, [=](glm::vec2 at) {
    // Of the scales whose disc covers the point, the one in the highest row lies on top.
    const float row = std::floor(at.y * kRows);
    for (float above = 1.0f; above >= -1.0f; above -= 1.0f) {
      const float candidate = row + above;
      const float shift = std::fmod(candidate + kRows, 2.0f) * 0.5f;
      const float x = glm::fract(at.x * kColumns + shift) - 0.5f;
      const float y = (at.y * kRows - candidate) * 0.5f;
      const float radius = std::hypot(x, y);
      if (radius > 0.56f) continue;
      if (radius > 0.5f) return glm::vec4(kGold, 1.0f);
      const float fade = glm::smoothstep(0.0f, 0.52f, radius);
      return glm::vec4(glm::mix(deep, bright, fade * fade), 0.0f);
    }
    return glm::vec4(deep, 0.0f);
  });
}

Picture make_mosaic() {
  const glm::vec3 shades[] = {from_hex(0x28276B), from_hex(0x343C94), from_hex(0x3F4BAE),
                              from_hex(0x5467CC), from_hex(0x7F93E6)};
  constexpr uint32_t kSize = 16;
  std::vector<glm::vec4> level;
  for (uint32_t y = 0; y < kSize; ++y) {
    for (uint32_t x = 0; x < kSize; ++x) {
      const float chance = hash({x, y});
      if ((x + y) % 8 == 0) {
        level.emplace_back(kGold, 1.0f);
      } else {
        const auto shade = static_cast<size_t>(chance * static_cast<float>(std::size(shades)));
        level.emplace_back(shades[shade], 0.0f);
      }
    }
  }
  return with_mip_levels(kSize, std::move(level));
}

Picture make_linear_picture(uint32_t size, const Pattern& value) {
  Picture picture{.size = size, .mipLevels = 1};
  for (uint32_t y = 0; y < size; ++y) {
    for (uint32_t x = 0; x < size; ++x) {
      const glm::vec2 at = (glm::vec2(x, y) + 0.5f) / static_cast<float>(size);
      picture.texels.push_back(glm::packUnorm4x8(value(at)));
    }
  }
  return picture;
}

}  // namespace knots
