// SPDX-License-Identifier: MIT
#include "scene.h"

#include <algorithm>
#include <cstring>
#include <glm/gtc/matrix_transform.hpp>
#include <limits>
#include <vector>

#include "common/commands.h"
#include "geometry.h"
#include "textures.h"

namespace knots {
namespace {

const glm::vec3 kKeyDirection = glm::normalize(glm::vec3(-0.55f, 1.0f, 0.55f));
const glm::vec2 kFloorHalfExtent{8.0f, 6.0f};  // as in backdrop.frag

/// A knot, and where it stands on the floor.
struct Placement {
  TorusKnot knot;
  glm::vec2 floorPosition;
  float scale;
  glm::vec3 turns;  ///< degrees about x, y and z
  glm::vec4 tint;
  glm::vec4 finish;
  uint32_t material;
};

const std::array<Placement, kKnots> kPlacements{{
    {.knot = {.p = 2, .q = 3, .minorRadius = 0.46f, .tubeRadius = 0.27f, .textureRepeats = {14, 1}},
     .floorPosition = {-2.85f, 0.3f},
     .scale = 0.92f,
     .turns = {66.0f, 24.0f, -8.0f},
     .tint = {1.0f, 1.0f, 1.0f, 1.0f},
     .finish = {0.28f, 0.26f, 0.0f, 0.0f},
     .material = 1},
    {.knot =
         {.p = 3, .q = 4, .minorRadius = 0.46f, .tubeRadius = 0.185f, .textureRepeats = {20, 1}},
     .floorPosition = {0.0f, -0.55f},
     .scale = 1.16f,
     .turns = {72.0f, -6.0f, 4.0f},
     .tint = {1.0f, 1.0f, 1.0f, 1.0f},
     .finish = {0.2f, 0.24f, 0.0f, 0.0f},
     .material = 2},
    {.knot = {.p = 2, .q = 5, .minorRadius = 0.44f, .tubeRadius = 0.2f, .textureRepeats = {10, 1}},
     .floorPosition = {2.86f, 0.4f},
     .scale = 0.95f,
     .turns = {58.0f, -28.0f, 10.0f},
     .tint = {1.0f, 0.97f, 0.94f, 1.0f},
     .finish = {0.34f, 0.3f, 0.0f, 0.0f},
     .material = 0},
}};

Camera make_camera(float aspectRatio) {
  const glm::vec3 eye{0.0f, 3.2f, 11.6f};
  const glm::mat4 view = glm::lookAt(eye, glm::vec3(0.0f, 1.5f, 0.0f), glm::vec3(0.0f, 1.0f, 0.0f));
  glm::mat4 projection = glm::perspective(glm::radians(27.0f), aspectRatio, 1.0f, 40.0f);
  projection[1][1] *= -1.0f;  // Vulkan's clip space has y down
  const glm::mat4 viewProjection = projection * view;
  return {.viewProjection = viewProjection,
          .inverseViewProjection = glm::inverse(viewProjection),
          .eye = glm::vec4(eye, 1.0f),
          .keyDirection = glm::vec4(kKeyDirection, 0.0f)};
}

// Turns and scales the knot, then sets it down so that it touches the floor, y = 0.
glm::mat4 place(const Placement& placement, const Mesh& mesh) {
  glm::mat4 turned(1.0f);
  turned = glm::rotate(turned, glm::radians(placement.turns.y), {0.0f, 1.0f, 0.0f});
  turned = glm::rotate(turned, glm::radians(placement.turns.z), {0.0f, 0.0f, 1.0f});
  turned = glm::rotate(turned, glm::radians(placement.turns.x), {1.0f, 0.0f, 0.0f});
  turned = glm::scale(turned, glm::vec3(placement.scale));
  float lowest = std::numeric_limits<float>::max();
  for (const Vertex& vertex : mesh.vertices)
    lowest = std::min(lowest, (turned * glm::vec4(vertex.position, 1.0f)).y);
  turned[3] = glm::vec4(placement.floorPosition.x, -lowest, placement.floorPosition.y, 1.0f);
  return turned;
}

// Bakes into every vertex how much light gets past all of the knots.
void light_mesh(Mesh& mesh, const glm::mat4& transform, const std::vector<Sphere>& spheres) {
  for (Vertex& vertex : mesh.vertices) {
    const glm::vec3 point = transform * glm::vec4(vertex.position, 1.0f);
    const glm::vec3 normal = glm::normalize(glm::mat3(transform) * vertex.normal);
    vertex.light = visible_light(point, normal, kKeyDirection, spheres);
  }
}

Picture make_floor_light(const std::vector<Sphere>& spheres) {
  return make_linear_picture(256, [&](glm::vec2 at) {
    const glm::vec2 ground = (at * 2.0f - 1.0f) * kFloorHalfExtent;
    const glm::vec2 light =
        visible_light({ground.x, 0.0f, ground.y}, {0.0f, 1.0f, 0.0f}, kKeyDirection, spheres);
    return glm::vec4(light, 0.0f, 1.0f);
  });
}

// Copies all mip levels and leaves the image ready for fragment shaders.
void upload(const example::Gpu& gpu, const example::Image& image, const Picture& picture) {
  const example::Buffer staging = example::create_buffer(
      gpu, std::span<const uint32_t>(picture.texels), VK_BUFFER_USAGE_TRANSFER_SRC_BIT);
  std::vector<VkBufferImageCopy> copies;
  VkDeviceSize offset = 0;
  for (uint32_t level = 0; level < picture.mipLevels; ++level) {
    const uint32_t width = picture.size >> level;
    copies.push_back({.bufferOffset = offset,
                      .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, level, 0, 1},
                      .imageExtent = {width, width, 1}});
    offset += VkDeviceSize{width} * width * sizeof(uint32_t);
  }
  const example::ImageUse written{VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_TRANSFER_WRITE_BIT,
                                  VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL};
  const example::ImageUse sampled{VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT,
                                  VK_ACCESS_2_SHADER_SAMPLED_READ_BIT,
                                  VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
  const VkCommandBuffer commands = example::begin_commands(gpu);
  example::image_barrier(commands, image, {}, written);
  vkCmdCopyBufferToImage(commands, staging.buffer, image.image, written.layout,
                         static_cast<uint32_t>(copies.size()), copies.data());
  example::image_barrier(commands, image, written, sampled);
  example::submit_and_wait(gpu, commands);
  example::destroy_buffer(gpu, staging);
}

VkSamplerCreateInfo smooth_sampler(const example::Gpu& gpu) {
  VkPhysicalDeviceFeatures features;
  vkGetPhysicalDeviceFeatures(gpu.physicalDevice, &features);
  return {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
          .magFilter = VK_FILTER_LINEAR,
          .minFilter = VK_FILTER_LINEAR,
          .mipmapMode = VK_SAMPLER_MIPMAP_MODE_LINEAR,
          .anisotropyEnable = features.samplerAnisotropy,
          .maxAnisotropy = std::min(8.0f, gpu.properties.limits.maxSamplerAnisotropy),
          .maxLod = VK_LOD_CLAMP_NONE};
}

Texture create_texture(const example::Gpu& gpu, const Picture& picture, VkFormat format,
                       const VkSamplerCreateInfo& sampler) {
  Texture texture{.sampler = sampler};
  texture.image = example::create_image(
      gpu, {.format = format,
            .extent = {picture.size, picture.size},
            .usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT,
            .mipLevels = picture.mipLevels});
  texture.view = example::view_info(texture.image);
  upload(gpu, texture.image, picture);
  return texture;
}

std::array<Texture, kKnots> create_materials(const example::Gpu& gpu) {
  const VkSamplerCreateInfo smooth = smooth_sampler(gpu);
  VkSamplerCreateInfo crisp = smooth;
  crisp.magFilter = VK_FILTER_NEAREST;
  crisp.anisotropyEnable = VK_FALSE;
  return {create_texture(gpu, make_ribbons(), VK_FORMAT_R8G8B8A8_SRGB, smooth),
          create_texture(gpu, make_scales(), VK_FORMAT_R8G8B8A8_SRGB, smooth),
          create_texture(gpu, make_mosaic(), VK_FORMAT_R8G8B8A8_SRGB, crisp)};
}

}  // namespace

Scene create_scene(const example::Gpu& gpu, float aspectRatio) {
  std::array<Mesh, kKnots> meshes;
  std::array<Model, kKnots> models;
  std::vector<Sphere> spheres;
  for (uint32_t knot = 0; knot < kKnots; ++knot) {
    const Placement& placement = kPlacements[knot];
    meshes[knot] = make_mesh(placement.knot);
    models[knot] = {.transform = place(placement, meshes[knot]),
                    .tint = placement.tint,
                    .finish = placement.finish};
    std::ranges::copy(make_spheres(placement.knot, models[knot].transform),
                      std::back_inserter(spheres));
  }

  Scene scene;
  std::vector<Vertex> vertices;
  std::vector<uint32_t> indices;
  for (uint32_t knot = 0; knot < kKnots; ++knot) {
    Mesh& mesh = meshes[knot];
    light_mesh(mesh, models[knot].transform, spheres);
    scene.draws[knot] = {.model = knot,
                         .material = kPlacements[knot].material,
                         .indexCount = static_cast<uint32_t>(mesh.indices.size()),
                         .firstIndex = static_cast<uint32_t>(indices.size()),
                         .firstVertex = static_cast<int32_t>(vertices.size())};
    std::ranges::copy(mesh.vertices, std::back_inserter(vertices));
    std::ranges::copy(mesh.indices, std::back_inserter(indices));
  }
  scene.vertices = example::create_buffer(gpu, std::span<const Vertex>(vertices),
                                          VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
  scene.indices = example::create_buffer(gpu, std::span<const uint32_t>(indices),
                                         VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
  const std::array camera{make_camera(aspectRatio)};
  scene.camera = example::create_uniform_array(gpu, std::span<const Camera>(camera));
  scene.models = example::create_uniform_array(gpu, std::span<const Model>(models));
  scene.materials = create_materials(gpu);

  VkSamplerCreateInfo clamped = smooth_sampler(gpu);
  clamped.addressModeU = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
  clamped.addressModeV = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
  scene.floorLight =
      create_texture(gpu, make_floor_light(spheres), VK_FORMAT_R8G8B8A8_UNORM, clamped);
  return scene;
}

void destroy_scene(const example::Gpu& gpu, const Scene& scene) {
  for (const Texture& texture : scene.materials)
    example::destroy_image(gpu, texture.image);
  example::destroy_image(gpu, scene.floorLight.image);
  for (const example::Buffer& buffer :
       {scene.vertices, scene.indices, scene.camera.buffer, scene.models.buffer})
    example::destroy_buffer(gpu, buffer);
}

}  // namespace knots
