// SPDX-License-Identifier: MIT
#include "heapsmith/pipeline.h"

#include <array>
#include <bit>
#include <catch2/catch_test_macros.hpp>
#include <vector>

#include "runtime/recording_device.h"
#include "runtime/sample_limits.h"
#include "runtime/sample_manifest.h"

using namespace heapsmith;

namespace {

constexpr VkPipelineCreateFlags2 kHeapBit = VK_PIPELINE_CREATE_2_DESCRIPTOR_HEAP_BIT_EXT;

VkPipelineShaderStageCreateInfo stage_of(VkShaderStageFlagBits stage, const void* next = nullptr) {
  VkPipelineShaderStageCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
  info.pNext = next;
  info.stage = stage;
  return info;
}

VkComputePipelineCreateInfo compute_info(const void* next = nullptr,
                                         const void* stageNext = nullptr) {
  VkComputePipelineCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO;
  info.pNext = next;
  info.stage = stage_of(VK_SHADER_STAGE_COMPUTE_BIT, stageNext);
  return info;
}

VkPipelineCreateFlags2CreateInfo flags_info(VkPipelineCreateFlags2 flags,
                                            const void* next = nullptr) {
  VkPipelineCreateFlags2CreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO;
  info.pNext = next;
  info.flags = flags;
  return info;
}

VkPipelineRenderingCreateInfo rendering_info(const void* next = nullptr) {
  VkPipelineRenderingCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO;
  info.pNext = next;
  return info;
}

VkShaderCreateInfoEXT shader_info(VkShaderStageFlagBits stage, const void* next = nullptr) {
  VkShaderCreateInfoEXT info{};
  info.sType = VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT;
  info.pNext = next;
  info.flags = VK_SHADER_CREATE_LINK_STAGE_BIT_EXT;
  info.stage = stage;
  return info;
}

std::vector<VkDescriptorSetAndBindingMappingEXT> two_mappings() {
  return std::vector<VkDescriptorSetAndBindingMappingEXT>(2);
}

}  // namespace

TEST_CASE("vulkan_mappings: the manifest's entries, in this device's bytes") {
  Result<ResolvedLayout> layout = resolve(sample::kManifest, sample::kWorstCase);
  REQUIRE(layout);
  const auto mappings = vulkan_mappings(sample::kManifest, *layout, sample::kProgram);
  REQUIRE(mappings.size() == 6);
  for (const VkDescriptorSetAndBindingMappingEXT& mapping : mappings) {
    CHECK(mapping.sType == VK_STRUCTURE_TYPE_DESCRIPTOR_SET_AND_BINDING_MAPPING_EXT);
    CHECK(mapping.bindingCount == 1);
  }
  CHECK(mappings[2].descriptorSet == 0);
  CHECK(mappings[2].firstBinding == 7);
  CHECK(mappings[2].resourceMask == VK_SPIRV_RESOURCE_TYPE_SAMPLER_BIT_EXT);
  CHECK(mappings[2].source == VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_CONSTANT_OFFSET_EXT);
  CHECK(mappings[2].sourceData.constantOffset.heapOffset == 0);
  CHECK(mappings[2].sourceData.constantOffset.heapArrayStride == 32);

  CHECK(mappings[3].descriptorSet == 2);
  CHECK(mappings[3].firstBinding == 0);
  CHECK(mappings[3].source == VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_PUSH_INDEX_EXT);
  const VkDescriptorMappingSourcePushIndexEXT& index = mappings[3].sourceData.pushIndex;
  CHECK(index.heapOffset == 512);
  CHECK(index.pushOffset == 64);
  CHECK(index.heapIndexStride == 64);
  CHECK(index.heapArrayStride == 64);
  CHECK(index.pEmbeddedSampler == nullptr);
  CHECK(index.useCombinedImageSamplerIndex == VK_FALSE);
  CHECK(index.samplerHeapOffset == 32);
  CHECK(index.samplerPushOffset == 68);
  CHECK(index.samplerHeapIndexStride == 32);
  CHECK(index.samplerHeapArrayStride == 32);
}

