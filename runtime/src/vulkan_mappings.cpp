// SPDX-License-Identifier: MIT
#include <cassert>

#include "heapsmith/pipeline.h"

namespace heapsmith {
namespace {

VkDescriptorMappingSourceDataEXT source_data(const Mapping& mapping,
                                             const ResolvedMapping& resolved,
                                             const VkSamplerCreateInfo* embeddedSampler) {
  VkDescriptorMappingSourceDataEXT data{};
  switch (mapping.source) {
    case MappingSource::HeapWithConstantOffset:
      data.constantOffset = {.heapOffset = resolved.heapOffset,
                             .heapArrayStride = resolved.heapArrayStride,
                             .pEmbeddedSampler = embeddedSampler,
                             .samplerHeapOffset = resolved.samplerHeapOffset,
                             .samplerHeapArrayStride = resolved.samplerHeapArrayStride};
      break;
    case MappingSource::HeapWithPushIndex:
      data.pushIndex = {.heapOffset = resolved.heapOffset,
                        .pushOffset = resolved.fieldOffset,
                        .heapIndexStride = resolved.heapIndexStride,
                        .heapArrayStride = resolved.heapArrayStride,
                        .pEmbeddedSampler = embeddedSampler,
                        .useCombinedImageSamplerIndex = mapping.packedIndex,
                        .samplerHeapOffset = resolved.samplerHeapOffset,
                        .samplerPushOffset = resolved.samplerFieldOffset,
                        .samplerHeapIndexStride = resolved.samplerHeapIndexStride,
                        .samplerHeapArrayStride = resolved.samplerHeapArrayStride};
      break;
    case MappingSource::HeapWithIndirectIndex:
      data.indirectIndex = {.heapOffset = resolved.heapOffset,
                            .pushOffset = resolved.fieldOffset,
                            .addressOffset = resolved.addressOffset,
                            .heapIndexStride = resolved.heapIndexStride,
                            .heapArrayStride = resolved.heapArrayStride,
                            .pEmbeddedSampler = embeddedSampler,
                            .useCombinedImageSamplerIndex = mapping.packedIndex,
                            .samplerHeapOffset = resolved.samplerHeapOffset,
                            .samplerPushOffset = resolved.samplerFieldOffset,
                            .samplerAddressOffset = resolved.samplerAddressOffset,
                            .samplerHeapIndexStride = resolved.samplerHeapIndexStride,
                            .samplerHeapArrayStride = resolved.samplerHeapArrayStride};
      break;
    case MappingSource::HeapWithIndirectIndexArray:
      data.indirectIndexArray = {.heapOffset = resolved.heapOffset,
                                 .pushOffset = resolved.fieldOffset,
                                 .addressOffset = resolved.addressOffset,
                                 .heapIndexStride = resolved.heapIndexStride,
                                 .pEmbeddedSampler = embeddedSampler,
                                 .useCombinedImageSamplerIndex = mapping.packedIndex,
                                 .samplerHeapOffset = resolved.samplerHeapOffset,
                                 .samplerPushOffset = resolved.samplerFieldOffset,
                                 .samplerAddressOffset = resolved.samplerAddressOffset,
                                 .samplerHeapIndexStride = resolved.samplerHeapIndexStride};
      break;
    case MappingSource::ResourceHeapData:
      data.heapData = {.heapOffset = resolved.heapOffset, .pushOffset = resolved.fieldOffset};
      break;
    case MappingSource::PushData:
      data.pushDataOffset = resolved.fieldOffset;
      break;
    case MappingSource::PushAddress:
      data.pushAddressOffset = resolved.fieldOffset;
      break;
    case MappingSource::IndirectAddress:
      data.indirectAddress = {.pushOffset = resolved.fieldOffset,
                              .addressOffset = resolved.addressOffset};
      break;
    case MappingSource::HeapWithShaderRecordIndex:
      data.shaderRecordIndex = {.heapOffset = resolved.heapOffset,
                                .shaderRecordOffset = resolved.fieldOffset,
                                .heapIndexStride = resolved.heapIndexStride,
                                .heapArrayStride = resolved.heapArrayStride,
                                .pEmbeddedSampler = embeddedSampler,
                                .useCombinedImageSamplerIndex = mapping.packedIndex,
                                .samplerHeapOffset = resolved.samplerHeapOffset,
                                .samplerShaderRecordOffset = resolved.samplerFieldOffset,
                                .samplerHeapIndexStride = resolved.samplerHeapIndexStride,
                                .samplerHeapArrayStride = resolved.samplerHeapArrayStride};
      break;
    case MappingSource::ShaderRecordData:
      data.shaderRecordDataOffset = resolved.fieldOffset;
      break;
    case MappingSource::ShaderRecordAddress:
      data.shaderRecordAddressOffset = resolved.fieldOffset;
      break;
  }
  return data;
}

}  // namespace

std::vector<VkDescriptorSetAndBindingMappingEXT> vulkan_mappings(const Manifest& manifest,
                                                                 const ResolvedLayout& layout,
                                                                 ProgramId program,
                                                                 const Samplers& samplers) {
  const IndexRange range = manifest.programs[program.index].mappings;
  std::vector<VkDescriptorSetAndBindingMappingEXT> entries;
  entries.reserve(range.count);
  for (const Mapping& mapping : manifest.mappings.subspan(range.first, range.count)) {
    const VkSamplerCreateInfo* embedded = nullptr;
    if (mapping.embeddedSampler != kNone) {
      assert(mapping.embeddedSampler < samplers.embedded.size());
      embedded = &samplers.embedded[mapping.embeddedSampler];
    }
    entries.push_back(
        {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_AND_BINDING_MAPPING_EXT,
         .pNext = nullptr,
         .descriptorSet = mapping.set,
         .firstBinding = manifest.bindings[mapping.binding].binding,
         .bindingCount = 1,
         .resourceMask = vulkan_resource_mask(manifest, mapping),
         .source = static_cast<VkDescriptorMappingSourceEXT>(mapping.source),
         .sourceData = source_data(mapping, resolve_mapping(manifest, layout, mapping), embedded)});
  }
  return entries;
}

}  // namespace heapsmith
