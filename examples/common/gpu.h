// SPDX-License-Identifier: MIT
#pragma once

#include <heapsmith/device.h>
#include <volk.h>

#include <cstdint>
#include <memory>
#include <string>

namespace example {

/// An instance with the validation layer on, synchronisation validation included, and one device
/// with one queue for graphics and compute.
struct Gpu {
  VkInstance instance = VK_NULL_HANDLE;
  VkDebugUtilsMessengerEXT messenger = VK_NULL_HANDLE;
  std::unique_ptr<uint32_t> messageCount;  ///< warnings and errors of the layers
  VkPhysicalDevice physicalDevice = VK_NULL_HANDLE;
  VkPhysicalDeviceProperties properties{};
  VkPhysicalDeviceMemoryProperties memory{};
  heapsmith::DeviceLimits limits;
  VkDevice device = VK_NULL_HANDLE;
  VkQueue queue = VK_NULL_HANDLE;
  uint32_t queueFamily = 0;
  VkCommandPool commandPool = VK_NULL_HANDLE;
  VolkInstanceTable instanceFunctions{};
  VolkDeviceTable deviceFunctions{};
};

/// What a program needs beside the features that all have. A device that lacks one is no reason to
/// skip: the program ends.
struct GpuOptions {
  bool allNumberTypes =
      false;  ///< 8-, 16- and 64-bit numbers, in storage and uniform buffers of any layout
  bool storesInAllStages = false;  ///< vertex, fragment ... shaders write storage buffers too
  bool geometryStages = false;     ///< tessellation and geometry shaders
  bool meshShaders = false;        ///< task and mesh shaders
  bool rayTracing = false;         ///< ray-tracing pipelines and acceleration structures
  bool shaderObjects = false;
  bool generatedCommands = false;  ///< VK_EXT_device_generated_commands
  bool allDescriptors = false;     ///< of every kind, null ones too, in arrays of any length,
                                   ///< through any pointers; ray queries, input attachments,
                                   ///< custom border colours, minima and maxima, YCbCr
  bool heapReads = false;          ///< shaders that read the heaps by themselves, and index arrays
};

/// Takes the first device that heapsmith::query_limits() accepts, one that is not a CPU if there is
/// one. The environment variable HEAPSMITH_DEVICE narrows the choice to names that contain it;
/// HEAPSMITH_LAYERS names more layers, with commas between them, to enable below the validation
/// layer. Ends the program where a layer is not installed or no device can use descriptor heaps:
/// nothing is skipped silently.
[[nodiscard]] Gpu create_gpu(const char* applicationName, const GpuOptions& options = {});

/// Destroys everything and returns the exit code: 1 if a layer had anything to say, up to the last
/// vkDestroy call, else 0.
[[nodiscard]] int destroy_gpu(Gpu& gpu);

/// The same device as heapsmith wants it. `gpu` must neither move nor die while it is used.
[[nodiscard]] heapsmith::Device heapsmith_device(const Gpu& gpu);

/// Memory of one of these properties for a buffer or an image.
[[nodiscard]] VkDeviceMemory allocate_memory(const Gpu& gpu, const VkMemoryRequirements& needs,
                                             VkMemoryPropertyFlags properties, bool hasAddress);

}  // namespace example
