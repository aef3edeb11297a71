// SPDX-License-Identifier: MIT
#pragma once

#include <vulkan/vk_layer.h>
#include <vulkan/vulkan_core.h>

#include <memory>
#include <mutex>
#include <set>
#include <unordered_map>

#include "copied_chain.h"
#include "heap_buffer.h"

namespace foreign_device {

// What this layer calls below itself.
#define FOREIGN_DEVICE_INSTANCE_FUNCTIONS(X) \
  X(DestroyInstance)                         \
  X(GetPhysicalDeviceProperties)             \
  X(GetPhysicalDeviceProperties2)            \
  X(GetPhysicalDeviceDescriptorSizeEXT)      \
  X(CreateDebugUtilsMessengerEXT)            \
  X(DestroyDebugUtilsMessengerEXT)

#define FOREIGN_DEVICE_DEVICE_FUNCTIONS(X) \
  X(DestroyDevice)                         \
  X(CreateBuffer)                          \
  X(DestroyBuffer)                         \
  X(GetBufferDeviceAddress)                \
  X(GetBufferMemoryRequirements)           \
  X(GetBufferMemoryRequirements2)          \
  X(GetDeviceBufferMemoryRequirements)     \
  X(AllocateMemory)                        \
  X(FreeMemory)                            \
  X(MapMemory)                             \
  X(FlushMappedMemoryRanges)               \
  X(InvalidateMappedMemoryRanges)          \
  X(BindBufferMemory)                      \
  X(BindBufferMemory2)                     \
  X(BindImageMemory)                       \
  X(BindImageMemory2)                      \
  X(WriteSamplerDescriptorsEXT)            \
  X(WriteResourceDescriptorsEXT)           \
  X(AllocateCommandBuffers)                \
  X(BeginCommandBuffer)                    \
  X(CmdBindSamplerHeapEXT)                 \
  X(CmdBindResourceHeapEXT)                \
  X(CmdPushDataEXT)                        \
  X(CmdBindPipeline)                       \
  X(CmdBindShadersEXT)                     \
  X(CmdExecuteCommands)                    \
  X(QueueSubmit)                           \
  X(QueueSubmit2)                          \
  X(CreateShaderModule)                    \
  X(CreateComputePipelines)                \
  X(CreateGraphicsPipelines)               \
  X(CreateRayTracingPipelinesKHR)          \
  X(CreateShadersEXT)

struct Instance {
  VkInstance handle = VK_NULL_HANDLE;
  PFN_vkGetInstanceProcAddr getProcAddr = nullptr;
  Profile profile;
  Reporter reporter;
#define X(name) PFN_vk##name name = nullptr;
  FOREIGN_DEVICE_INSTANCE_FUNCTIONS(X)
#undef X
};

/// A whole allocation stays mapped from its first vkMapMemory on: the real descriptors have to be
/// reached, whatever part the application maps.
struct Memory {
  VkDeviceSize shift = 0;       ///< where the application's first byte is, see memory.cpp
  std::byte* host = nullptr;    ///< of that byte; null while it was never mapped
  VkDeviceSize mappedFrom = 0;  ///< what the application sees of it
  VkDeviceSize mappedTo = 0;
};

struct BoundHeap {
  VkBuffer buffer = VK_NULL_HANDLE;
  Heap heap;
};

struct Commands {
  std::vector<BoundHeap> heaps;
  std::vector<VkCommandBuffer> secondaries;
  bool usesEmbeddedSamplers = false;
  bool lacksEmbeddedRange = false;  ///< its sampler heap's reserved range is the smaller one
};

struct Device {
  VkDevice handle = VK_NULL_HANDLE;
  PFN_vkGetDeviceProcAddr getProcAddr = nullptr;
  Instance* instance = nullptr;
  Numbers numbers;
  std::mutex mutex;  ///< for all that follows
  std::unordered_map<VkBuffer, HeapBuffer> buffers;
  std::unordered_map<VkDeviceMemory, Memory> memories;
  std::unordered_map<VkCommandBuffer, Commands> commands;
  std::set<VkCommandBuffer> secondaries;
  std::set<VkPipeline> embeddingPipelines;
  std::set<VkShaderEXT> embeddingShaders;
#define X(name) PFN_vk##name name = nullptr;
  FOREIGN_DEVICE_DEVICE_FUNCTIONS(X)
#undef X

  void report(const char* rule, const std::string& text) const {
    instance->reporter.report(rule, text);
  }
};

/// The loader puts the same pointer at the head of all handles that belong to one instance or
/// device.
template <typename Handle>
void* dispatch_key(Handle handle) {
  return *reinterpret_cast<void**>(handle);
}

Instance& instance_of(void* dispatchKey);
Device& device_of(void* dispatchKey);

/// The functions of this layer by name, or null.
PFN_vkVoidFunction find_instance_function(const char* name);
PFN_vkVoidFunction find_device_function(const char* name);

// The rooms of the layer, each with the commands that it stands in front of.
struct NamedFunction {
  const char* name;
  PFN_vkVoidFunction function;
};
extern const std::vector<NamedFunction> kMemoryFunctions;
extern const std::vector<NamedFunction> kDescriptorFunctions;
extern const std::vector<NamedFunction> kCommandFunctions;
extern const std::vector<NamedFunction> kPipelineFunctions;

template <typename Function>
PFN_vkVoidFunction erased(Function function) {
  return reinterpret_cast<PFN_vkVoidFunction>(function);
}

}  // namespace foreign_device
