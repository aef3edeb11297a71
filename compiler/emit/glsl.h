// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "reflect/shader_interface.h"

namespace heapsmith::emit {

/// A specialization constant that the text's first lines explain.
struct GlslConstant {
  uint32_t specId = 0;
  std::string meaning;
  bool always = false;  ///< its default is never right; else only where the layout has overrides
};

/// What is to be written.
struct GlslRequest {
  /// A module with the heaps as plain arrays (rewrite/plain_heap_arrays.h), whose regions begin at
  /// slots that are no expressions of sizes.
  std::span<const uint32_t> words;
  std::string entryPoint;       ///< becomes main()
  uint32_t executionModel = 0;  ///< its own, as OpEntryPoint says it
  /// What arrays must say, by the image type or buffer pointer that SPIRV-Cross names them after.
  std::map<uint32_t, reflect::Qualifiers> qualifiers = {};
  /// Values that are read before all that comes behind (rewrite/ordered_loads.h).
  std::vector<uint32_t> orderedLoads = {};
  std::vector<GlslConstant> constants = {};
  std::vector<std::string> furtherFeatures = {};  ///< that the text needs and the module does not
};

/// Writes an entry point of a module as GLSL with GL_EXT_descriptor_heap, through SPIRV-Cross:
///
///   layout(descriptor_heap, std430) buffer Result { uint numbers[]; } ResultHeap[];
///   ResultHeap[firstBuffer + 2u].numbers[0] = 1u;
///
/// Arrays in the heaps are named after the block or the type that they hold. What SPIRV-Cross
/// refuses is an error (UnsupportedGlsl). Of an instruction that it does not know it leaves a
/// comment behind: "// unimplemented op 6916".
[[nodiscard]] Diagnosed<std::string> glsl(const GlslRequest& request, const std::string& file,
                                          Diagnostics& diagnostics);

}  // namespace heapsmith::emit
