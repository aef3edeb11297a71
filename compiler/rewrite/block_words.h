// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "rewrite/context.h"
#include "rewrite/functions.h"
#include "rewrite/objects.h"
#include "rewrite/word_needs.h"

namespace heapsmith::rewrite {

/// 32-bit words that shaders find in push data or in their shader record: as members of the block
/// that an entry point has there already, which grows, or of a new one. Their offsets say where
/// they lie, whatever their order.
///
/// An entry point may use one such block only. Functions that entry points with different ones
/// share are handed the words in variables that the entry points fill:
///
///   %word = OpVariable %toPrivate Private
///
///   %p = OpAccessChain %toUint %block %member        ; in the entry point
///   %v = OpLoad %uint %p
///        OpStore %word %v
class BlockWords {
 public:
  /// `storage`: PushConstant or ShaderRecordBufferKHR.
  explicit BlockWords(spv::StorageClass storage) : storage_(storage) {}

  /// Finds out which blocks get members, for every word that a function needs.
  [[nodiscard]] Diagnosed<void> plan(const Context& context, const Objects& objects);
  /// The word in front of which 32-bit numbers must be declared for the blocks that grow.
  [[nodiscard]] std::optional<uint32_t> first_growing_word(const Context& context) const;
  [[nodiscard]] Diagnosed<void> declare(const Context& context);

  /// Emits a load of the word at that offset, before the instruction at `word`.
  [[nodiscard]] uint32_t load(const Context& context, uint32_t word, uint32_t offset) const;
  /// The variables that an entry point reaches words through, by index of its OpEntryPoint.
  [[nodiscard]] std::vector<uint32_t> interface_of(size_t entryPoint) const;

 private:
  using Members = std::map<uint32_t, uint32_t>;  // by offset
  struct Block {
    uint32_t variable = 0;                    // 0: a new one
    uint32_t structure = 0;                   // that it holds, in the module
    uint32_t grown = 0;                       // that it holds then: with the words as members
    bool isWhole = false;                     // whether more than pointers know the structure
    const reflect::Resource* need = nullptr;  // the first
    std::set<uint32_t> offsets = {};
    Members members = {};
  };

  Diagnosed<void> plan_tree(const Context& context, const Objects& objects, const CallTree& tree,
                            std::span<const uint32_t> variables);
  void plan_functions();
  Diagnosed<void> grow(const Context& context, const Block& grown);
  void make(const Context& context, Block& block) const;
  void describe_members(const Context& context, uint32_t structure, const Members& members) const;
  void fill_private_words(const Context& context);
  [[nodiscard]] std::set<uint32_t> private_words_of(const CallTree& tree) const;
  uint32_t load_member(const Context& context, const Block& block, uint32_t word,
                       uint32_t offset) const;

  spv::StorageClass storage_;
  std::vector<WordNeeds> needs_;                         // by function
  std::vector<CallTree> trees_;                          // by entry point
  std::vector<std::optional<uint32_t>> treeBlocks_;      // by entry point: index in blocks_
  std::vector<std::optional<uint32_t>> functionBlocks_;  // nothing: by private variables
  std::vector<Block> blocks_;
  Members privates_;  // variables
};

/// Both kinds.
struct Words {
  BlockWords push{spv::StorageClass::PushConstant};
  BlockWords record{spv::StorageClass::ShaderRecordBufferKHR};

  [[nodiscard]] static Diagnosed<Words> declare(const Context& context, const Objects& objects);
};

}  // namespace heapsmith::rewrite
