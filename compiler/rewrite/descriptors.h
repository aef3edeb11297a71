// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "rewrite/addresses.h"
#include "rewrite/context.h"
#include "rewrite/heaps.h"
#include "rewrite/objects.h"
#include "rewrite/slots.h"

namespace heapsmith::rewrite {

/// What shaders load as a whole: images, texel buffers, samplers, both at once, acceleration
/// structures.
///
///   %i = OpLoad %image %texture              %d = OpUntypedAccessChainKHR %untyped %images %heap
///   %slot
///                                       →    %i = OpLoad %image %d
///   %t = OpImageTexelPointer %pt             %d = OpUntypedAccessChainKHR %untyped %images %heap
///   %slot
///            %texture %at %zero              %t = OpUntypedImageTexelPointerEXT %untypedImage
///                                                     %image %d %at %zero
///   %c = OpLoad %sampled %combined           %i = OpLoad %image %d
///                                            %s = OpLoad %sampler %e
///                                            %c = OpSampledImage %sampled %i %s
///   %a = OpLoad %array %textures
///   %i = OpCompositeExtract %image %a 2      %d = OpUntypedAccessChainKHR %untyped %images %heap
///                                                     %slot
///                                            %i = OpLoad %image %d
///   %a = OpLoad %acceleration %scene         %a = OpConvertUToAccelerationStructureKHR
///                                                     %acceleration %address   ; without
///                                                     descriptor
class Descriptors {
 public:
  Descriptors(const Context& context, const Objects& objects, Heaps& heaps, Slots& slots,
              Addresses& addresses)
      : context_(context), objects_(objects), heaps_(heaps), slots_(slots), addresses_(addresses) {}

  /// An access chain into an array of descriptors.
  void replace_chain(spirv::Instruction chain);
  [[nodiscard]] Diagnosed<void> replace_load(const Object& object, const spirv::Use& use);
  void replace_texel_pointer(const Object& object, spirv::Instruction instruction);
  /// An OpCompositeExtract of a loaded array.
  [[nodiscard]] Diagnosed<void> replace_extract(const Object& object, const spirv::Use& use);
  /// An image with its sampler that a function is handed by value is made where it is used.
  [[nodiscard]] Diagnosed<void> enter_parameter(const Object& parameter);

 private:
  /// What an instruction loads, or had loaded.
  struct Target {
    const Object& object;
    Element element;
    spirv::Instruction instruction;
    uint32_t block = 0;  ///< where that stands; 0: in none
  };
  uint32_t point_to(const Object& object, Half half, Element element, uint32_t type, uint32_t word);
  void load_as(const Target& target, Half half, uint32_t type, uint32_t word, uint32_t id);
  uint32_t load(const Target& target, Half half, uint32_t type, uint32_t word);
  Diagnosed<void> replace_combined(const Target& target);
  Diagnosed<void> replace_sampling(const Target& target, const spirv::Use& use,
                                   bool isInBlockOfLoad);
  uint32_t combine(const Target& target, uint32_t word, uint32_t id);
  void retype_copies(uint32_t pointer, uint32_t type);

  const Context& context_;
  const Objects& objects_;
  Heaps& heaps_;
  Slots& slots_;
  Addresses& addresses_;
};

}  // namespace heapsmith::rewrite
