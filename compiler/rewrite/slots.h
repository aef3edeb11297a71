// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "rewrite/block_words.h"
#include "rewrite/context.h"
#include "rewrite/heaps.h"
#include "rewrite/indirect_words.h"
#include "rewrite/objects.h"
#include "rewrite/scattered_words.h"

namespace heapsmith::rewrite {

/// Which element of an object a pointer leads to, arrays of arrays flattened.
struct Element {
  uint32_t constant = 0;
  uint32_t dynamic = 0;  ///< id of a number to add to it; 0: none
};

/// The arithmetic of slots. Works through the module function by function: what holds for a whole
/// function is computed once, in its first block, which is before everything that may need it.
class Slots {
 public:
  Slots(const Context& context, const Objects& objects, Heaps& heaps, const Words& words);

  void enter(const spirv::Function& function);
  /// The id of the function that was entered.
  [[nodiscard]] uint32_t function() const { return function_->id; }
  /// Where to insert what the whole function may use: behind the variables of its first block.
  uint32_t entry_word();

  /// The slot that a parameter is handed.
  void set_parameter(const Object& parameter, Half half, uint32_t id);
  /// Where a pointer leads that is no object itself.
  void set_element(uint32_t pointer, Element element) { elements_[pointer] = element; }
  [[nodiscard]] Element element_of(uint32_t pointer) const;

  /// Reads the indices of an access chain as far as they pick descriptors. Emits what they add up
  /// to, before the chain.
  struct Walk {
    Element element;
    uint32_t type = 0;      ///< what is left: arrays, or the descriptor's type
    uint32_t nextWord = 0;  ///< of the chain: the first index into the descriptor's contents
  };
  [[nodiscard]] Walk walk(spirv::Instruction chain);
  /// Likewise of an OpCompositeExtract.
  [[nodiscard]] Walk walk_literals(spirv::Instruction extract);

  /// Emits, before the instruction at `word`, the slot of an element, counted from the heap's start
  /// in descriptors of its class: a 32-bit integer, which may be a signed one.
  uint32_t slot_of(const Object& object, Half half, Element element, uint32_t word);
  /// Likewise, of the type that parameters have.
  uint32_t argument_of(const Object& object, Half half, Element element, uint32_t word);

  /// Emits an operation on 32-bit numbers, before the instruction at `word`.
  uint32_t operation(uint32_t word, spv::Op op, uint32_t a, uint32_t b);
  /// Likewise, what makes an index one of those; it may stay a signed one.
  uint32_t as_uint(uint32_t word, uint32_t number);
  /// The words of an array whose elements have words of their own: an address, and which of the
  /// words behind it is the first.
  struct WordArray {
    uint32_t address = 0;
    Element first{};
  };
  /// What a parameter is handed of them.
  void set_parameter(const Object& parameter, Half half, WordArray words);
  /// What to hand on: `first` is one id, of the type that parameters have.
  struct WordArrayArgument {
    uint32_t address = 0;
    uint32_t first = 0;
  };
  WordArrayArgument word_array_of(const Object& object, Half half, Element element, uint32_t word);

 private:
  struct Base {
    uint32_t id = 0;
    uint32_t function = 0;  // in which it holds; 0: in all
  };
  using Halves = std::array<Base, 2>;
  /// Source and its offsets.
  using WordKey = std::tuple<InstanceSource, uint32_t, uint32_t, uint32_t>;
  /// What is taken of a word, and slots per instance.
  using InstanceKey = std::tuple<WordKey, WordPart, Specializable>;

  static WordKey key_of(const Location& location);
  WordArray words_of(const Object& object, Half half);
  uint32_t pushed_address(uint32_t pushOffset);
  uint32_t scattered_slot(const Object& object, Half half, Element element, uint32_t word);
  uint32_t load_slot(const Object& object, Half half, Element element, uint32_t word);
  uint32_t sum_of(Element a, Element b, uint32_t word);
  uint32_t to_argument(uint32_t number, uint32_t word);
  uint32_t base_of(const Object& object, Half half, const Location& location);
  uint32_t instance_start(const Location& location);
  uint32_t instance_word(const Location& location);
  uint32_t load_word(const Location& location);
  uint32_t part_of(uint32_t number, WordPart part);
  uint32_t add_element(uint32_t base, Element element, uint32_t word);
  void add_index(Element& element, uint32_t word, uint32_t index, uint32_t arrayType);
  void add_literal(Element& element, uint32_t word, uint32_t index, uint32_t arrayType);
  void add_steps(Element& element, uint32_t word, uint32_t number, uint32_t step,
                 const std::vector<uint32_t>& lengths);

  const Context& context_;
  const Objects& objects_;
  Heaps& heaps_;
  const Words& words_;
  const spirv::Function* function_ = nullptr;
  uint32_t entryWord_ = 0;
  std::vector<Halves> bases_;  // by object
  std::map<InstanceKey, Base> instanceStarts_;
  std::map<WordKey, Base> instanceWords_;
  IndirectWords indirectWords_;
  std::map<uint32_t, Base> pushedAddresses_;              // by offset
  std::vector<std::array<WordArray, 2>> parameterWords_;  // by object
  ScatteredWords scatteredWords_;
  std::unordered_map<uint32_t, Element> elements_;  // by pointer
};

}  // namespace heapsmith::rewrite
