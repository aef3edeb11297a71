// SPDX-License-Identifier: MIT
#include "support/ray_tracing.h"

#include <heapsmith/pipeline.h>

#include <algorithm>

#include "common/check.h"
#include "support/align.h"

namespace gpu_test {
namespace {

VkPhysicalDeviceRayTracingPipelinePropertiesKHR ray_limits(const TestDevice& device) {
  VkPhysicalDeviceRayTracingPipelinePropertiesKHR limits{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_TRACING_PIPELINE_PROPERTIES_KHR};
  VkPhysicalDeviceProperties2 properties{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                         .pNext = &limits};
  vkGetPhysicalDeviceProperties2(device.gpu().physicalDevice, &properties);
  return limits;
}

using GroupInfo = VkRayTracingShaderGroupCreateInfoKHR;

void add_to_group(GroupInfo& group, VkShaderStageFlagBits stage, uint32_t index) {
  switch (stage) {
    case VK_SHADER_STAGE_CLOSEST_HIT_BIT_KHR:
      group.closestHitShader = index;
      break;
    case VK_SHADER_STAGE_ANY_HIT_BIT_KHR:
      group.anyHitShader = index;
      break;
    case VK_SHADER_STAGE_INTERSECTION_BIT_KHR:
      group.intersectionShader = index;
      break;
    default:
      group.generalShader = index;
  }
}

VkRayTracingShaderGroupTypeKHR type_of(const GroupInfo& group) {
  if (group.generalShader != VK_SHADER_UNUSED_KHR)
    return VK_RAY_TRACING_SHADER_GROUP_TYPE_GENERAL_KHR;
  return group.intersectionShader == VK_SHADER_UNUSED_KHR
             ? VK_RAY_TRACING_SHADER_GROUP_TYPE_TRIANGLES_HIT_GROUP_KHR
             : VK_RAY_TRACING_SHADER_GROUP_TYPE_PROCEDURAL_HIT_GROUP_KHR;
}

}  // namespace

VkPipeline ray_pipeline(TestDevice& device, std::span<const RayGroup> groups, Mappings mappings) {
  std::vector<VkPipelineShaderStageCreateInfo> stages;
  std::vector<GroupInfo> groupInfos;
  for (const RayGroup& group : groups) {
    GroupInfo& info = groupInfos.emplace_back(
        GroupInfo{.sType = VK_STRUCTURE_TYPE_RAY_TRACING_SHADER_GROUP_CREATE_INFO_KHR,
                  .generalShader = VK_SHADER_UNUSED_KHR,
                  .closestHitShader = VK_SHADER_UNUSED_KHR,
                  .anyHitShader = VK_SHADER_UNUSED_KHR,
                  .intersectionShader = VK_SHADER_UNUSED_KHR});
    for (const StageShader& shader : group) {
      add_to_group(info, shader.stage, static_cast<uint32_t>(stages.size()));
      stages.push_back({.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                        .stage = shader.stage,
                        .module = shader.shader,
                        .pName = "main",
                        .pSpecializationInfo = shader.specialization});
    }
    info.type = type_of(info);
  }
  const VkRayTracingPipelineCreateInfoKHR info{
      .sType = VK_STRUCTURE_TYPE_RAY_TRACING_PIPELINE_CREATE_INFO_KHR,
      .stageCount = static_cast<uint32_t>(stages.size()),
      .pStages = stages.data(),
      .groupCount = static_cast<uint32_t>(groupInfos.size()),
      .pGroups = groupInfos.data(),
      .maxPipelineRayRecursionDepth = 1};
  return device.own(
      example::checked(heapsmith::create_ray_tracing_pipeline(device.heapsmith(), info, mappings),
                       "creating a ray-tracing pipeline"));
}

VkStridedDeviceAddressRegionKHR record_table(TestDevice& device, VkPipeline pipeline,
                                             std::span<const ShaderRecord> records) {
  const VkPhysicalDeviceRayTracingPipelinePropertiesKHR limits = ray_limits(device);
  const uint64_t handleSize = limits.shaderGroupHandleSize;
  uint64_t longest = 0;
  for (const ShaderRecord& record : records)
    longest = std::max<uint64_t>(longest, record.data.size());
  // A ray-generation record must start at the base alignment and be as long as its part; so it is
  // for all here. Records may hold 64-bit addresses.
  const uint64_t alignment =
      std::max<uint64_t>({limits.shaderGroupBaseAlignment, limits.shaderGroupHandleAlignment, 8});
  const uint64_t stride = align(handleSize + longest, alignment);
  if (stride > limits.maxShaderGroupStride)
    example::fail("making a shader binding table", "a record is too long");

  const example::Buffer buffer = device.buffer(records.size() * stride + alignment,
                                               VK_BUFFER_USAGE_SHADER_BINDING_TABLE_BIT_KHR);
  const VkDeviceAddress start = align(buffer.address, alignment);
  std::byte* target = buffer.mapped + (start - buffer.address);
  for (const ShaderRecord& record : records) {
    example::check(vkGetRayTracingShaderGroupHandlesKHR(device.gpu().device, pipeline, record.group,
                                                        1, handleSize, target),
                   "reading a group's handle");
    std::ranges::copy(record.data, target + handleSize);
    target += stride;
  }
  return {.deviceAddress = start, .stride = stride, .size = records.size() * stride};
}

void record_trace(VkCommandBuffer commands, VkPipeline pipeline, const BindingTable& table) {
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR, pipeline);
  vkCmdTraceRaysKHR(commands, &table.raygen, &table.miss, &table.hit, &table.callable, 1, 1, 1);
}

}  // namespace gpu_test
