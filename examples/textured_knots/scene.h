// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <glm/glm.hpp>

#include "common/buffer.h"
#include "common/image.h"

/// What is drawn, in GPU memory, and nothing of how shaders reach it: both renderers get the same
/// scene.
namespace knots {

inline constexpr uint32_t kKnots = 3;

/// The uniform blocks of the shaders, std140.
struct Camera {
  glm::mat4 viewProjection;
  glm::mat4 inverseViewProjection;
  glm::vec4 eye;
  glm::vec4 keyDirection;
};
struct Model {
  glm::mat4 transform;
  glm::vec4 tint;
  glm::vec4 finish;
};

/// An image, and how shaders are to see it. The create-infos are all that a descriptor heap needs.
struct Texture {
  example::Image image;
  VkImageViewCreateInfo view{};
  VkSamplerCreateInfo sampler{};
};

/// One draw, and what it picks of each kind. Model and material have different numbers, so that a
/// mix-up is seen.
struct Draw {
  uint32_t model = 0;
  uint32_t material = 0;
  uint32_t indexCount = 0;
  uint32_t firstIndex = 0;
  int32_t firstVertex = 0;
};

struct Scene {
  example::Buffer vertices;
  example::Buffer indices;
  example::UniformArray camera;
  example::UniformArray models;
  std::array<Texture, kKnots> materials;
  Texture floorLight;
  std::array<Draw, kKnots> draws;
};

[[nodiscard]] Scene create_scene(const example::Gpu& gpu, float aspectRatio);
void destroy_scene(const example::Gpu& gpu, const Scene& scene);

}  // namespace knots
