// SPDX-License-Identifier: MIT
#include "plan/plan_heaps.h"

#include <algorithm>
#include <format>
#include <limits>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "base/check.h"
#include "plan/unite_tables.h"

namespace heapsmith::plan {
namespace {

using reflect::ProgramBinding;

class State {
 public:
  State(std::span<const NamedProgram> programs, const Policy& policy, Diagnostics& diagnostics)
      : programs_(programs), policy_(policy), diagnostics_(diagnostics) {}

  Diagnosed<HeapPlan> run() {
    const size_t before = diagnostics_.all().size();
    for (uint32_t p = 0; p < programs_.size(); ++p)
      collect_sets(p);
    for (auto& [set, tables] : tables_of_set_)
      name_tables(set, tables);
    check_policy_is_used();
    for (size_t i = before; i < diagnostics_.all().size(); ++i) {
      if (diagnostics_.all()[i].severity == Severity::Error) return diagnostics_.failed();
    }
    return assemble();
  }

 private:
  // A table on its way: its bindings, and the programs that use it.
  struct Draft {
    std::string name;
    std::vector<ProgramBinding> bindings;
    std::vector<uint32_t> programs;
  };

  const SetPolicy& set_policy(uint32_t set) const {
    static const SetPolicy kDefault;
    const auto found = policy_.sets.find(set);
    return found == policy_.sets.end() ? kDefault : found->second;
  }

  // Files each set of a program under the first draft that it fits.
  void collect_sets(uint32_t program) {
    std::map<uint32_t, std::vector<ProgramBinding>> sets;
    for (const ProgramBinding& binding : programs_[program].interface.bindings) {
      sets[binding.set].push_back(binding);
    }
    for (auto& [set, bindings] : sets)
      add_to_drafts(program, set, std::move(bindings));
  }

  void add_to_drafts(uint32_t program, uint32_t set, std::vector<ProgramBinding> bindings) {
    std::vector<Draft>& drafts = tables_of_set_[set];
    if (set_policy(set).shared) {
      if (drafts.empty()) drafts.emplace_back();
      if (unite(drafts[0].bindings, bindings, diagnostics_)) drafts[0].programs.push_back(program);
      return;
    }
    const auto [found, is_new] = draft_of_shape_[set].emplace(shape_of(bindings), drafts.size());
    if (is_new) {
      drafts.push_back({.name = {}, .bindings = std::move(bindings), .programs = {program}});
    } else {
      unite_uses(drafts[found->second].bindings, bindings);
      drafts[found->second].programs.push_back(program);
    }
  }

  // "set0", or the policy's name; where a set has several shapes, each is told apart by its first
  // program.
  void name_tables(uint32_t set, std::vector<Draft>& drafts) {
    const std::string base = set_policy(set).table.value_or(std::format("set{}", set));
    for (Draft& draft : drafts) {
      draft.name = drafts.size() == 1
                       ? base
                       : std::format("{}_{}", base, programs_[draft.programs.front()].name);
      if (!table_names_.insert(draft.name).second) {
        diagnostics_.error(Code::DuplicateName, {.file = policy_.file, .set = set},
                           std::format("two tables would be named '{}'; give them names in the "
                                       "policy",
                                       draft.name));
      }
    }
    std::ranges::sort(drafts, {}, &Draft::name);
  }

  void check_policy_is_used() {
    for (const auto& [set, set_policy] : policy_.sets) {
      const auto found = tables_of_set_.find(set);
      if (found == tables_of_set_.end()) {
        diagnostics_.warning(Code::PolicyUnused, {.file = policy_.file, .set = set},
                             std::format("no shader declares anything in set {}", set));
        continue;
      }
      check_binding_policies(set, set_policy.bindings, found->second);
    }
  }

  using Wishes = std::map<std::string, BindingPolicy>;

  // The entries that mean this binding: by its number, or by the name of one of its views.
  static std::vector<Wishes::const_iterator> find_wishes(const Wishes& wishes,
                                                         const ProgramBinding& binding) {
    std::vector<Wishes::const_iterator> found;
    if (wishes.empty()) return found;
    const auto add = [&](const std::string& key) {
      const auto wish = wishes.find(key);
      if (wish != wishes.end() && !std::ranges::contains(found, wish)) found.push_back(wish);
    };
    add(std::to_string(binding.binding));
    for (const reflect::BindingView& view : binding.views)
      add(view.name);
    return found;
  }

