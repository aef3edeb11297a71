// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>
#include <vector>

#include "spirv/module.h"

/// How modules are changed here: the parsed words are never touched. An edit says "instead of the
/// words [begin, end) come these", all new words lie in one vector, and write() sorts the edits and
/// copies what lies between them as ranges. So
/// - what nobody edited comes out bit by bit, in its place, with its lines and debug scopes;
/// - a view of an instruction stays good while the module is edited, and facts that were found
///   before stay true of it;
/// - the cost grows with the edits, and an instruction that stays costs no more than its copy.
/// A tree or list of instruction objects (the other design) would pay for every instruction of the
/// module twice, to build it and to write it, where a rewrite changes a few of a hundred.
///
/// The price: no edit sees another one. Transformations read the module as it was.
namespace heapsmith::spirv {

/// The words of an instruction behind its first one.
class Operands {
 public:
  Operands(std::initializer_list<uint32_t> words) : words_(words.begin(), words.size()) {}
  Operands(std::span<const uint32_t> words) : words_(words) {}
  Operands(const std::vector<uint32_t>& words) : words_(words) {}
  [[nodiscard]] std::span<const uint32_t> words() const { return words_; }

 private:
  std::span<const uint32_t> words_;
};

/// An enumerant as an operand.
[[nodiscard]] constexpr uint32_t word_of(auto enumerant) {
  return static_cast<uint32_t>(enumerant);
}

/// Parts of the logical layout of a module to which instructions can be appended.
enum class Section : uint8_t { Capabilities, Extensions, Names, Annotations, Declarations };
inline constexpr size_t kSectionCount = 5;

enum class EditKind : uint8_t { Instructions, Id, Literal };

/// Instead of the module's words [begin, end) come [firstAdded, endAdded) of the new ones.
struct Edit {
  EditKind kind{};  ///< Id, Literal: one operand; else whole instructions, or none to insert
  uint32_t begin = 0;
  uint32_t end = 0;
  uint32_t firstAdded = 0;
  uint32_t endAdded = 0;
};

/// Collects edits of a module, which must live longer.
class Editor {
 public:
  explicit Editor(const Module& module) : module_(module), bound_(module.bound()) {}

  [[nodiscard]] const Module& module() const { return module_; }
  [[nodiscard]] uint32_t new_id() { return bound_++; }
  /// To at least that version, written as in the header: 0x00010300.
  void raise_version(uint32_t version);

  /// Before the instruction at that word, behind what was inserted there already, and behind the
  /// OpLine that is in force there: so new instructions belong to the line of those they serve.
  void insert(uint32_t word, spv::Op op, Operands operands);
  void replace(Instruction instruction, spv::Op op, Operands operands);
  void replace_id(uint32_t word, uint32_t id) { replace_operand(EditKind::Id, word, id); }
  void replace_literal(uint32_t word, uint32_t value) {
    replace_operand(EditKind::Literal, word, value);
  }
  /// May be called twice, and for an instruction whose operands were replaced.
  void remove(Instruction instruction);
  /// At the end of a section.
  void append(Section section, spv::Op op, Operands operands);

  /// False if there are too many ids, or an instruction has more words than any can have: then the
  /// words that write() gives are no module.
  [[nodiscard]] bool fits() const;
  [[nodiscard]] std::vector<uint32_t> write() const;

  [[nodiscard]] uint32_t version() const;
  [[nodiscard]] uint32_t bound() const { return bound_; }
  /// By place, insertions first, without those inside an instruction that is no longer there.
  [[nodiscard]] std::vector<Edit> edits() const;
  [[nodiscard]] std::span<const uint32_t> added(const Edit& edit) const {
    return std::span(added_).subspan(edit.firstAdded, edit.endAdded - edit.firstAdded);
  }
  [[nodiscard]] std::span<const uint32_t> appended(Section section) const {
    return sections_[static_cast<size_t>(section)];
  }

 private:
  void add_words(std::vector<uint32_t>& words, spv::Op op, Operands operands);
  void replace_operand(EditKind kind, uint32_t word, uint32_t value);

  const Module& module_;
  uint32_t bound_;
  uint32_t leastVersion_ = 0;
  bool tooLong_ = false;
  std::vector<Edit> edits_;
  std::vector<uint32_t> added_;
  std::array<std::vector<uint32_t>, kSectionCount> sections_;
};

/// A string as operand words, its terminating zero included.
[[nodiscard]] std::vector<uint32_t> string_words(std::string_view text);

}  // namespace heapsmith::spirv
