// SPDX-License-Identifier: MIT
#include "support/pipelines.h"

#include <heapsmith/pipeline.h>

#include "common/check.h"

namespace gpu_test {
namespace {

VkPipelineShaderStageCreateInfo stage_info(const StageShader& shader) {
  return {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
          .stage = shader.stage,
          .module = shader.shader,
          .pName = "main",
          .pSpecializationInfo = shader.specialization};
}

void begin_draw(VkCommandBuffer commands, VkPipeline pipeline) {
  const VkRenderingInfo rendering{
      .sType = VK_STRUCTURE_TYPE_RENDERING_INFO, .renderArea = {.extent = {1, 1}}, .layerCount = 1};
  vkCmdBeginRendering(commands, &rendering);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
}

}  // namespace

Mapping map(uint32_t set, uint32_t binding, VkDescriptorMappingSourceEXT source,
            const VkDescriptorMappingSourceDataEXT& data) {
  return {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_AND_BINDING_MAPPING_EXT,
          .descriptorSet = set,
          .firstBinding = binding,
          .bindingCount = 1,
          .resourceMask = VK_SPIRV_RESOURCE_TYPE_ALL_EXT,
          .source = source,
          .sourceData = data};
}

VkPipeline compute_pipeline(TestDevice& device, VkShaderModule shader, Mappings mappings,
                            const VkSpecializationInfo* specialization) {
  const VkComputePipelineCreateInfo info{
      .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
      .stage = stage_info({VK_SHADER_STAGE_COMPUTE_BIT, shader, specialization})};
  return device.own(
      example::checked(heapsmith::create_compute_pipeline(device.heapsmith(), info, mappings),
                       "creating a compute pipeline"));
}

VkPipeline graphics_pipeline(TestDevice& device, std::span<const StageShader> shaders,
                             Mappings mappings, VkRenderPass renderPass) {
  std::vector<VkPipelineShaderStageCreateInfo> stages;
  VkShaderStageFlags present = 0;
  for (const StageShader& shader : shaders) {
    stages.push_back(stage_info(shader));
    present |= shader.stage;
  }
  const bool tessellates = (present & VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT) != 0;
  const VkPipelineVertexInputStateCreateInfo vertexInput{
      .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
  const VkPipelineInputAssemblyStateCreateInfo inputAssembly{
      .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
      .topology =
          tessellates ? VK_PRIMITIVE_TOPOLOGY_PATCH_LIST : VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST};
  const VkPipelineTessellationStateCreateInfo tessellation{
      .sType = VK_STRUCTURE_TYPE_PIPELINE_TESSELLATION_STATE_CREATE_INFO, .patchControlPoints = 3};
  const VkViewport viewport{.width = 1.0f, .height = 1.0f, .maxDepth = 1.0f};
  const VkRect2D scissor{.extent = {1, 1}};
  const VkPipelineViewportStateCreateInfo viewports{
      .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
      .viewportCount = 1,
      .pViewports = &viewport,
      .scissorCount = 1,
      .pScissors = &scissor};
  const VkPipelineRasterizationStateCreateInfo rasterization{
      .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO, .lineWidth = 1.0f};
  const VkPipelineMultisampleStateCreateInfo multisample{
      .sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
      .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT};
  const VkPipelineRenderingCreateInfo rendering{
      .sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO};
  const VkGraphicsPipelineCreateInfo info{
      .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
      .pNext = renderPass == VK_NULL_HANDLE ? &rendering : nullptr,
      .stageCount = static_cast<uint32_t>(stages.size()),
      .pStages = stages.data(),
      .pVertexInputState = &vertexInput,
      .pInputAssemblyState = &inputAssembly,
      .pTessellationState = &tessellation,
      .pViewportState = &viewports,
      .pRasterizationState = &rasterization,
      .pMultisampleState = &multisample,
      .renderPass = renderPass};
  return device.own(
      example::checked(heapsmith::create_graphics_pipeline(device.heapsmith(), info, mappings),
                       "creating a graphics pipeline"));
}

void record_dispatch(VkCommandBuffer commands, VkPipeline pipeline) {
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
  vkCmdDispatch(commands, 1, 1, 1);
}

void record_draw(VkCommandBuffer commands, VkPipeline pipeline) {
  begin_draw(commands, pipeline);
  vkCmdDraw(commands, 3, 1, 0, 0);
  vkCmdEndRendering(commands);
}

void record_mesh_draw(VkCommandBuffer commands, VkPipeline pipeline) {
  begin_draw(commands, pipeline);
  vkCmdDrawMeshTasksEXT(commands, 1, 1, 1);
  vkCmdEndRendering(commands);
}

}  // namespace gpu_test
