// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>

#include "rewrite/context.h"
#include "rewrite/objects.h"

namespace heapsmith::rewrite {

/// Words of push data that pick instances or are halves of addresses, as members of the shader's
/// push-constant block: of its own one, which grows, or of a new one. Their offsets say where they
/// lie, whatever their order.
class PushWords {
 public:
  /// Adds a member for every word that a variable of `objects` needs, if it is used.
  [[nodiscard]] static Diagnosed<PushWords> declare(const Context& context, const Objects& objects);

  /// Emits a load of the word at that offset, before the instruction at `word`.
  uint32_t load(const Context& context, uint32_t word, uint32_t offset) const;

  /// The block's variable; 0 if no word is needed.
  [[nodiscard]] uint32_t variable() const { return variable_; }

 private:
  Diagnosed<void> grow(const Context& context, const Objects& objects, spirv::Instruction variable,
                       const reflect::Resource& user);
  void make(const Context& context);
  void describe_members(const Context& context, uint32_t block, uint32_t firstMember) const;

  std::map<uint32_t, uint32_t> members_;  // by offset
  uint32_t variable_ = 0;
};

}  // namespace heapsmith::rewrite
