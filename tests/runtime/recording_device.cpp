// SPDX-License-Identifier: MIT
#include "runtime/recording_device.h"

#include <bit>
#include <cstdio>
#include <cstring>
#include <utility>

namespace {

RecordingDevice* current = nullptr;

std::string hex(uint64_t number) {
  char text[19];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(number));
  return text;
}

template <typename Handle>
Handle handle(uint64_t number) {
  return std::bit_cast<Handle>(number);
}

std::string type_name(VkDescriptorType type) {
  switch (type) {
    case VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE:
      return "SAMPLED_IMAGE";
    case VK_DESCRIPTOR_TYPE_STORAGE_IMAGE:
      return "STORAGE_IMAGE";
    case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
      return "UNIFORM_TEXEL_BUFFER";
    case VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER:
      return "STORAGE_TEXEL_BUFFER";
    case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER:
      return "UNIFORM_BUFFER";
    case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER:
      return "STORAGE_BUFFER";
    case VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT:
      return "INPUT_ATTACHMENT";
    case VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR:
      return "ACCELERATION_STRUCTURE";
    case VK_DESCRIPTOR_TYPE_TENSOR_ARM:
      return "TENSOR";
    default:
      return "type " + std::to_string(type);
  }
}

/// The structs of a chain, as their sTypes: by name where a test asks for them.
std::string chain_text(const void* chain) {
  static const std::map<VkStructureType, std::string> names = {
      {VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO, "flags2"},
      {VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO, "rendering"},
      {VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, "module"},
      {VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO, "subgroup"},
      {VK_STRUCTURE_TYPE_SHADER_DESCRIPTOR_SET_AND_BINDING_MAPPING_INFO_EXT, "mappings"},
      {VK_STRUCTURE_TYPE_IMAGE_VIEW_USAGE_CREATE_INFO, "usage"},
      {VK_STRUCTURE_TYPE_IMAGE_VIEW_MIN_LOD_CREATE_INFO_EXT, "minLod"},
      {VK_STRUCTURE_TYPE_IMAGE_VIEW_SLICED_CREATE_INFO_EXT, "sliced"},
      {VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_INFO, "conversion"},
      {VK_STRUCTURE_TYPE_SAMPLER_REDUCTION_MODE_CREATE_INFO, "reduction"},
      {VK_STRUCTURE_TYPE_SAMPLER_CUSTOM_BORDER_COLOR_CREATE_INFO_EXT, "borderColor"},
      {VK_STRUCTURE_TYPE_SAMPLER_CUSTOM_BORDER_COLOR_INDEX_CREATE_INFO_EXT, "borderColorIndex"},
      {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO, "allocateFlags"},
  };
  std::string text;
  for (auto* link = static_cast<const VkBaseInStructure*>(chain); link != nullptr;
       link = link->pNext) {
    const auto name = names.find(link->sType);
    text += " > " + (name == names.end() ? std::to_string(link->sType) : name->second);
    const void* plain = link;
    if (link->sType == VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO) {
      text += " " + hex(static_cast<const VkPipelineCreateFlags2CreateInfo*>(plain)->flags);
    }
    if (link->sType == VK_STRUCTURE_TYPE_SHADER_DESCRIPTOR_SET_AND_BINDING_MAPPING_INFO_EXT) {
      text += " " + std::to_string(
                        static_cast<const VkShaderDescriptorSetAndBindingMappingInfoEXT*>(plain)
                            ->mappingCount);
    }
  }
  return text;
}

std::string range_text(const VkDeviceAddressRangeEXT& range) {
  return hex(range.address) + "+" + std::to_string(range.size);
}

