// SPDX-License-Identifier: MIT
#include "gpu.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "check.h"

namespace example {
namespace {

constexpr const char* kValidationLayer = "VK_LAYER_KHRONOS_validation";
constexpr const char* kNoDevice = "no device here can use VK_EXT_descriptor_heap";

VKAPI_ATTR VkBool32 VKAPI_CALL on_message(VkDebugUtilsMessageSeverityFlagBitsEXT,
                                          VkDebugUtilsMessageTypeFlagsEXT types,
                                          const VkDebugUtilsMessengerCallbackDataEXT* data,
                                          void* count) {
  // The loader speaks of other drivers on this machine, for which an example cannot answer.
  const std::string_view name = data->pMessageIdName ? data->pMessageIdName : "";
  const bool fromLoader =
      types == VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT && name == "Loader Message";
  if (fromLoader) return VK_FALSE;
  std::fprintf(stderr, "validation: %s\n", data->pMessage);
  ++*static_cast<uint32_t*>(count);
  return VK_FALSE;
}

VkDebugUtilsMessengerCreateInfoEXT messenger_info(uint32_t* count) {
  return {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
          .messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT |
                             VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
          .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT |
                         VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT |
                         VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT,
          .pfnUserCallback = on_message,
          .pUserData = count};
}

// The layers to enable, from the application down to the driver: validation, and then what
// HEAPSMITH_LAYERS names, so that the validation layer sees the device as those layers show it.
std::vector<std::string> layers_to_enable() {
  std::vector<std::string> names{kValidationLayer};
  const char* more = std::getenv("HEAPSMITH_LAYERS");
  std::istringstream list(more ? more : "");
  for (std::string name; std::getline(list, name, ',');) {
    if (!name.empty()) names.push_back(name);
  }
  return names;
}

void require_layers(const std::vector<std::string>& names) {
  uint32_t count = 0;
  check(vkEnumerateInstanceLayerProperties(&count, nullptr), "listing the layers");
  std::vector<VkLayerProperties> layers(count);
  check(vkEnumerateInstanceLayerProperties(&count, layers.data()), "listing the layers");
  for (const std::string& name : names) {
    const bool found = std::ranges::any_of(
        layers, [&](const VkLayerProperties& layer) { return name == layer.layerName; });
    if (!found) fail("layers", name + " is not installed");
  }
}

void create_instance(Gpu& gpu, const char* applicationName) {
  check(volkInitialize(), "loading Vulkan");
  const std::vector<std::string> layers = layers_to_enable();
  require_layers(layers);
  std::vector<const char*> layerNames;
  for (const std::string& name : layers)
    layerNames.push_back(name.c_str());

  const VkBool32 on = VK_TRUE;
  const VkLayerSettingEXT setting{.pLayerName = kValidationLayer,
                                  .pSettingName = "validate_sync",
                                  .type = VK_LAYER_SETTING_TYPE_BOOL32_EXT,
                                  .valueCount = 1,
                                  .pValues = &on};
  // Chained to the instance, the messenger also hears what vkCreateInstance and vkDestroyInstance
  // cause.
  VkDebugUtilsMessengerCreateInfoEXT messenger = messenger_info(gpu.messageCount.get());
  const VkLayerSettingsCreateInfoEXT settings{
      .sType = VK_STRUCTURE_TYPE_LAYER_SETTINGS_CREATE_INFO_EXT,
      .pNext = &messenger,
      .settingCount = 1,
      .pSettings = &setting};
  const VkApplicationInfo application{.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                      .pApplicationName = applicationName,
                                      .apiVersion = VK_API_VERSION_1_4};
  const char* const extensions[] = {VK_EXT_DEBUG_UTILS_EXTENSION_NAME,
                                    VK_EXT_LAYER_SETTINGS_EXTENSION_NAME};
  const VkInstanceCreateInfo info{.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                  .pNext = &settings,
                                  .pApplicationInfo = &application,
                                  .enabledLayerCount = static_cast<uint32_t>(layerNames.size()),
                                  .ppEnabledLayerNames = layerNames.data(),
                                  .enabledExtensionCount = std::size(extensions),
                                  .ppEnabledExtensionNames = extensions};
  const VkResult result = vkCreateInstance(&info, nullptr, &gpu.instance);
  if (result == VK_ERROR_INCOMPATIBLE_DRIVER) fail(kNoDevice, "there is no Vulkan driver");
  check(result, "creating the instance");
  volkLoadInstance(gpu.instance);
  volkLoadInstanceTable(&gpu.instanceFunctions, gpu.instance);
  messenger.pNext = nullptr;
  check(vkCreateDebugUtilsMessengerEXT(gpu.instance, &messenger, nullptr, &gpu.messenger),
        "creating the messenger");
}

void choose_device(Gpu& gpu) {
  uint32_t count = 0;
  check(vkEnumeratePhysicalDevices(gpu.instance, &count, nullptr), "listing the devices");
  std::vector<VkPhysicalDevice> devices(count);
  check(vkEnumeratePhysicalDevices(gpu.instance, &count, devices.data()), "listing the devices");

  const char* wanted = std::getenv("HEAPSMITH_DEVICE");
  std::string reasons;
  for (const VkPhysicalDevice device : devices) {
    VkPhysicalDeviceProperties properties;
    vkGetPhysicalDeviceProperties(device, &properties);
    const std::string_view name = properties.deviceName;
    const auto reject = [&](std::string_view why) {
      reasons.append(reasons.empty() ? "" : "; ").append(name).append(" (").append(why).append(")");
    };
    if (wanted && name.find(wanted) == name.npos) {
      reject("not the HEAPSMITH_DEVICE");
      continue;
    }
    if (properties.apiVersion < VK_API_VERSION_1_4) {
      reject("older than Vulkan 1.4");
      continue;
    }
    auto limits = heapsmith::query_limits(gpu.instanceFunctions, device);
    if (!limits) {
      reject(limits.error().text);
      continue;
    }
    const bool isCpu = properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
    if (gpu.physicalDevice && isCpu) continue;
    gpu.physicalDevice = device;
    gpu.properties = properties;
    gpu.limits = *limits;
    if (!isCpu) break;
  }
  if (!gpu.physicalDevice) fail(kNoDevice, reasons);
  vkGetPhysicalDeviceMemoryProperties(gpu.physicalDevice, &gpu.memory);
}

uint32_t find_queue_family(const Gpu& gpu) {
  uint32_t count = 0;
  vkGetPhysicalDeviceQueueFamilyProperties(gpu.physicalDevice, &count, nullptr);
  std::vector<VkQueueFamilyProperties> families(count);
  vkGetPhysicalDeviceQueueFamilyProperties(gpu.physicalDevice, &count, families.data());
  constexpr VkQueueFlags kWanted = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT;
  for (uint32_t family = 0; family < count; ++family) {
    if ((families[family].queueFlags & kWanted) == kWanted) return family;
  }
  fail("choosing a queue", "no queue family has both graphics and compute");
}

std::vector<const char*> device_extensions(const GpuOptions& options) {
  const auto required = heapsmith::required_device_extensions();
  std::vector<const char*> names(required.begin(), required.end());
  if (options.allDescriptors) {
    names.push_back(VK_KHR_RAY_QUERY_EXTENSION_NAME);
    names.push_back(VK_EXT_ROBUSTNESS_2_EXTENSION_NAME);
    names.push_back(VK_EXT_CUSTOM_BORDER_COLOR_EXTENSION_NAME);
  }
  if (options.rayTracing || options.allDescriptors) {
    names.push_back(VK_KHR_ACCELERATION_STRUCTURE_EXTENSION_NAME);
    names.push_back(VK_KHR_DEFERRED_HOST_OPERATIONS_EXTENSION_NAME);
  }
  if (options.rayTracing) names.push_back(VK_KHR_RAY_TRACING_PIPELINE_EXTENSION_NAME);
  if (options.heapReads) names.push_back(VK_KHR_SHADER_UNTYPED_POINTERS_EXTENSION_NAME);
  if (options.meshShaders) names.push_back(VK_EXT_MESH_SHADER_EXTENSION_NAME);
  if (options.shaderObjects) names.push_back(VK_EXT_SHADER_OBJECT_EXTENSION_NAME);
  if (options.generatedCommands) names.push_back(VK_EXT_DEVICE_GENERATED_COMMANDS_EXTENSION_NAME);
  return names;
}

void require_extensions(const Gpu& gpu, std::span<const char* const> names) {
  uint32_t count = 0;
  check(vkEnumerateDeviceExtensionProperties(gpu.physicalDevice, nullptr, &count, nullptr),
        "listing the device's extensions");
  std::vector<VkExtensionProperties> available(count);
  check(vkEnumerateDeviceExtensionProperties(gpu.physicalDevice, nullptr, &count, available.data()),
        "listing the device's extensions");
  for (const std::string_view name : names) {
    const bool found = std::ranges::any_of(
        available, [&](const VkExtensionProperties& one) { return name == one.extensionName; });
    if (!found) fail(gpu.properties.deviceName, std::string(name) + " is missing");
  }
}

/// The features of the options' extensions, in a chain.
struct OptionalFeatures {
  VkPhysicalDeviceAccelerationStructureFeaturesKHR accelerationStructures{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ACCELERATION_STRUCTURE_FEATURES_KHR,
      .accelerationStructure = VK_TRUE};
  VkPhysicalDeviceRayTracingPipelineFeaturesKHR rayTracing{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_TRACING_PIPELINE_FEATURES_KHR,
      .rayTracingPipeline = VK_TRUE};
  VkPhysicalDeviceShaderUntypedPointersFeaturesKHR untypedPointers{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_UNTYPED_POINTERS_FEATURES_KHR,
      .shaderUntypedPointers = VK_TRUE};
  VkPhysicalDeviceMeshShaderFeaturesEXT meshShaders{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_FEATURES_EXT,
      .taskShader = VK_TRUE,
      .meshShader = VK_TRUE};
  VkPhysicalDeviceShaderObjectFeaturesEXT shaderObjects{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_OBJECT_FEATURES_EXT,
      .shaderObject = VK_TRUE};
  VkPhysicalDeviceDeviceGeneratedCommandsFeaturesEXT generatedCommands{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEVICE_GENERATED_COMMANDS_FEATURES_EXT,
      .deviceGeneratedCommands = VK_TRUE};
  VkPhysicalDeviceRayQueryFeaturesKHR rayQueries{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_QUERY_FEATURES_KHR, .rayQuery = VK_TRUE};
  VkPhysicalDeviceRobustness2FeaturesEXT nullDescriptors{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ROBUSTNESS_2_FEATURES_EXT,
      .nullDescriptor = VK_TRUE};
  VkPhysicalDeviceCustomBorderColorFeaturesEXT borderColors{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CUSTOM_BORDER_COLOR_FEATURES_EXT,
      .customBorderColors = VK_TRUE};
  void* head = nullptr;

