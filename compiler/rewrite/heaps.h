// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include "rewrite/context.h"
#include "rewrite/objects.h"

namespace heapsmith::rewrite {

/// Declares the two heaps as the module sees them, as far as something asks for them:
///
///   %heap   = OpUntypedVariableKHR %pointer UniformConstant       ; BuiltIn ResourceHeapEXT
///   %size   = OpConstantSizeOfEXT %uint %image
///   %images = OpTypeRuntimeArray %image                           ; ArrayStrideIdEXT %size
///
/// and the constants that tell where regions begin. Nothing here knows a size in bytes.
class Heaps {
 public:
  explicit Heaps(const Context& context);

  /// Emits, before the instruction at `word`, a pointer to the descriptor in that slot: an index
  /// that counts descriptors of its class from the heap's start. Storage images have qualifiers,
  /// which only a member of a structure can carry: they lie in a structure around the array.
  uint32_t point_to(uint32_t word, bool samplerHeap, uint32_t descriptorType,
                    const reflect::Qualifiers& qualifiers, uint32_t slot);

  /// Likewise to an element of an array of plain data, which the resource heap is taken for.
  uint32_t point_to_data(uint32_t word, uint32_t arrayType, uint32_t index);

  /// The constant slot of the descriptor `element` behind the n-th of a region.
  uint32_t constant_slot(DescriptorClass region, const Specializable& n, uint32_t element = 0);
  /// Whether that is the heap's first, so that nothing needs to be added to an index.
  bool is_first_slot(DescriptorClass region, const Specializable& n, uint32_t element = 0);

  /// A constant: a literal one, or the one that has that SpecId.
  uint32_t constant(const Specializable& number);

  /// The heap's variable; 0 if nothing asked for it.
  [[nodiscard]] uint32_t variable(bool samplerHeap) const { return variables_[samplerHeap]; }

 private:
  struct View {
    uint32_t type = 0;
    bool wrapped = false;
  };
  using ViewKey = std::pair<uint32_t, reflect::Qualifiers>;

  uint32_t heap(bool samplerHeap);
  uint32_t declare_variable(bool samplerHeap);
  [[nodiscard]] uint32_t find_variable(spv::BuiltIn builtIn) const;
  View view_of(uint32_t descriptorType, const reflect::Qualifiers& qualifiers);
  View wrap(uint32_t array, const reflect::Qualifiers& qualifiers);
  uint32_t array_of(uint32_t descriptorType);
  uint32_t size_of(uint32_t descriptorType);
  uint32_t any_image_type();
  uint32_t first_slot(DescriptorClass region);
  uint32_t declare_first_slot(DescriptorClass region);
  uint32_t first_buffer_slot(const Specializable& imageSlots);
  uint32_t add(uint32_t id, uint32_t number);

  const Context& context_;
  spirv::Builder& builder_;
  std::array<uint32_t, 2> variables_{};
  std::map<uint32_t, uint32_t> arrays_;
  std::map<ViewKey, View> views_;
  std::map<uint32_t, uint32_t> specConstants_;                           // by SpecId
  std::array<std::optional<uint32_t>, kDescriptorClassCount> firsts_{};  // 0: the heap's start
};

}  // namespace heapsmith::rewrite
