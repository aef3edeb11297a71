// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <spirv/unified1/spirv.hpp11>
#include <string_view>

/// What the words of every SPIR-V instruction mean. The tables are generated at build time from the
/// grammar that the SPIRV-Headers package ships (generate_grammar.cpp).
namespace heapsmith::spirv {

enum class OperandKind : uint8_t {
  ResultType,
  Result,
  Id,
  Literal,        ///< one word; also an enumerant without parameters
  String,         ///< words up to and including the one that holds the terminating zero
  TypedLiteral,   ///< as many words as the type needs that the instruction names elsewhere
  SpecOpcode,     ///< the opcode of OpSpecConstantOp; that opcode's operands follow
  Enumerant,      ///< one word, and the parameters of the value or of each bit of it
  LiteralIdPair,  ///< a TypedLiteral and an id
  IdLiteralPair,
  IdIdPair,
};

enum class Quantifier : uint8_t { One, Optional, Any };

struct OperandRule {
  OperandKind kind{};
  Quantifier quantifier{};
  uint8_t enumeration = 0;  ///< index of the EnumerationRule, for Enumerant
};

struct EnumerantRule {
  uint32_t value = 0;
  uint16_t firstParameter = 0;
  uint16_t parameterCount = 0;
  bool plain = false;  ///< each parameter is exactly one word that is no id
};

/// An enumeration of which at least one value has parameters.
struct EnumerationRule {
  std::string_view name;
  bool isMask = false;
  uint32_t knownBits = 0;  ///< for masks
  uint16_t firstEnumerant = 0;
  uint16_t enumerantCount = 0;  ///< ascending by value
};

/// What follows the leading words of an instruction; from Enumerant on that depends on a value.
enum class Tail : uint8_t {
  Nothing,
  Ids,
  IdPairs,
  Literals,
  TypedLiteral,  ///< and nothing behind it
  String,        ///< likewise
  Enumerant,     ///< one value, and its parameters
  Mask,          ///< bits, and their parameters
  Complex,
};

struct InstructionRule {
  std::string_view name;
  uint16_t opcode = 0;
  uint16_t firstOperand = 0;
  uint8_t operandCount = 0;
  bool hasType = false;
  bool hasResult = false;
  bool declares = false;  ///< types, constants, annotations and the like: never inside a function
  bool isType = false;
  bool special =
      false;  ///< of those few that the parser remembers: functions, their parameters, imports
  /// The short cut past an operand-by-operand walk: `leadingWords` words, the opcode's included,
  /// are one-word operands of which `idMask` tells the ids (bit i: word i).
  Tail tail{};
  uint8_t minWords = 1;
  uint8_t leadingWords = 1;
  uint32_t idMask = 0;
  uint32_t plainBits = 0;  ///< of a mask: the bits that have no parameters
};

/// The tables, here so that the look-ups can be inlined. Row of an opcode plus one; 0: unknown.
extern const InstructionRule kInstructionRules[];
extern const uint16_t kRowOfOpcode[];
extern const uint32_t kOpcodeCount;

/// Null for an opcode that the grammar does not know.
[[nodiscard]] inline const InstructionRule* find_rule(uint32_t opcode) noexcept {
  const uint16_t row = opcode < kOpcodeCount ? kRowOfOpcode[opcode] : uint16_t{0};
  return row == 0 ? nullptr : &kInstructionRules[row - 1];
}

/// The rule of an opcode that occurs in a parsed module.
[[nodiscard]] inline const InstructionRule& get_rule(spv::Op op) noexcept {
  return kInstructionRules[kRowOfOpcode[static_cast<uint32_t>(op)] - 1];
}

[[nodiscard]] std::span<const OperandRule> operand_rules(const InstructionRule& rule) noexcept;
[[nodiscard]] std::span<const OperandRule> parameter_rules(const EnumerantRule& enumerant) noexcept;
[[nodiscard]] const EnumerationRule& enumeration_rule(uint8_t enumeration) noexcept;

/// Null for a value (of a mask: a single bit) that the grammar does not know.
[[nodiscard]] const EnumerantRule* find_enumerant(const EnumerationRule& enumeration,
                                                  uint32_t value) noexcept;

/// "Shader"; empty for a capability that the grammar does not know.
[[nodiscard]] std::string_view capability_name(uint32_t value) noexcept;
/// "Rgba8"; empty for an image format that the grammar does not know.
[[nodiscard]] std::string_view image_format_name(uint32_t value) noexcept;
/// "LocalSize"; empty for an execution mode that the grammar does not know.
[[nodiscard]] std::string_view execution_mode_name(uint32_t value) noexcept;
/// "Position"; empty for a built-in that the grammar does not know.
[[nodiscard]] std::string_view built_in_name(uint32_t value) noexcept;

}  // namespace heapsmith::spirv