  void check_binding_policies(uint32_t set, const Wishes& wishes,
                              const std::vector<Draft>& drafts) {
    std::set<std::string_view> matched;
    std::set<std::pair<std::string_view, std::string_view>> doubled;
    for (const Draft& draft : drafts) {
      for (const ProgramBinding& binding : draft.bindings) {
        const auto found = find_wishes(wishes, binding);
        for (const auto& wish : found) {
          matched.insert(wish->first);
          if (wish->second.capacity) check_capacity(binding, *wish->second.capacity);
        }
        if (found.size() < 2 || !doubled.emplace(found[0]->first, found[1]->first).second) continue;
        diagnostics_.error(Code::InvalidPolicy, {.file = policy_.file, .set = set},
                           std::format("'{}' and '{}' of set {} are the same binding",
                                       found[0]->first, found[1]->first, set));
      }
    }
    for (const auto& [key, wish] : wishes) {
      if (matched.contains(key)) continue;
      diagnostics_.warning(Code::PolicyUnused, {.file = policy_.file, .set = set},
                           std::format("no shader declares binding '{}' in set {}", key, set));
    }
  }

  void check_capacity(const ProgramBinding& binding, uint32_t capacity) {
    const Place place = {.file = policy_.file,
                         .resource = binding.name,
                         .set = binding.set,
                         .binding = binding.binding};
    if (binding.arrayKind == ArrayKind::None || binding.arrayKind == ArrayKind::Fixed) {
      diagnostics_.error(Code::InvalidPolicy, place,
                         std::format("'{}' has a fixed number of elements; only a runtime- or "
                                     "specialization-sized array takes a capacity",
                                     binding.name));
    } else if (binding.arrayKind == ArrayKind::Runtime && capacity < binding.count) {
      diagnostics_.error(Code::InvalidPolicy, place,
                         std::format("capacity {} is less than the {} elements that a shader "
                                     "declares",
                                     capacity, binding.count));
    }
  }

  const BindingPolicy& binding_policy(const ProgramBinding& binding) const {
    static const BindingPolicy kDefault;
    const auto found = find_wishes(set_policy(binding.set).bindings, binding);
    return found.empty() ? kDefault : found.front()->second;
  }

  uint32_t capacity_of(const ProgramBinding& binding, const BindingPolicy& wish) {
    const uint64_t largest = std::numeric_limits<uint32_t>::max();
    if (binding.arrayKind != ArrayKind::Runtime) {
      if (wish.capacity) return *wish.capacity;
      if (binding.count > largest) {
        diagnostics_.error(Code::TooManySlots, place_of(binding),
                           std::format("'{}' has {} elements, which exceeds the heap limit",
                                       binding.name, binding.count));
      }
      return static_cast<uint32_t>(std::min(binding.count, largest));
    }
    if (wish.capacity) return *wish.capacity;
    const uint32_t usual = binding.type == DescriptorType::Sampler
                               ? std::min(policy_.runtimeArrayCapacity, kDefaultSamplerCapacity)
                               : policy_.runtimeArrayCapacity;
    const uint64_t capacity = std::max<uint64_t>(binding.count, usual);
    diagnostics_.warning(
        Code::UnboundedArray, place_of(binding),
        std::format("'{}' is unbounded and gets {} elements; set \"capacity\" in the policy, or "
                    "override it at run time",
                    binding.name, capacity));
    return static_cast<uint32_t>(std::min(capacity, largest));
  }

  static Place place_of(const ProgramBinding& binding) {
    return {.file = binding.file,
            .resource = binding.name,
            .set = binding.set,
            .binding = binding.binding};
  }

  PlannedTable plan_table(uint32_t set, const Draft& draft) {
    const SetPolicy& wish = set_policy(set);
    PlannedTable table = {.name = draft.name, .set = set, .residence = wish.residence};
    table.instances = wish.residence == Residence::Static ? 1 : wish.instances;
    table.samplerInstances =
        wish.samplerInstances.value_or(std::min(table.instances, kDefaultSamplerInstances));
    for (const ProgramBinding& binding : draft.bindings)
      table.bindings.push_back(plan_binding(binding));
    name_bindings(table, draft);
    const bool has_samplers = std::ranges::any_of(
        table.bindings, [](const PlannedBinding& b) { return has_sampler_slots(b.type); });
    if (!has_samplers) table.samplerInstances = 1;
    return table;
  }

