// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "spirv/module.h"

namespace heapsmith::spirv {

/// Annotation::member of a decoration that is not a member's.
inline constexpr uint32_t kNoMember = 0xFFFFFFFFu;

/// One decoration of one id or of one member of it; decoration groups are already applied.
struct Annotation {
  spv::Decoration kind{};
  uint32_t member = kNoMember;
  uint32_t word = 0;  ///< index in the module of the decoration's first extra operand
  uint32_t end = 0;   ///< index of the word behind the last one
};

/// Names and decorations by id. Refers to the module, which must live longer.
class Annotations {
 public:
  /// Fails if decoration groups multiply to an absurd number of decorations.
  [[nodiscard]] static Diagnosed<Annotations> collect(const Module& module, const std::string& file,
                                                      Diagnostics& diagnostics);

  /// What OpName says; empty if nothing.
  [[nodiscard]] std::string name(uint32_t id) const;
  /// What OpMemberName says; empty if nothing.
  [[nodiscard]] std::string member_name(uint32_t id, uint32_t member) const;

  /// In module order, those of members included.
  [[nodiscard]] std::span<const Annotation> of(uint32_t id) const;
  /// The first of that kind on the id itself, or null.
  [[nodiscard]] const Annotation* find(uint32_t id, spv::Decoration kind) const;
  [[nodiscard]] bool has(uint32_t id, spv::Decoration kind) const {
    return find(id, kind) != nullptr;
  }

  /// Extra operand of a decoration; 0 if it has none.
  [[nodiscard]] uint32_t operand(const Annotation& annotation) const;
  [[nodiscard]] std::string text(const Annotation& annotation) const;

 private:
  explicit Annotations(const Module& module) : module_(&module) {}

  const Module* module_;
  std::vector<uint32_t> nameWords_;        // by id
  std::vector<uint32_t> memberNameWords_;  // by id, then member
  std::vector<uint32_t> firsts_;           // by id, and one more: ranges of all_
  std::vector<Annotation> all_;
};

}  // namespace heapsmith::spirv