std::string payload_text(const VkResourceDescriptorInfoEXT& info) {
  if (info.data.pImage == nullptr) return "null";
  switch (info.type) {
    case VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE:
    case VK_DESCRIPTOR_TYPE_STORAGE_IMAGE:
    case VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT:
      return "image " + std::to_string(std::bit_cast<uint64_t>(info.data.pImage->pView->image)) +
             " layout " + std::to_string(info.data.pImage->layout) +
             chain_text(info.data.pImage->pView->pNext);
    case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
    case VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER:
      return "format " + std::to_string(info.data.pTexelBuffer->format) + " " +
             range_text(info.data.pTexelBuffer->addressRange);
    default:
      return range_text(*info.data.pAddressRange);
  }
}

}  // namespace

/// The functions that the tables point to.
struct Calls {
  static std::string target_text(const VkHostAddressRangeEXT& target) {
    std::memset(target.address, 0xD5, target.size);  // the sanitizer finds what lies outside
    for (auto& [memory, bytes] : current->memories_) {
      const auto* at = static_cast<std::byte*>(target.address);
      if (at < bytes.data() || at >= bytes.data() + bytes.size()) continue;
      return "memory " + std::to_string(std::bit_cast<uint64_t>(memory)) + " byte " +
             std::to_string(at - bytes.data()) + "+" + std::to_string(target.size);
    }
    return "nowhere";
  }

  static VkResult enumerate_extensions(VkPhysicalDevice, const char*, uint32_t* count,
                                       VkExtensionProperties* properties) {
    const VkResult result = current->result_of("vkEnumerateDeviceExtensionProperties");
    if (result != VK_SUCCESS) return result;
    const auto available = static_cast<uint32_t>(current->extensions.size());
    if (properties == nullptr) {
      *count = available;
      return VK_SUCCESS;
    }
    if (*count < available) return VK_INCOMPLETE;
    *count = available;
    for (uint32_t i = 0; i < available; ++i) {
      properties[i] = {};
      std::snprintf(properties[i].extensionName, VK_MAX_EXTENSION_NAME_SIZE, "%s",
                    current->extensions[i].c_str());
    }
    return VK_SUCCESS;
  }

  static void features(VkPhysicalDevice, VkPhysicalDeviceFeatures2* features) {
    auto* heap = static_cast<VkPhysicalDeviceDescriptorHeapFeaturesEXT*>(features->pNext);
    heap->descriptorHeap = current->feature ? VK_TRUE : VK_FALSE;
  }

  static void properties(VkPhysicalDevice, VkPhysicalDeviceProperties2* properties) {
    const heapsmith::DeviceLimits& limits = current->limits;
    properties->properties.apiVersion = current->apiVersion;
    properties->properties.limits.minUniformBufferOffsetAlignment =
        limits.minUniformBufferOffsetAlignment;
    properties->properties.limits.minStorageBufferOffsetAlignment =
        limits.minStorageBufferOffsetAlignment;
    auto* heap = static_cast<VkPhysicalDeviceDescriptorHeapPropertiesEXT*>(properties->pNext);
    heap->samplerHeapAlignment = limits.samplerHeapAlignment;
    heap->resourceHeapAlignment = limits.resourceHeapAlignment;
    heap->maxSamplerHeapSize = limits.maxSamplerHeapSize;
    heap->maxResourceHeapSize = limits.maxResourceHeapSize;
    heap->minSamplerHeapReservedRange = limits.minSamplerHeapReservedRange;
    heap->minSamplerHeapReservedRangeWithEmbedded = limits.minSamplerHeapReservedRangeWithEmbedded;
    heap->minResourceHeapReservedRange = limits.minResourceHeapReservedRange;
    heap->samplerDescriptorSize = limits.samplerDescriptorSize;
    heap->imageDescriptorSize = limits.imageDescriptorSize;
    heap->bufferDescriptorSize = limits.bufferDescriptorSize;
    heap->samplerDescriptorAlignment = limits.samplerDescriptorAlignment;
    heap->imageDescriptorAlignment = limits.imageDescriptorAlignment;
    heap->bufferDescriptorAlignment = limits.bufferDescriptorAlignment;
    heap->maxPushDataSize = limits.maxPushDataSize;
    heap->maxDescriptorHeapEmbeddedSamplers = limits.maxDescriptorHeapEmbeddedSamplers;
    heap->samplerYcbcrConversionCount = limits.samplerYcbcrConversionCount;
    for (auto* link = static_cast<VkBaseOutStructure*>(heap->pNext); link != nullptr;
         link = link->pNext) {
      optional_properties(link);
    }
  }

