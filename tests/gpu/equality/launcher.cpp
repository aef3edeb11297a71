// SPDX-License-Identifier: MIT
#include "launcher.h"

#include "common/commands.h"

namespace equality {
namespace {

using heapsmith::Result;

constexpr uint32_t kGroups = 2;  // in each of two dimensions
constexpr VkExtent2D kExtent{kSide, kSide};

VkShaderModuleCreateInfo code_of(std::span<const uint32_t> words) {
  return {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
          .codeSize = words.size_bytes(),
          .pCode = words.data()};
}

VkPipelineShaderStageCreateInfo stage_of(VkShaderStageFlagBits stage, const char* entryPoint,
                                         const VkShaderModuleCreateInfo& code,
                                         const VkSpecializationInfo* specialization = nullptr) {
  return {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
          .pNext = &code,
          .stage = stage,
          .pName = entryPoint,
          .pSpecializationInfo = specialization};
}

VkRenderingAttachmentInfo attachment(VkImageView view) {
  return {.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
          .imageView = view,
          .imageLayout = VK_IMAGE_LAYOUT_GENERAL,
          .loadOp = VK_ATTACHMENT_LOAD_OP_LOAD,
          .storeOp = VK_ATTACHMENT_STORE_OP_STORE};
}

}  // namespace

Launcher::Launcher(Arena& arena, const Scene& scene, Resources& resources,
                   std::vector<uint32_t> cover)
    : arena_(arena), scene_(scene), resources_(resources), cover_(std::move(cover)) {
  for (const SceneImage& image : resources_.attachments()) {
    views_.push_back(image.image == VK_NULL_HANDLE ? VK_NULL_HANDLE : arena_.view(image.view));
    formats_.push_back(image.format.format);
  }
  if (!formats_.empty()) formats_.pop_back();  // depth comes last
}

Result<VkPipeline> Launcher::make_pipeline(std::span<const uint32_t> words,
                                           const PipelineMaker& maker) {
  Result<VkPipeline> made = [&] {
    if (scene_.stage == heapsmith::ShaderStage::Fragment) return make_graphics(words, maker);
    const VkShaderModuleCreateInfo code = code_of(words);
    return maker.compute({.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
                          .stage = stage_of(VK_SHADER_STAGE_COMPUTE_BIT, entry_point(maker), code,
                                            maker.specialization),
                          .layout = maker.layout});
  }();
  if (made) {
    arena_.at_end([device = arena_.gpu().device, pipeline = *made] {
      vkDestroyPipeline(device, pipeline, nullptr);
    });
  }
  return made;
}

const char* Launcher::entry_point(const PipelineMaker& maker) const {
  return maker.entryPoint != nullptr ? maker.entryPoint : scene_.entryPoint.c_str();
}

Result<VkPipeline> Launcher::make_graphics(std::span<const uint32_t> words,
                                           const PipelineMaker& maker) {
  const VkShaderModuleCreateInfo codes[] = {code_of(cover_), code_of(words)};
  const VkPipelineShaderStageCreateInfo stages[] = {
      stage_of(VK_SHADER_STAGE_VERTEX_BIT, "main", codes[0]),
      stage_of(VK_SHADER_STAGE_FRAGMENT_BIT, entry_point(maker), codes[1], maker.specialization)};
  const VkPipelineRenderingCreateInfo rendering{
      .sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
      .colorAttachmentCount = static_cast<uint32_t>(formats_.size()),
      .pColorAttachmentFormats = formats_.data(),
      .depthAttachmentFormat = VK_FORMAT_D32_SFLOAT};
  const VkPipelineVertexInputStateCreateInfo vertices{
      .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
  const VkPipelineInputAssemblyStateCreateInfo assembly{
      .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
      .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST};
  const VkViewport area{0, 0, kSide, kSide, 0, 1};
  const VkRect2D scissor{.extent = kExtent};
  const VkPipelineViewportStateCreateInfo viewport{
      .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
      .viewportCount = 1,
      .pViewports = &area,
      .scissorCount = 1,
      .pScissors = &scissor};
  const VkPipelineRasterizationStateCreateInfo rasterization{
      .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO, .lineWidth = 1.0f};
  const VkPipelineMultisampleStateCreateInfo multisample{
      .sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
      .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT};
  const VkPipelineDepthStencilStateCreateInfo depth{
      .sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO,
      .depthTestEnable = VK_TRUE,
      .depthWriteEnable = VK_TRUE,
      .depthCompareOp = VK_COMPARE_OP_ALWAYS};
  const std::vector<VkPipelineColorBlendAttachmentState> blends(formats_.size(),
                                                                {.colorWriteMask = 0xF});
  const VkPipelineColorBlendStateCreateInfo blend{
      .sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
      .attachmentCount = static_cast<uint32_t>(blends.size()),
      .pAttachments = blends.data()};
  return maker.graphics({.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
                         .pNext = &rendering,
                         .stageCount = std::size(stages),
                         .pStages = stages,
                         .pVertexInputState = &vertices,
                         .pInputAssemblyState = &assembly,
                         .pViewportState = &viewport,
                         .pRasterizationState = &rasterization,
                         .pMultisampleState = &multisample,
                         .pDepthStencilState = &depth,
                         .pColorBlendState = &blend,
                         .layout = maker.layout});
}

void Launcher::draw(VkCommandBuffer commands) const {
  std::vector<VkRenderingAttachmentInfo> attachments;
  for (const VkImageView view : views_)
    attachments.push_back(attachment(view));
  const VkRenderingInfo rendering{.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
                                  .renderArea = {.extent = kExtent},
                                  .layerCount = 1,
                                  .colorAttachmentCount = static_cast<uint32_t>(formats_.size()),
                                  .pColorAttachments = attachments.data(),
                                  .pDepthAttachment = &attachments.back()};
  vkCmdBeginRendering(commands, &rendering);
  vkCmdDraw(commands, 3, 1, 0, 0);
  vkCmdEndRendering(commands);
}

Snapshot Launcher::run(const Form& form) {
  const VkCommandBuffer commands = example::begin_commands(arena_.gpu());
  resources_.reset(commands);
  form.bind(commands);
  if (scene_.stage == heapsmith::ShaderStage::Fragment) {
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, form.pipeline);
    draw(commands);
  } else {
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, form.pipeline);
    vkCmdDispatch(commands, kGroups, kGroups, 1);
  }
  resources_.read_back(commands);
  example::submit_and_wait(arena_.gpu(), commands);
  return resources_.snapshot();
}

}  // namespace equality
