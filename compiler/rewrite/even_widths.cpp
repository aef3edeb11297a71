// SPDX-License-Identifier: MIT
#include "rewrite/even_widths.h"

#include "spirv/builder.h"

namespace heapsmith::rewrite {
namespace {

using spirv::Instruction;

bool is_shift(spv::Op op) {
  return op == spv::Op::OpShiftLeftLogical || op == spv::Op::OpShiftRightLogical ||
         op == spv::Op::OpShiftRightArithmetic;
}

class Evening {
 public:
  explicit Evening(spirv::Editor& editor)
      : module_(editor.module()), editor_(editor), builder_(editor) {}

  void run() {
    for (const spirv::Function& function : module_.functions()) {
      for (const Instruction instruction : module_.body(function)) {
        if (is_shift(instruction.op())) even_shift(instruction);
        if (instruction.op() == spv::Op::OpBitcast) even_cast(instruction);
      }
    }
  }

 private:
  void even_shift(Instruction shift) {
    const Instruction by = type_of(shift.word(4));
    const uint32_t width = width_of(type_of(shift.result_id()));
    if (width_of(by) == width) return;
    const uint32_t word = module_.word_index(shift);
    const uint32_t even = editor_.new_id();
    editor_.insert(word, spv::Op::OpUConvert, {unsigned_type(by, width), even, shift.word(4)});
    editor_.replace_id(word + 4, even);
  }

  void even_cast(Instruction cast) {
    const Instruction from = type_of(cast.word(3));
    const Instruction to = type_of(cast.result_id());
    if (width_of(from) == width_of(to)) return;
    const uint32_t word = module_.word_index(cast);
    if (is_signed(from)) {
      const uint32_t before = editor_.new_id();
      editor_.insert(word, spv::Op::OpBitcast,
                     {unsigned_type(from, width_of(from)), before, cast.word(3)});
      editor_.replace_id(word + 3, before);
    }
    if (is_signed(to)) {
      const uint32_t between = editor_.new_id();
      const uint32_t type = unsigned_type(to, width_of(to));
      editor_.replace_id(word + 1, type);
      editor_.replace_id(word + 2, between);
      editor_.insert(word + cast.length(), spv::Op::OpBitcast,
                     {to.word(1), cast.result_id(), between});
    }
  }

  Instruction type_of(uint32_t id) const {
    return module_.definition(module_.definition(id).type_id());
  }

  /// That of one number, or of each of a vector's.
  Instruction number_of(Instruction type) const {
    return type.op() == spv::Op::OpTypeVector ? module_.definition(type.word(2)) : type;
  }

  /// In bits; 0 for a pointer.
  uint32_t width_of(Instruction type) const {
    const Instruction number = number_of(type);
    const bool isNumber = number.op() == spv::Op::OpTypeInt || number.op() == spv::Op::OpTypeFloat;
    return isNumber ? number.word(2) : 0;
  }

  bool is_signed(Instruction type) const {
    const Instruction number = number_of(type);
    return number.op() == spv::Op::OpTypeInt && number.word(3) == 1;
  }

  /// The unsigned type with as many numbers as `like`, each that wide.
  uint32_t unsigned_type(Instruction like, uint32_t width) {
    const uint32_t number = builder_.declare_once(spv::Op::OpTypeInt, 0, {width, 0});
    if (like.op() != spv::Op::OpTypeVector) return number;
    return builder_.declare_once(spv::Op::OpTypeVector, 0, {number, like.word(3)});
  }

  const spirv::Module& module_;
  spirv::Editor& editor_;
  spirv::Builder builder_;
};

}  // namespace

void even_widths(spirv::Editor& editor) {
  Evening(editor).run();
}

}  // namespace heapsmith::rewrite
