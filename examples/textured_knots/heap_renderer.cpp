// SPDX-License-Identifier: MIT
#include "heap_renderer.h"

#include <heapsmith/commands.h>
#include <heapsmith/pipeline.h>
#include <heapsmith/writer.h>

#include "common/check.h"
#include "textured_knots.h"

namespace knots {
namespace {

namespace bindings = textured_knots::bindings;
namespace programs = textured_knots::programs;
namespace push = textured_knots::push;
namespace tables = textured_knots::tables;

void write_descriptors(HeapRenderer& renderer, const Scene& scene) {
  using example::check;
  constexpr VkImageLayout kSampled = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL;
  heapsmith::DescriptorWriter writer(renderer.device, textured_knots::manifest, renderer.layout,
                                     renderer.heaps);
  check(
      writer.buffer(bindings::frame::camera, 0, 0, scene.camera.address(0), scene.camera.valueSize),
      "writing the camera");
  check(writer.image(bindings::floor::floorLight, 0, 0, scene.floorLight.view, kSampled),
        "writing the floor's light");
  check(writer.sampler(bindings::floor::floorLight, 0, 0, scene.floorLight.sampler),
        "writing the floor's sampler");

  // Three materials, but two samplers: equal ones share a place in the sampler heap.
  heapsmith::SamplerTuples tuples(textured_knots::manifest, renderer.layout, tables::material);
  for (uint32_t knot = 0; knot < kKnots; ++knot) {
    const Texture& material = scene.materials[knot];
    check(writer.buffer(bindings::model::model, 0, knot, scene.models.address(knot),
                        scene.models.valueSize),
          "writing a model");
    check(writer.image(bindings::material::albedo, 0, knot, material.view, kSampled),
          "writing a material");
    renderer.samplerTuples[knot] =
        example::checked(tuples.add(writer, {&material.sampler, 1}), "writing a sampler");
  }
  check(writer.flush(), "writing descriptors");
}

VkPipeline create_pipeline(const HeapRenderer& renderer, const PipelineState& state,
                           heapsmith::ProgramId program) {
  const auto mappings =
      heapsmith::vulkan_mappings(textured_knots::manifest, renderer.layout, program);
  return example::checked(
      heapsmith::create_graphics_pipeline(renderer.device, state.info, mappings),
      "creating a pipeline with descriptor heaps");
}

}  // namespace

HeapRenderer create_heap_renderer(const example::Gpu& gpu, const Shaders& shaders,
                                  const Scene& scene, VkSampleCountFlagBits samples) {
  HeapRenderer renderer{.device = example::heapsmith_device(gpu)};
  renderer.layout = example::checked(heapsmith::resolve(textured_knots::manifest, gpu.limits),
                                     "resolving the manifest");
  renderer.heaps = example::checked(heapsmith::create_heaps(renderer.device, renderer.layout),
                                    "creating the heaps");
  write_descriptors(renderer, scene);
  renderer.backdrop =
      create_pipeline(renderer, PipelineState::backdrop(shaders, samples), programs::backdrop);
  renderer.knot = create_pipeline(renderer, PipelineState::knot(shaders, samples), programs::knot);
  return renderer;
}

void destroy_heap_renderer(const example::Gpu& gpu, HeapRenderer& renderer) {
  vkDestroyPipeline(gpu.device, renderer.backdrop, nullptr);
  vkDestroyPipeline(gpu.device, renderer.knot, nullptr);
  heapsmith::destroy_heaps(renderer.device, renderer.heaps);
}

void draw(VkCommandBuffer commands, const HeapRenderer& renderer, const Scene& scene) {
  const auto push_index = [&](heapsmith::FieldId field, uint32_t index) {
    heapsmith::push_index(renderer.device, commands, textured_knots::manifest, field, index);
  };
  heapsmith::bind_heaps(renderer.device, commands, renderer.heaps);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, renderer.backdrop);
  vkCmdDraw(commands, 3, 1, 0, 0);

  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, renderer.knot);
  const VkDeviceSize start = 0;
  vkCmdBindVertexBuffers(commands, 0, 1, &scene.vertices.buffer, &start);
  vkCmdBindIndexBuffer(commands, scene.indices.buffer, 0, VK_INDEX_TYPE_UINT32);
  for (const Draw& item : scene.draws) {
    push_index(push::model, item.model);
    push_index(push::material, item.material);
    push_index(push::materialSampler, renderer.samplerTuples[item.material]);
    vkCmdDrawIndexed(commands, item.indexCount, 1, item.firstIndex, item.firstVertex, 0);
  }
}

}  // namespace knots