  static void optional_properties(VkBaseOutStructure* link) {
    void* plain = link;
    if (link->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_TRACING_PIPELINE_PROPERTIES_KHR) {
      auto* rays = static_cast<VkPhysicalDeviceRayTracingPipelinePropertiesKHR*>(plain);
      rays->shaderGroupHandleSize = 32;
      rays->maxShaderGroupStride =
          static_cast<uint32_t>(current->limits.maxShaderRecordSize) + rays->shaderGroupHandleSize;
    } else {
      auto* tensor = static_cast<VkPhysicalDeviceDescriptorHeapTensorPropertiesARM*>(plain);
      tensor->tensorDescriptorSize = current->limits.tensorDescriptorSize;
      tensor->tensorDescriptorAlignment = current->limits.tensorDescriptorAlignment;
    }
  }

  static VkResult create_conversion(VkDevice, const VkSamplerYcbcrConversionCreateInfo* info,
                                    const VkAllocationCallbacks*,
                                    VkSamplerYcbcrConversion* conversion) {
    current->line("vkCreateSamplerYcbcrConversion format " + std::to_string(info->format) +
                  " model " + std::to_string(info->ycbcrModel) + " range " +
                  std::to_string(info->ycbcrRange) + " components " +
                  std::to_string(info->components.r) + std::to_string(info->components.g) +
                  std::to_string(info->components.b) + std::to_string(info->components.a) +
                  " chroma " + std::to_string(info->xChromaOffset) +
                  std::to_string(info->yChromaOffset) + std::to_string(info->chromaFilter) +
                  " explicit " + std::to_string(info->forceExplicitReconstruction));
    const VkResult result = current->result_of("vkCreateSamplerYcbcrConversion");
    if (result != VK_SUCCESS) return result;
    *conversion = handle<VkSamplerYcbcrConversion>(current->nextHandle_++);
    ++current->liveConversions;
    return VK_SUCCESS;
  }
  static void destroy_conversion(VkDevice, VkSamplerYcbcrConversion conversion,
                                 const VkAllocationCallbacks*) {
    current->line("vkDestroySamplerYcbcrConversion " +
                  std::to_string(std::bit_cast<uint64_t>(conversion)));
    --current->liveConversions;
  }

  static VkResult register_border_color(VkDevice,
                                        const VkSamplerCustomBorderColorCreateInfoEXT* info,
                                        VkBool32 requested, uint32_t* index) {
    current->line(
        "vkRegisterCustomBorderColorEXT format " + std::to_string(info->format) + " words " +
        hex(info->customBorderColor.uint32[0]) + " " + hex(info->customBorderColor.uint32[1]) +
        " " + hex(info->customBorderColor.uint32[2]) + " " +
        hex(info->customBorderColor.uint32[3]) + " requested " + std::to_string(requested));
    const VkResult result = current->result_of("vkRegisterCustomBorderColorEXT");
    if (result != VK_SUCCESS) return result;
    *index = 40 + static_cast<uint32_t>(current->calls_["vkRegisterCustomBorderColorEXT"]);
    ++current->liveBorderColors;
    return VK_SUCCESS;
  }
  static void unregister_border_color(VkDevice, uint32_t index) {
    current->line("vkUnregisterCustomBorderColorEXT " + std::to_string(index));
    --current->liveBorderColors;
  }

  static void memory_properties(VkPhysicalDevice, VkPhysicalDeviceMemoryProperties* properties) {
    properties->memoryTypeCount = static_cast<uint32_t>(current->memoryTypes.size());
    for (size_t i = 0; i < current->memoryTypes.size(); ++i) {
      properties->memoryTypes[i] = {current->memoryTypes[i], 0};
    }
  }

