// SPDX-License-Identifier: MIT
#include "pipelines_gpu.h"

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <set>
#include <string_view>

namespace corpus {
namespace {

constexpr const char* kLayer = "VK_LAYER_KHRONOS_validation";

VKAPI_ATTR VkBool32 VKAPI_CALL on_message(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                          VkDebugUtilsMessageTypeFlagsEXT types,
                                          const VkDebugUtilsMessengerCallbackDataEXT* data,
                                          void* gpu) {
  const std::string_view id = data->pMessageIdName ? data->pMessageIdName : "";
  const bool from_loader =
      types == VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT && id == "Loader Message";
  if (from_loader) return VK_FALSE;  // it speaks of other drivers on this machine
  // Behind the facts the layer quotes the rule, which the id names.
  const std::string_view text = data->pMessage;
  static_cast<Gpu*>(gpu)->messages.push_back(
      {std::string(id), std::string(text.substr(0, text.find("\nThe Vulkan spec states")))});
  // True: the layer does not pass the call on. Drivers may crash on what it found wrong.
  return (severity & VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT) != 0 ? VK_TRUE : VK_FALSE;
}

bool failed(const char* what) {
  std::fprintf(stderr, "corpus_pipelines: %s failed\n", what);
  return false;
}

bool create_instance(Gpu& gpu) {
  if (volkInitialize() != VK_SUCCESS) return failed("loading Vulkan");
  // Otherwise the layer goes silent on a rule after it was broken ten times.
  const VkBool32 off = VK_FALSE;
  const VkLayerSettingEXT setting{.pLayerName = kLayer,
                                  .pSettingName = "enable_message_limit",
                                  .type = VK_LAYER_SETTING_TYPE_BOOL32_EXT,
                                  .valueCount = 1,
                                  .pValues = &off};
  const VkLayerSettingsCreateInfoEXT settings{
      .sType = VK_STRUCTURE_TYPE_LAYER_SETTINGS_CREATE_INFO_EXT,
      .settingCount = 1,
      .pSettings = &setting};
  const VkApplicationInfo application{.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                      .pApplicationName = "corpus_pipelines",
                                      .apiVersion = VK_API_VERSION_1_4};
  const char* const extensions[] = {VK_EXT_DEBUG_UTILS_EXTENSION_NAME,
                                    VK_EXT_LAYER_SETTINGS_EXTENSION_NAME};
  const VkInstanceCreateInfo info{.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                  .pNext = &settings,
                                  .pApplicationInfo = &application,
                                  .enabledLayerCount = 1,
                                  .ppEnabledLayerNames = &kLayer,
                                  .enabledExtensionCount = std::size(extensions),
                                  .ppEnabledExtensionNames = extensions};
  if (vkCreateInstance(&info, nullptr, &gpu.instance) != VK_SUCCESS)
    return failed("creating an instance with the validation layer");
  volkLoadInstance(gpu.instance);
  volkLoadInstanceTable(&gpu.instanceFunctions, gpu.instance);
  const VkDebugUtilsMessengerCreateInfoEXT messenger{
      .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
      .messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT |
                         VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
      .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT |
                     VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT |
                     VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT,
      .pfnUserCallback = on_message,
      .pUserData = &gpu};
  VkDebugUtilsMessengerEXT handle = VK_NULL_HANDLE;
  return vkCreateDebugUtilsMessengerEXT(gpu.instance, &messenger, nullptr, &handle) == VK_SUCCESS ||
         failed("creating the messenger");
}

bool choose_device(Gpu& gpu) {
  uint32_t count = 0;
  vkEnumeratePhysicalDevices(gpu.instance, &count, nullptr);
  std::vector<VkPhysicalDevice> devices(count);
  vkEnumeratePhysicalDevices(gpu.instance, &count, devices.data());
  for (const VkPhysicalDevice device : devices) {
    auto limits = heapsmith::query_limits(gpu.instanceFunctions, device);
    if (!limits) continue;
    gpu.physicalDevice = device;
    gpu.limits = *limits;
    return true;
  }
  return failed("finding a device with VK_EXT_descriptor_heap");
}

std::set<std::string> supported_extensions(VkPhysicalDevice device) {
  uint32_t count = 0;
  vkEnumerateDeviceExtensionProperties(device, nullptr, &count, nullptr);
  std::vector<VkExtensionProperties> properties(count);
  vkEnumerateDeviceExtensionProperties(device, nullptr, &count, properties.data());
  std::set<std::string> names;
  for (const VkExtensionProperties& property : properties)
    names.insert(property.extensionName);
  return names;
}

/// The extensions and features of pipelines_features.def that a device has, as device creation
/// wants them: the chain that vkGetPhysicalDeviceFeatures2 filled turns on what it reports.
class Features {
 public:
  explicit Features(VkPhysicalDevice device) : supported_(supported_extensions(device)) {
#define HEAPSMITH_FEATURES(structure, type, extension) \
  add<VkPhysicalDevice##structure>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_##type, extension);
#define HEAPSMITH_EXTENSION(extension) add_extension(extension);
#include "pipelines_features.def"
#undef HEAPSMITH_FEATURES
#undef HEAPSMITH_EXTENSION
    vkGetPhysicalDeviceFeatures2(device, &features_);
  }
  Features(const Features&) = delete;
  Features& operator=(const Features&) = delete;

  const std::vector<const char*>& extensions() const { return extensions_; }
  const VkPhysicalDeviceFeatures2* chain() const { return &features_; }

 private:
  bool add_extension(const char* name) {
    if (!supported_.contains(name)) return false;
    extensions_.push_back(name);
    return true;
  }

  template <typename Structure>
  void add(VkStructureType type, const char* extension) {
    if (*extension != '\0' && !add_extension(extension)) return;
    auto structure = std::make_unique<Structure>();
    structure->sType = type;
    structure->pNext = features_.pNext;
    features_.pNext = structure.get();
    owned_.push_back(std::move(structure));
  }

  std::set<std::string> supported_;
  std::vector<const char*> extensions_;
  std::vector<std::shared_ptr<void>> owned_;
  VkPhysicalDeviceFeatures2 features_{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
};

bool create_device(Gpu& gpu) {
  const Features features(gpu.physicalDevice);
  const float priority = 1.0f;
  const VkDeviceQueueCreateInfo queue{.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                      .queueCount = 1,
                                      .pQueuePriorities = &priority};
  const VkDeviceCreateInfo info{
      .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
      .pNext = features.chain(),
      .queueCreateInfoCount = 1,
      .pQueueCreateInfos = &queue,
      .enabledExtensionCount = static_cast<uint32_t>(features.extensions().size()),
      .ppEnabledExtensionNames = features.extensions().data()};
  if (vkCreateDevice(gpu.physicalDevice, &info, nullptr, &gpu.device) != VK_SUCCESS) {
    for (const Message& message : gpu.messages)
      std::fprintf(stderr, "%s: %s\n", message.id.c_str(), message.text.c_str());
    return failed("creating the device");
  }
  volkLoadDeviceTable(&gpu.functions, gpu.device);
  gpu.messages.clear();  // advice about what was turned on
  return true;
}

}  // namespace

std::unique_ptr<Gpu> create_gpu() {
  auto gpu = std::make_unique<Gpu>();
  if (!create_instance(*gpu) || !choose_device(*gpu) || !create_device(*gpu)) return nullptr;
  return gpu;
}

}  // namespace corpus
