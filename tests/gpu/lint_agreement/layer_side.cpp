// SPDX-License-Identifier: MIT
#include "layer_side.h"

#include <heapsmith/pipeline.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "common/check.h"
#include "vulkan_structs.h"

namespace lint_agreement {
namespace {

using heapsmith::ShaderStage;
using heapsmith::driver::LoadedShader;

VKAPI_ATTR VkBool32 VKAPI_CALL on_message(VkDebugUtilsMessageSeverityFlagBitsEXT,
                                          VkDebugUtilsMessageTypeFlagsEXT,
                                          const VkDebugUtilsMessengerCallbackDataEXT* data,
                                          void* heard) {
  // Layers below the validation layer have messages without a VUID, about the same mistakes. What
  // follows from a parameter's type, as that a mask is not 0, has a word in the place of a number.
  const std::string_view name = data->pMessageIdName ? data->pMessageIdName : "";
  const std::string_view rule = name.substr(name.rfind('-') + 1);
  if (!name.starts_with("VUID-") || rule.find_first_not_of("0123456789") != rule.npos)
    return VK_FALSE;
  static_cast<Rules*>(heard)->emplace(rule);
  if (std::getenv("LINT_AGREEMENT_VERBOSE")) std::fprintf(stderr, "  %s\n", data->pMessage);
  return VK_FALSE;
}

// The layer falls silent after ten messages of a kind, and there are more cases than that.
example::Gpu make_gpu() {
#ifdef _WIN32
  _putenv_s("VK_LAYER_ENABLE_MESSAGE_LIMIT", "false");
#else
  setenv("VK_LAYER_ENABLE_MESSAGE_LIMIT", "false", 1);
#endif
  return example::create_gpu(
      "lint_agreement", {.storesInAllStages = true, .rayTracing = true, .allDescriptors = true});
}

class Pipeline {
 public:
  Pipeline(const heapsmith::Device& device, std::span<const LoadedShader> shaders, bool isGood)
      : device_(device) {
    // Without a pipeline cache this flag makes the driver refuse before it compiles anything; for
    // ray tracing lavapipe compiles all the same.
    if (!isGood) flags_.flags = VK_PIPELINE_CREATE_2_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT;
    for (const LoadedShader& shader : shaders) {
      const VkShaderModuleCreateInfo info{.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                          .codeSize = shader.words.size() * sizeof(uint32_t),
                                          .pCode = shader.words.data()};
      VkShaderModule module = VK_NULL_HANDLE;
      example::check(vkCreateShaderModule(device.device, &info, nullptr, &module),
                     "creating a shader module");
      modules_.push_back(module);
      const heapsmith::reflect::EntryPoint& entryPoint = shader.interface.entryPoints.front();
      stages_.push_back({.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                         .stage = static_cast<VkShaderStageFlagBits>(entryPoint.stage),
                         .module = module,
                         .pName = entryPoint.name.c_str()});
    }
  }
  ~Pipeline() {
    vkDestroyPipeline(device_.device, pipeline_, nullptr);
    for (const VkShaderModule module : modules_)
      vkDestroyShaderModule(device_.device, module, nullptr);
  }
  Pipeline(const Pipeline&) = delete;
  Pipeline& operator=(const Pipeline&) = delete;

  /// Whether there is one now.
  bool create(std::span<const VkDescriptorSetAndBindingMappingEXT> mappings) {
    auto made = create_kind(mappings);
    if (made) pipeline_ = *made;
    return made.has_value();
  }

 private:
  heapsmith::Result<VkPipeline> create_kind(
      std::span<const VkDescriptorSetAndBindingMappingEXT> mappings) {
    if (has(VK_SHADER_STAGE_COMPUTE_BIT)) {
      const VkComputePipelineCreateInfo info{
          .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
          .pNext = &flags_,
          .stage = stages_.front()};
      return heapsmith::create_compute_pipeline(device_, info, mappings);
    }
    return has(VK_SHADER_STAGE_RAYGEN_BIT_KHR) ? create_rays(mappings) : create_graphics(mappings);
  }

  bool has(VkShaderStageFlagBits stage) const {
    return std::ranges::contains(stages_, stage, &VkPipelineShaderStageCreateInfo::stage);
  }