  static VkResult create_buffer(VkDevice, const VkBufferCreateInfo* info,
                                const VkAllocationCallbacks*, VkBuffer* buffer) {
    current->line("vkCreateBuffer size " + std::to_string(info->size) + " usage " +
                  hex(info->usage));
    const VkResult result = current->result_of("vkCreateBuffer");
    if (result != VK_SUCCESS) return result;
    *buffer = handle<VkBuffer>(current->nextHandle_++);
    current->bufferSizes_[*buffer] = info->size;
    current->addresses_[*buffer] = current->firstAddress + current->nextAddress_;
    current->nextAddress_ += (info->size + 0xFFFF) / 0x10000 * 0x10000;
    ++current->liveBuffers;
    return VK_SUCCESS;
  }

  static void destroy_buffer(VkDevice, VkBuffer buffer, const VkAllocationCallbacks*) {
    if (buffer == VK_NULL_HANDLE) return;
    current->line("vkDestroyBuffer");
    --current->liveBuffers;
  }

  static void requirements(VkDevice, VkBuffer buffer, VkMemoryRequirements* requirements) {
    *requirements = {current->bufferSizes_[buffer] + 16, 256, current->memoryTypeBits};
  }

  static VkResult allocate(VkDevice, const VkMemoryAllocateInfo* info, const VkAllocationCallbacks*,
                           VkDeviceMemory* memory) {
    current->line("vkAllocateMemory size " + std::to_string(info->allocationSize) + " type " +
                  std::to_string(info->memoryTypeIndex) + chain_text(info->pNext));
    const VkResult result = current->result_of("vkAllocateMemory");
    if (result != VK_SUCCESS) return result;
    *memory = handle<VkDeviceMemory>(current->nextHandle_++);
    current->memories_[*memory].assign(info->allocationSize, std::byte{0xAB});
    ++current->liveMemories;
    return VK_SUCCESS;
  }

  static void free_memory(VkDevice, VkDeviceMemory memory, const VkAllocationCallbacks*) {
    if (memory == VK_NULL_HANDLE) return;
    current->line("vkFreeMemory");
    current->memories_.erase(memory);
    --current->liveMemories;
  }

  static VkResult bind_memory(VkDevice, VkBuffer, VkDeviceMemory, VkDeviceSize) {
    current->line("vkBindBufferMemory");
    return current->result_of("vkBindBufferMemory");
  }

  static VkResult map_memory(VkDevice, VkDeviceMemory memory, VkDeviceSize, VkDeviceSize,
                             VkMemoryMapFlags, void** data) {
    current->line("vkMapMemory");
    const VkResult result = current->result_of("vkMapMemory");
    if (result == VK_SUCCESS) *data = current->memories_[memory].data();
    return result;
  }

  static VkDeviceAddress address(VkDevice, const VkBufferDeviceAddressInfo* info) {
    return current->firstAddress == 0 ? 0 : current->addresses_[info->buffer];
  }

  static VkResult write_resources(VkDevice, uint32_t count,
                                  const VkResourceDescriptorInfoEXT* infos,
                                  const VkHostAddressRangeEXT* targets) {
    current->line("vkWriteResourceDescriptorsEXT " + std::to_string(count));
    const VkResult result = current->result_of("vkWriteResourceDescriptorsEXT");
    for (uint32_t i = 0; result == VK_SUCCESS && i < count; ++i) {
      current->line("  " + target_text(targets[i]) + ": " + type_name(infos[i].type) + " " +
                    payload_text(infos[i]));
    }
    return result;
  }

