// SPDX-License-Identifier: MIT
#include "reflect/constant_text.h"

#include <format>
#include <string_view>

#include "spirv/grammar.h"

namespace heapsmith::reflect {
namespace {

using spirv::Instruction;

constexpr uint32_t kMaxDepth = 16;
// Operands may be shared, so that a few instructions can make an expression of any length.
constexpr uint32_t kMaxParts = 64;

struct Operator {
  std::string_view symbol;
  uint32_t precedence = 0;  ///< as in C; 0: no operator
};
constexpr uint32_t kUnary = 11;

Operator binary_operator(spv::Op op) {
  switch (op) {
    case spv::Op::OpIMul:
      return {"*", 10};
    case spv::Op::OpUDiv:
    case spv::Op::OpSDiv:
      return {"/", 10};
    case spv::Op::OpUMod:
    case spv::Op::OpSMod:
    case spv::Op::OpSRem:
      return {"%", 10};
    case spv::Op::OpIAdd:
      return {"+", 9};
    case spv::Op::OpISub:
      return {"-", 9};
    case spv::Op::OpShiftLeftLogical:
      return {"<<", 8};
    case spv::Op::OpShiftRightLogical:
    case spv::Op::OpShiftRightArithmetic:
      return {">>", 8};
    case spv::Op::OpUGreaterThan:
    case spv::Op::OpSGreaterThan:
      return {">", 7};
    case spv::Op::OpUGreaterThanEqual:
    case spv::Op::OpSGreaterThanEqual:
      return {">=", 7};
    case spv::Op::OpULessThan:
    case spv::Op::OpSLessThan:
      return {"<", 7};
    case spv::Op::OpULessThanEqual:
    case spv::Op::OpSLessThanEqual:
      return {"<=", 7};
    case spv::Op::OpIEqual:
    case spv::Op::OpLogicalEqual:
      return {"==", 6};
    case spv::Op::OpINotEqual:
    case spv::Op::OpLogicalNotEqual:
      return {"!=", 6};
    case spv::Op::OpBitwiseAnd:
      return {"&", 5};
    case spv::Op::OpBitwiseXor:
      return {"^", 4};
    case spv::Op::OpBitwiseOr:
      return {"|", 3};
    case spv::Op::OpLogicalAnd:
      return {"&&", 2};
    case spv::Op::OpLogicalOr:
      return {"||", 1};
    default:  // has no sign
      return {};
  }
}

std::string_view unary_sign(spv::Op op) {
  switch (op) {
    case spv::Op::OpSNegate:
      return "-";
    case spv::Op::OpNot:
      return "~";
    case spv::Op::OpLogicalNot:
      return "!";
    default:  // is no sign
      return {};
  }
}

bool is_conversion(spv::Op op) {
  return op == spv::Op::OpUConvert || op == spv::Op::OpSConvert || op == spv::Op::OpBitcast ||
         op == spv::Op::OpCopyObject;
}

std::string_view descriptor_word(spv::Op type) {
  switch (type) {
    case spv::Op::OpTypeImage:
      return "image";
    case spv::Op::OpTypeSampler:
      return "sampler";
    case spv::Op::OpTypeBufferEXT:
      return "buffer";
    case spv::Op::OpTypeAccelerationStructureKHR:
      return "accelerationStructure";
    case spv::Op::OpTypeTensorARM:
      return "tensor";
    default:  // no descriptor
      return "unknown";
  }
}

struct Writer {
  const Context& context;
  uint32_t parts = 0;
  uint32_t depth = 0;
  std::string text = {};

  void write(uint32_t id, uint32_t precedence);