  explicit OptionalFeatures(const GpuOptions& options) {
    if (options.rayTracing || options.allDescriptors) prepend(accelerationStructures);
    if (options.rayTracing) prepend(rayTracing);
    if (options.allDescriptors) {
      prepend(rayQueries);
      prepend(nullDescriptors);
      prepend(borderColors);
    }
    if (options.heapReads) prepend(untypedPointers);
    if (options.meshShaders) prepend(meshShaders);
    if (options.shaderObjects) prepend(shaderObjects);
    if (options.generatedCommands) prepend(generatedCommands);
  }
  OptionalFeatures(const OptionalFeatures&) = delete;  // the chain points into it

 private:
  void prepend(auto& features) {
    features.pNext = head;
    head = &features;
  }
};

void create_device(Gpu& gpu, const GpuOptions& options) {
  gpu.queueFamily = find_queue_family(gpu);
  const float priority = 1.0f;
  const VkDeviceQueueCreateInfo queue{.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                      .queueFamilyIndex = gpu.queueFamily,
                                      .queueCount = 1,
                                      .pQueuePriorities = &priority};
  // All but descriptorHeap, and what options ask for, are features that every Vulkan 1.4 device
  // has.
  const OptionalFeatures optional(options);
  VkPhysicalDeviceDescriptorHeapFeaturesEXT heap{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_HEAP_FEATURES_EXT,
      .pNext = optional.head,
      .descriptorHeap = VK_TRUE};
  const VkBool32 arrays = options.allDescriptors ? VK_TRUE : VK_FALSE;
  VkPhysicalDeviceVulkan14Features vulkan14{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_4_FEATURES,
      .pNext = &heap,
      .dynamicRenderingLocalRead = arrays,
      .maintenance5 = VK_TRUE};
  VkPhysicalDeviceVulkan13Features vulkan13{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
      .pNext = &vulkan14,
      .pipelineCreationCacheControl = arrays,
      .synchronization2 = VK_TRUE,
      .dynamicRendering = VK_TRUE,
      .maintenance4 = VK_TRUE};
  const VkBool32 allNumbers = options.allNumberTypes ? VK_TRUE : VK_FALSE;
  VkPhysicalDeviceVulkan12Features vulkan12{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
      .pNext = &vulkan13,
      .storageBuffer8BitAccess = allNumbers,
      .uniformAndStorageBuffer8BitAccess = allNumbers,
      .shaderFloat16 = allNumbers,
      .shaderInt8 = allNumbers,
      .shaderInputAttachmentArrayDynamicIndexing = arrays,
      .shaderUniformTexelBufferArrayDynamicIndexing = arrays,
      .shaderStorageTexelBufferArrayDynamicIndexing = arrays,
      .shaderUniformBufferArrayNonUniformIndexing = arrays,
      .shaderSampledImageArrayNonUniformIndexing = arrays,
      .shaderStorageBufferArrayNonUniformIndexing = arrays,
      .shaderStorageImageArrayNonUniformIndexing = arrays,
      .shaderUniformTexelBufferArrayNonUniformIndexing = arrays,
      .shaderStorageTexelBufferArrayNonUniformIndexing = arrays,
      .runtimeDescriptorArray = arrays,
      .samplerFilterMinmax = arrays,
      .scalarBlockLayout = allNumbers,
      .bufferDeviceAddress = VK_TRUE};
  const VkPhysicalDeviceVulkan11Features vulkan11{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES,
      .pNext = &vulkan12,
      .storageBuffer16BitAccess = allNumbers,
      .uniformAndStorageBuffer16BitAccess = allNumbers,
      .variablePointersStorageBuffer = arrays,
      .variablePointers = arrays,
      .samplerYcbcrConversion = arrays};
  VkPhysicalDeviceFeatures supported;
  vkGetPhysicalDeviceFeatures(gpu.physicalDevice, &supported);
  const VkBool32 allStages = options.storesInAllStages ? VK_TRUE : VK_FALSE;
  const VkBool32 indexing = options.heapReads ? VK_TRUE : arrays;
  const VkBool32 geometry = options.geometryStages ? VK_TRUE : VK_FALSE;
  const VkPhysicalDeviceFeatures features{.imageCubeArray = arrays,
                                          .geometryShader = geometry,
                                          .tessellationShader = geometry,
                                          .samplerAnisotropy = supported.samplerAnisotropy,
                                          .vertexPipelineStoresAndAtomics = allStages,
                                          .fragmentStoresAndAtomics = allStages,
                                          .shaderUniformBufferArrayDynamicIndexing = indexing,
                                          .shaderSampledImageArrayDynamicIndexing = indexing,
                                          .shaderStorageBufferArrayDynamicIndexing = indexing,
                                          .shaderStorageImageArrayDynamicIndexing = arrays,
                                          .shaderFloat64 = allNumbers,
                                          .shaderInt64 = allNumbers,
                                          .shaderInt16 = allNumbers};
  const std::vector<const char*> extensions = device_extensions(options);
  require_extensions(gpu, extensions);
  const VkDeviceCreateInfo info{.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                .pNext = &vulkan11,
                                .queueCreateInfoCount = 1,
                                .pQueueCreateInfos = &queue,
                                .enabledExtensionCount = static_cast<uint32_t>(extensions.size()),
                                .ppEnabledExtensionNames = extensions.data(),
                                .pEnabledFeatures = &features};
  check(vkCreateDevice(gpu.physicalDevice, &info, nullptr, &gpu.device), "creating the device");
  volkLoadDevice(gpu.device);
  volkLoadDeviceTable(&gpu.deviceFunctions, gpu.device);
  vkGetDeviceQueue(gpu.device, gpu.queueFamily, 0, &gpu.queue);

  const VkCommandPoolCreateInfo pool{.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                     .flags = VK_COMMAND_POOL_CREATE_TRANSIENT_BIT,
                                     .queueFamilyIndex = gpu.queueFamily};
  check(vkCreateCommandPool(gpu.device, &pool, nullptr, &gpu.commandPool),
        "creating the command pool");
}

}  // namespace

Gpu create_gpu(const char* applicationName, const GpuOptions& options) {
  Gpu gpu;
  gpu.messageCount = std::make_unique<uint32_t>(0);
  create_instance(gpu, applicationName);
  choose_device(gpu);
  create_device(gpu, options);
  return gpu;
}

int destroy_gpu(Gpu& gpu) {
  vkDestroyCommandPool(gpu.device, gpu.commandPool, nullptr);
  vkDestroyDevice(gpu.device, nullptr);
  vkDestroyDebugUtilsMessengerEXT(gpu.instance, gpu.messenger, nullptr);
  vkDestroyInstance(gpu.instance, nullptr);
  if (*gpu.messageCount == 0) return 0;
  std::fprintf(stderr, "error: the layers had %u messages\n", *gpu.messageCount);
  return 1;
}

heapsmith::Device heapsmith_device(const Gpu& gpu) {
  return {.physicalDevice = gpu.physicalDevice,
          .device = gpu.device,
          .instanceFunctions = &gpu.instanceFunctions,
          .functions = &gpu.deviceFunctions};
}

VkDeviceMemory allocate_memory(const Gpu& gpu, const VkMemoryRequirements& needs,
                               VkMemoryPropertyFlags properties, bool hasAddress) {
  for (uint32_t type = 0; type < gpu.memory.memoryTypeCount; ++type) {
    const bool allowed = (needs.memoryTypeBits >> type & 1u) != 0;
    const bool fits = (gpu.memory.memoryTypes[type].propertyFlags & properties) == properties;
    if (!allowed || !fits) continue;
    const VkMemoryAllocateFlagsInfo flags{.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
                                          .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT};
    const VkMemoryAllocateInfo info{.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                    .pNext = hasAddress ? &flags : nullptr,
                                    .allocationSize = needs.size,
                                    .memoryTypeIndex = type};
    VkDeviceMemory memory = VK_NULL_HANDLE;
    check(vkAllocateMemory(gpu.device, &info, nullptr, &memory), "allocating memory");
    return memory;
  }
  fail("allocating memory", "no memory type fits");
}

}  // namespace example
