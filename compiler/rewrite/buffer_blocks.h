// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "rewrite/context.h"
#include "rewrite/objects.h"

namespace heapsmith::rewrite {

/// Storage buffers as SPIR-V 1.0 has them, a BufferBlock in the class Uniform, mean the same as a
/// Block in the class StorageBuffer. The heap knows only the latter:
///
///   OpDecorate %B BufferBlock                   OpDecorate %B Block
///   %pB = OpTypePointer Uniform %B              %pB = OpTypePointer StorageBuffer %B
///   %b  = OpVariable %pB Uniform           →    %b  = OpVariable %pB StorageBuffer
///   %pu = OpTypePointer Uniform %uint           %su = OpTypePointer StorageBuffer %uint
///   %p  = OpAccessChain %pu %b %zero            %p  = OpAccessChain %su %b %zero
///
/// If one of a module's BufferBlocks is rewritten, all of them change, mapped ones too: they may
/// share types.
class BufferBlocks {
 public:
  [[nodiscard]] static Diagnosed<BufferBlocks> modernize(const Context& context,
                                                         const Objects& objects);

  /// What the type of a pointer into a storage buffer has become.
  [[nodiscard]] uint32_t pointer_type(const Context& context, uint32_t type) const;

 private:
  struct State;
  std::vector<uint8_t> changed_;  // by type: pointers to BufferBlocks; empty if nothing changes
};

}  // namespace heapsmith::rewrite
