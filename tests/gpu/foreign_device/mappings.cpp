// SPDX-License-Identifier: MIT
#include "mappings.h"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

namespace foreign_device {
namespace {

constexpr VkFlags kSamplerMask = VK_SPIRV_RESOURCE_TYPE_SAMPLER_BIT_EXT;
constexpr VkFlags kImageMask = VK_SPIRV_RESOURCE_TYPE_SAMPLED_IMAGE_BIT_EXT |
                               VK_SPIRV_RESOURCE_TYPE_READ_ONLY_IMAGE_BIT_EXT |
                               VK_SPIRV_RESOURCE_TYPE_READ_WRITE_IMAGE_BIT_EXT |
                               VK_SPIRV_RESOURCE_TYPE_COMBINED_SAMPLED_IMAGE_BIT_EXT;

}  // namespace

bool MappingTranslator::take_embedded() {
  return std::exchange(embedded_, false);
}

void MappingTranslator::set(uint32_t& value, VkDeviceSize translated) const {
  if (translated > std::numeric_limits<uint32_t>::max()) {
    reporter_->report(rule::kOverflow, "offset or stride " + std::to_string(value) +
                                           " of a mapping is too large for this layer");
  }
  value = static_cast<uint32_t>(translated);
}

void MappingTranslator::offset(uint32_t& value, const Half& half) const {
  if (value % half.alignment != 0) {
    reporter_->report(rule::kMappingAlignment, "heap offset " + std::to_string(value) +
                                                   " of a mapping is not aligned to " +
                                                   std::to_string(half.alignment) + " bytes");
  }
  set(value, Numbers::distance(half.kind) + numbers_->scale(half.kind) * value);
}

void MappingTranslator::stride(uint32_t& value, const Half& half, bool isAligned) const {
  if (isAligned && value % half.alignment != 0) {
    reporter_->report(rule::kMappingAlignment, "heap array stride " + std::to_string(value) +
                                                   " of a mapping is not aligned to " +
                                                   std::to_string(half.alignment) + " bytes");
  }
  set(value, numbers_->scale(half.kind) * value);
}

// The sources differ in where the index comes from, which is not translated, and in whether they
// have an index and an array stride. An index stride may be anything: with 1 the index is bytes.
template <typename Source>
void MappingTranslator::translate_source(Source& source, const Half& half, const Half& samplers) {
  offset(source.heapOffset, half);
  if constexpr (requires { source.heapArrayStride; }) stride(source.heapArrayStride, half, true);
  if constexpr (requires { source.heapIndexStride; }) stride(source.heapIndexStride, half, false);
  if (source.pEmbeddedSampler != nullptr) {
    embedded_ = true;
    return;
  }
  offset(source.samplerHeapOffset, samplers);
  if constexpr (requires { source.samplerHeapArrayStride; })
    stride(source.samplerHeapArrayStride, samplers, true);
  if constexpr (requires { source.samplerHeapIndexStride; })
    stride(source.samplerHeapIndexStride, samplers, false);
}

// Where the mask has several classes, only the shader knows which one's alignment counts; the
// weakest holds for all.
VkDeviceSize MappingTranslator::alignment_of(VkFlags mask) const {
  const auto& heap = numbers_->heap();
  VkDeviceSize alignment = std::numeric_limits<VkDeviceSize>::max();
  if ((mask & kImageMask) != 0) alignment = std::min(alignment, heap.imageDescriptorAlignment);
  if ((mask & ~(kImageMask | kSamplerMask)) != 0)
    alignment = std::min(alignment, heap.bufferDescriptorAlignment);
  return alignment;
}

void MappingTranslator::translate_entry(Entry& entry, const Half& half) {
  const bool isCombined =
      (entry.resourceMask & VK_SPIRV_RESOURCE_TYPE_COMBINED_SAMPLED_IMAGE_BIT_EXT) != 0;
  // Only combined image samplers read the fields of samplers, which may hold anything otherwise.
  const Half samplers{HeapKind::Samplers,
                      isCombined ? numbers_->heap().samplerDescriptorAlignment : 1};
  auto& data = entry.sourceData;
  switch (entry.source) {
    case VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_CONSTANT_OFFSET_EXT:
      return translate_source(data.constantOffset, half, samplers);
    case VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_PUSH_INDEX_EXT:
      return translate_source(data.pushIndex, half, samplers);
    case VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_INDIRECT_INDEX_EXT:
      return translate_source(data.indirectIndex, half, samplers);
    case VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_INDIRECT_INDEX_ARRAY_EXT:
      return translate_source(data.indirectIndexArray, half, samplers);
    case VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_SHADER_RECORD_INDEX_EXT:
      return translate_source(data.shaderRecordIndex, half, samplers);
    case VK_DESCRIPTOR_MAPPING_SOURCE_RESOURCE_HEAP_DATA_EXT:
      return check_heap_data(data.heapData);
    default:  // addresses and data that are no part of a heap
      return;
  }
}

void MappingTranslator::check_heap_data(const VkDescriptorMappingSourceHeapDataEXT& data) const {
  const VkDeviceSize alignment = numbers_->uniform_alignment();
  if (data.heapOffset % alignment == 0) return;
  reporter_->report(rule::kMappingAlignment, "heap offset " + std::to_string(data.heapOffset) +
                                                 " of uniform data is not aligned to " +
                                                 std::to_string(alignment) + " bytes");
}

const void* MappingTranslator::translate(const void* chain, CopiedChains& copies) {
  using Info = VkShaderDescriptorSetAndBindingMappingInfoEXT;
  constexpr auto kType = VK_STRUCTURE_TYPE_SHADER_DESCRIPTOR_SET_AND_BINDING_MAPPING_INFO_EXT;
  const auto* found = find_in_chain<Info>(chain, kType);
  if (found == nullptr || found->mappingCount == 0) return chain;

  // The two heaps are translated differently, so an entry for samplers and others becomes two.
  std::vector<Entry> entries;
  for (uint32_t i = 0; i < found->mappingCount; ++i) {
    const VkFlags mask = found->pMappings[i].resourceMask;
    if ((mask & kSamplerMask) != 0) {
      Entry& entry = entries.emplace_back(found->pMappings[i]);
      entry.resourceMask = kSamplerMask;
      translate_entry(entry,
                      {HeapKind::Samplers,
                       mask == kSamplerMask ? numbers_->heap().samplerDescriptorAlignment : 1});
    }
    if ((mask & ~kSamplerMask) != 0) {
      Entry& entry = entries.emplace_back(found->pMappings[i]);
      entry.resourceMask = mask & ~kSamplerMask;
      translate_entry(entry, {HeapKind::Resources, alignment_of(mask)});
    }
  }
  VkStructureType unknown{};
  VkBaseOutStructure* ours = copies.copy(chain, &unknown);
  if (ours == nullptr) {
    reporter_->report(rule::kUnsupported,
                      "struct " + std::to_string(unknown) + " beside mappings is not known here");
    return chain;
  }
  Info& info = *find_in_chain<Info>(ours, kType);
  info.mappingCount = static_cast<uint32_t>(entries.size());
  info.pMappings = copies.array(entries);
  return ours;
}

}  // namespace foreign_device
