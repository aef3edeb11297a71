// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "spirv/editor.h"

namespace heapsmith::spirv {

/// Declares what new instructions need, each thing once. Must not outlive the editor.
class Builder {
 public:
  explicit Builder(Editor& editor);

  /// A type or a constant, the module's own if it has one: two equal ids would be two types, and
  /// SPIR-V forbids that for most. `type` is the type of a constant, 0 for types. Not for arrays
  /// and structures, which are different where their decorations are, and not for specialization
  /// constants.
  uint32_t declare_once(spv::Op op, uint32_t type, Operands operands);
  /// Likewise a type that hangs on no other, but declared before the instruction at that word, be
  /// it by moving it there. To be called before anything else makes the same type.
  uint32_t declare_before(uint32_t word, spv::Op op, Operands operands);
  /// A new id, whatever there is already.
  uint32_t declare(spv::Op op, uint32_t type, Operands operands);

  uint32_t uint_type() { return declare_once(spv::Op::OpTypeInt, 0, {32, 0}); }
  uint32_t pointer_type(spv::StorageClass storage, uint32_t pointee);
  uint32_t untyped_pointer_type(spv::StorageClass storage);
  /// A constant of uint_type().
  uint32_t uint_constant(uint32_t value);
  /// An OpSpecConstantOp of uint_type().
  uint32_t uint_operation(spv::Op op, uint32_t a, uint32_t b);

  void decorate(uint32_t id, spv::Decoration decoration);
  void decorate(uint32_t id, spv::Decoration decoration, uint32_t operand);
  void decorate_id(uint32_t id, spv::Decoration decoration, uint32_t operand);
  void decorate_member(uint32_t id, uint32_t member, spv::Decoration decoration);
  void name(uint32_t id, std::string_view text);

  void require(spv::Capability capability);
  void require_extension(std::string_view name);

 private:
  struct Slot {
    uint32_t hash = 0;
    uint32_t id = 0;  // 0: empty
  };
  /// A declaration that is looked for, at the end of newWords_.
  struct Sought {
    uint32_t first = 0;
    uint32_t hash = 0;
    uint32_t id = 0;  // that has those words already; 0: none
  };
  void index_module();
  void grow();
  Slot& find(uint32_t hash, std::span<const uint32_t> words);
  void occupy(Slot& slot, uint32_t hash, uint32_t id);
  uint32_t list_words(spv::Op op, uint32_t type, Operands operands);
  Sought seek(spv::Op op, uint32_t type, Operands operands);
  uint32_t adopt(const Sought& sought);
  uint32_t name_words(uint32_t first);
  [[nodiscard]] Instruction listed(uint32_t first) const {
    return Instruction(newWords_.data() + first);
  }
  [[nodiscard]] std::span<const uint32_t> words_of(uint32_t id) const;

  Editor& editor_;
  // A hash table with linear probing; by hash of the words of a declaration without its result.
  std::vector<Slot> slots_;
  size_t used_ = 0;
  std::vector<uint32_t> newWords_;   // of all that was declared
  std::vector<uint32_t> newFirsts_;  // by id from the module's bound on: index in newWords_
};

}  // namespace heapsmith::spirv
