// SPDX-License-Identifier: MIT
#include "heapsmith/device.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "text.h"
#include "vulkan_error.h"

namespace heapsmith {
namespace {

constexpr const char* kRequiredExtensions[] = {VK_EXT_DESCRIPTOR_HEAP_EXTENSION_NAME};

Result<std::vector<VkExtensionProperties>> list_extensions(const VolkInstanceTable& functions,
                                                           VkPhysicalDevice physicalDevice) {
  std::vector<VkExtensionProperties> extensions;
  VkResult result = VK_INCOMPLETE;
  while (result == VK_INCOMPLETE) {  // the list may grow between the two calls
    uint32_t count = 0;
    result =
        functions.vkEnumerateDeviceExtensionProperties(physicalDevice, nullptr, &count, nullptr);
    if (result != VK_SUCCESS) break;
    extensions.resize(count);
    result = functions.vkEnumerateDeviceExtensionProperties(physicalDevice, nullptr, &count,
                                                            extensions.data());
    if (result == VK_SUCCESS) extensions.resize(count);
  }
  if (result != VK_SUCCESS) {
    return detail::vulkan_error("vkEnumerateDeviceExtensionProperties", result);
  }
  return extensions;
}

bool lists(const std::vector<VkExtensionProperties>& extensions, std::string_view name) {
  for (const VkExtensionProperties& extension : extensions) {
    if (extension.extensionName == name) return true;
  }
  return false;
}

bool has_feature(const VolkInstanceTable& functions, VkPhysicalDevice physicalDevice) {
  VkPhysicalDeviceDescriptorHeapFeaturesEXT heap{};
  heap.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_HEAP_FEATURES_EXT;
  VkPhysicalDeviceFeatures2 features{};
  features.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
  features.pNext = &heap;
  functions.vkGetPhysicalDeviceFeatures2(physicalDevice, &features);
  return heap.descriptorHeap == VK_TRUE;
}

struct Properties {
  uint32_t apiVersion = 0;
  DeviceLimits limits;
};

/// Structs of extensions that a device may lack: which of them to ask for.
struct Optional {
  bool tensors = false;
  bool rayTracing = false;
};

/// Bytes of a shader record: the group handle comes first in what maxShaderGroupStride bounds.
uint64_t record_size(const VkPhysicalDeviceRayTracingPipelinePropertiesKHR& rays) {
  return rays.maxShaderGroupStride -
         std::min(rays.shaderGroupHandleSize, rays.maxShaderGroupStride);
}

Properties get_properties(const VolkInstanceTable& functions, VkPhysicalDevice physicalDevice,
                          Optional has) {
  VkPhysicalDeviceRayTracingPipelinePropertiesKHR rays{};
  rays.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_TRACING_PIPELINE_PROPERTIES_KHR;
  VkPhysicalDeviceDescriptorHeapTensorPropertiesARM tensor{};
  tensor.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_HEAP_TENSOR_PROPERTIES_ARM;
  VkPhysicalDeviceDescriptorHeapPropertiesEXT heap{};
  heap.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_HEAP_PROPERTIES_EXT;
  tensor.pNext = has.rayTracing ? &rays : nullptr;
  heap.pNext = has.tensors ? &tensor : tensor.pNext;
  VkPhysicalDeviceProperties2 properties{};
  properties.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2;
  properties.pNext = &heap;
  functions.vkGetPhysicalDeviceProperties2(physicalDevice, &properties);
  return {
      .apiVersion = properties.properties.apiVersion,
      .limits =
          {
              .samplerHeapAlignment = heap.samplerHeapAlignment,
              .resourceHeapAlignment = heap.resourceHeapAlignment,
              .maxSamplerHeapSize = heap.maxSamplerHeapSize,
              .maxResourceHeapSize = heap.maxResourceHeapSize,
              .minSamplerHeapReservedRange = heap.minSamplerHeapReservedRange,
              .minSamplerHeapReservedRangeWithEmbedded =
                  heap.minSamplerHeapReservedRangeWithEmbedded,
              .minResourceHeapReservedRange = heap.minResourceHeapReservedRange,
              .samplerDescriptorSize = heap.samplerDescriptorSize,
              .imageDescriptorSize = heap.imageDescriptorSize,
              .bufferDescriptorSize = heap.bufferDescriptorSize,
              .tensorDescriptorSize = tensor.tensorDescriptorSize,
              .samplerDescriptorAlignment = heap.samplerDescriptorAlignment,
              .imageDescriptorAlignment = heap.imageDescriptorAlignment,
              .bufferDescriptorAlignment = heap.bufferDescriptorAlignment,
              .tensorDescriptorAlignment = tensor.tensorDescriptorAlignment,
              .maxPushDataSize = heap.maxPushDataSize,
              .maxDescriptorHeapEmbeddedSamplers = heap.maxDescriptorHeapEmbeddedSamplers,
              .samplerYcbcrConversionCount = heap.samplerYcbcrConversionCount,
              .minUniformBufferOffsetAlignment =
                  properties.properties.limits.minUniformBufferOffsetAlignment,
              .minStorageBufferOffsetAlignment =
                  properties.properties.limits.minStorageBufferOffsetAlignment,
              .maxShaderRecordSize = record_size(rays),
          },
  };
}

}  // namespace

Result<DeviceLimits> query_limits(const VolkInstanceTable& functions,
                                  VkPhysicalDevice physicalDevice) {
  Result<std::vector<VkExtensionProperties>> extensions =
      list_extensions(functions, physicalDevice);
  if (!extensions) return std::move(extensions.error());
  for (const char* name : kRequiredExtensions) {
    if (lists(*extensions, name)) continue;
    return detail::error(ErrorCode::MissingExtension, "the device does not list ", name);
  }
  if (!has_feature(functions, physicalDevice)) {
    return detail::error(ErrorCode::MissingFeature, "the device lists ",
                         VK_EXT_DESCRIPTOR_HEAP_EXTENSION_NAME,
                         ", but its feature descriptorHeap is off");
  }
  const Properties properties = get_properties(
      functions, physicalDevice,
      {.tensors = lists(*extensions, VK_ARM_TENSORS_EXTENSION_NAME),
       .rayTracing = lists(*extensions, VK_KHR_RAY_TRACING_PIPELINE_EXTENSION_NAME)});
  // VkPipelineCreateFlags2CreateInfo comes from there, and the heap bit exists only in it.
  if (properties.apiVersion < VK_API_VERSION_1_4 &&
      !lists(*extensions, VK_KHR_MAINTENANCE_5_EXTENSION_NAME)) {
    return detail::error(ErrorCode::MissingExtension, "the device has neither Vulkan 1.4 nor ",
                         VK_KHR_MAINTENANCE_5_EXTENSION_NAME);
  }
  if (Status status = check_limits(properties.limits); !status) return std::move(status.error());
  return properties.limits;
}

std::span<const char* const> required_device_extensions() noexcept {
  return kRequiredExtensions;
}

}  // namespace heapsmith
