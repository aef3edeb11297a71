// SPDX-License-Identifier: MIT
#include "pipeline_state.h"

#include <cstddef>

#include "canvas.h"
#include "geometry.h"

namespace knots {
namespace {

constexpr VkVertexInputBindingDescription kVertexBuffer{.stride = sizeof(Vertex)};
constexpr std::array<VkVertexInputAttributeDescription, 4> kAttributes{{
    {.location = 0, .format = VK_FORMAT_R32G32B32_SFLOAT, .offset = offsetof(Vertex, position)},
    {.location = 1, .format = VK_FORMAT_R32G32B32_SFLOAT, .offset = offsetof(Vertex, normal)},
    {.location = 2,
     .format = VK_FORMAT_R32G32_SFLOAT,
     .offset = offsetof(Vertex, textureCoordinate)},
    {.location = 3, .format = VK_FORMAT_R32G32_SFLOAT, .offset = offsetof(Vertex, light)},
}};
constexpr std::array kDynamicStates{VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR};
constexpr VkPipelineColorBlendAttachmentState kOverwrite{
    .colorWriteMask = VK_COLOR_COMPONENT_R_BIT | VK_COLOR_COMPONENT_G_BIT |
                      VK_COLOR_COMPONENT_B_BIT | VK_COLOR_COMPONENT_A_BIT};

VkPipelineShaderStageCreateInfo stage(VkShaderStageFlagBits bit, VkShaderModule module) {
  return {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
          .stage = bit,
          .module = module,
          .pName = "main"};
}

}  // namespace

PipelineState::PipelineState(VkShaderModule vertex, VkShaderModule fragment,
                             VkSampleCountFlagBits samples, bool isSolid) {
  stages_ = {stage(VK_SHADER_STAGE_VERTEX_BIT, vertex),
             stage(VK_SHADER_STAGE_FRAGMENT_BIT, fragment)};
  vertexInput_ = {.sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
  if (isSolid) {
    vertexInput_.vertexBindingDescriptionCount = 1;
    vertexInput_.pVertexBindingDescriptions = &kVertexBuffer;
    vertexInput_.vertexAttributeDescriptionCount = static_cast<uint32_t>(kAttributes.size());
    vertexInput_.pVertexAttributeDescriptions = kAttributes.data();
  }
  inputAssembly_ = {.sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
                    .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST};
  viewport_ = {.sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
               .viewportCount = 1,
               .scissorCount = 1};
  rasterization_ = {.sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
                    .lineWidth = 1.0f};
  multisample_ = {.sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
                  .rasterizationSamples = samples};
  depth_ = {.sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO,
            .depthTestEnable = isSolid,
            .depthWriteEnable = isSolid,
            .depthCompareOp = VK_COMPARE_OP_LESS};
  blend_ = {.sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
            .attachmentCount = 1,
            .pAttachments = &kOverwrite};
  dynamic_ = {.sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
              .dynamicStateCount = static_cast<uint32_t>(kDynamicStates.size()),
              .pDynamicStates = kDynamicStates.data()};
  rendering_ = {.sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
                .colorAttachmentCount = 1,
                .pColorAttachmentFormats = &kColorFormat,
                .depthAttachmentFormat = kDepthFormat};
  info = {.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
          .pNext = &rendering_,
          .stageCount = static_cast<uint32_t>(stages_.size()),
          .pStages = stages_.data(),
          .pVertexInputState = &vertexInput_,
          .pInputAssemblyState = &inputAssembly_,
          .pViewportState = &viewport_,
          .pRasterizationState = &rasterization_,
          .pMultisampleState = &multisample_,
          .pDepthStencilState = &depth_,
          .pColorBlendState = &blend_,
          .pDynamicState = &dynamic_};
}

}  // namespace knots
