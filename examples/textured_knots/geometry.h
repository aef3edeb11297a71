// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <glm/glm.hpp>
#include <vector>

/// Shapes, and the light that reaches them. No Vulkan.
namespace knots {

struct Vertex {
  glm::vec3 position;
  glm::vec3 normal;
  glm::vec2 textureCoordinate;
  glm::vec2 light;  ///< share of the surroundings, and of the key light, that is not hidden
};

struct Mesh {
  std::vector<Vertex> vertices;
  std::vector<uint32_t> indices;
};

/// A tube along a closed curve that winds `p` times around the axis of a torus, and `q` times
/// through its hole.
struct TorusKnot {
  uint32_t p = 2;
  uint32_t q = 3;
  float majorRadius = 1.0f;
  float minorRadius = 0.45f;
  float tubeRadius = 0.2f;
  glm::vec2 textureRepeats{
      1.0f, 1.0f};  ///< along the tube and around it; whole numbers, or there is a seam
};

[[nodiscard]] Mesh make_mesh(const TorusKnot& knot);

/// A knot as a chain of spheres: near enough to it for soft shadows.
struct Sphere {
  glm::vec3 center;
  float radius = 0.0f;
};
[[nodiscard]] std::vector<Sphere> make_spheres(const TorusKnot& knot, const glm::mat4& transform);

/// How much light gets past the spheres to a point of a surface: x of the surroundings, y of the
/// key light.
[[nodiscard]] glm::vec2 visible_light(const glm::vec3& point, const glm::vec3& normal,
                                      const glm::vec3& keyDirection,
                                      const std::vector<Sphere>& spheres);

}  // namespace knots
