// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "rewrite/buffer_blocks.h"
#include "rewrite/context.h"
#include "rewrite/heaps.h"
#include "rewrite/objects.h"
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
class Buffers {
 public:
  Buffers(const Context& context, const Objects& objects, Heaps& heaps, Slots& slots,
          const BufferBlocks& blocks);

  /// Makes the pointer of a parameter that is no array, under the parameter's id.
  void enter_parameter(const Object& parameter);
  /// An operand that is a buffer, and no array.
  void replace_operand(const Object& object, const spirv::Use& use,
                       const spirv::Function& function);
  /// An access chain into an array of buffers.
  void replace_chain(const Object& object, spirv::Instruction chain);

 private:
  struct Pointer {
    uint32_t id = 0;
    uint32_t function = 0;
  };
  void emit_pointer(const Object& object, Element element, uint32_t word, uint32_t type,
                    uint32_t id);
  void decorate(const Object& object, uint32_t pointer);
  [[nodiscard]] uint32_t block_pointer_type(const Object& object) const;

  const Context& context_;
  const Objects& objects_;
  Heaps& heaps_;
  Slots& slots_;
  const BufferBlocks& blocks_;
  std::vector<Pointer> pointers_;  // by object
};

}  // namespace heapsmith::rewrite
