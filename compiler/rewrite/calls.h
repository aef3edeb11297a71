// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rewrite/addresses.h"
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
///
/// What has no descriptor is handed as its address, two 32-bit numbers in one vector.
/// An array whose elements have words of their own becomes the address of words (two numbers) and
/// the number of the first.
class Calls {
 public:
  Calls(const Context& context, const Objects& objects, Slots& slots, Addresses& addresses);

  [[nodiscard]] bool has_objects(const spirv::Function& function) const;
  void replace_head(const spirv::Function& function);
  /// A resource that the called function is handed; null if it is handed none.
  [[nodiscard]] const reflect::Resource* resource_of_callee(spirv::Instruction call) const;
  [[nodiscard]] Diagnosed<void> replace_call(spirv::Instruction call);
  /// No number stands for bytes that are read one by one, so that no function can be handed them.
  std::unexpected<Failed> refuse_data(const Object& object) const;

 private:
  [[nodiscard]] std::span<const uint32_t> parameters_of_callee(spirv::Instruction call) const;
  void add_parameter(const Object& object, uint32_t word);
  void add_parameter_half(const Object& object, Half half, uint32_t word);
  [[nodiscard]] std::vector<uint32_t> parameter_types(const Object& object, Half half) const;
  void add_types(const Object& object, std::vector<uint32_t>& operands) const;
  void add_arguments(const Object& parameter, const Object& given, spirv::Instruction call,
                     uint32_t argument, std::vector<uint32_t>& operands);
  uint32_t function_type(const spirv::Function& function) const;

  const Context& context_;
  const Objects& objects_;
  Slots& slots_;
  Addresses& addresses_;
  std::vector<uint8_t> hasObjects_;  // by function
};

}  // namespace heapsmith::rewrite
