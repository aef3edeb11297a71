// SPDX-License-Identifier: MIT

// Heaps are bound at their own addresses, so that plain data in them stays where it is; what moved
// are the descriptors, see mappings.h.

#include <algorithm>
#include <optional>

#include "device.h"

namespace foreign_device {
namespace {

struct HeapRules {
  VkDeviceSize heapAlignment;
  VkDeviceSize reservedAlignment;
  VkDeviceSize reservedSize;
  VkDeviceSize largest;
};

HeapRules rules_of(const Device& device, HeapKind kind) {
  const auto& heap = device.numbers.heap();
  if (kind == HeapKind::Samplers) {
    return {heap.samplerHeapAlignment, heap.samplerDescriptorAlignment,
            heap.minSamplerHeapReservedRange, heap.maxSamplerHeapSize};
  }
  // Both are powers of two, so the larger one is a multiple of the smaller.
  return {heap.resourceHeapAlignment,
          std::max(heap.imageDescriptorAlignment, heap.bufferDescriptorAlignment),
          heap.minResourceHeapReservedRange, heap.maxResourceHeapSize};
}

std::pair<const VkBuffer, HeapBuffer>* find_buffer(Device& device, VkDeviceAddress address) {
  for (auto& entry : device.buffers) {
    const HeapBuffer& buffer = entry.second;
    if (buffer.address != 0 && address >= buffer.address &&
        address - buffer.address < buffer.size()) {
      return &entry;
    }
  }
  return nullptr;
}

// False where the heap cannot be used at all.
bool check_heap(const Device& device, HeapKind kind, const VkBindHeapInfoEXT& info,
                VkDeviceSize bufferRest) {
  const HeapRules rules = rules_of(device, kind);
  if (info.heapRange.address % rules.heapAlignment != 0) {
    device.report(rule::kBindAddress, "the address of a heap is not aligned to " +
                                          std::to_string(rules.heapAlignment) + " bytes");
  }
  if (info.heapRange.size > rules.largest || info.heapRange.size > bufferRest) {
    device.report(rule::kBindSize, "a heap of " + std::to_string(info.heapRange.size) +
                                       " bytes, with " + std::to_string(bufferRest) +
                                       " bytes of buffer and a limit of " +
                                       std::to_string(rules.largest));
    if (info.heapRange.size > bufferRest) return false;
  }
  if (info.reservedRangeSize < rules.reservedSize ||
      info.reservedRangeOffset % rules.reservedAlignment != 0) {
    device.report(rule::kBindReserved,
                  "a reserved range of " + std::to_string(info.reservedRangeSize) +
                      " bytes at offset " + std::to_string(info.reservedRangeOffset) +
                      "; it needs " + std::to_string(rules.reservedSize) + " bytes, aligned to " +
                      std::to_string(rules.reservedAlignment));
  }
  if (info.reservedRangeOffset > info.heapRange.size ||
      info.reservedRangeSize > info.heapRange.size - info.reservedRangeOffset) {
    device.report(rule::kBindReserved, "a reserved range ends behind its heap");
    return false;
  }
  return true;
}

void check_embedded(const Device& device, const Commands& commands) {
  if (!commands.usesEmbeddedSamplers || !commands.lacksEmbeddedRange) return;
  device.report(rule::kEmbeddedReserved,
                "a pipeline with embedded samplers meets a sampler heap that reserves less than " +
                    std::to_string(device.numbers.heap().minSamplerHeapReservedRangeWithEmbedded) +
                    " bytes");
}

// What the driver is to bind, or null where the heap cannot be used.
std::optional<VkBindHeapInfoEXT> bind(Device& device, VkCommandBuffer commandBuffer, HeapKind kind,
                                      const VkBindHeapInfoEXT& info) {
  auto* found = find_buffer(device, info.heapRange.address);
  if (found == nullptr) {
    device.report(rule::kBindAddress, "a heap is bound that lies in no buffer for heaps");
    return std::nullopt;
  }
  HeapBuffer& buffer = found->second;
  const VkDeviceSize start = info.heapRange.address - buffer.address;
  if (!check_heap(device, kind, info, buffer.size() - start)) return std::nullopt;
  if (buffer.host == nullptr) {
    device.report(rule::kUnsupported, "the memory of a heap was never mapped");
    return std::nullopt;
  }
  const Heap heap{.kind = kind,
                  .start = start,
                  .size = info.heapRange.size,
                  .reservedStart = start + info.reservedRangeOffset,
                  .reservedSize = info.reservedRangeSize};
  buffer.bind(heap);
  Commands& commands = device.commands[commandBuffer];
  commands.heaps.push_back({found->first, heap});
  if (kind == HeapKind::Samplers &&
      info.reservedRangeSize < device.numbers.heap().minSamplerHeapReservedRangeWithEmbedded) {
    commands.lacksEmbeddedRange = true;
    check_embedded(device, commands);
  }
  VkBindHeapInfoEXT real = info;
  real.heapRange.size = Numbers::distance(kind) + device.numbers.scale(kind) * heap.size;
  real.reservedRangeOffset = 0;
  real.reservedRangeSize = 0;
  return real;
}

VKAPI_ATTR void VKAPI_CALL bind_samplers(VkCommandBuffer commandBuffer,
                                         const VkBindHeapInfoEXT* info) {
  Device& device = device_of(dispatch_key(commandBuffer));
  const std::scoped_lock lock(device.mutex);
  if (const auto real = bind(device, commandBuffer, HeapKind::Samplers, *info))
    device.CmdBindSamplerHeapEXT(commandBuffer, &*real);
}

VKAPI_ATTR void VKAPI_CALL bind_resources(VkCommandBuffer commandBuffer,
                                          const VkBindHeapInfoEXT* info) {
  Device& device = device_of(dispatch_key(commandBuffer));
  const std::scoped_lock lock(device.mutex);
  if (const auto real = bind(device, commandBuffer, HeapKind::Resources, *info))
    device.CmdBindResourceHeapEXT(commandBuffer, &*real);
}

VKAPI_ATTR void VKAPI_CALL push_data(VkCommandBuffer commandBuffer, const VkPushDataInfoEXT* info) {
  const Device& device = device_of(dispatch_key(commandBuffer));
  const VkDeviceSize largest = device.numbers.heap().maxPushDataSize;
  const VkDeviceSize end = VkDeviceSize{info->offset} + info->data.size;
  if (end > largest) {
    device.report(rule::kPushData, "push data ends at byte " + std::to_string(end) + " of " +
                                       std::to_string(largest));
    return;
  }
  device.CmdPushDataEXT(commandBuffer, info);
}

// Bind infos that a secondary command buffer inherits, as the driver has to see them.
void replace_inherited(Device& device, VkCommandBuffer commandBuffer, CopiedChains& copies,
                       VkCommandBufferInheritanceDescriptorHeapInfoEXT& info) {
  const auto replace = [&](HeapKind kind, const VkBindHeapInfoEXT*& bindInfo) {
    if (bindInfo == nullptr) return;
    const auto real = bind(device, commandBuffer, kind, *bindInfo);
    bindInfo = real ? copies.array(std::vector{*real}) : nullptr;
  };
  replace(HeapKind::Samplers, info.pSamplerHeapBindInfo);
  replace(HeapKind::Resources, info.pResourceHeapBindInfo);
}

VKAPI_ATTR VkResult VKAPI_CALL allocate(VkDevice handle, const VkCommandBufferAllocateInfo* info,
                                        VkCommandBuffer* commandBuffers) {
  Device& device = device_of(dispatch_key(handle));
  const VkResult result = device.AllocateCommandBuffers(handle, info, commandBuffers);
  if (result != VK_SUCCESS) return result;
  const std::scoped_lock lock(device.mutex);
  for (uint32_t i = 0; i < info->commandBufferCount; ++i) {
    if (info->level == VK_COMMAND_BUFFER_LEVEL_SECONDARY)
      device.secondaries.insert(commandBuffers[i]);
    else
      device.secondaries.erase(commandBuffers[i]);
  }
  return result;
}

VKAPI_ATTR VkResult VKAPI_CALL begin(VkCommandBuffer commandBuffer,
                                     const VkCommandBufferBeginInfo* info) {
  Device& device = device_of(dispatch_key(commandBuffer));
  const std::scoped_lock lock(device.mutex);
  device.commands[commandBuffer] = {};
  constexpr auto kType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_DESCRIPTOR_HEAP_INFO_EXT;
  using HeapInfo = VkCommandBufferInheritanceDescriptorHeapInfoEXT;
  const VkCommandBufferInheritanceInfo* inherited = info->pInheritanceInfo;
  // In a primary command buffer the pointer is ignored, and may dangle.
  if (!device.secondaries.contains(commandBuffer) || inherited == nullptr ||
      !find_in_chain<HeapInfo>(inherited->pNext, kType)) {
    return device.BeginCommandBuffer(commandBuffer, info);
  }
  CopiedChains copies;
  VkStructureType unknown{};
  VkBaseOutStructure* chain = copies.copy(inherited->pNext, &unknown);
  if (chain == nullptr) {
    device.report(rule::kUnsupported, "struct " + std::to_string(unknown) +
                                          " beside inherited heaps is not known here");
    return device.BeginCommandBuffer(commandBuffer, info);
  }
  replace_inherited(device, commandBuffer, copies, *find_in_chain<HeapInfo>(chain, kType));
  VkCommandBufferInheritanceInfo ourInheritance = *inherited;
  ourInheritance.pNext = chain;
  VkCommandBufferBeginInfo ours = *info;
  ours.pInheritanceInfo = &ourInheritance;
  return device.BeginCommandBuffer(commandBuffer, &ours);
}

void use_embedded(Device& device, VkCommandBuffer commandBuffer) {
  Commands& commands = device.commands[commandBuffer];
  commands.usesEmbeddedSamplers = true;
  check_embedded(device, commands);
}

VKAPI_ATTR void VKAPI_CALL bind_pipeline(VkCommandBuffer commandBuffer, VkPipelineBindPoint point,
                                         VkPipeline pipeline) {
  Device& device = device_of(dispatch_key(commandBuffer));
  {
    const std::scoped_lock lock(device.mutex);
    if (device.embeddingPipelines.contains(pipeline)) use_embedded(device, commandBuffer);
  }
  device.CmdBindPipeline(commandBuffer, point, pipeline);
}

VKAPI_ATTR void VKAPI_CALL bind_shaders(VkCommandBuffer commandBuffer, uint32_t count,
                                        const VkShaderStageFlagBits* stages,
                                        const VkShaderEXT* shaders) {
  Device& device = device_of(dispatch_key(commandBuffer));
  {
    const std::scoped_lock lock(device.mutex);
    for (uint32_t i = 0; shaders != nullptr && i < count; ++i) {
      if (device.embeddingShaders.contains(shaders[i])) use_embedded(device, commandBuffer);
    }
  }
  device.CmdBindShadersEXT(commandBuffer, count, stages, shaders);
}

VKAPI_ATTR void VKAPI_CALL execute(VkCommandBuffer commandBuffer, uint32_t count,
                                   const VkCommandBuffer* secondaries) {
  Device& device = device_of(dispatch_key(commandBuffer));
  {
    const std::scoped_lock lock(device.mutex);
    auto& list = device.commands[commandBuffer].secondaries;
    list.insert(list.end(), secondaries, secondaries + count);
  }
  device.CmdExecuteCommands(commandBuffer, count, secondaries);
}

void check_before_run(Device& device, VkCommandBuffer commandBuffer) {
  const Commands& commands = device.commands[commandBuffer];
  for (const BoundHeap& heap : commands.heaps) {
    const auto found = device.buffers.find(heap.buffer);
    if (found != device.buffers.end() && found->second.host != nullptr)
      found->second.check_before_run(heap.heap);
  }
  for (const VkCommandBuffer secondary : commands.secondaries)
    check_before_run(device, secondary);
}

VKAPI_ATTR VkResult VKAPI_CALL submit(VkQueue queue, uint32_t count, const VkSubmitInfo* infos,
                                      VkFence fence) {
  Device& device = device_of(dispatch_key(queue));
  {
    const std::scoped_lock lock(device.mutex);
    for (uint32_t i = 0; i < count; ++i) {
      for (uint32_t k = 0; k < infos[i].commandBufferCount; ++k)
        check_before_run(device, infos[i].pCommandBuffers[k]);
    }
  }
  return device.QueueSubmit(queue, count, infos, fence);
}

VKAPI_ATTR VkResult VKAPI_CALL submit2(VkQueue queue, uint32_t count, const VkSubmitInfo2* infos,
                                       VkFence fence) {
  Device& device = device_of(dispatch_key(queue));
  {
    const std::scoped_lock lock(device.mutex);
    for (uint32_t i = 0; i < count; ++i) {
      for (uint32_t k = 0; k < infos[i].commandBufferInfoCount; ++k)
        check_before_run(device, infos[i].pCommandBufferInfos[k].commandBuffer);
    }
  }
  return device.QueueSubmit2(queue, count, infos, fence);
}

}  // namespace

const std::vector<NamedFunction> kCommandFunctions{
    {"vkAllocateCommandBuffers", erased(allocate)},
    {"vkBeginCommandBuffer", erased(begin)},
    {"vkCmdBindSamplerHeapEXT", erased(bind_samplers)},
    {"vkCmdBindResourceHeapEXT", erased(bind_resources)},
    {"vkCmdPushDataEXT", erased(push_data)},
    {"vkCmdBindPipeline", erased(bind_pipeline)},
    {"vkCmdBindShadersEXT", erased(bind_shaders)},
    {"vkCmdExecuteCommands", erased(execute)},
    {"vkQueueSubmit", erased(submit)},
    {"vkQueueSubmit2", erased(submit2)},
    {"vkQueueSubmit2KHR", erased(submit2)}};

}  // namespace foreign_device
