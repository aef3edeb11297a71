// SPDX-License-Identifier: MIT
#include "set_renderer.h"

#include "common/check.h"

namespace knots {
namespace {

constexpr VkDescriptorType kUniform = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
constexpr VkDescriptorType kTexture = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
/// The only binding of each set, as the shaders declare it.
constexpr std::array<VkDescriptorType, 4> kSetTypes{kUniform, kUniform, kTexture, kTexture};

void create_layouts(const example::Gpu& gpu, SetRenderer& renderer) {
  for (size_t set = 0; set < kSetTypes.size(); ++set) {
    const VkDescriptorSetLayoutBinding binding{
        .descriptorType = kSetTypes[set],
        .descriptorCount = 1,
        .stageFlags = VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT};
    const VkDescriptorSetLayoutCreateInfo info{
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = 1,
        .pBindings = &binding};
    example::check(
        vkCreateDescriptorSetLayout(gpu.device, &info, nullptr, &renderer.setLayouts[set]),
        "creating a descriptor set layout");
  }
  const VkPipelineLayoutCreateInfo info{
      .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
      .setLayoutCount = static_cast<uint32_t>(renderer.setLayouts.size()),
      .pSetLayouts = renderer.setLayouts.data()};
  example::check(vkCreatePipelineLayout(gpu.device, &info, nullptr, &renderer.pipelineLayout),
                 "creating a pipeline layout");
}

VkPipeline create_pipeline(const example::Gpu& gpu, const PipelineState& state,
                           VkPipelineLayout layout) {
  VkGraphicsPipelineCreateInfo info = state.info;
  info.layout = layout;
  VkPipeline pipeline = VK_NULL_HANDLE;
  example::check(
      vkCreateGraphicsPipelines(gpu.device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline),
      "creating a pipeline with descriptor sets");
  return pipeline;
}

void create_pool(const example::Gpu& gpu, SetRenderer& renderer) {
  constexpr std::array<VkDescriptorPoolSize, 2> kSizes{
      {{kUniform, 1 + kKnots}, {kTexture, 1 + kKnots}}};
  const VkDescriptorPoolCreateInfo info{.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                        .maxSets = 2 + 2 * kKnots,
                                        .poolSizeCount = static_cast<uint32_t>(kSizes.size()),
                                        .pPoolSizes = kSizes.data()};
  example::check(vkCreateDescriptorPool(gpu.device, &info, nullptr, &renderer.pool),
                 "creating a descriptor pool");
}

VkDescriptorSet allocate_set(const example::Gpu& gpu, const SetRenderer& renderer, size_t set) {
  const VkDescriptorSetAllocateInfo info{.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                         .descriptorPool = renderer.pool,
                                         .descriptorSetCount = 1,
                                         .pSetLayouts = &renderer.setLayouts[set]};
  VkDescriptorSet descriptorSet = VK_NULL_HANDLE;
  example::check(vkAllocateDescriptorSets(gpu.device, &info, &descriptorSet),
                 "allocating a descriptor set");
  return descriptorSet;
}

VkDescriptorSet create_uniform_set(const example::Gpu& gpu, const SetRenderer& renderer, size_t set,
                                   const example::UniformArray& values, uint32_t index) {
  const VkDescriptorSet descriptorSet = allocate_set(gpu, renderer, set);
  const VkDescriptorBufferInfo buffer{values.buffer.buffer, index * values.stride,
                                      values.valueSize};
  const VkWriteDescriptorSet write{.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                   .dstSet = descriptorSet,
                                   .descriptorCount = 1,
                                   .descriptorType = kUniform,
                                   .pBufferInfo = &buffer};
  vkUpdateDescriptorSets(gpu.device, 1, &write, 0, nullptr);
  return descriptorSet;
}

VkDescriptorSet create_texture_set(const example::Gpu& gpu, SetRenderer& renderer, size_t set,
                                   const Texture& texture) {
  VkImageView view = VK_NULL_HANDLE;
  VkSampler sampler = VK_NULL_HANDLE;
  example::check(vkCreateImageView(gpu.device, &texture.view, nullptr, &view), "creating a view");
  example::check(vkCreateSampler(gpu.device, &texture.sampler, nullptr, &sampler),
                 "creating a sampler");
  renderer.views.push_back(view);
  renderer.samplers.push_back(sampler);

  const VkDescriptorSet descriptorSet = allocate_set(gpu, renderer, set);
  const VkDescriptorImageInfo image{sampler, view, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
  const VkWriteDescriptorSet write{.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                   .dstSet = descriptorSet,
                                   .descriptorCount = 1,
                                   .descriptorType = kTexture,
                                   .pImageInfo = &image};
  vkUpdateDescriptorSets(gpu.device, 1, &write, 0, nullptr);
  return descriptorSet;
}

}  // namespace

SetRenderer create_set_renderer(const example::Gpu& gpu, const Shaders& shaders, const Scene& scene,
                                VkSampleCountFlagBits samples) {
  SetRenderer renderer;
  create_layouts(gpu, renderer);
  renderer.backdrop =
      create_pipeline(gpu, PipelineState::backdrop(shaders, samples), renderer.pipelineLayout);
  renderer.knot =
      create_pipeline(gpu, PipelineState::knot(shaders, samples), renderer.pipelineLayout);
  create_pool(gpu, renderer);
  renderer.frameSet = create_uniform_set(gpu, renderer, 0, scene.camera, 0);
  for (uint32_t knot = 0; knot < kKnots; ++knot) {
    renderer.modelSets[knot] = create_uniform_set(gpu, renderer, 1, scene.models, knot);
    renderer.materialSets[knot] = create_texture_set(gpu, renderer, 2, scene.materials[knot]);
  }
  renderer.floorSet = create_texture_set(gpu, renderer, 3, scene.floorLight);
  return renderer;
}

void destroy_set_renderer(const example::Gpu& gpu, const SetRenderer& renderer) {
  vkDestroyPipeline(gpu.device, renderer.backdrop, nullptr);
  vkDestroyPipeline(gpu.device, renderer.knot, nullptr);
  vkDestroyDescriptorPool(gpu.device, renderer.pool, nullptr);
  vkDestroyPipelineLayout(gpu.device, renderer.pipelineLayout, nullptr);
  for (const VkDescriptorSetLayout layout : renderer.setLayouts)
    vkDestroyDescriptorSetLayout(gpu.device, layout, nullptr);
  for (const VkImageView view : renderer.views)
    vkDestroyImageView(gpu.device, view, nullptr);
  for (const VkSampler sampler : renderer.samplers)
    vkDestroySampler(gpu.device, sampler, nullptr);
}

void draw(VkCommandBuffer commands, const SetRenderer& renderer, const Scene& scene) {
  const auto bind_set = [&](uint32_t set, VkDescriptorSet descriptorSet) {
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, renderer.pipelineLayout, set,
                            1, &descriptorSet, 0, nullptr);
  };
  bind_set(0, renderer.frameSet);
  bind_set(3, renderer.floorSet);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, renderer.backdrop);
  vkCmdDraw(commands, 3, 1, 0, 0);

  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, renderer.knot);
  const VkDeviceSize start = 0;
  vkCmdBindVertexBuffers(commands, 0, 1, &scene.vertices.buffer, &start);
  vkCmdBindIndexBuffer(commands, scene.indices.buffer, 0, VK_INDEX_TYPE_UINT32);
  for (const Draw& item : scene.draws) {
    bind_set(1, renderer.modelSets[item.model]);
    bind_set(2, renderer.materialSets[item.material]);
    vkCmdDrawIndexed(commands, item.indexCount, 1, item.firstIndex, item.firstVertex, 0);
  }
}

}  // namespace knots
