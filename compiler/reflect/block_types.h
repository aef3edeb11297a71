// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "reflect/block_layout.h"
#include "reflect/context.h"
#include "reflect/shader_interface.h"

namespace heapsmith::reflect {

/// Describes the types of blocks. Asked for a structure whose BlockLayout has no defect, it adds
/// that and all that it is made of to a list; each SPIR-V type is in it once, so that buffer
/// references may form cycles.
class BlockTypes {
 public:
  BlockTypes(const Context& context, BlockLayouts& layouts)
      : context_(context), layouts_(layouts) {}

  /// Index of the structure in take()'s list.
  [[nodiscard]] uint32_t add(uint32_t structType);
  [[nodiscard]] std::vector<BlockType> take() { return std::move(types_); }

 private:
  [[nodiscard]] uint32_t index_of(uint32_t type);
  void describe(uint32_t type);
  void describe_structure(uint32_t type, BlockType& description);
  void describe_pointee(spirv::Instruction pointer, BlockType& description);
  void read_annotation(const spirv::Annotation& annotation, BlockMember& member) const;
  [[nodiscard]] std::string scalar_name(spirv::Instruction type) const;

  const Context& context_;
  BlockLayouts& layouts_;
  std::vector<BlockType> types_;
  std::unordered_map<uint32_t, uint32_t> indices_;  // by type id
  std::vector<uint32_t> open_;  // type ids that are listed and not yet described
};

}  // namespace heapsmith::reflect
