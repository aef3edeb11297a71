// SPDX-License-Identifier: MIT
#include "heapsmith/device.h"

#include <catch2/catch_test_macros.hpp>

#include "runtime/recording_device.h"
#include "runtime/sample_limits.h"

using namespace heapsmith;

namespace {

Error refused(const RecordingDevice& device) {
  Result<DeviceLimits> limits = query_limits(device.instanceFunctions, VK_NULL_HANDLE);
  REQUIRE(!limits);
  return std::move(limits.error());
}

}  // namespace

TEST_CASE("query_limits: every limit arrives") {
  RecordingDevice device;
  device.limits = sample::kWorstCase;
  Result<DeviceLimits> limits = query_limits(device.instanceFunctions, VK_NULL_HANDLE);
  REQUIRE(limits);
  CHECK(limits->samplerHeapAlignment == 65536);
  CHECK(limits->resourceHeapAlignment == 65536);
  CHECK(limits->maxSamplerHeapSize == sample::kWorstCase.maxSamplerHeapSize);
  CHECK(limits->maxResourceHeapSize == sample::kWorstCase.maxResourceHeapSize);
  CHECK(limits->minSamplerHeapReservedRange == 96 * 32);
  CHECK(limits->minSamplerHeapReservedRangeWithEmbedded == 2048 * 32);
  CHECK(limits->minResourceHeapReservedRange == 4194304);
  CHECK(limits->samplerDescriptorSize == 32);
  CHECK(limits->imageDescriptorSize == 64);
  CHECK(limits->bufferDescriptorSize == 128);
  CHECK(limits->samplerDescriptorAlignment == 32);
  CHECK(limits->imageDescriptorAlignment == 64);
  CHECK(limits->bufferDescriptorAlignment == 128);
  CHECK(limits->maxPushDataSize == 256);
  CHECK(limits->maxDescriptorHeapEmbeddedSamplers == 2032);
  CHECK(limits->samplerYcbcrConversionCount == 3);
  CHECK(limits->minUniformBufferOffsetAlignment == 256);
  CHECK(limits->minStorageBufferOffsetAlignment == 256);
  CHECK(limits->maxShaderRecordSize == 0);
}

TEST_CASE("query_limits: the extension, the feature bit, the version") {
  RecordingDevice device;
  device.limits = sample::kLavapipe;
  device.extensions = {"VK_KHR_swapchain"};
  CHECK(refused(device).code == ErrorCode::MissingExtension);
  CHECK(refused(device).text == "the device does not list VK_EXT_descriptor_heap");
  device.extensions = {"VK_KHR_swapchain", "VK_EXT_descriptor_heap"};
  device.feature = false;
  CHECK(refused(device).code == ErrorCode::MissingFeature);
  device.feature = true;
  device.apiVersion = VK_API_VERSION_1_3;
  CHECK(refused(device).code == ErrorCode::MissingExtension);
  device.extensions.push_back("VK_KHR_maintenance5");
  CHECK(query_limits(device.instanceFunctions, VK_NULL_HANDLE));
}

TEST_CASE("query_limits: tensors only where VK_ARM_tensors is listed") {
  RecordingDevice device;
  device.limits = sample::kLavapipe;
  device.limits.tensorDescriptorSize = 64;
  device.limits.tensorDescriptorAlignment = 32;
  Result<DeviceLimits> without = query_limits(device.instanceFunctions, VK_NULL_HANDLE);
  REQUIRE(without);
  CHECK(without->tensorDescriptorSize == 0);
  device.extensions.push_back("VK_ARM_tensors");
  Result<DeviceLimits> with = query_limits(device.instanceFunctions, VK_NULL_HANDLE);
  REQUIRE(with);
  CHECK(with->tensorDescriptorSize == 64);
  CHECK(with->tensorDescriptorAlignment == 32);
}

TEST_CASE("query_limits: shader records only where ray-tracing pipelines are listed") {
  RecordingDevice device;
  device.limits = sample::kLavapipe;
  device.limits.minUniformBufferOffsetAlignment = 16;
  device.limits.minStorageBufferOffsetAlignment = 4;
  device.limits.maxShaderRecordSize = 4064;
  Result<DeviceLimits> without = query_limits(device.instanceFunctions, VK_NULL_HANDLE);
  REQUIRE(without);
  CHECK(without->maxShaderRecordSize == 0);
  CHECK(without->minUniformBufferOffsetAlignment == 16);
  CHECK(without->minStorageBufferOffsetAlignment == 4);
  for (const char* other : {"VK_KHR_ray_tracing_pipeline", "VK_ARM_tensors"}) {
    device.extensions.emplace_back(other);
    Result<DeviceLimits> with = query_limits(device.instanceFunctions, VK_NULL_HANDLE);
    REQUIRE(with);
    CHECK(with->maxShaderRecordSize == 4064);
  }
}

TEST_CASE("query_limits: forbidden limits and failing calls") {
  RecordingDevice device;
  device.limits = sample::kLavapipe;
  device.limits.imageDescriptorSize = 40;
  CHECK(refused(device).code == ErrorCode::InvalidLimits);
  device.limits = sample::kLavapipe;
  device.failures["vkEnumerateDeviceExtensionProperties"] = VK_ERROR_OUT_OF_HOST_MEMORY;
  const Error error = refused(device);
  CHECK(error.code == ErrorCode::Vulkan);
  CHECK(error.vkResult == VK_ERROR_OUT_OF_HOST_MEMORY);
  device.failures.clear();
  // The list grew between the two calls.
  RecordingDevice growing;
  growing.limits = sample::kLavapipe;
  growing.failures["vkEnumerateDeviceExtensionProperties#2"] = VK_INCOMPLETE;
  CHECK(query_limits(growing.instanceFunctions, VK_NULL_HANDLE));
}

TEST_CASE("required_device_extensions") {
  REQUIRE(required_device_extensions().size() == 1);
  CHECK(std::string_view(required_device_extensions()[0]) == "VK_EXT_descriptor_heap");
}
