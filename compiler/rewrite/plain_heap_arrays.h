// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "reflect/shader_interface.h"
#include "spirv/annotations.h"
#include "spirv/module.h"

namespace heapsmith::rewrite {

/// What members of blocks of push constants and of shader records are called that have no name, by
/// their offsets.
struct WordNames {
  std::map<uint32_t, std::string> push = {};
  std::map<uint32_t, std::string> record = {};
};

/// A module for a translator that reads heaps as plain arrays, and tells arrays apart by the type
/// or the pointer that they are read with.
struct PlainHeapArrays {
  std::vector<uint32_t> words;  ///< for that translator alone: they may say one type twice
  /// By image type or buffer pointer: what the array of such descriptors must say to be read as in
  /// the module. A block of which a part is coherent is coherent as a whole, and so with volatile.
  std::map<uint32_t, reflect::Qualifiers> qualifiers;
};

/// Takes storage images out of the structures that carry their qualifiers (Heaps::point_to):
///
///   %view = OpTypeStruct %images           ; member 0 Coherent
///   %d = OpUntypedAccessChainKHR %pointer %view %heap %zero %slot
/// →
///   %own = OpTypeImage ...                 ; what %images holds, once more
///   %view = OpTypeRuntimeArray %own        ; as far apart as those of %images
///   %d = OpUntypedAccessChainKHR %pointer %view %heap %slot
///
/// and names what has no name.
[[nodiscard]] PlainHeapArrays plain_heap_arrays(const spirv::Module& module,
                                                const spirv::Annotations& annotations,
                                                const WordNames& names = {});

}  // namespace heapsmith::rewrite