  // Every shader is a group of its own, which ray generation, miss and callable shaders can be.
  heapsmith::Result<VkPipeline> create_rays(
      std::span<const VkDescriptorSetAndBindingMappingEXT> mappings) {
    std::vector<VkRayTracingShaderGroupCreateInfoKHR> groups;
    for (uint32_t i = 0; i < stages_.size(); ++i) {
      groups.push_back({.sType = VK_STRUCTURE_TYPE_RAY_TRACING_SHADER_GROUP_CREATE_INFO_KHR,
                        .type = VK_RAY_TRACING_SHADER_GROUP_TYPE_GENERAL_KHR,
                        .generalShader = i,
                        .closestHitShader = VK_SHADER_UNUSED_KHR,
                        .anyHitShader = VK_SHADER_UNUSED_KHR,
                        .intersectionShader = VK_SHADER_UNUSED_KHR});
    }
    const VkRayTracingPipelineCreateInfoKHR info{
        .sType = VK_STRUCTURE_TYPE_RAY_TRACING_PIPELINE_CREATE_INFO_KHR,
        .pNext = &flags_,
        .stageCount = static_cast<uint32_t>(stages_.size()),
        .pStages = stages_.data(),
        .groupCount = static_cast<uint32_t>(groups.size()),
        .pGroups = groups.data(),
        .maxPipelineRayRecursionDepth = 1};
    return heapsmith::create_ray_tracing_pipeline(device_, info, mappings);
  }

  heapsmith::Result<VkPipeline> create_graphics(
      std::span<const VkDescriptorSetAndBindingMappingEXT> mappings) {
    const VkPipelineVertexInputStateCreateInfo vertexInput{
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
    const VkPipelineInputAssemblyStateCreateInfo inputAssembly{
        .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
        .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST};
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
    // One attachment, for shaders that read it back.
    const VkPipelineColorBlendAttachmentState attachment{};
    const VkPipelineColorBlendStateCreateInfo blending{
        .sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
        .attachmentCount = 1,
        .pAttachments = &attachment};
    const VkFormat format = VK_FORMAT_R8G8B8A8_UNORM;
    const VkPipelineRenderingCreateInfo rendering{
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
        .colorAttachmentCount = 1,
        .pColorAttachmentFormats = &format};
    flags_.pNext = &rendering;
    const VkGraphicsPipelineCreateInfo info{
        .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
        .pNext = &flags_,
        .stageCount = static_cast<uint32_t>(stages_.size()),
        .pStages = stages_.data(),
        .pVertexInputState = &vertexInput,
        .pInputAssemblyState = &inputAssembly,
        .pViewportState = &viewports,
        .pRasterizationState = &rasterization,
        .pMultisampleState = &multisample,
        .pColorBlendState = &blending};
    return heapsmith::create_graphics_pipeline(device_, info, mappings);
  }

  const heapsmith::Device& device_;
  VkPipelineCreateFlags2CreateInfo flags_{
      .sType = VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO};
  std::vector<VkShaderModule> modules_;
  std::vector<VkPipelineShaderStageCreateInfo> stages_;
  VkPipeline pipeline_ = VK_NULL_HANDLE;
};

}  // namespace

LayerSide::LayerSide() : gpu_(make_gpu()), heapsmith_(example::heapsmith_device(gpu_)) {
  // Here messages are what the test is about, and not failures.
  vkDestroyDebugUtilsMessengerEXT(gpu_.instance, std::exchange(gpu_.messenger, VK_NULL_HANDLE),
                                  nullptr);
  const VkDebugUtilsMessengerCreateInfoEXT info{
      .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
      .messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
      .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT,
      .pfnUserCallback = on_message,
      .pUserData = &heard_};
  example::check(vkCreateDebugUtilsMessengerEXT(gpu_.instance, &info, nullptr, &messenger_),
                 "creating the messenger");
}

LayerSide::~LayerSide() {
  vkDestroyDebugUtilsMessengerEXT(gpu_.instance, messenger_, nullptr);
  static_cast<void>(example::destroy_gpu(gpu_));
}

Rules LayerSide::judge(std::span<const LoadedShader> shaders,
                       std::span<const heapsmith::mapping::VulkanMapping> mappings, bool isGood) {
  VulkanStructs structs = make_structs(heapsmith_, mappings);
  {
    Pipeline pipeline(heapsmith_, shaders, isGood);
    heard_.clear();
    const bool made = pipeline.create(structs.mappings);
    if (isGood && !made) heard_.insert("(does not compile)");
  }
  destroy_structs(heapsmith_, structs);
  return std::exchange(heard_, {});
}

}  // namespace lint_agreement
