// SPDX-License-Identifier: MIT
#pragma once

#include "copied_chain.h"
#include "numbers.h"
#include "report.h"

namespace foreign_device {

/// Turns the mapping entries of a shader into those that find the real descriptors: offsets become
/// distance + scale * offset, strides scale * stride. Plain data in the heap has not moved, and its
/// entries stay as they are.
class MappingTranslator {
 public:
  MappingTranslator(const Numbers& numbers, const Reporter& reporter)
      : numbers_(&numbers), reporter_(&reporter) {}

  /// Replaces the mappings in a stage's chain by translated copies. Returns the chain to use.
  const void* translate(const void* chain, CopiedChains& copies);
  /// Whether any mapping since the last call embeds a sampler.
  bool take_embedded();

 private:
  using Entry = VkDescriptorSetAndBindingMappingEXT;
  struct Half {
    HeapKind kind;
    VkDeviceSize alignment;  ///< 1 where nothing is known
  };

  void translate_entry(Entry& entry, const Half& half);
  template <typename Source>
  void translate_source(Source& source, const Half& half, const Half& samplers);
  void offset(uint32_t& value, const Half& half) const;
  void stride(uint32_t& value, const Half& half, bool isAligned) const;
  void set(uint32_t& value, VkDeviceSize translated) const;
  VkDeviceSize alignment_of(VkFlags mask) const;
  void check_heap_data(const VkDescriptorMappingSourceHeapDataEXT& data) const;

  const Numbers* numbers_;
  const Reporter* reporter_;
  bool embedded_ = false;
};

}  // namespace foreign_device
