// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "reflect/context.h"
#include "reflect/shader_interface.h"
#include "spirv/annotations.h"

namespace heapsmith::reflect {

struct BlockLayout {
  uint64_t begin = 0;  ///< bytes before the first member
  uint64_t end = 0;    ///< bytes up to the end of the last sized member, without trailing padding
  uint64_t tailStride = 0;  ///< bytes of an element of the runtime array; 0: there is none
  uint64_t tailOffset = 0;
  Qualifiers qualifiers;  ///< that every member has
  std::string
      defect;  ///< what is missing for a layout; empty: nothing, and the sizes above are right
};

/// Layouts of structure types, strictly from their Offset, ArrayStride and MatrixStride
/// decorations. An array or matrix is as long as its count times its stride. Each structure is
/// computed once.
class BlockLayouts {
 public:
  explicit BlockLayouts(const Context& context) : context_(context) {}
  [[nodiscard]] const BlockLayout& of(uint32_t structType);

 private:
  struct Member;
  struct Size;

  [[nodiscard]] bool push_missing_parts(uint32_t structType, std::vector<uint32_t>& open) const;
  void read_annotation(const spirv::Annotation& annotation, Member& member) const;
  [[nodiscard]] BlockLayout compute(spirv::Instruction type);
  [[nodiscard]] Size size_of(uint32_t type, const Member& member);
  [[nodiscard]] Size size_of_array(uint32_t type, const Member& member);
  [[nodiscard]] Size size_of_matrix(spirv::Instruction type, const Member& member);
  void add_member(BlockLayout& layout, uint32_t type, const Member& member);

  const Context& context_;
  std::unordered_map<uint32_t, BlockLayout> layouts_;
};

}  // namespace heapsmith::reflect
