// SPDX-License-Identifier: MIT
#include "pipelines_create.h"

#include <heapsmith/pipeline.h>

#include <format>
#include <utility>

namespace corpus {
namespace {

using heapsmith::Done;
using heapsmith::Error;
using heapsmith::ErrorCode;
using heapsmith::Result;
using heapsmith::Status;
using Mappings = std::span<const VkDescriptorSetAndBindingMappingEXT>;

constexpr VkShaderStageFlags kFirstStages =
    VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_MESH_BIT_EXT;
constexpr VkShaderStageFlags kRayTracing =
    VK_SHADER_STAGE_RAYGEN_BIT_KHR | VK_SHADER_STAGE_ANY_HIT_BIT_KHR |
    VK_SHADER_STAGE_CLOSEST_HIT_BIT_KHR | VK_SHADER_STAGE_MISS_BIT_KHR |
    VK_SHADER_STAGE_INTERSECTION_BIT_KHR | VK_SHADER_STAGE_CALLABLE_BIT_KHR;

Error vulkan_error(const char* call, VkResult result) {
  return {.code = ErrorCode::Vulkan,
          .vkResult = result,
          .text = std::format("{} returned {}", call, static_cast<int>(result))};
}

VkShaderStageFlagBits vulkan_stage(heapsmith::ShaderStage stage) {
  return static_cast<VkShaderStageFlagBits>(stage);
}

VkShaderDescriptorSetAndBindingMappingInfoEXT mapping_info(Mappings mappings) {
  return {.sType = VK_STRUCTURE_TYPE_SHADER_DESCRIPTOR_SET_AND_BINDING_MAPPING_INFO_EXT,
          .mappingCount = static_cast<uint32_t>(mappings.size()),
          .pMappings = mappings.data()};
}

/// The stages as pipelines take them, with their code in line: so the layer looks at mappings even
/// of a module that it refuses.
class Modules {
 public:
  explicit Modules(const Stages& stages) {
    codes_.reserve(stages.stages.size());  // so that the addresses taken below stay
    for (const Stage& stage : stages.stages) {
      codes_.push_back({.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                        .codeSize = stage.words.size() * sizeof(uint32_t),
                        .pCode = stage.words.data()});
      infos_.push_back({.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                        .pNext = &codes_.back(),
                        .stage = vulkan_stage(stage.stage),
                        .pName = stage.entryPoint.c_str()});
    }
  }
  Modules(const Modules&) = delete;
  Modules& operator=(const Modules&) = delete;

  const std::vector<VkPipelineShaderStageCreateInfo>& infos() const { return infos_; }

