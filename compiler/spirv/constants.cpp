// SPDX-License-Identifier: MIT
#include "spirv/constants.h"

#include <algorithm>
#include <bit>
#include <unordered_set>

namespace heapsmith::spirv {
namespace {

/// A value with what its type says about it.
struct Typed {
  uint64_t bits = 0;
  uint32_t width = 32;

  [[nodiscard]] int64_t as_signed() const {
    const uint32_t shift = 64 - width;
    return static_cast<int64_t>(bits << shift) >> shift;
  }
};

uint64_t truncate(uint64_t bits, uint32_t width) {
  return width >= 64 ? bits : bits & ((uint64_t{1} << width) - 1);
}

/// 1 for a boolean, 0 for a type that is neither that nor an integer of at most 64 bits.
uint32_t integer_width(const Module& module, uint32_t type) {
  const Instruction definition = module.definition(type);
  if (definition.op() == spv::Op::OpTypeBool) return 1;
  if (definition.op() != spv::Op::OpTypeInt) return 0;
  const uint32_t width = definition.word(2);
  return width >= 1 && width <= 64 ? width : 0;
}

std::optional<uint64_t> fold_unary(spv::Op op, Typed a) {
  switch (op) {
    case spv::Op::OpSNegate:
      return uint64_t{0} - a.bits;
    case spv::Op::OpNot:
      return ~a.bits;
    case spv::Op::OpLogicalNot:
      return a.bits == 0 ? 1 : 0;
    case spv::Op::OpUConvert:
    case spv::Op::OpBitcast:
      return a.bits;
    case spv::Op::OpSConvert:
      return static_cast<uint64_t>(a.as_signed());
    default:  // not needed for array lengths
      return std::nullopt;
  }
}

std::optional<uint64_t> fold_division(spv::Op op, Typed a, Typed b) {
  if (b.bits == 0) return std::nullopt;
  if (op == spv::Op::OpUDiv) return a.bits / b.bits;
  if (op == spv::Op::OpUMod) return a.bits % b.bits;
  const int64_t x = a.as_signed();
  const int64_t y = b.as_signed();
  if (y == -1)
    return op == spv::Op::OpSDiv ? uint64_t{0} - a.bits : 0;  // the quotient may overflow
  if (op == spv::Op::OpSDiv) return static_cast<uint64_t>(x / y);
  const int64_t remainder = x % y;
  const bool follows_divisor =
      op == spv::Op::OpSMod && remainder != 0 && (remainder < 0) != (y < 0);
  return static_cast<uint64_t>(follows_divisor ? remainder + y : remainder);
}

std::optional<uint64_t> fold_shift(spv::Op op, Typed a, Typed b) {
  if (b.bits >= a.width) return std::nullopt;
  if (op == spv::Op::OpShiftLeftLogical) return a.bits << b.bits;
  if (op == spv::Op::OpShiftRightLogical) return a.bits >> b.bits;
  return static_cast<uint64_t>(a.as_signed() >> b.bits);
}

std::optional<uint64_t> fold_comparison(spv::Op op, Typed a, Typed b) {
  switch (op) {
    case spv::Op::OpIEqual:
    case spv::Op::OpLogicalEqual:
      return a.bits == b.bits;
    case spv::Op::OpINotEqual:
    case spv::Op::OpLogicalNotEqual:
      return a.bits != b.bits;
    case spv::Op::OpUGreaterThan:
      return a.bits > b.bits;
    case spv::Op::OpUGreaterThanEqual:
      return a.bits >= b.bits;
    case spv::Op::OpULessThan:
      return a.bits < b.bits;
    case spv::Op::OpULessThanEqual:
      return a.bits <= b.bits;
    case spv::Op::OpSGreaterThan:
      return a.as_signed() > b.as_signed();
    case spv::Op::OpSGreaterThanEqual:
      return a.as_signed() >= b.as_signed();
    case spv::Op::OpSLessThan:
      return a.as_signed() < b.as_signed();
    case spv::Op::OpSLessThanEqual:
      return a.as_signed() <= b.as_signed();
    default:  // not needed for array lengths
      return std::nullopt;
  }
}

std::optional<uint64_t> fold_binary(spv::Op op, Typed a, Typed b) {
  switch (op) {
    case spv::Op::OpIAdd:
      return a.bits + b.bits;
    case spv::Op::OpISub:
      return a.bits - b.bits;
    case spv::Op::OpIMul:
      return a.bits * b.bits;
    case spv::Op::OpUDiv:
    case spv::Op::OpSDiv:
    case spv::Op::OpUMod:
    case spv::Op::OpSRem:
    case spv::Op::OpSMod:
      return fold_division(op, a, b);
    case spv::Op::OpShiftLeftLogical:
    case spv::Op::OpShiftRightLogical:
    case spv::Op::OpShiftRightArithmetic:
      return fold_shift(op, a, b);
    case spv::Op::OpBitwiseAnd:
    case spv::Op::OpLogicalAnd:
      return a.bits & b.bits;
    case spv::Op::OpBitwiseOr:
    case spv::Op::OpLogicalOr:
      return a.bits | b.bits;
    case spv::Op::OpBitwiseXor:
      return a.bits ^ b.bits;
    default:
      return fold_comparison(op, a, b);
  }
}

}  // namespace

std::optional<uint32_t> literal_value(const Module& module, uint32_t id) {
  const Instruction constant = module.definition(id);
  if (constant.op() == spv::Op::OpConstantNull) return 0;
  if (constant.op() != spv::Op::OpConstant) return std::nullopt;
  return constant.word(3);
}

Constants::Constants(const Module& module, const Annotations& annotations)
    : module_(&module), annotations_(&annotations) {
  // Operands come before their users, so one pass in module order folds chains of any length
  // without recursion.
  for (const Instruction instruction : module.declarations()) {
    if (instruction.op() != spv::Op::OpSpecConstantOp) continue;
    const auto typed = [&](uint32_t word) -> std::optional<Typed> {
      const uint32_t id = instruction.word(word);
      const auto bits = value(id);
      const uint32_t width = integer_width(module, module.definition(id).type_id());
      if (!bits || width == 0) return std::nullopt;
      return Typed{*bits, width};
    };
    const auto op = static_cast<spv::Op>(instruction.word(3));
    const auto a = typed(4);
    const auto b = typed(5);
    std::optional<uint64_t> result;
    if (op == spv::Op::OpSelect) {
      if (a) result = value(instruction.word(a->bits != 0 ? 5 : 6));
    } else if (a && instruction.length() == 5) {
      result = fold_unary(op, *a);
    } else if (a && b && instruction.length() == 6) {
      result = fold_binary(op, *a, *b);
    }
    const uint32_t width = integer_width(module, instruction.word(1));
    if (result && width != 0) folded_[instruction.word(2)] = truncate(*result, width);
  }
}

std::optional<uint64_t> Constants::value(uint32_t id) const {
  const Instruction constant = module_->definition(id);
  switch (constant.op()) {
    case spv::Op::OpConstantTrue:
    case spv::Op::OpSpecConstantTrue:
      return 1;
    case spv::Op::OpConstantFalse:
    case spv::Op::OpSpecConstantFalse:
      return 0;
    case spv::Op::OpConstantNull:
      if (integer_width(*module_, constant.word(1)) == 0) return std::nullopt;
      return 0;
    case spv::Op::OpConstant:
    case spv::Op::OpSpecConstant: {
      const uint32_t width = integer_width(*module_, constant.word(1));
      if (width == 0) return std::nullopt;
      return truncate(constant.word(3) | uint64_t{constant.word(4)} << 32, width);
    }
    case spv::Op::OpSpecConstantOp: {
      const auto found = folded_.find(id);
      if (found == folded_.end()) return std::nullopt;
      return found->second;
    }
    default:  // floating point, composites, sizes that only the device knows
      return std::nullopt;
  }
}

std::optional<std::vector<uint32_t>> Constants::spec_ids(uint32_t id) const {
  // Bounds the work for many arrays whose lengths hang on one long chain.
  constexpr size_t kMaxOperations = 4096;
  std::vector<uint32_t> result;
  std::unordered_set<uint32_t> seen = {id};
  std::vector<uint32_t> open = {id};
  while (!open.empty()) {
    const Instruction constant = module_->definition(open.back());
    if (const Annotation* specId = annotations_->find(open.back(), spv::Decoration::SpecId))
      result.push_back(annotations_->operand(*specId));
    open.pop_back();
    if (constant.op() != spv::Op::OpSpecConstantOp) continue;
    for (const uint32_t operand : constant.words_from(4))
      if (seen.insert(operand).second) open.push_back(operand);
    if (seen.size() > kMaxOperations) return std::nullopt;
  }
  std::ranges::sort(result);
  const auto repeated = std::ranges::unique(result);
  result.erase(repeated.begin(), repeated.end());
  return result;
}

}  // namespace heapsmith::spirv
