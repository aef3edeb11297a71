// SPDX-License-Identifier: MIT
#include "gpu.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
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

void require_validation_layer() {
  uint32_t count = 0;
  check(vkEnumerateInstanceLayerProperties(&count, nullptr), "listing the layers");
  std::vector<VkLayerProperties> layers(count);
  check(vkEnumerateInstanceLayerProperties(&count, layers.data()), "listing the layers");
  const bool found = std::ranges::any_of(layers, [](const VkLayerProperties& layer) {
    return std::strcmp(layer.layerName, kValidationLayer) == 0;
  });
  if (!found) fail("validation", "the layer VK_LAYER_KHRONOS_validation is not installed");
}

void create_instance(Gpu& gpu, const char* applicationName) {
  check(volkInitialize(), "loading Vulkan");
  require_validation_layer();

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
                                  .enabledLayerCount = 1,
                                  .ppEnabledLayerNames = &kValidationLayer,
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

void create_device(Gpu& gpu, const GpuOptions& options) {
  gpu.queueFamily = find_queue_family(gpu);
  const float priority = 1.0f;
  const VkDeviceQueueCreateInfo queue{.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                      .queueFamilyIndex = gpu.queueFamily,
                                      .queueCount = 1,
                                      .pQueuePriorities = &priority};
  // All but descriptorHeap are features that every Vulkan 1.4 device has.
  VkPhysicalDeviceDescriptorHeapFeaturesEXT heap{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_HEAP_FEATURES_EXT,
      .descriptorHeap = VK_TRUE};
  VkPhysicalDeviceVulkan14Features vulkan14{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_4_FEATURES,
      .pNext = &heap,
      .maintenance5 = VK_TRUE};
  VkPhysicalDeviceVulkan13Features vulkan13{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
      .pNext = &vulkan14,
      .synchronization2 = VK_TRUE,
      .dynamicRendering = VK_TRUE};
  const VkBool32 allNumbers = options.allNumberTypes ? VK_TRUE : VK_FALSE;
  VkPhysicalDeviceVulkan12Features vulkan12{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
      .pNext = &vulkan13,
      .storageBuffer8BitAccess = allNumbers,
      .uniformAndStorageBuffer8BitAccess = allNumbers,
      .shaderFloat16 = allNumbers,
      .shaderInt8 = allNumbers,
      .scalarBlockLayout = allNumbers,
      .bufferDeviceAddress = VK_TRUE};
  const VkPhysicalDeviceVulkan11Features vulkan11{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES,
      .pNext = &vulkan12,
      .storageBuffer16BitAccess = allNumbers,
      .uniformAndStorageBuffer16BitAccess = allNumbers};
  VkPhysicalDeviceFeatures supported;
  vkGetPhysicalDeviceFeatures(gpu.physicalDevice, &supported);
  const VkPhysicalDeviceFeatures features{.samplerAnisotropy = supported.samplerAnisotropy,
                                          .shaderFloat64 = allNumbers,
                                          .shaderInt64 = allNumbers,
                                          .shaderInt16 = allNumbers};
  const auto extensions = heapsmith::required_device_extensions();
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
  std::fprintf(stderr, "error: the validation layer had %u messages\n", *gpu.messageCount);
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
