// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "rewrite/buffer_blocks.h"
#include "rewrite/context.h"
#include "rewrite/heaps.h"
#include "rewrite/objects.h"
#include "rewrite/read_only_blocks.h"
#include "rewrite/slots.h"

namespace heapsmith::rewrite {

/// Uniform and storage buffers. All that is needed is a pointer to the block; whatever made chains,
/// loads, lengths or copies of the variable goes on with that:
///
///   %p  = OpAccessChain %pu %b %zero %i          (buffer)
///   %q  = OpAccessChain %pu %many %k %zero %i    (array of buffers)
/// →
///   %d  = OpUntypedAccessChainKHR %untyped %buffers %heap %slot
///   %bp = OpBufferPointerEXT %pB %d                          ; once, in the function's first block
///   %p  = OpAccessChain %pu %bp %zero %i
///   %s  = OpIAdd %uint %first %k
///   %e  = OpUntypedAccessChainKHR %untyped %buffers %heap %s
///   %ep = OpBufferPointerEXT %pB %e
///   %q  = OpAccessChain %pu %ep %zero %i
///
/// AMD's driver (Mesa 26.2) loads the descriptor once more where the length is asked of a pointer
/// that is decorated, with whatever: each invocation may then mean another buffer. Of a plain
/// pointer it takes for granted that all mean the same. So where all do, lengths are asked of a
/// plain pointer, which nothing is read or written through; and where they may not, no pointer is
/// left plain:
///
///   %n  = OpArrayLength %uint %b 1
/// →
///   %lp = OpBufferPointerEXT %pB %d
///   %n  = OpArrayLength %uint %lp 1
class Buffers {
 public:
  Buffers(const Context& context, const Objects& objects, Heaps& heaps, Slots& slots,
          const BufferBlocks& blocks, const ReadOnlyBlocks& readOnly);

  /// Makes the pointer of a parameter that is no array, under the parameter's id.
  void enter_parameter(const Object& parameter);
  /// An operand that is a buffer, and no array.
  void replace_operand(const Object& object, const spirv::Use& use,
                       const spirv::Function& function);
  /// An access chain into an array of buffers.
  void replace_chain(const Object& object, spirv::Instruction chain);

 private:
  /// To a variable that is no array, in one function.
  struct Pointers {
    uint32_t function = 0;
    uint32_t descriptor = 0;
    uint32_t decorated = 0;
    uint32_t plain = 0;  // to ask for the length
  };
  /// Makes the pointer that was an access chain or a parameter, under its id.
  void emit_pointer(const Object& object, Element element, uint32_t word, uint32_t type,
                    uint32_t result);
  void initialize(spirv::Instruction variable, uint32_t pointer);
  uint32_t point_to_descriptor(const Object& object, Element element, uint32_t word);
  void decorate(const Object& object, uint32_t pointer);
  void add_to_parameter(uint32_t parameter, spv::Decoration kind);
  [[nodiscard]] bool is_apart(const Object& object) const;
  [[nodiscard]] bool has_one_pointer(const Object& object) const;
  [[nodiscard]] std::vector<spv::Decoration> qualifiers_of(const Object& object) const;
  [[nodiscard]] std::vector<spv::Decoration> decorations_of(const Object& object) const;
  [[nodiscard]] bool asks_length(const spirv::Use& use) const;
  [[nodiscard]] bool asks_lengths(const Object& object) const;
  [[nodiscard]] size_t count_lengths(uint32_t pointer) const;
  /// Whether invocations may ask for the lengths of different buffers at once.
  [[nodiscard]] bool may_differ(const Object& object) const;
  [[nodiscard]] bool has_plain_lengths(const Object& object) const;
  [[nodiscard]] uint32_t block_pointer_type(const Object& object) const;

  const Context& context_;
  const Objects& objects_;
  Heaps& heaps_;
  Slots& slots_;
  const BufferBlocks& blocks_;
  const ReadOnlyBlocks& readOnly_;
  std::vector<Pointers> pointers_;                         // by object
  std::unordered_map<uint32_t, uint32_t> lengthPointers_;  // plain ones, by chain or parameter
};

}  // namespace heapsmith::rewrite
