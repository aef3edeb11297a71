// SPDX-License-Identifier: MIT
#include "profile.h"

#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>

namespace foreign_device {
namespace {

using nlohmann::json;

template <typename T>
void read(const json& object, const char* key, T& value) {
  const json& found = object.at(key);
  value = found.is_boolean() ? static_cast<T>(found.get<bool>()) : found.get<T>();
}

void read_heap(const json& object, VkPhysicalDeviceDescriptorHeapPropertiesEXT& heap) {
  read(object, "samplerHeapAlignment", heap.samplerHeapAlignment);
  read(object, "resourceHeapAlignment", heap.resourceHeapAlignment);
  read(object, "maxSamplerHeapSize", heap.maxSamplerHeapSize);
  read(object, "maxResourceHeapSize", heap.maxResourceHeapSize);
  read(object, "minSamplerHeapReservedRange", heap.minSamplerHeapReservedRange);
  read(object, "minSamplerHeapReservedRangeWithEmbedded",
       heap.minSamplerHeapReservedRangeWithEmbedded);
  read(object, "minResourceHeapReservedRange", heap.minResourceHeapReservedRange);
  read(object, "samplerDescriptorSize", heap.samplerDescriptorSize);
  read(object, "imageDescriptorSize", heap.imageDescriptorSize);
  read(object, "bufferDescriptorSize", heap.bufferDescriptorSize);
  read(object, "samplerDescriptorAlignment", heap.samplerDescriptorAlignment);
  read(object, "imageDescriptorAlignment", heap.imageDescriptorAlignment);
  read(object, "bufferDescriptorAlignment", heap.bufferDescriptorAlignment);
  read(object, "maxPushDataSize", heap.maxPushDataSize);
  read(object, "maxDescriptorHeapEmbeddedSamplers", heap.maxDescriptorHeapEmbeddedSamplers);
  read(object, "samplerYcbcrConversionCount", heap.samplerYcbcrConversionCount);
  read(object, "sparseDescriptorHeaps", heap.sparseDescriptorHeaps);
  read(object, "protectedDescriptorHeaps", heap.protectedDescriptorHeaps);
}

void read_limits(const json& object, VkPhysicalDeviceLimits& limits) {
  read(object, "maxPushConstantsSize", limits.maxPushConstantsSize);
  read(object, "maxBoundDescriptorSets", limits.maxBoundDescriptorSets);
  read(object, "maxSamplerAllocationCount", limits.maxSamplerAllocationCount);
  read(object, "maxPerStageDescriptorSampledImages", limits.maxPerStageDescriptorSampledImages);
  read(object, "maxUniformBufferRange", limits.maxUniformBufferRange);
  read(object, "maxStorageBufferRange", limits.maxStorageBufferRange);
  read(object, "minUniformBufferOffsetAlignment", limits.minUniformBufferOffsetAlignment);
  read(object, "minStorageBufferOffsetAlignment", limits.minStorageBufferOffsetAlignment);
  read(object, "minTexelBufferOffsetAlignment", limits.minTexelBufferOffsetAlignment);
  read(object, "nonCoherentAtomSize", limits.nonCoherentAtomSize);
  read(object, "bufferImageGranularity", limits.bufferImageGranularity);
}

void read_sizes(const json& object, std::map<VkDescriptorType, VkDeviceSize>& sizes) {
  static const std::map<std::string, VkDescriptorType> types{
      {"SAMPLER", VK_DESCRIPTOR_TYPE_SAMPLER},
      {"SAMPLED_IMAGE", VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE},
      {"STORAGE_IMAGE", VK_DESCRIPTOR_TYPE_STORAGE_IMAGE},
      {"UNIFORM_TEXEL_BUFFER", VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER},
      {"STORAGE_TEXEL_BUFFER", VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER},
      {"UNIFORM_BUFFER", VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER},
      {"STORAGE_BUFFER", VK_DESCRIPTOR_TYPE_STORAGE_BUFFER},
      {"INPUT_ATTACHMENT", VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT},
      {"ACCELERATION_STRUCTURE_KHR", VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR}};
  for (const auto& [name, size] : object.items())
    sizes[types.at(name)] = size.get<VkDeviceSize>();
}

}  // namespace

std::optional<Profile> read_profile(const char* path) {
  try {
    std::ifstream file(path);
    const json object = json::parse(file);
    Profile profile;
    profile.name = object.at("name").get<std::string>();
    read_heap(object.at("descriptorHeapProperties"), profile.heap);
    read_sizes(object.at("descriptorSizes"), profile.descriptorSizes);
    read_limits(object.at("limits"), profile.limits);
    return profile;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "foreign device: the profile %s: %s\n", path, error.what());
    return std::nullopt;
  }
}

}  // namespace foreign_device