 private:
  std::vector<VkShaderModuleCreateInfo> codes_;
  std::vector<VkPipelineShaderStageCreateInfo> infos_;
};

VkPipelineCreateFlags2CreateInfo flags_info(const Reach& reach, const void* chain,
                                            VkPipelineCreateFlags2 flags = 0) {
  return {.sType = VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO,
          .pNext = chain,
          .flags = reach.flags | flags};
}

Result<VkPipeline> created(const char* call, VkResult result, VkPipeline pipeline) {
  if (result != VK_SUCCESS) return vulkan_error(call, result);
  return pipeline;
}

Result<VkPipeline> compute(const Gpu& gpu, const Modules& modules, const Reach& reach) {
  const auto flags = flags_info(reach, nullptr);
  const VkComputePipelineCreateInfo info{.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
                                         .pNext = &flags,
                                         .stage = modules.infos().front(),
                                         .layout = reach.layout};
  if (reach.layout == VK_NULL_HANDLE)
    return heapsmith::create_compute_pipeline(gpu.borrowed(), info, reach.mappings);
  VkPipeline pipeline = VK_NULL_HANDLE;
  const VkResult result = gpu.functions.vkCreateComputePipelines(gpu.device, VK_NULL_HANDLE, 1,
                                                                 &info, nullptr, &pipeline);
  return created("vkCreateComputePipelines", result, pipeline);
}

/// A whole pipeline, or, with `parts`, a library of them. Vertex attributes are dynamic state, so
/// that they fit any shader.
Result<VkPipeline> graphics(const Gpu& gpu, const Modules& modules,
                            const std::vector<VkFormat>& formats,
                            VkGraphicsPipelineLibraryFlagsEXT parts, const Reach& reach) {
  const VkGraphicsPipelineLibraryCreateInfoEXT library{
      .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT, .flags = parts};
  const VkPipelineRenderingCreateInfo rendering{
      .sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
      .pNext = parts != 0 ? &library : nullptr,
      .colorAttachmentCount = static_cast<uint32_t>(formats.size()),
      .pColorAttachmentFormats = formats.data()};
  const auto flags =
      flags_info(reach, &rendering, parts != 0 ? VK_PIPELINE_CREATE_2_LIBRARY_BIT_KHR : 0);
  const VkPipelineInputAssemblyStateCreateInfo assembly{
      .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
      .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST};
  const VkPipelineViewportStateCreateInfo viewport{
      .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO};
  const VkPipelineRasterizationStateCreateInfo rasterization{
      .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO, .lineWidth = 1.0f};
  const VkPipelineMultisampleStateCreateInfo multisample{
      .sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
      .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT};
  const VkPipelineDepthStencilStateCreateInfo depth{
      .sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO};
  const std::vector<VkPipelineColorBlendAttachmentState> blends(formats.size());
  const VkPipelineColorBlendStateCreateInfo blend{
      .sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
      .attachmentCount = static_cast<uint32_t>(blends.size()),
      .pAttachments = blends.data()};
  constexpr VkDynamicState kDynamic[] = {VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT,
                                         VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT,
                                         VK_DYNAMIC_STATE_VERTEX_INPUT_EXT};
  const VkPipelineDynamicStateCreateInfo dynamic{
      .sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
      .dynamicStateCount = std::size(kDynamic),
      .pDynamicStates = kDynamic};
  const VkGraphicsPipelineCreateInfo info{
      .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
      .pNext = &flags,
      .stageCount = static_cast<uint32_t>(modules.infos().size()),
      .pStages = modules.infos().data(),
      .pInputAssemblyState = &assembly,
      .pViewportState = &viewport,
      .pRasterizationState = &rasterization,
      .pMultisampleState = &multisample,
      .pDepthStencilState = &depth,
      .pColorBlendState = &blend,
      .pDynamicState = &dynamic,
      .layout = reach.layout};
  if (reach.layout == VK_NULL_HANDLE)
    return heapsmith::create_graphics_pipeline(gpu.borrowed(), info, reach.mappings);
  VkPipeline pipeline = VK_NULL_HANDLE;
  const VkResult result = gpu.functions.vkCreateGraphicsPipelines(gpu.device, VK_NULL_HANDLE, 1,
                                                                  &info, nullptr, &pipeline);
  return created("vkCreateGraphicsPipelines", result, pipeline);
}

VkRayTracingShaderGroupCreateInfoKHR group_of(VkShaderStageFlagBits stage, uint32_t index) {
  VkRayTracingShaderGroupCreateInfoKHR group{
      .sType = VK_STRUCTURE_TYPE_RAY_TRACING_SHADER_GROUP_CREATE_INFO_KHR,
      .type = VK_RAY_TRACING_SHADER_GROUP_TYPE_TRIANGLES_HIT_GROUP_KHR,
      .generalShader = VK_SHADER_UNUSED_KHR,
      .closestHitShader = VK_SHADER_UNUSED_KHR,
      .anyHitShader = VK_SHADER_UNUSED_KHR,
      .intersectionShader = VK_SHADER_UNUSED_KHR};
  switch (stage) {
    case VK_SHADER_STAGE_CLOSEST_HIT_BIT_KHR:
      group.closestHitShader = index;
      break;
    case VK_SHADER_STAGE_ANY_HIT_BIT_KHR:
      group.anyHitShader = index;
      break;
    case VK_SHADER_STAGE_INTERSECTION_BIT_KHR:
      group.type = VK_RAY_TRACING_SHADER_GROUP_TYPE_PROCEDURAL_HIT_GROUP_KHR;
      group.intersectionShader = index;
      break;
    default:
      group.type = VK_RAY_TRACING_SHADER_GROUP_TYPE_GENERAL_KHR;
      group.generalShader = index;
  }
  return group;
}

/// A library, because a pipeline must have a ray generation shader.
Result<VkPipeline> ray_tracing(const Gpu& gpu, const Modules& modules, const Reach& reach) {
  if (gpu.functions.vkCreateRayTracingPipelinesKHR == nullptr)
    return Error{.code = ErrorCode::MissingExtension, .text = "the device traces no rays"};
  const auto& stages = modules.infos();
  std::vector<VkRayTracingShaderGroupCreateInfoKHR> groups;
  for (const VkPipelineShaderStageCreateInfo& stage : stages)
    groups.push_back(group_of(stage.stage, static_cast<uint32_t>(groups.size())));
  const auto flags = flags_info(reach, nullptr, VK_PIPELINE_CREATE_2_LIBRARY_BIT_KHR);
  const VkRayTracingPipelineInterfaceCreateInfoKHR interface{
      .sType = VK_STRUCTURE_TYPE_RAY_TRACING_PIPELINE_INTERFACE_CREATE_INFO_KHR,
      .maxPipelineRayPayloadSize = 64,
      .maxPipelineRayHitAttributeSize = 16};
  const VkRayTracingPipelineCreateInfoKHR info{
      .sType = VK_STRUCTURE_TYPE_RAY_TRACING_PIPELINE_CREATE_INFO_KHR,
      .pNext = &flags,
      .stageCount = static_cast<uint32_t>(stages.size()),
      .pStages = stages.data(),
      .groupCount = static_cast<uint32_t>(groups.size()),
      .pGroups = groups.data(),
      .maxPipelineRayRecursionDepth = 1,
      .pLibraryInterface = &interface,
      .layout = reach.layout};
  if (reach.layout == VK_NULL_HANDLE)
    return heapsmith::create_ray_tracing_pipeline(gpu.borrowed(), info, reach.mappings);
  VkPipeline pipeline = VK_NULL_HANDLE;
  const VkResult result = gpu.functions.vkCreateRayTracingPipelinesKHR(
      gpu.device, VK_NULL_HANDLE, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline);
  return created("vkCreateRayTracingPipelinesKHR", result, pipeline);
}

Status shader_objects(const Gpu& gpu, const Stages& stages, Mappings mappings) {
  const VkShaderDescriptorSetAndBindingMappingInfoEXT mapped = mapping_info(mappings);
  for (const Stage& stage : stages.stages) {
    const VkShaderCreateInfoEXT info{.sType = VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT,
                                     .pNext = &mapped,
                                     .flags = VK_SHADER_CREATE_DESCRIPTOR_HEAP_BIT_EXT,
                                     .stage = vulkan_stage(stage.stage),
                                     .codeType = VK_SHADER_CODE_TYPE_SPIRV_EXT,
                                     .codeSize = stage.words.size() * sizeof(uint32_t),
                                     .pCode = stage.words.data(),
                                     .pName = stage.entryPoint.c_str()};
    VkShaderEXT shader = VK_NULL_HANDLE;
    const VkResult result =
        gpu.functions.vkCreateShadersEXT(gpu.device, 1, &info, nullptr, &shader);
    if (result != VK_SUCCESS) return vulkan_error("vkCreateShadersEXT", result);
    gpu.functions.vkDestroyShaderEXT(gpu.device, shader, nullptr);
  }
  return Done{};
}

VkShaderStageFlags all_stages(const Stages& stages) {
  VkShaderStageFlags all = 0;
  for (const Stage& stage : stages.stages)
    all |= vulkan_stage(stage.stage);
  return all;
}

}  // namespace

bool makes_pipeline(const Stages& stages) {
  constexpr VkShaderStageFlags kEnough =
      kFirstStages | kRayTracing | VK_SHADER_STAGE_FRAGMENT_BIT | VK_SHADER_STAGE_COMPUTE_BIT;
  return (all_stages(stages) & kEnough) != 0;
}

Result<VkPipeline> create_pipeline(const Gpu& gpu, const Stages& stages, const Reach& reach) {
  const VkShaderStageFlags all = all_stages(stages);
  const Modules modules(stages);
  if ((all & VK_SHADER_STAGE_COMPUTE_BIT) != 0) return compute(gpu, modules, reach);
  if ((all & kRayTracing) != 0) return ray_tracing(gpu, modules, reach);
  VkGraphicsPipelineLibraryFlagsEXT parts = 0;
  if ((all & VK_SHADER_STAGE_FRAGMENT_BIT) == 0)
    parts = VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT;
  if ((all & kFirstStages) == 0) parts = VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT;
  return graphics(gpu, modules, stages.colorFormats, parts, reach);
}

Status create_and_destroy(const Gpu& gpu, const Stages& stages, Mappings mappings) {
  if (!makes_pipeline(stages)) return shader_objects(gpu, stages, mappings);
  const auto pipeline = create_pipeline(gpu, stages, {.mappings = mappings});
  if (!pipeline) return Error(pipeline.error());
  gpu.functions.vkDestroyPipeline(gpu.device, *pipeline, nullptr);
  return Done{};
}

}  // namespace corpus