TEST_CASE("vulkan_mappings: a uniform texel buffer is mapped for variables of any kind") {
  std::vector<Binding> bindings(std::begin(sample::kBindings), std::end(sample::kBindings));
  bindings[sample::kEnvironment.index].type = DescriptorType::UniformTexelBuffer;
  std::vector<Mapping> entries(std::begin(sample::kMappings), std::end(sample::kMappings));
  entries[1].resourceMask = 0x12;
  Manifest manifest = sample::kManifest;
  manifest.bindings = bindings;
  manifest.mappings = entries;
  Result<ResolvedLayout> layout = resolve(manifest, sample::kWorstCase);
  REQUIRE(layout);
  const auto mappings = vulkan_mappings(manifest, *layout, sample::kProgram);
  CHECK(mappings[0].resourceMask == VK_SPIRV_RESOURCE_TYPE_UNIFORM_BUFFER_BIT_EXT);
  CHECK(mappings[1].resourceMask == VK_SPIRV_RESOURCE_TYPE_ALL_EXT);
}

TEST_CASE("compute pipeline: flags and mappings are chained") {
  RecordingDevice recorder;
  const auto mappings = two_mappings();

  SECTION("no flags struct: a new one takes over info.flags") {
    VkPipelineShaderStageRequiredSubgroupSizeCreateInfo subgroup{};
    subgroup.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO;
    VkComputePipelineCreateInfo info = compute_info(nullptr, &subgroup);
    info.flags = VK_PIPELINE_CREATE_DISABLE_OPTIMIZATION_BIT;
    Result<VkPipeline> pipeline = create_compute_pipeline(
        recorder.device(), info, mappings, std::bit_cast<VkPipelineCache>(uint64_t{9}));
    REQUIRE(pipeline);
    CHECK(std::bit_cast<uint64_t>(*pipeline) == 77);
    CHECK(recorder.log ==
          "vkCreateComputePipelines 1 cache 9 > flags2 0x1000000001\n"
          "  stage 0x20 > mappings 2 > subgroup\n");
    CHECK(info.stage.pNext == &subgroup);
    CHECK(info.pNext == nullptr);
  }
  SECTION("the first of the chain is replaced, not changed") {
    const VkPipelineRenderingCreateInfo rendering = rendering_info();
    const VkPipelineCreateFlags2CreateInfo flags =
        flags_info(VK_PIPELINE_CREATE_2_CAPTURE_STATISTICS_BIT_KHR, &rendering);
    REQUIRE(create_compute_pipeline(recorder.device(), compute_info(&flags), mappings));
    CHECK(recorder.log ==
          "vkCreateComputePipelines 1 cache 0 > flags2 0x1000000040 > rendering\n"
          "  stage 0x20 > mappings 2\n");
    CHECK(flags.flags == VK_PIPELINE_CREATE_2_CAPTURE_STATISTICS_BIT_KHR);
  }
  SECTION("one further down must have the bit") {
    VkPipelineCreateFlags2CreateInfo flags = flags_info(0);
    const VkPipelineRenderingCreateInfo rendering = rendering_info(&flags);
    Result<VkPipeline> refused =
        create_compute_pipeline(recorder.device(), compute_info(&rendering), mappings);
    REQUIRE(!refused);
    CHECK(refused.error().code == ErrorCode::InvalidPipeline);
    CHECK(recorder.log.empty());
    flags.flags = kHeapBit;
    REQUIRE(create_compute_pipeline(recorder.device(), compute_info(&rendering), mappings));
    CHECK(recorder.log ==
          "vkCreateComputePipelines 1 cache 0 > rendering > flags2 0x1000000000\n"
          "  stage 0x20 > mappings 2\n");
  }
}

TEST_CASE("graphics pipeline: every stage keeps its chain and gets the mappings") {
  RecordingDevice recorder;
  const auto mappings = two_mappings();
  VkShaderModuleCreateInfo module{};
  module.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO;
  const std::array stages = {stage_of(VK_SHADER_STAGE_VERTEX_BIT, &module),
                             stage_of(VK_SHADER_STAGE_FRAGMENT_BIT)};
  const VkPipelineRenderingCreateInfo rendering = rendering_info();
  VkGraphicsPipelineCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO;
  info.pNext = &rendering;
  info.stageCount = 2;
  info.pStages = stages.data();
  Result<VkPipeline> pipeline = create_graphics_pipeline(recorder.device(), info, mappings);
  REQUIRE(pipeline);
  CHECK(recorder.take_log() ==
        "vkCreateGraphicsPipelines 1 cache 0 > flags2 0x1000000000 > rendering\n"
        "  stage 0x1 > mappings 2 > module\n"
        "  stage 0x10 > mappings 2\n");
  CHECK(stages[0].pNext == &module);

  // A library without shaders.
  info.stageCount = 0;
  info.pStages = nullptr;
  REQUIRE(create_graphics_pipeline(recorder.device(), info, mappings));
  CHECK(recorder.log == "vkCreateGraphicsPipelines 1 cache 0 > flags2 0x1000000000 > rendering\n");
}

