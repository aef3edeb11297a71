// SPDX-License-Identifier: MIT
#include "geometry.h"

#include <algorithm>
#include <cmath>
#include <glm/gtc/constants.hpp>

namespace knots {
namespace {

constexpr uint32_t kSegments = 640;
constexpr uint32_t kSides = 36;
constexpr uint32_t kSpheres = 220;

/// A point of the curve with the directions that span the tube's cross-section.
struct Frame {
  glm::vec3 center;
  glm::vec3 outward;
  glm::vec3 sideways;
};

// The curve lies on a torus, so the torus's own normal is always perpendicular to it: a frame that
// closes on itself, which parallel transport would not give.
Frame frame_at(const TorusKnot& knot, float turn) {
  const float around = turn * glm::two_pi<float>() * static_cast<float>(knot.p);
  const float through = turn * glm::two_pi<float>() * static_cast<float>(knot.q);
  const glm::vec3 radial{std::cos(around), 0.0f, std::sin(around)};
  const glm::vec3 tangential{-std::sin(around), 0.0f, std::cos(around)};
  const glm::vec3 up{0.0f, 1.0f, 0.0f};
  const glm::vec3 outward = std::cos(through) * radial + std::sin(through) * up;
  const float distance = knot.majorRadius + knot.minorRadius * std::cos(through);
  const glm::vec3 velocity = distance * static_cast<float>(knot.p) * tangential +
                             knot.minorRadius * static_cast<float>(knot.q) *
                                 (std::cos(through) * up - std::sin(through) * radial);
  return {.center = knot.majorRadius * radial + knot.minorRadius * outward,
          .outward = outward,
          .sideways = glm::normalize(glm::cross(velocity, outward))};
}

}  // namespace

Mesh make_mesh(const TorusKnot& knot) {
  Mesh mesh;
  for (uint32_t segment = 0; segment <= kSegments; ++segment) {
    const float turn = static_cast<float>(segment) / kSegments;
    const Frame frame = frame_at(knot, turn);
    for (uint32_t side = 0; side <= kSides; ++side) {
      const float angle = static_cast<float>(side) / kSides;
      const glm::vec3 normal = std::cos(angle * glm::two_pi<float>()) * frame.outward +
                               std::sin(angle * glm::two_pi<float>()) * frame.sideways;
      mesh.vertices.push_back({.position = frame.center + knot.tubeRadius * normal,
                               .normal = normal,
                               .textureCoordinate = knot.textureRepeats * glm::vec2(turn, angle),
                               .light = glm::vec2(1.0f)});
    }
  }
  constexpr uint32_t kRing = kSides + 1;
  for (uint32_t segment = 0; segment < kSegments; ++segment) {
    for (uint32_t side = 0; side < kSides; ++side) {
      const uint32_t a = segment * kRing + side;
      const uint32_t b = a + kRing;
      for (const uint32_t index : {a, b, a + 1, a + 1, b, b + 1})
        mesh.indices.push_back(index);
    }
  }
  return mesh;
}

std::vector<Sphere> make_spheres(const TorusKnot& knot, const glm::mat4& transform) {
  std::vector<Sphere> spheres;
  const float scale = glm::length(glm::vec3(transform[0]));
  for (uint32_t index = 0; index < kSpheres; ++index) {
    const Frame frame = frame_at(knot, static_cast<float>(index) / kSpheres);
    spheres.push_back({.center = glm::vec3(transform * glm::vec4(frame.center, 1.0f)),
                       .radius = knot.tubeRadius * scale});
  }
  return spheres;
}

glm::vec2 visible_light(const glm::vec3& point, const glm::vec3& normal,
                        const glm::vec3& keyDirection, const std::vector<Sphere>& spheres) {
  constexpr float kOverlap = 0.32f;    // neighbours in the chain hide the same directions
  constexpr float kLightSize = 0.16f;  // tangent of the angle under which the key light is seen
  float hidden = 0.0f;
  float key = 1.0f;
  for (const Sphere& sphere : spheres) {
    const glm::vec3 toCenter = sphere.center - point;
    const float distanceSquared = glm::dot(toCenter, toCenter);
    const float radiusSquared = sphere.radius * sphere.radius;
    const float cosine = glm::dot(toCenter, normal) / std::sqrt(distanceSquared);
    hidden += std::max(cosine, 0.0f) * std::min(radiusSquared / distanceSquared, 1.0f);

    // A sphere that touches the point is the point's own piece of tube, which the cosine law shades
    // already.
    const float along = glm::dot(toCenter, keyDirection);
    if (along < 1.5f * sphere.radius) continue;
    const float aside = std::sqrt(std::max(distanceSquared - along * along, 0.0f));
    const float penumbra = kLightSize * along;
    const float open = glm::smoothstep(-penumbra, penumbra, aside - sphere.radius);
    key = std::min(key, open);
  }
  return {1.0f / (1.0f + kOverlap * hidden), key};
}

}  // namespace knots