  static VkResult write_samplers(VkDevice, uint32_t count, const VkSamplerCreateInfo* infos,
                                 const VkHostAddressRangeEXT* targets) {
    current->line("vkWriteSamplerDescriptorsEXT " + std::to_string(count));
    const VkResult result = current->result_of("vkWriteSamplerDescriptorsEXT");
    for (uint32_t i = 0; result == VK_SUCCESS && i < count; ++i) {
      current->line("  " + target_text(targets[i]) + ": filter " +
                    std::to_string(infos[i].magFilter) + chain_text(infos[i].pNext));
    }
    return result;
  }

  static std::string bind_text(const VkBindHeapInfoEXT& info) {
    return range_text(info.heapRange) + " reserved " + std::to_string(info.reservedRangeOffset) +
           "+" + std::to_string(info.reservedRangeSize);
  }
  static void bind_resources(VkCommandBuffer, const VkBindHeapInfoEXT* info) {
    current->line("vkCmdBindResourceHeapEXT " + bind_text(*info));
  }
  static void bind_samplers(VkCommandBuffer, const VkBindHeapInfoEXT* info) {
    current->line("vkCmdBindSamplerHeapEXT " + bind_text(*info));
  }
  static void push_data(VkCommandBuffer, const VkPushDataInfoEXT* info) {
    std::string text = "vkCmdPushDataEXT offset " + std::to_string(info->offset) + " words";
    for (size_t i = 0; i + 4 <= info->data.size; i += 4) {
      uint32_t word = 0;
      std::memcpy(&word, static_cast<const char*>(info->data.address) + i, 4);
      text += " " + std::to_string(word);
    }
    current->line(text);
  }

  static void stage_line(const VkPipelineShaderStageCreateInfo& stage) {
    current->line("  stage " + hex(stage.stage) + chain_text(stage.pNext));
  }

  static VkResult compute_pipeline(VkDevice, VkPipelineCache cache, uint32_t count,
                                   const VkComputePipelineCreateInfo* infos,
                                   const VkAllocationCallbacks*, VkPipeline* pipelines) {
    current->line("vkCreateComputePipelines " + std::to_string(count) + " cache " +
                  std::to_string(std::bit_cast<uint64_t>(cache)) + chain_text(infos->pNext));
    stage_line(infos->stage);
    return finish_pipeline("vkCreateComputePipelines", pipelines);
  }

  static VkResult graphics_pipeline(VkDevice, VkPipelineCache cache, uint32_t count,
                                    const VkGraphicsPipelineCreateInfo* infos,
                                    const VkAllocationCallbacks*, VkPipeline* pipelines) {
    current->line("vkCreateGraphicsPipelines " + std::to_string(count) + " cache " +
                  std::to_string(std::bit_cast<uint64_t>(cache)) + chain_text(infos->pNext));
    for (uint32_t i = 0; i < infos->stageCount; ++i)
      stage_line(infos->pStages[i]);
    return finish_pipeline("vkCreateGraphicsPipelines", pipelines);
  }

  static VkResult ray_tracing_pipeline(VkDevice, VkDeferredOperationKHR operation,
                                       VkPipelineCache cache, uint32_t count,
                                       const VkRayTracingPipelineCreateInfoKHR* infos,
                                       const VkAllocationCallbacks*, VkPipeline* pipelines) {
    current->line("vkCreateRayTracingPipelinesKHR " + std::to_string(count) + " operation " +
                  std::to_string(std::bit_cast<uint64_t>(operation)) + " cache " +
                  std::to_string(std::bit_cast<uint64_t>(cache)) + chain_text(infos->pNext));
    for (uint32_t i = 0; i < infos->stageCount; ++i)
      stage_line(infos->pStages[i]);
    return finish_pipeline("vkCreateRayTracingPipelinesKHR", pipelines);
  }

