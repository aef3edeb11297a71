// SPDX-License-Identifier: MIT
#include "support/acceleration.h"

#include <cstring>

#include "common/check.h"
#include "common/commands.h"
#include "support/align.h"

namespace gpu_test {
namespace {

constexpr VkBufferUsageFlags kInputUsage =
    VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_BUILD_INPUT_READ_ONLY_BIT_KHR;

// Some room more than asked for, since a buffer's address need not be aligned as scratch must be.
VkDeviceAddress scratch(TestDevice& device, VkDeviceSize size) {
  VkPhysicalDeviceAccelerationStructurePropertiesKHR limits{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ACCELERATION_STRUCTURE_PROPERTIES_KHR};
  VkPhysicalDeviceProperties2 properties{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                         .pNext = &limits};
  vkGetPhysicalDeviceProperties2(device.gpu().physicalDevice, &properties);
  const uint64_t alignment = limits.minAccelerationStructureScratchOffsetAlignment;
  const example::Buffer buffer =
      device.buffer(size + alignment, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
  return align(buffer.address, alignment);
}

AccelerationStructure build(TestDevice& device, VkAccelerationStructureTypeKHR type,
                            const VkAccelerationStructureGeometryKHR& geometry, uint32_t count) {
  const VkDevice handle = device.gpu().device;
  VkAccelerationStructureBuildGeometryInfoKHR info{
      .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_BUILD_GEOMETRY_INFO_KHR,
      .type = type,
      .mode = VK_BUILD_ACCELERATION_STRUCTURE_MODE_BUILD_KHR,
      .geometryCount = 1,
      .pGeometries = &geometry};
  VkAccelerationStructureBuildSizesInfoKHR sizes{
      .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_BUILD_SIZES_INFO_KHR};
  vkGetAccelerationStructureBuildSizesKHR(handle, VK_ACCELERATION_STRUCTURE_BUILD_TYPE_DEVICE_KHR,
                                          &info, &count, &sizes);

  const example::Buffer storage = device.buffer(
      sizes.accelerationStructureSize, VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_STORAGE_BIT_KHR);
  const VkAccelerationStructureCreateInfoKHR create{
      .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_CREATE_INFO_KHR,
      .buffer = storage.buffer,
      .size = storage.size,
      .type = type};
  AccelerationStructure built;
  example::check(vkCreateAccelerationStructureKHR(handle, &create, nullptr, &built.structure),
                 "creating an acceleration structure");
  device.at_end([handle, structure = built.structure] {
    vkDestroyAccelerationStructureKHR(handle, structure, nullptr);
  });
  const VkAccelerationStructureDeviceAddressInfoKHR address{
      .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_DEVICE_ADDRESS_INFO_KHR,
      .accelerationStructure = built.structure};
  built.address = vkGetAccelerationStructureDeviceAddressKHR(handle, &address);

  info.dstAccelerationStructure = built.structure;
  info.scratchData.deviceAddress = scratch(device, sizes.buildScratchSize);
  const VkAccelerationStructureBuildRangeInfoKHR range{.primitiveCount = count};
  const VkAccelerationStructureBuildRangeInfoKHR* const ranges = &range;
  const VkCommandBuffer commands = example::begin_commands(device.gpu());
  vkCmdBuildAccelerationStructuresKHR(commands, 1, &info, &ranges);
  example::submit_and_wait(device.gpu(), commands);
  return built;
}

}  // namespace

AccelerationStructure build_triangles(TestDevice& device, std::span<const Vertex> vertices) {
  const example::Buffer input = device.buffer(vertices, kInputUsage);
  const auto count = static_cast<uint32_t>(vertices.size());
  const VkAccelerationStructureGeometryKHR geometry{
      .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_KHR,
      .geometryType = VK_GEOMETRY_TYPE_TRIANGLES_KHR,
      .geometry = {
          .triangles = {
              .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_TRIANGLES_DATA_KHR,
              .vertexFormat = VK_FORMAT_R32G32B32_SFLOAT,
              .vertexData = {.deviceAddress = input.address},
              .vertexStride = sizeof(Vertex),
              .maxVertex = count - 1,
              .indexType = VK_INDEX_TYPE_NONE_KHR}}};
  return build(device, VK_ACCELERATION_STRUCTURE_TYPE_BOTTOM_LEVEL_KHR, geometry, count / 3);
}

AccelerationStructure build_boxes(TestDevice& device, std::span<const Box> boxes) {
  std::vector<VkAabbPositionsKHR> written;
  for (const auto& [from, to] : boxes)
    written.push_back({from.x, from.y, from.z, to.x, to.y, to.z});
  const example::Buffer input =
      device.buffer(std::span<const VkAabbPositionsKHR>(written), kInputUsage);
  const VkAccelerationStructureGeometryKHR geometry{
      .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_KHR,
      .geometryType = VK_GEOMETRY_TYPE_AABBS_KHR,
      .geometry = {
          .aabbs = {.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_AABBS_DATA_KHR,
                    .data = {.deviceAddress = input.address},
                    .stride = sizeof(VkAabbPositionsKHR)}}};
  return build(device, VK_ACCELERATION_STRUCTURE_TYPE_BOTTOM_LEVEL_KHR, geometry,
               static_cast<uint32_t>(written.size()));
}

AccelerationStructure build_instances(TestDevice& device, std::span<const Instance> instances) {
  std::vector<VkAccelerationStructureInstanceKHR> written;
  for (const Instance& instance : instances) {
    VkAccelerationStructureInstanceKHR& one = written.emplace_back();
    one.transform = {{{1, 0, 0, instance.x}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
    one.mask = 0xFF;
    one.instanceShaderBindingTableRecordOffset = instance.hitRecord & 0xFFFFFF;
    one.accelerationStructureReference = instance.geometry->address;
  }
  const example::Buffer input =
      device.buffer(std::span<const VkAccelerationStructureInstanceKHR>(written), kInputUsage);
  const VkAccelerationStructureGeometryKHR geometry{
      .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_KHR,
      .geometryType = VK_GEOMETRY_TYPE_INSTANCES_KHR,
      .geometry = {
          .instances = {
              .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_INSTANCES_DATA_KHR,
              .data = {.deviceAddress = input.address}}}};
  return build(device, VK_ACCELERATION_STRUCTURE_TYPE_TOP_LEVEL_KHR, geometry,
               static_cast<uint32_t>(written.size()));
}

}  // namespace gpu_test
