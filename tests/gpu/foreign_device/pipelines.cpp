// SPDX-License-Identifier: MIT

// Pipelines and shader objects are made with translated mappings.

#include "device.h"
#include "mappings.h"

namespace foreign_device {
namespace {

// A shader that addresses the heap itself computes with sizes that only the driver knows.
void check_code(const Device& device, const void* code, size_t size) {
  constexpr uint32_t kMagic = 0x07230203;
  constexpr uint32_t kOpCapability = 17;
  constexpr uint32_t kDescriptorHeap = 5128;
  const auto* words = static_cast<const uint32_t*>(code);
  const size_t count = size / sizeof(uint32_t);
  if (count < 5 || words[0] != kMagic) return;
  // Capabilities come first.
  for (size_t i = 5; i + 1 < count && (words[i] & 0xFFFF) == kOpCapability; i += words[i] >> 16) {
    if (words[i + 1] == kDescriptorHeap)
      device.report(rule::kUnsupported, "a shader addresses descriptor heaps by itself");
    if (words[i] >> 16 == 0) return;
  }
}

void check_inline_module(const Device& device, const void* chain) {
  if (const auto* module = find_in_chain<VkShaderModuleCreateInfo>(
          chain, VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO)) {
    check_code(device, module->pCode, module->codeSize);
  }
}

bool libraries_embed(const Device& device, const VkPipelineLibraryCreateInfoKHR* libraries) {
  for (uint32_t i = 0; libraries != nullptr && i < libraries->libraryCount; ++i) {
    if (device.embeddingPipelines.contains(libraries->pLibraries[i])) return true;
  }
  return false;
}

const VkPipelineLibraryCreateInfoKHR* libraries_of(const VkGraphicsPipelineCreateInfo& info) {
  return find_in_chain<VkPipelineLibraryCreateInfoKHR>(
      info.pNext, VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR);
}
const VkPipelineLibraryCreateInfoKHR* libraries_of(const VkRayTracingPipelineCreateInfoKHR& info) {
  return info.pLibraryInfo;
}

// Create-infos with translated mappings, and which of them embed samplers.
template <typename CreateInfo>
struct Translated {
  std::vector<CreateInfo> infos;
  std::vector<bool> embeds;
  CopiedChains copies;

  Translated(const Device& device, const CreateInfo* theirs, uint32_t count)
      : infos(theirs, theirs + count) {
    MappingTranslator translator(device.numbers, device.instance->reporter);
    for (CreateInfo& info : infos) {
      bool embeds_ = false;
      if constexpr (requires { info.codeSize; }) {  // a shader object
        if (info.codeType == VK_SHADER_CODE_TYPE_SPIRV_EXT)
          check_code(device, info.pCode, info.codeSize);
        info.pNext = translator.translate(info.pNext, copies);
      } else if constexpr (requires { info.stage; }) {  // compute
        check_inline_module(device, info.stage.pNext);
        info.stage.pNext = translator.translate(info.stage.pNext, copies);
      } else {
        // A library may have no stages, and then pStages may be anything.
        if (info.stageCount != 0) {
          auto* stages = copies.array(std::vector<VkPipelineShaderStageCreateInfo>(
              info.pStages, info.pStages + info.stageCount));
          for (uint32_t i = 0; i < info.stageCount; ++i) {
            check_inline_module(device, stages[i].pNext);
            stages[i].pNext = translator.translate(stages[i].pNext, copies);
          }
          info.pStages = stages;
        }
        embeds_ = libraries_embed(device, libraries_of(info));
      }
      embeds.push_back(translator.take_embedded() || embeds_);
    }
  }