TEST_CASE("ray-tracing pipeline: every stage keeps its chain and gets the mappings") {
  RecordingDevice recorder;
  const auto mappings = two_mappings();
  VkShaderModuleCreateInfo module{};
  module.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO;
  const std::array stages = {stage_of(VK_SHADER_STAGE_RAYGEN_BIT_KHR),
                             stage_of(VK_SHADER_STAGE_MISS_BIT_KHR, &module),
                             stage_of(VK_SHADER_STAGE_CALLABLE_BIT_KHR)};
  VkRayTracingPipelineCreateInfoKHR info{};
  info.sType = VK_STRUCTURE_TYPE_RAY_TRACING_PIPELINE_CREATE_INFO_KHR;
  info.flags = VK_PIPELINE_CREATE_RAY_TRACING_SKIP_AABBS_BIT_KHR;
  info.stageCount = 3;
  info.pStages = stages.data();
  Result<VkPipeline> pipeline = create_ray_tracing_pipeline(
      recorder.device(), info, mappings, std::bit_cast<VkPipelineCache>(uint64_t{9}));
  REQUIRE(pipeline);
  CHECK(std::bit_cast<uint64_t>(*pipeline) == 77);
  CHECK(recorder.take_log() ==
        "vkCreateRayTracingPipelinesKHR 1 operation 0 cache 9 > flags2 0x1000002000\n"
        "  stage 0x100 > mappings 2\n"
        "  stage 0x800 > mappings 2 > module\n"
        "  stage 0x2000 > mappings 2\n");
  CHECK(stages[1].pNext == &module);

  // Linked of libraries alone.
  info.flags = 0;
  info.stageCount = 0;
  info.pStages = nullptr;
  REQUIRE(create_ray_tracing_pipeline(recorder.device(), info, mappings));
  CHECK(recorder.log ==
        "vkCreateRayTracingPipelinesKHR 1 operation 0 cache 0 > flags2 0x1000000000\n");
}

TEST_CASE("shader objects: flags and mappings are added to each") {
  RecordingDevice recorder;
  const auto mappings = two_mappings();
  const VkShaderRequiredSubgroupSizeCreateInfoEXT subgroup{
      VK_STRUCTURE_TYPE_SHADER_REQUIRED_SUBGROUP_SIZE_CREATE_INFO_EXT, nullptr, 4};
  const std::array infos = {shader_info(VK_SHADER_STAGE_VERTEX_BIT),
                            shader_info(VK_SHADER_STAGE_FRAGMENT_BIT, &subgroup)};
  Result<std::vector<VkShaderEXT>> shaders = create_shaders(recorder.device(), infos, mappings);
  REQUIRE(shaders);
  REQUIRE(shaders->size() == 2);
  CHECK(std::bit_cast<uint64_t>((*shaders)[0]) == 88);
  CHECK(std::bit_cast<uint64_t>((*shaders)[1]) == 89);
  CHECK(recorder.log ==
        "vkCreateShadersEXT 2\n"
        "  stage 0x1 flags 0x401 > mappings 2\n"
        "  stage 0x10 flags 0x401 > mappings 2 > subgroup\n");
  CHECK(infos[0].flags == VK_SHADER_CREATE_LINK_STAGE_BIT_EXT);
  CHECK(infos[1].pNext == &subgroup);
}

TEST_CASE("shader objects: what cannot be completed is refused") {
  RecordingDevice recorder;
  const auto refuses = [&](const VkShaderCreateInfoEXT& info) {
    const std::array infos = {shader_info(VK_SHADER_STAGE_VERTEX_BIT), info};
    Result<std::vector<VkShaderEXT>> shaders = create_shaders(recorder.device(), infos, {});
    REQUIRE(!shaders);
    CHECK(shaders.error().code == ErrorCode::InvalidPipeline);
    CHECK(recorder.log.empty());
    return shaders.error().text;
  };
  VkShaderDescriptorSetAndBindingMappingInfoEXT own{};
  own.sType = VK_STRUCTURE_TYPE_SHADER_DESCRIPTOR_SET_AND_BINDING_MAPPING_INFO_EXT;
  CHECK(refuses(shader_info(VK_SHADER_STAGE_FRAGMENT_BIT, &own)) ==
        "the shader cannot be made for heaps: it already has a "
        "VkShaderDescriptorSetAndBindingMappingInfoEXT");

  VkShaderCreateInfoEXT layouts = shader_info(VK_SHADER_STAGE_FRAGMENT_BIT);
  layouts.setLayoutCount = 1;
  CHECK(refuses(layouts).find("11290") != std::string::npos);
  VkShaderCreateInfoEXT ranges = shader_info(VK_SHADER_STAGE_FRAGMENT_BIT);
  ranges.pushConstantRangeCount = 1;
  CHECK(refuses(ranges).find("11370") != std::string::npos);
}