 private:
  void write_value(Instruction constant);
  void write_operation(Instruction constant, uint32_t precedence);
  void write_call(std::string_view name, Instruction constant);
};

/// `precedence`: operators that bind more loosely are put into parentheses.
void Writer::write(uint32_t id, uint32_t precedence) {
  const Instruction constant = context.module.definition(id);
  if (++parts > kMaxParts || depth == kMaxDepth) {
    text += "...";
    return;
  }
  ++depth;
  if (constant.op() == spv::Op::OpConstantSizeOfEXT)
    text += std::format("sizeOf({})",
                        descriptor_word(context.module.definition(constant.word(3)).op()));
  else if (constant.op() == spv::Op::OpSpecConstantOp)
    write_operation(constant, precedence);
  else
    write_value(constant);
  --depth;
}

void Writer::write_value(Instruction constant) {
  const uint32_t id = constant.word(2);
  if (const auto* specId = context.annotations.find(id, spv::Decoration::SpecId)) {
    const std::string name = context.annotations.name(id);
    text += name.empty() ? std::format("spec#{}", context.annotations.operand(*specId)) : name;
    return;
  }
  const auto value = context.constants.value(id);
  const Instruction type = context.module.definition(constant.word(1));
  const bool isNegative = value && type.op() == spv::Op::OpTypeInt && type.word(3) != 0 &&
                          type.word(2) <= 64 && type.word(2) != 0 &&
                          (*value >> (type.word(2) - 1)) != 0;
  if (!value) {
    text += "unknown";
  } else if (isNegative) {
    const uint32_t shift = 64 - type.word(2);
    text += std::to_string(static_cast<int64_t>(*value << shift) >> shift);
  } else {
    text += std::to_string(*value);
  }
}

void Writer::write_operation(Instruction constant, uint32_t precedence) {
  const auto op = static_cast<spv::Op>(constant.word(3));
  if (is_conversion(op)) return write(constant.word(4), precedence);
  if (const auto sign = unary_sign(op); !sign.empty()) {
    text += sign;
    return write(constant.word(4), kUnary);
  }
  if (const auto maximum = read_maximum(context, constant.word(2))) {
    text += "max(";
    write(maximum->first, 0);
    text += ", ";
    write(maximum->second, 0);
    text += ')';
    return;
  }
  const Operator infix = binary_operator(op);
  if (infix.precedence == 0) {
    const spirv::InstructionRule* rule = spirv::find_rule(constant.word(3));
    return write_call(op == spv::Op::OpSelect ? "select"
                      : rule == nullptr       ? "unknown"
                                              : rule->name,
                      constant);
  }
  const bool enclosed = infix.precedence < precedence;
  if (enclosed) text += '(';
  write(constant.word(4), infix.precedence);
  text += std::format(" {} ", infix.symbol);
  write(constant.word(5), infix.precedence + 1);
  if (enclosed) text += ')';
}

void Writer::write_call(std::string_view name, Instruction constant) {
  text += name;
  text += '(';
  for (uint32_t word = 4; word < constant.length() && parts <= kMaxParts; ++word) {
    if (word != 4) text += ", ";
    write(constant.word(word), 0);
  }
  text += ')';
}

}  // namespace

std::string constant_text(const Context& context, uint32_t id) {
  Writer writer{.context = context};
  writer.write(id, 0);
  return std::move(writer.text);
}

std::optional<std::pair<uint32_t, uint32_t>> read_maximum(const Context& context, uint32_t id) {
  const Instruction select = context.module.definition(id);
  const Instruction test = context.module.definition(select.word(4));
  if (select.op() != spv::Op::OpSpecConstantOp || test.op() != spv::Op::OpSpecConstantOp ||
      static_cast<spv::Op>(select.word(3)) != spv::Op::OpSelect)
    return std::nullopt;
  const std::string_view symbol = binary_operator(static_cast<spv::Op>(test.word(3))).symbol;
  const uint32_t chosen = select.word(5);
  const uint32_t other = select.word(6);
  const bool inOrder = test.word(4) == chosen && test.word(5) == other;
  const bool swapped = test.word(4) == other && test.word(5) == chosen;
  const bool largerIsFirst = symbol == ">" || symbol == ">=";
  const bool largerIsSecond = symbol == "<" || symbol == "<=";
  if ((inOrder && largerIsFirst) || (swapped && largerIsSecond)) return std::pair(chosen, other);
  return std::nullopt;
}

}  // namespace heapsmith::reflect