  // Handles come back after they were destroyed, so those without are forgotten.
  template <typename Handle>
  void remember(std::set<Handle>& embedding, const Handle* handles) const {
    for (size_t i = 0; i < infos.size(); ++i) {
      embedding.erase(handles[i]);
      if (embeds[i] && handles[i] != VK_NULL_HANDLE) embedding.insert(handles[i]);
    }
  }
};

VKAPI_ATTR VkResult VKAPI_CALL create_module(VkDevice handle, const VkShaderModuleCreateInfo* info,
                                             const VkAllocationCallbacks* allocator,
                                             VkShaderModule* module) {
  const Device& device = device_of(dispatch_key(handle));
  check_code(device, info->pCode, info->codeSize);
  return device.CreateShaderModule(handle, info, allocator, module);
}

VKAPI_ATTR VkResult VKAPI_CALL create_compute(VkDevice handle, VkPipelineCache cache,
                                              uint32_t count,
                                              const VkComputePipelineCreateInfo* infos,
                                              const VkAllocationCallbacks* allocator,
                                              VkPipeline* pipelines) {
  Device& device = device_of(dispatch_key(handle));
  const std::scoped_lock lock(device.mutex);
  const Translated<VkComputePipelineCreateInfo> ours(device, infos, count);
  const VkResult result =
      device.CreateComputePipelines(handle, cache, count, ours.infos.data(), allocator, pipelines);
  ours.remember(device.embeddingPipelines, pipelines);
  return result;
}

VKAPI_ATTR VkResult VKAPI_CALL create_graphics(VkDevice handle, VkPipelineCache cache,
                                               uint32_t count,
                                               const VkGraphicsPipelineCreateInfo* infos,
                                               const VkAllocationCallbacks* allocator,
                                               VkPipeline* pipelines) {
  Device& device = device_of(dispatch_key(handle));
  const std::scoped_lock lock(device.mutex);
  const Translated<VkGraphicsPipelineCreateInfo> ours(device, infos, count);
  const VkResult result =
      device.CreateGraphicsPipelines(handle, cache, count, ours.infos.data(), allocator, pipelines);
  ours.remember(device.embeddingPipelines, pipelines);
  return result;
}

VKAPI_ATTR VkResult VKAPI_CALL create_ray_tracing(VkDevice handle,
                                                  VkDeferredOperationKHR deferredOperation,
                                                  VkPipelineCache cache, uint32_t count,
                                                  const VkRayTracingPipelineCreateInfoKHR* infos,
                                                  const VkAllocationCallbacks* allocator,
                                                  VkPipeline* pipelines) {
  Device& device = device_of(dispatch_key(handle));
  const std::scoped_lock lock(device.mutex);
  const Translated<VkRayTracingPipelineCreateInfoKHR> ours(device, infos, count);
  const VkResult result = device.CreateRayTracingPipelinesKHR(
      handle, VK_NULL_HANDLE, cache, count, ours.infos.data(), allocator, pipelines);
  ours.remember(device.embeddingPipelines, pipelines);
  // Nothing has to be deferred, and then nothing of ours has to outlive this call.
  const bool isDone = result == VK_SUCCESS && deferredOperation != VK_NULL_HANDLE;
  return isDone ? VK_OPERATION_NOT_DEFERRED_KHR : result;
}

VKAPI_ATTR VkResult VKAPI_CALL create_shaders(VkDevice handle, uint32_t count,
                                              const VkShaderCreateInfoEXT* infos,
                                              const VkAllocationCallbacks* allocator,
                                              VkShaderEXT* shaders) {
  Device& device = device_of(dispatch_key(handle));
  const std::scoped_lock lock(device.mutex);
  const Translated<VkShaderCreateInfoEXT> ours(device, infos, count);
  const VkResult result =
      device.CreateShadersEXT(handle, count, ours.infos.data(), allocator, shaders);
  ours.remember(device.embeddingShaders, shaders);
  return result;
}

}  // namespace

const std::vector<NamedFunction> kPipelineFunctions{
    {"vkCreateShaderModule", erased(create_module)},
    {"vkCreateComputePipelines", erased(create_compute)},
    {"vkCreateGraphicsPipelines", erased(create_graphics)},
    {"vkCreateRayTracingPipelinesKHR", erased(create_ray_tracing)},
    {"vkCreateShadersEXT", erased(create_shaders)}};

}  // namespace foreign_device
