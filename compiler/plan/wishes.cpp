// SPDX-License-Identifier: MIT
#include "plan/wishes.h"

#include <algorithm>
#include <format>
#include <string>

namespace heapsmith::plan {
namespace {

template <typename T>
void overlay(std::optional<T>& base, const std::optional<T>& over) {
  if (over) base = over;
}

void overlay(BindingPolicy& base, const BindingPolicy& over) {
  overlay(base.name, over.name);
  overlay(base.capacity, over.capacity);
  overlay(base.residence, over.residence);
  overlay(base.frequency, over.frequency);
  overlay(base.instances, over.instances);
  overlay(base.legacyType, over.legacyType);
  overlay(base.form, over.form);
  overlay(base.embed, over.embed);
  if (!over.immutableSamplers.empty()) base.immutableSamplers = over.immutableSamplers;
}

void overlay(SetPolicy& base, const SetPolicy& over) {
  overlay(base.residence, over.residence);
  overlay(base.frequency, over.frequency);
  overlay(base.instances, over.instances);
  overlay(base.samplerInstances, over.samplerInstances);
  overlay(base.packedIndex, over.packedIndex);
  overlay(base.indirectBlock, over.indirectBlock);
  overlay(base.table, over.table);
  overlay(base.form, over.form);
  overlay(base.shared, over.shared);
}

bool matches_program(const Match& match, std::string_view program) {
  return !match.program || (!program.empty() && matches(*match.program, program));
}

bool matches_binding(const Match& match, const reflect::ProgramBinding& binding) {
  if (match.set && *match.set != binding.set) return false;
  if (match.binding && *match.binding != binding.binding) return false;
  if (match.type && *match.type != binding.type) return false;
  if (!match.name) return true;
  return std::ranges::any_of(binding.views, [&](const reflect::BindingView& view) {
    return matches(*match.name, view.name) ||
           (!view.blockName.empty() && matches(*match.name, view.blockName));
  });
}

template <typename Wish>
void report_rules(const std::string& file, const std::vector<Rule<Wish>>& rules,
                  const std::vector<bool>& used, Diagnostics& diagnostics) {
  for (size_t i = 0; i < rules.size(); ++i) {
    if (used[i]) continue;
    diagnostics.warning(Code::PolicyUnused, {.file = file, .line = rules[i].line},
                        "this rule matches nothing that the shaders declare");
  }
}

}  // namespace

bool matches(std::string_view pattern, std::string_view text) {
  // Where the last '*' stands, and what it was tried to stand for.
  size_t star = std::string_view::npos;
  size_t retry = 0;
  size_t p = 0;
  for (size_t t = 0; t < text.size();) {
    if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t]) && pattern[p] != '*') {
      ++p;
      ++t;
    } else if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      retry = t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++retry;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*')
    ++p;
  return p == pattern.size();
}

Wishes::Wishes(const Policy& policy)
    : policy_(&policy),
      setRules_(policy.setRules.size()),
      bindingRules_(policy.bindingRules.size()) {}

SetPolicy Wishes::of_set(uint32_t set, std::string_view program) {
  SetPolicy wish;
  for (size_t i = 0; i < policy_->setRules.size(); ++i) {
    const auto& rule = policy_->setRules[i];
    if (rule.match.set && *rule.match.set != set) continue;
    if (!matches_program(rule.match, program)) continue;
    setRules_[i] = true;
    overlay(wish, rule.wish);
  }
  const auto found = policy_->sets.find(set);
  if (found == policy_->sets.end()) return wish;
  sets_[set].used = true;
  overlay(wish, found->second);
  return wish;
}

BindingPolicy Wishes::of_binding(const reflect::ProgramBinding& binding, std::string_view program) {
  BindingPolicy wish;
  for (size_t i = 0; i < policy_->bindingRules.size(); ++i) {
    const auto& rule = policy_->bindingRules[i];
    if (!matches_binding(rule.match, binding) || !matches_program(rule.match, program)) continue;
    bindingRules_[i] = true;
    overlay(wish, rule.wish);
  }
  const auto set = policy_->sets.find(binding.set);
  if (set == policy_->sets.end()) return wish;
  SetUse& use = sets_[binding.set];
  std::vector<std::string_view> keys;
  const auto add = [&](const std::string& key) {
    const auto found = set->second.bindings.find(key);
    if (found == set->second.bindings.end()) return;
    if (std::ranges::contains(keys, std::string_view(found->first))) return;
    keys.push_back(found->first);
    use.bindings[found->first] = true;
    overlay(wish, found->second);
  };
  add(std::to_string(binding.binding));
  for (const reflect::BindingView& view : binding.views)
    add(view.name);
  if (keys.size() > 1) use.doubled.emplace(keys[0], keys[1]);
  return wish;
}

/// Only rules that say a form are of use here.
std::optional<Form> Wishes::form_of(const reflect::ProgramBinding& binding,
                                    std::string_view program) {
  std::optional<Form> form;
  for (size_t i = 0; i < policy_->setRules.size(); ++i) {
    const auto& [match, wish, line] = policy_->setRules[i];
    const bool isMatch =
        wish.form && (!match.set || *match.set == binding.set) && matches_program(match, program);
    if (!isMatch) continue;
    setRules_[i] = true;
    form = wish.form;
  }
  const auto set = policy_->sets.find(binding.set);
  if (set != policy_->sets.end()) overlay(form, set->second.form);
  for (size_t i = 0; i < policy_->bindingRules.size(); ++i) {
    const auto& [match, wish, line] = policy_->bindingRules[i];
    const bool isMatch =
        wish.form && matches_binding(match, binding) && matches_program(match, program);
    if (!isMatch) continue;
    bindingRules_[i] = true;
    form = wish.form;
  }
  if (set == policy_->sets.end()) return form;
  const auto add = [&](const std::string& key) {
    const auto found = set->second.bindings.find(key);
    if (found != set->second.bindings.end()) overlay(form, found->second.form);
  };
  add(std::to_string(binding.binding));
  for (const reflect::BindingView& view : binding.views)
    add(view.name);
  return form;
}

void Wishes::report(Diagnostics& diagnostics) const {
  for (const auto& [set, policy] : policy_->sets) {
    const auto use = sets_.find(set);
    if (use == sets_.end()) {
      diagnostics.warning(Code::PolicyUnused, {.file = policy_->file, .set = set},
                          std::format("no shader declares anything in set {}", set));
      continue;
    }
    for (const auto& [first, second] : use->second.doubled) {
      diagnostics.error(
          Code::InvalidPolicy, {.file = policy_->file, .set = set},
          std::format("'{}' and '{}' of set {} are the same binding", first, second, set));
    }
    for (const auto& [key, binding] : policy.bindings) {
      if (use->second.bindings.contains(key)) continue;
      diagnostics.warning(Code::PolicyUnused, {.file = policy_->file, .set = set},
                          std::format("no shader declares binding '{}' in set {}", key, set));
    }
  }
  report_rules(policy_->file, policy_->setRules, setRules_, diagnostics);
  report_rules(policy_->file, policy_->bindingRules, bindingRules_, diagnostics);
}

}  // namespace heapsmith::plan
