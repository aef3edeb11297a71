// SPDX-License-Identifier: MIT

// The layer's door: it is found by the loader, links itself into the chain of layers, and answers
// for the device's numbers.

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>

#include "device.h"

namespace foreign_device {
namespace {

std::mutex mutex;
std::map<void*, std::unique_ptr<Instance>> instances;
std::map<void*, std::unique_ptr<Device>> devices;

// The loader's own struct in the chain of a create-info, which it wants to be changed.
template <typename LayerCreateInfo, typename CreateInfo>
LayerCreateInfo* find_link(const CreateInfo* info, VkStructureType type) {
  for (auto* link = static_cast<const LayerCreateInfo*>(info->pNext); link != nullptr;
       link = static_cast<const LayerCreateInfo*>(link->pNext)) {
    if (link->sType == type && link->function == VK_LAYER_LINK_INFO)
      return const_cast<LayerCreateInfo*>(link);
  }
  return nullptr;
}

// A command that became core is known by its old name too, and drivers may know only one.
template <typename GetProcAddr, typename Handle, typename Function>
void load(GetProcAddr getProcAddr, Handle handle, const char* name, Function& function) {
  PFN_vkVoidFunction found = getProcAddr(handle, name);
  if (found == nullptr) found = getProcAddr(handle, (std::string(name) + "KHR").c_str());
  function = reinterpret_cast<Function>(found);
}

VKAPI_ATTR VkResult VKAPI_CALL create_instance(const VkInstanceCreateInfo* info,
                                               const VkAllocationCallbacks* allocator,
                                               VkInstance* handle) {
  const char* path = std::getenv("HEAPSMITH_FOREIGN_PROFILE");
  if (path == nullptr) {
    std::fprintf(stderr, "foreign device: HEAPSMITH_FOREIGN_PROFILE names no profile\n");
    return VK_ERROR_INITIALIZATION_FAILED;
  }
  auto profile = read_profile(path);
  if (!profile) return VK_ERROR_INITIALIZATION_FAILED;

  auto* link =
      find_link<VkLayerInstanceCreateInfo>(info, VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO);
  if (link == nullptr) return VK_ERROR_INITIALIZATION_FAILED;
  const PFN_vkGetInstanceProcAddr next = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
  link->u.pLayerInfo = link->u.pLayerInfo->pNext;
  const auto create = reinterpret_cast<PFN_vkCreateInstance>(next(nullptr, "vkCreateInstance"));
  const VkResult result = create(info, allocator, handle);
  if (result != VK_SUCCESS) return result;

  auto instance = std::make_unique<Instance>();
  instance->handle = *handle;
  instance->getProcAddr = next;
  instance->profile = std::move(*profile);
#define X(name) load(next, *handle, "vk" #name, instance->name);
  FOREIGN_DEVICE_INSTANCE_FUNCTIONS(X)
#undef X
  const std::scoped_lock lock(mutex);
  instances[dispatch_key(*handle)] = std::move(instance);
  return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL destroy_instance(VkInstance handle,
                                            const VkAllocationCallbacks* allocator) {
  if (handle == VK_NULL_HANDLE) return;
  void* const key = dispatch_key(handle);
  instance_of(key).DestroyInstance(handle, allocator);
  const std::scoped_lock lock(mutex);
  instances.erase(key);
}

std::optional<Numbers> numbers_of(const Instance& instance, VkPhysicalDevice physicalDevice) {
  VkPhysicalDeviceDescriptorHeapPropertiesEXT heap{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_HEAP_PROPERTIES_EXT};
  VkPhysicalDeviceProperties2 properties{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                         .pNext = &heap};
  instance.GetPhysicalDeviceProperties2(physicalDevice, &properties);
  if (heap.imageDescriptorSize == 0) return std::nullopt;  // it has no descriptor heaps
  return Numbers::make(instance.profile, heap, [&](VkDescriptorType type) {
    return instance.GetPhysicalDeviceDescriptorSizeEXT(physicalDevice, type);
  });
}

// The application and its output name the device, so the device says whom it imitates.
void replace_core(const Instance& instance, const Numbers& numbers,
                  VkPhysicalDeviceProperties& core) {
  numbers.restrict_limits(core.limits);
  const std::string name = instance.profile.name + " on " + core.deviceName;
  std::snprintf(core.deviceName, sizeof(core.deviceName), "%s", name.c_str());
}

VKAPI_ATTR void VKAPI_CALL get_properties(VkPhysicalDevice physicalDevice,
                                          VkPhysicalDeviceProperties* properties) {
  const Instance& instance = instance_of(dispatch_key(physicalDevice));
  instance.GetPhysicalDeviceProperties(physicalDevice, properties);
  if (const auto numbers = numbers_of(instance, physicalDevice))
    replace_core(instance, *numbers, *properties);
}

VKAPI_ATTR void VKAPI_CALL get_properties2(VkPhysicalDevice physicalDevice,
                                           VkPhysicalDeviceProperties2* properties) {
  const Instance& instance = instance_of(dispatch_key(physicalDevice));
  instance.GetPhysicalDeviceProperties2(physicalDevice, properties);
  const auto numbers = numbers_of(instance, physicalDevice);
  if (!numbers) return;
  replace_core(instance, *numbers, properties->properties);
  if (auto* heap = find_in_chain<VkPhysicalDeviceDescriptorHeapPropertiesEXT>(
          static_cast<VkBaseOutStructure*>(properties->pNext),
          VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_HEAP_PROPERTIES_EXT)) {
    numbers->replace_heap(*heap);
  }
}

VKAPI_ATTR VkDeviceSize VKAPI_CALL get_descriptor_size(VkPhysicalDevice physicalDevice,
                                                       VkDescriptorType type) {
  const auto numbers = numbers_of(instance_of(dispatch_key(physicalDevice)), physicalDevice);
  return numbers ? numbers->size(type).foreign : 0;
}

VKAPI_ATTR VkResult VKAPI_CALL create_messenger(VkInstance handle,
                                                const VkDebugUtilsMessengerCreateInfoEXT* info,
                                                const VkAllocationCallbacks* allocator,
                                                VkDebugUtilsMessengerEXT* messenger) {
  Instance& instance = instance_of(dispatch_key(handle));
  const VkResult result = instance.CreateDebugUtilsMessengerEXT(handle, info, allocator, messenger);
  if (result == VK_SUCCESS) instance.reporter.add(*messenger, *info);
  return result;
}

VKAPI_ATTR void VKAPI_CALL destroy_messenger(VkInstance handle, VkDebugUtilsMessengerEXT messenger,
                                             const VkAllocationCallbacks* allocator) {
  Instance& instance = instance_of(dispatch_key(handle));
  instance.reporter.remove(messenger);
  instance.DestroyDebugUtilsMessengerEXT(handle, messenger, allocator);
}

VKAPI_ATTR VkResult VKAPI_CALL create_device(VkPhysicalDevice physicalDevice,
                                             const VkDeviceCreateInfo* info,
                                             const VkAllocationCallbacks* allocator,
                                             VkDevice* handle) {
  Instance& instance = instance_of(dispatch_key(physicalDevice));
  const auto numbers = numbers_of(instance, physicalDevice);
  auto* link =
      find_link<VkLayerDeviceCreateInfo>(info, VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO);
  if (!numbers || link == nullptr) return VK_ERROR_INITIALIZATION_FAILED;
  const PFN_vkGetInstanceProcAddr nextInstance = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
  const PFN_vkGetDeviceProcAddr next = link->u.pLayerInfo->pfnNextGetDeviceProcAddr;
  link->u.pLayerInfo = link->u.pLayerInfo->pNext;
  const auto create =
      reinterpret_cast<PFN_vkCreateDevice>(nextInstance(instance.handle, "vkCreateDevice"));
  const VkResult result = create(physicalDevice, info, allocator, handle);
  if (result != VK_SUCCESS) return result;

  auto device = std::make_unique<Device>();
  device->handle = *handle;
  device->getProcAddr = next;
  device->instance = &instance;
  device->numbers = *numbers;
#define X(name) load(next, *handle, "vk" #name, device->name);
  FOREIGN_DEVICE_DEVICE_FUNCTIONS(X)
#undef X
  const std::scoped_lock lock(mutex);
  devices[dispatch_key(*handle)] = std::move(device);
  return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL destroy_device(VkDevice handle, const VkAllocationCallbacks* allocator) {
  if (handle == VK_NULL_HANDLE) return;
  void* const key = dispatch_key(handle);
  device_of(key).DestroyDevice(handle, allocator);
  const std::scoped_lock lock(mutex);
  devices.erase(key);
}

PFN_vkVoidFunction find(const std::vector<NamedFunction>& functions, std::string_view name) {
  for (const NamedFunction& entry : functions) {
    if (name == entry.name) return entry.function;
  }
  return nullptr;
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL get_device_proc_addr(VkDevice handle, const char* name) {
  const PFN_vkVoidFunction next = device_of(dispatch_key(handle)).getProcAddr(handle, name);
  if (next == nullptr) return nullptr;  // of an extension that is off
  const PFN_vkVoidFunction own = find_device_function(name);
  return own ? own : next;
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL get_instance_proc_addr(VkInstance handle,
                                                                const char* name) {
  const PFN_vkVoidFunction own = find_instance_function(name);
  if (handle == VK_NULL_HANDLE) return own;
  const PFN_vkVoidFunction next = instance_of(dispatch_key(handle)).getProcAddr(handle, name);
  if (next == nullptr) return nullptr;
  if (own != nullptr) return own;
  const PFN_vkVoidFunction deviceFunction = find_device_function(name);
  return deviceFunction ? deviceFunction : next;
}

}  // namespace

Instance& instance_of(void* dispatchKey) {
  const std::scoped_lock lock(mutex);
  return *instances.at(dispatchKey);
}

Device& device_of(void* dispatchKey) {
  const std::scoped_lock lock(mutex);
  return *devices.at(dispatchKey);
}

PFN_vkVoidFunction find_instance_function(const char* name) {
  static const std::vector<NamedFunction> functions{
      {"vkGetInstanceProcAddr", erased(get_instance_proc_addr)},
      {"vkCreateInstance", erased(create_instance)},
      {"vkDestroyInstance", erased(destroy_instance)},
      {"vkCreateDevice", erased(create_device)},
      {"vkGetPhysicalDeviceProperties", erased(get_properties)},
      {"vkGetPhysicalDeviceProperties2", erased(get_properties2)},
      {"vkGetPhysicalDeviceProperties2KHR", erased(get_properties2)},
      {"vkGetPhysicalDeviceDescriptorSizeEXT", erased(get_descriptor_size)},
      {"vkCreateDebugUtilsMessengerEXT", erased(create_messenger)},
      {"vkDestroyDebugUtilsMessengerEXT", erased(destroy_messenger)}};
  return find(functions, name);
}

PFN_vkVoidFunction find_device_function(const char* name) {
  static const std::vector<NamedFunction> functions{
      {"vkGetDeviceProcAddr", erased(get_device_proc_addr)},
      {"vkDestroyDevice", erased(destroy_device)}};
  for (const auto* room : {&functions, &kMemoryFunctions, &kDescriptorFunctions, &kCommandFunctions,
                           &kPipelineFunctions}) {
    if (const PFN_vkVoidFunction found = find(*room, name)) return found;
  }
  return nullptr;
}

}  // namespace foreign_device

extern "C" __attribute__((visibility("default"))) VKAPI_ATTR VkResult VKAPI_CALL
vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface* version) {
  using namespace foreign_device;
  version->loaderLayerInterfaceVersion = 2;
  version->pfnGetInstanceProcAddr = get_instance_proc_addr;
  version->pfnGetDeviceProcAddr = get_device_proc_addr;
  version->pfnGetPhysicalDeviceProcAddr = nullptr;
  return VK_SUCCESS;
}
