// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>

#include "rewrite/context.h"

namespace heapsmith::rewrite {

/// A block of push constants, or of a shader record, whose structure more than pointers to it know.
struct WholeBlock {
  spv::StorageClass storage{};
  uint32_t structure = 0;
  const reflect::Resource* need = nullptr;  ///< what makes it grow
};

/// Such a structure cannot grow, for what was read as a whole has that type. A longer one takes its
/// place behind the pointers, with `added` 32-bit members behind its own, and who reads all of it
/// reads member by member:
///
///   %P  = OpTypeStruct %v4 %uint           %P  = OpTypeStruct %v4 %uint
///                                          %L  = OpTypeStruct %v4 %uint %uint
///   %pP = OpTypePointer PushConstant %P    %pP = OpTypePointer PushConstant %L
///   %w  = OpLoad %P %push             →    %a  = OpAccessChain %pv4 %push %zero
///                                          %x  = OpLoad %v4 %a
///                                          %b  = OpAccessChain %puint %push %one
///                                          %y  = OpLoad %uint %b
///                                          %w  = OpCompositeConstruct %P %x %y
///
/// Returns the longer structure.
[[nodiscard]] Diagnosed<uint32_t> lengthen_whole_block(const Context& context,
                                                       const WholeBlock& block, uint32_t added);

}  // namespace heapsmith::rewrite
