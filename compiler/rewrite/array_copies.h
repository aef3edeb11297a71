// SPDX-License-Identifier: MIT
#pragma once

#include "spirv/editor.h"

namespace heapsmith::rewrite {

/// Copies arrays that specialization constants size element by element, in functions, since GLSL
/// has no assignment of such arrays:
///
///   %all = OpLoad %array %a
///          OpStore %b %all
/// →
///   %n = OpFunctionCall %void %copy %a %b
///
/// Where something stands between the two, the elements wait in a variable of their own. Only
/// variables of one invocation are copied so; all else stays.
void copy_arrays_by_element(spirv::Editor& editor);

}  // namespace heapsmith::rewrite
