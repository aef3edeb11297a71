// SPDX-License-Identifier: MIT
#include "vulkan_structs.h"

#include "common/check.h"

namespace lint_agreement {
namespace {

using heapsmith::MappingSource;
using heapsmith::mapping::VulkanMapping;

// Written without a look at the runtime's own translation, which takes a manifest.
VkDescriptorMappingSourceDataEXT source_data(const VulkanMapping& from,
                                             const VkSamplerCreateInfo* embedded) {
  const heapsmith::ResolvedMapping& n = from.numbers;
  VkDescriptorMappingSourceDataEXT data{};
  switch (from.source) {
    case MappingSource::HeapWithConstantOffset:
      data.constantOffset = {n.heapOffset, n.heapArrayStride, embedded, n.samplerHeapOffset,
                             n.samplerHeapArrayStride};
      break;
    case MappingSource::HeapWithPushIndex:
      data.pushIndex = {n.heapOffset,
                        n.fieldOffset,
                        n.heapIndexStride,
                        n.heapArrayStride,
                        embedded,
                        from.packedIndex,
                        n.samplerHeapOffset,
                        n.samplerFieldOffset,
                        n.samplerHeapIndexStride,
                        n.samplerHeapArrayStride};
      break;
    case MappingSource::HeapWithIndirectIndex:
      data.indirectIndex = {n.heapOffset,
                            n.fieldOffset,
                            n.addressOffset,
                            n.heapIndexStride,
                            n.heapArrayStride,
                            embedded,
                            from.packedIndex,
                            n.samplerHeapOffset,
                            n.samplerFieldOffset,
                            n.samplerAddressOffset,
                            n.samplerHeapIndexStride,
                            n.samplerHeapArrayStride};
      break;
    case MappingSource::HeapWithIndirectIndexArray:
      data.indirectIndexArray = {n.heapOffset,
                                 n.fieldOffset,
                                 n.addressOffset,
                                 n.heapIndexStride,
                                 embedded,
                                 from.packedIndex,
                                 n.samplerHeapOffset,
                                 n.samplerFieldOffset,
                                 n.samplerAddressOffset,
                                 n.samplerHeapIndexStride};
      break;
    case MappingSource::ResourceHeapData:
      data.heapData = {n.heapOffset, n.fieldOffset};
      break;
    case MappingSource::PushData:
      data.pushDataOffset = n.fieldOffset;
      break;
    case MappingSource::PushAddress:
      data.pushAddressOffset = n.fieldOffset;
      break;
    case MappingSource::IndirectAddress:
      data.indirectAddress = {n.fieldOffset, n.addressOffset};
      break;
    case MappingSource::HeapWithShaderRecordIndex:
      data.shaderRecordIndex = {n.heapOffset,
                                n.fieldOffset,
                                n.heapIndexStride,
                                n.heapArrayStride,
                                embedded,
                                from.packedIndex,
                                n.samplerHeapOffset,
                                n.samplerFieldOffset,
                                n.samplerHeapIndexStride,
                                n.samplerHeapArrayStride};
      break;
    case MappingSource::ShaderRecordData:
      data.shaderRecordDataOffset = n.fieldOffset;
      break;
    case MappingSource::ShaderRecordAddress:
      data.shaderRecordAddressOffset = n.fieldOffset;
      break;
  }
  return data;
}

}  // namespace

VulkanStructs make_structs(const heapsmith::Device& device, std::span<const VulkanMapping> from) {
  VulkanStructs made;
  for (const VulkanMapping& mapping : from)
    made.samplerInfos.push_back(mapping.embeddedSampler.value_or(heapsmith::SamplerInfo()));
  heapsmith::Manifest onlySamplers;
  onlySamplers.samplers = made.samplerInfos;
  made.samplers =
      example::checked(heapsmith::create_samplers(device, onlySamplers), "creating samplers");
  for (size_t i = 0; i < from.size(); ++i) {
    const VkSamplerCreateInfo* embedded =
        from[i].embeddedSampler ? &made.samplers.embedded[i] : nullptr;
    made.mappings.push_back({.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_AND_BINDING_MAPPING_EXT,
                             .descriptorSet = from[i].set,
                             .firstBinding = from[i].firstBinding,
                             .bindingCount = from[i].bindingCount,
                             .resourceMask = from[i].resourceMask,
                             .source = static_cast<VkDescriptorMappingSourceEXT>(from[i].source),
                             .sourceData = source_data(from[i], embedded)});
  }
  return made;
}

void destroy_structs(const heapsmith::Device& device, VulkanStructs& structs) {
  heapsmith::destroy_samplers(device, structs.samplers);
}

}  // namespace lint_agreement