  // The policy's names stand, and have to differ. Stages may call two bindings by one name: the
  // second one then gets its number behind it.
  void name_bindings(PlannedTable& table, const Draft& draft) {
    std::set<std::string> names;
    for (size_t i = 0; i < table.bindings.size(); ++i) {
      const auto& name = binding_policy(draft.bindings[i]).name;
      if (!name) continue;
      table.bindings[i].name = *name;
      if (names.insert(*name).second) continue;
      Place place = place_of(draft.bindings[i]);
      place.file = policy_.file;
      diagnostics_.error(
          Code::DuplicateName, std::move(place),
          std::format("two bindings of set {} would be named '{}'", table.set, *name));
    }
    for (size_t i = 0; i < table.bindings.size(); ++i) {
      PlannedBinding& binding = table.bindings[i];
      if (binding_policy(draft.bindings[i]).name) continue;
      while (!names.insert(binding.name).second)
        binding.name = std::format("{}_{}", binding.name, binding.binding);
    }
  }

  PlannedBinding plan_binding(const ProgramBinding& binding) {
    const BindingPolicy& wish = binding_policy(binding);
    return {.name = binding.name,
            .binding = binding.binding,
            .type = binding.type,
            .arrayKind = binding.arrayKind,
            .dims = binding.dims,
            .capacity = capacity_of(binding, wish),
            .stages = binding.stages,
            .minBufferSize = binding.minBufferSize,
            .views = binding.views};
  }

  Diagnosed<HeapPlan> assemble() {
    HeapPlan plan;
    plan.policyFile = policy_.file;
    plan.pushDataBudget = policy_.pushDataBudget - policy_.pushDataHeadroom;
    plan.externalRanges = policy_.externalRanges;
    std::map<std::pair<uint32_t, uint32_t>, uint32_t> table_of;  // program, set
    uint32_t bindings = 0;
    for (const auto& [set, drafts] : tables_of_set_) {
      for (const Draft& draft : drafts) {
        const uint32_t index = static_cast<uint32_t>(plan.tables.size());
        plan.tables.push_back(plan_table(set, draft));
        plan.tables.back().firstBinding =
            std::exchange(bindings, bindings + static_cast<uint32_t>(draft.bindings.size()));
        for (const uint32_t program : draft.programs)
          table_of[{program, set}] = index;
      }
    }
    if (diagnostics_.has_errors()) return diagnostics_.failed();
    for (uint32_t p = 0; p < programs_.size(); ++p) {
      plan.programs.push_back(plan_program(p, plan, table_of));
    }
    return plan;
  }

  PlannedProgram plan_program(
      uint32_t program, const HeapPlan& plan,
      const std::map<std::pair<uint32_t, uint32_t>, uint32_t>& table_of) const {
    const NamedProgram& source = programs_[program];
    PlannedProgram planned = {.name = source.name,
                              .tables = {},
                              .uses = {},
                              .pushConstants = source.interface.pushConstants};
    for (const ProgramBinding& binding : source.interface.bindings) {
      if (binding.kinds == 0) continue;
      const uint32_t table = table_of.at({program, binding.set});
      const auto& bindings = plan.tables[table].bindings;
      const auto found =
          std::ranges::lower_bound(bindings, binding.binding, {}, &PlannedBinding::binding);
      HEAPSMITH_CHECK(found != bindings.end() && found->binding == binding.binding);
      planned.uses.push_back(
          {table, static_cast<uint32_t>(found - bindings.begin()), binding.kinds});
      planned.tables.push_back(table);
    }
    std::ranges::sort(planned.tables);
    planned.tables.erase(std::ranges::unique(planned.tables).begin(), planned.tables.end());
    return planned;
  }

  std::span<const NamedProgram> programs_;
  const Policy& policy_;
  Diagnostics& diagnostics_;
  std::map<uint32_t, std::vector<Draft>> tables_of_set_;
  std::map<uint32_t, std::map<Shape, size_t>> draft_of_shape_;  // index into the set's drafts
  std::set<std::string> table_names_;
};

}  // namespace

Diagnosed<HeapPlan> plan_heaps(std::span<const NamedProgram> programs, const Policy& policy,
                               Diagnostics& diagnostics) {
  return State(programs, policy, diagnostics).run();
}

}  // namespace heapsmith::plan
