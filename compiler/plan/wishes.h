// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "base/diagnostics.h"
#include "plan/policy.h"
#include "reflect/program_interface.h"

namespace heapsmith::plan {

/// What a policy asks for, found by set, binding, name, type and program. Remembers which of its
/// entries were of use.
class Wishes {
 public:
  /// `policy` is borrowed.
  explicit Wishes(const Policy& policy);

  /// Of a set as one program sees it; without its bindings. Rules for programs match no empty name.
  [[nodiscard]] SetPolicy of_set(uint32_t set, std::string_view program);
  [[nodiscard]] BindingPolicy of_binding(const reflect::ProgramBinding& binding,
                                         std::string_view program);

  /// What form a binding is to have in one program: what is said of it, else what is said of its
  /// set.
  [[nodiscard]] std::optional<Form> form_of(const reflect::ProgramBinding& binding,
                                            std::string_view program);

  /// Warns of entries that matched nothing (PolicyUnused), and reports two that mean one binding
  /// (InvalidPolicy).
  void report(Diagnostics& diagnostics) const;

 private:
  struct SetUse {
    bool used = false;
    std::map<std::string_view, bool> bindings;  ///< keys of SetPolicy::bindings that matched
    std::map<std::string_view, std::string_view> doubled;
  };

  const Policy* policy_;
  std::map<uint32_t, SetUse> sets_;
  std::vector<bool> setRules_;
  std::vector<bool> bindingRules_;
};

/// Whether `text` is what `pattern` describes: '*' stands for any characters, '?' for one.
[[nodiscard]] bool matches(std::string_view pattern, std::string_view text);

}  // namespace heapsmith::plan
