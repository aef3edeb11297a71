// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <spirv/unified1/spirv.hpp11>
#include <string>
#include <vector>

namespace heapsmith::spirv {

/// The largest id bound of the SPIR-V specification's universal limits. Arrays by id are never
/// longer.
inline constexpr uint32_t kMaxBound = 4'194'303 + 1;
inline constexpr uint32_t kHeaderWords = 5;
inline constexpr uint32_t kMagic = 0x07230203;

/// The string that those words hold, up to its terminating zero, whatever the host's byte order.
[[nodiscard]] std::string string_literal(std::span<const uint32_t> words);

/// A view of one instruction's words. Words past its end read as 0, which is never an id, so that
/// code which only looks for something needs no length checks. A default one is an OpNop.
class Instruction {
 public:
  Instruction() = default;
  explicit Instruction(const uint32_t* words) : words_(words) {}

  [[nodiscard]] spv::Op op() const { return static_cast<spv::Op>(words_[0] & 0xFFFFu); }
  [[nodiscard]] uint32_t length() const { return words_[0] >> 16; }
  [[nodiscard]] uint32_t word(uint32_t index) const { return index < length() ? words_[index] : 0; }
  [[nodiscard]] std::span<const uint32_t> words() const { return {words_, length()}; }
  /// The words from `index` on; empty past the end.
  [[nodiscard]] std::span<const uint32_t> words_from(uint32_t index) const {
    return index < length() ? words().subspan(index) : std::span<const uint32_t>();
  }

  [[nodiscard]] uint32_t type_id() const;    ///< 0: has none
  [[nodiscard]] uint32_t result_id() const;  ///< 0: has none
  [[nodiscard]] std::string string(uint32_t index) const {
    return string_literal(words_from(index));
  }

 private:
  static constexpr uint32_t kNop[1] = {1u << 16};
  const uint32_t* words_ = kNop;
};

class InstructionIterator {
 public:
  using value_type = Instruction;
  using difference_type = std::ptrdiff_t;

  InstructionIterator() = default;
  explicit InstructionIterator(const uint32_t* words) : words_(words) {}
  Instruction operator*() const { return Instruction(words_); }
  InstructionIterator& operator++() {
    words_ += words_[0] >> 16;
    return *this;
  }
  InstructionIterator operator++(int) {
    InstructionIterator old = *this;
    ++*this;
    return old;
  }
  bool operator==(const InstructionIterator&) const = default;

 private:
  const uint32_t* words_ = nullptr;
};

class InstructionRange {
 public:
  InstructionRange(const uint32_t* begin, const uint32_t* end) : begin_(begin), end_(end) {}
  [[nodiscard]] InstructionIterator begin() const { return InstructionIterator(begin_); }
  [[nodiscard]] InstructionIterator end() const { return InstructionIterator(end_); }

 private:
  const uint32_t* begin_;
  const uint32_t* end_;
};

/// One function: the words from its OpFunction to its OpFunctionEnd, both included.
struct Function {
  uint32_t id = 0;
  uint32_t beginWord = 0;
  uint32_t endWord = 0;
  uint32_t firstParameter = 0;  ///< into Module::parameters()
  uint32_t parameterCount = 0;
};

/// A SPIR-V module whose form was checked by parse_module: every instruction's operands are
/// complete, every id is in 1..bound-1 and defined at most once, types refer to types and to
/// earlier ones (but through pointers). Ids may still be undefined, and operands of the wrong kind:
/// what a valid module cannot hold, spirv-val finds.
class Module {
 public:
  [[nodiscard]] std::span<const uint32_t> words() const { return words_; }
  [[nodiscard]] uint32_t version() const { return words_[1]; }
  [[nodiscard]] uint32_t bound() const { return words_[3]; }

  [[nodiscard]] Instruction at(uint32_t word) const { return Instruction(words_.data() + word); }
  /// Index of an instruction's first word.
  [[nodiscard]] uint32_t word_index(Instruction instruction) const {
    return static_cast<uint32_t>(instruction.words().data() - words_.data());
  }
  /// Index of the first word of the instruction that defines an id; 0: nothing defines it.
  [[nodiscard]] uint32_t definition_word(uint32_t id) const {
    return id < definitions_.size() ? definitions_[id] : 0;
  }
  /// The instruction that defines an id; an OpNop where nothing does.
  [[nodiscard]] Instruction definition(uint32_t id) const {
    const uint32_t word = definition_word(id);
    return word == 0 ? Instruction() : at(word);
  }

  [[nodiscard]] InstructionRange instructions() const { return range(kHeaderWords, end_word()); }
  /// All that stands before the first function.
  [[nodiscard]] InstructionRange declarations() const {
    return range(kHeaderWords, functionsWord_);
  }
  /// Index of the word behind the last declaration.
  [[nodiscard]] uint32_t functions_word() const { return functionsWord_; }
  [[nodiscard]] InstructionRange body(const Function& function) const {
    return range(function.beginWord, function.endWord);
  }
  [[nodiscard]] std::span<const Function> functions() const { return functions_; }
  [[nodiscard]] std::span<const uint32_t> parameters(const Function& function) const {
    return std::span(parameters_).subspan(function.firstParameter, function.parameterCount);
  }

  /// Words that a TypedLiteral of this OpConstant, OpSpecConstant or OpSwitch has; 0 if its type is
  /// no number.
  [[nodiscard]] uint32_t literal_words(Instruction instruction) const;
  /// Whether it is an extended instruction whose operands may be literals, which look like ids.
  [[nodiscard]] bool has_literal_operands(Instruction instruction) const {
    return !literalSets_.empty() && is_of_literal_set(instruction);
  }

 private:
  friend class Parser;

  [[nodiscard]] bool is_of_literal_set(Instruction instruction) const;
  [[nodiscard]] uint32_t end_word() const { return static_cast<uint32_t>(words_.size()); }
  [[nodiscard]] InstructionRange range(uint32_t begin, uint32_t end) const {
    return {words_.data() + begin, words_.data() + end};
  }

  std::vector<uint32_t> words_;
  std::vector<uint32_t> definitions_;  // by id
  std::vector<Function> functions_;
  std::vector<uint32_t> parameters_;  // ids
  std::vector<uint32_t> literalSets_;
  uint32_t functionsWord_ = 0;
};

}  // namespace heapsmith::spirv
