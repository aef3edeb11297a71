// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "rewrite/context.h"
#include "rewrite/data_pointers.h"
#include "rewrite/data_words.h"
#include "rewrite/objects.h"
#include "rewrite/slots.h"

namespace heapsmith::rewrite {

/// Uniform blocks whose bytes lie in push data, in the shader record or in the resource heap. No
/// pointers to them are left; what was loaded is put together from words, wherever the block's
/// members would have to be aligned:
///
///   %p = OpAccessChain %pv %u %one          %x = OpLoad %uint %word4
///   %v = OpLoad %v2float %p            →    %a = OpBitcast %float %x
///                                           %y = OpLoad %uint %word5
///                                           %b = OpBitcast %float %y
///                                           %v = OpCompositeConstruct %v2float %a %b
class WordBuffers {
 public:
  WordBuffers(const Context& context, Slots& slots, DataWords words)
      : context_(context), slots_(slots), words_(std::move(words)) {}

  /// `use` is one of a pointer to or into such a block.
  [[nodiscard]] Diagnosed<void> replace(const DataPointer& pointer, const spirv::Use& use);

 private:
  /// What is loaded, and where to.
  struct Load {
    const DataPointer& pointer;
    uint32_t word = 0;   // before the instruction there
    uint32_t count = 0;  // of the words so far
  };
  Diagnosed<void> replace_chain(const DataPointer& pointer, spirv::Instruction chain);
  void add_index(Position& position, uint32_t word, uint32_t index, uint32_t stride);
  Diagnosed<void> replace_copy(const DataPointer& pointer, spirv::Instruction copy);
  [[nodiscard]] Position position_of(uint32_t pointer) const;
  /// Emits a value of the place's type under an id, 0: a new one. Returns that.
  Diagnosed<uint32_t> load(Load& target, const Place& place, const Position& position, uint32_t id);
  Diagnosed<uint32_t> load_number(Load& target, uint32_t type, const Position& position,
                                  uint32_t id);
  Diagnosed<uint32_t> load_parts(Load& target, const Place& place, const Position& position,
                                 uint32_t id);
  [[nodiscard]] std::string_view name_of(const DataPointer& pointer) const;
  std::unexpected<Failed> refuse_use(const DataPointer& pointer, const std::string& what) const;

  const Context& context_;
  Slots& slots_;
  DataWords words_;
  std::unordered_map<uint32_t, Position> positions_;  // by pointer
};

}  // namespace heapsmith::rewrite
