// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "reflect/shader_interface.h"
#include "spirv/annotations.h"
#include "spirv/editor.h"

namespace heapsmith::rewrite {

/// What members of blocks of push constants and of shader records are called that have no name, by
/// their offsets.
struct WordNames {
  std::map<uint32_t, std::string> push = {};
  std::map<uint32_t, std::string> record = {};
};

/// By image type or buffer pointer: what the array of such descriptors must say to be read as in
/// the module. A block of which a part is coherent is coherent as a whole, and so with volatile.
using ArrayQualifiers = std::map<uint32_t, reflect::Qualifiers>;

/// Makes a module for a translator that reads heaps as plain arrays, and tells arrays apart by the
/// type or the pointer that they are read with; for that one alone, since it may say one type
/// twice. Takes storage images out of the structures that carry their qualifiers (Heaps::point_to):
///
///   %view = OpTypeStruct %images           ; member 0 Coherent
///   %d = OpUntypedAccessChainKHR %pointer %view %heap %zero %slot
/// →
///   %own = OpTypeImage ...                 ; what %images holds, once more
///   %view = OpTypeRuntimeArray %own        ; as far apart as those of %images
///   %d = OpUntypedAccessChainKHR %pointer %view %heap %slot
///
/// and names what has no name.
[[nodiscard]] ArrayQualifiers plain_heap_arrays(spirv::Editor& editor,
                                                const spirv::Annotations& annotations,
                                                const WordNames& names = {});

}  // namespace heapsmith::rewrite