  // All are made, or, on failure, all but the second.
  static VkResult create_shaders(VkDevice, uint32_t count, const VkShaderCreateInfoEXT* infos,
                                 const VkAllocationCallbacks*, VkShaderEXT* shaders) {
    current->line("vkCreateShadersEXT " + std::to_string(count));
    const VkResult result = current->result_of("vkCreateShadersEXT");
    for (uint32_t i = 0; i < count; ++i) {
      current->line("  stage " + hex(infos[i].stage) + " flags " + hex(infos[i].flags) +
                    chain_text(infos[i].pNext));
      const bool made = result == VK_SUCCESS || i != 1;
      shaders[i] = made ? handle<VkShaderEXT>(88 + i) : VK_NULL_HANDLE;
      if (made) ++current->liveShaders;
    }
    return result;
  }
  static void destroy_shader(VkDevice, VkShaderEXT shader, const VkAllocationCallbacks*) {
    if (shader == VK_NULL_HANDLE) return;
    current->line("vkDestroyShaderEXT " + std::to_string(std::bit_cast<uint64_t>(shader)));
    --current->liveShaders;
  }

  static VkResult finish_pipeline(const std::string& call, VkPipeline* pipeline) {
    const VkResult result = current->result_of(call);
    *pipeline = result == VK_SUCCESS ? handle<VkPipeline>(77) : VK_NULL_HANDLE;
    return result;
  }
};

RecordingDevice::RecordingDevice() {
  current = this;
  memoryTypes = {VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT,
                 VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT,
                 VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT | VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
                     VK_MEMORY_PROPERTY_HOST_COHERENT_BIT};
  instanceFunctions.vkEnumerateDeviceExtensionProperties = Calls::enumerate_extensions;
  instanceFunctions.vkGetPhysicalDeviceFeatures2 = Calls::features;
  instanceFunctions.vkGetPhysicalDeviceProperties2 = Calls::properties;
  instanceFunctions.vkGetPhysicalDeviceMemoryProperties = Calls::memory_properties;
  functions.vkCreateBuffer = Calls::create_buffer;
  functions.vkDestroyBuffer = Calls::destroy_buffer;
  functions.vkGetBufferMemoryRequirements = Calls::requirements;
  functions.vkAllocateMemory = Calls::allocate;
  functions.vkFreeMemory = Calls::free_memory;
  functions.vkBindBufferMemory = Calls::bind_memory;
  functions.vkMapMemory = Calls::map_memory;
  functions.vkGetBufferDeviceAddress = Calls::address;
  functions.vkWriteResourceDescriptorsEXT = Calls::write_resources;
  functions.vkWriteSamplerDescriptorsEXT = Calls::write_samplers;
  functions.vkCmdBindResourceHeapEXT = Calls::bind_resources;
  functions.vkCmdBindSamplerHeapEXT = Calls::bind_samplers;
  functions.vkCmdPushDataEXT = Calls::push_data;
  functions.vkCreateComputePipelines = Calls::compute_pipeline;
  functions.vkCreateGraphicsPipelines = Calls::graphics_pipeline;
  functions.vkCreateRayTracingPipelinesKHR = Calls::ray_tracing_pipeline;
  functions.vkCreateShadersEXT = Calls::create_shaders;
  functions.vkDestroyShaderEXT = Calls::destroy_shader;
  functions.vkCreateSamplerYcbcrConversion = Calls::create_conversion;
  functions.vkDestroySamplerYcbcrConversion = Calls::destroy_conversion;
  functions.vkRegisterCustomBorderColorEXT = Calls::register_border_color;
  functions.vkUnregisterCustomBorderColorEXT = Calls::unregister_border_color;
}

RecordingDevice::~RecordingDevice() {
  current = nullptr;
}

heapsmith::Device RecordingDevice::device() const {
  return {.physicalDevice = VK_NULL_HANDLE,
          .device = VK_NULL_HANDLE,
          .instanceFunctions = &instanceFunctions,
          .functions = &functions};
}

std::string RecordingDevice::take_log() {
  return std::exchange(log, {});
}

VkResult RecordingDevice::result_of(const std::string& call) {
  const int number = ++calls_[call];
  for (const std::string& key : {call, call + "#" + std::to_string(number)}) {
    const auto found = failures.find(key);
    if (found != failures.end()) return found->second;
  }
  return VK_SUCCESS;
}
