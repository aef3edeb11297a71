// SPDX-License-Identifier: MIT
#pragma once

#include "spirv/editor.h"

namespace heapsmith::rewrite {

/// Rewrites integers of two widths in one instruction as GLSL, and its translator, know them:
///
///   %r = OpShiftRightLogical %uchar %a %b     ; %b of %uint
/// →
///   %even = OpUConvert %uchar %b
///   %r = OpShiftRightLogical %uchar %a %even
///
///   %r = OpBitcast %int %halves               ; of %v2ushort
/// →
///   %packed = OpBitcast %uint %halves
///   %r = OpBitcast %int %packed
///
/// No value changes: where the conversion loses bits, the shift is by too many of them anyway, and
/// its result undefined. GLSL packs and unpacks numbers of one signedness.
void even_widths(spirv::Editor& editor);

}  // namespace heapsmith::rewrite