TEST_CASE("shader objects: a failure leaves none behind") {
  RecordingDevice recorder;
  recorder.failures = {{"vkCreateShadersEXT", VK_INCOMPATIBLE_SHADER_BINARY_EXT}};
  const std::array infos = {shader_info(VK_SHADER_STAGE_VERTEX_BIT),
                            shader_info(VK_SHADER_STAGE_GEOMETRY_BIT),
                            shader_info(VK_SHADER_STAGE_FRAGMENT_BIT)};
  Result<std::vector<VkShaderEXT>> shaders = create_shaders(recorder.device(), infos, {});
  REQUIRE(!shaders);
  CHECK(shaders.error().code == ErrorCode::Vulkan);
  CHECK(shaders.error().vkResult == VK_INCOMPATIBLE_SHADER_BINARY_EXT);
  CHECK(recorder.liveShaders == 0);
}

TEST_CASE("pipelines: what cannot be completed is refused") {
  RecordingDevice recorder;
  const auto mappings = two_mappings();
  VkShaderDescriptorSetAndBindingMappingInfoEXT own{};
  own.sType = VK_STRUCTURE_TYPE_SHADER_DESCRIPTOR_SET_AND_BINDING_MAPPING_INFO_EXT;

  VkComputePipelineCreateInfo compute = compute_info(nullptr, &own);
  Result<VkPipeline> twice = create_compute_pipeline(recorder.device(), compute, mappings);
  REQUIRE(!twice);
  CHECK(twice.error().code == ErrorCode::InvalidPipeline);
  compute = compute_info();
  compute.layout = std::bit_cast<VkPipelineLayout>(uint64_t{1});
  Result<VkPipeline> layout = create_compute_pipeline(recorder.device(), compute, mappings);
  REQUIRE(!layout);
  CHECK(layout.error().code == ErrorCode::InvalidPipeline);

  VkGraphicsPipelineCreateInfo graphics{};
  graphics.layout = compute.layout;
  CHECK(!create_graphics_pipeline(recorder.device(), graphics, mappings));
  const VkPipelineShaderStageCreateInfo stage = stage_of(VK_SHADER_STAGE_VERTEX_BIT, &own);
  graphics.layout = VK_NULL_HANDLE;
  graphics.stageCount = 1;
  graphics.pStages = &stage;
  CHECK(!create_graphics_pipeline(recorder.device(), graphics, mappings));

  VkRayTracingPipelineCreateInfoKHR rays{};
  rays.layout = compute.layout;
  CHECK(!create_ray_tracing_pipeline(recorder.device(), rays, mappings));
  rays.layout = VK_NULL_HANDLE;
  rays.stageCount = 1;
  rays.pStages = &stage;
  CHECK(!create_ray_tracing_pipeline(recorder.device(), rays, mappings));
  CHECK(recorder.log.empty());
}

TEST_CASE("pipelines: Vulkan's failures are passed on") {
  RecordingDevice recorder;
  recorder.failures = {{"vkCreateComputePipelines", VK_PIPELINE_COMPILE_REQUIRED},
                       {"vkCreateGraphicsPipelines", VK_ERROR_OUT_OF_DEVICE_MEMORY},
                       {"vkCreateRayTracingPipelinesKHR", VK_ERROR_OUT_OF_HOST_MEMORY}};
  Result<VkPipeline> compute = create_compute_pipeline(recorder.device(), compute_info(), {});
  REQUIRE(!compute);
  CHECK(compute.error().code == ErrorCode::Vulkan);
  CHECK(compute.error().vkResult == VK_PIPELINE_COMPILE_REQUIRED);
  Result<VkPipeline> graphics =
      create_graphics_pipeline(recorder.device(), VkGraphicsPipelineCreateInfo{}, {});
  REQUIRE(!graphics);
  CHECK(graphics.error().vkResult == VK_ERROR_OUT_OF_DEVICE_MEMORY);
  CHECK(graphics.error().text == "vkCreateGraphicsPipelines returned VkResult -2");
  Result<VkPipeline> rays =
      create_ray_tracing_pipeline(recorder.device(), VkRayTracingPipelineCreateInfoKHR{}, {});
  REQUIRE(!rays);
  CHECK(rays.error().vkResult == VK_ERROR_OUT_OF_HOST_MEMORY);
}
