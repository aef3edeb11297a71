// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rewrite/context.h"
#include "rewrite/objects.h"
#include "rewrite/slots.h"

namespace heapsmith::rewrite {

/// Functions that are handed resources. Not every pointer into a heap may be passed on, and which
/// may depends on capabilities; a number always can. So a parameter becomes the slot, two for a
/// combined image sampler, and the function makes the pointer:
///
///   %f = OpFunction %v4 None %type              %f = OpFunction %v4 None %newType
///   %t = OpFunctionParameter %pointer      →    %i = OpFunctionParameter %uint
///                                               %s = OpFunctionParameter %uint
///   %r = OpFunctionCall %v4 %f %textures        %r = OpFunctionCall %v4 %f %imageSlot %samplerSlot
class Calls {
 public:
  Calls(const Context& context, const Objects& objects, Slots& slots);

  [[nodiscard]] bool has_objects(const spirv::Function& function) const;
  void replace_head(const spirv::Function& function);
  /// A resource that the called function is handed; null if it is handed none.
  [[nodiscard]] const reflect::Resource* resource_of_callee(spirv::Instruction call) const;
  [[nodiscard]] Diagnosed<void> replace_call(spirv::Instruction call);

 private:
  [[nodiscard]] std::span<const uint32_t> parameters_of_callee(spirv::Instruction call) const;
  uint32_t function_type(const spirv::Function& function) const;

  const Context& context_;
  const Objects& objects_;
  Slots& slots_;
  std::vector<uint8_t> hasObjects_;  // by function
};

}  // namespace heapsmith::rewrite
