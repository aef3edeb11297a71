// SPDX-License-Identifier: MIT
#include "plan/plan_heaps.h"

#include <algorithm>
#include <compare>
#include <format>
#include <limits>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "base/check.h"
#include "plan/choose_residences.h"
#include "plan/plan_samplers.h"
#include "plan/unite_tables.h"
#include "plan/wishes.h"

namespace heapsmith::plan {
namespace {

using reflect::ProgramBinding;

class State {
 public:
  State(std::span<const NamedProgram> programs, const Policy& policy, Squeeze squeeze,
        Diagnostics& diagnostics)
      : programs_(programs),
        policy_(policy),
        squeeze_(squeeze),
        diagnostics_(diagnostics),
        wishes_(policy),
        samplers_(policy, diagnostics) {}

  Diagnosed<HeapPlan> run() {
    const size_t before = diagnostics_.all().size();
    for (uint32_t p = 0; p < programs_.size(); ++p)
      collect_sets(p);
    for (auto& [set, drafts] : drafts_of_set_)
      name_drafts(set, drafts);
    wishes_.report(diagnostics_);
    if (failed_since(before)) return diagnostics_.failed();
    for (const auto& [set, drafts] : drafts_of_set_) {
      for (const Draft& draft : drafts)
        plan_draft(set, draft);
    }
    if (failed_since(before)) return diagnostics_.failed();
    return assemble();
  }

 private:
  // A set on its way: its bindings, what the policy says of them, and the programs that use it.
  struct Draft {
    std::string name;
    SetPolicy wish;
    std::vector<ProgramBinding> bindings;
    std::vector<BindingPolicy> wishes;  // parallel to bindings
    std::vector<uint32_t> programs;
  };

  // What tells drafts of one set apart.
  struct DraftKey {
    Shape shape;
    SetPolicy wish;
    std::vector<BindingPolicy> wishes;
    friend auto operator<=>(const DraftKey&, const DraftKey&) = default;
  };

  bool failed_since(size_t count) const {
    return std::ranges::any_of(diagnostics_.all().begin() + static_cast<ptrdiff_t>(count),
                               diagnostics_.all().end(),
                               [](const Diagnostic& d) { return d.severity == Severity::Error; });
  }

  // Files each set of a program under the first draft that it fits.
  void collect_sets(uint32_t program) {
    std::map<uint32_t, std::vector<ProgramBinding>> sets;
    for (const ProgramBinding& binding : programs_[program].interface.bindings) {
      sets[binding.set].push_back(binding);
      forms_[{program, binding.set, binding.binding}] =
          wishes_.form_of(binding, programs_[program].name);
    }
    for (auto& [set, bindings] : sets)
      add_to_drafts(program, set, std::move(bindings));
  }

  // Without the form, which is each program's own: it moves nothing in the heaps.
  std::vector<BindingPolicy> wishes_of(const std::vector<ProgramBinding>& bindings,
                                       std::string_view program) {
    std::vector<BindingPolicy> wishes;
    for (const ProgramBinding& binding : bindings) {
      wishes.push_back(wishes_.of_binding(binding, program));
      wishes.back().form.reset();
    }
    return wishes;
  }

  SetPolicy set_wish(uint32_t set, std::string_view program) {
    SetPolicy wish = wishes_.of_set(set, program);
    wish.form.reset();
    return wish;
  }

  void add_to_drafts(uint32_t program, uint32_t set, std::vector<ProgramBinding> bindings) {
    std::vector<Draft>& drafts = drafts_of_set_[set];
    SetPolicy wish = set_wish(set, {});
    if (wish.shared.value_or(false)) {
      if (drafts.empty()) drafts.emplace_back();
      Draft& draft = drafts[0];
      if (!unite(draft.bindings, bindings, diagnostics_)) return;
      draft.wish = std::move(wish);
      draft.wishes = wishes_of(draft.bindings, {});
      draft.programs.push_back(program);
      return;
    }
    const std::string_view name = programs_[program].name;
    DraftKey key = {shape_of(bindings), set_wish(set, name), wishes_of(bindings, name)};
    const auto [found, is_new] = draft_of_key_[set].emplace(std::move(key), drafts.size());
    if (is_new) {
      drafts.push_back({.name = {},
                        .wish = found->first.wish,
                        .bindings = std::move(bindings),
                        .wishes = found->first.wishes,
                        .programs = {program}});
    } else {
      unite_uses(drafts[found->second].bindings, bindings);
      drafts[found->second].programs.push_back(program);
    }
  }

  // "set0", or the policy's name; where several drafts would have it, each is told apart by its
  // first program.
  void name_drafts(uint32_t set, std::vector<Draft>& drafts) {
    std::map<std::string, uint32_t> count;
    for (const Draft& draft : drafts)
      ++count[base_name(set, draft)];
    for (Draft& draft : drafts) {
      draft.name = base_name(set, draft);
      if (count[draft.name] > 1) {
        draft.name = std::format("{}_{}", draft.name, programs_[draft.programs.front()].name);
      }
      claim_name(draft.name, set);
    }
    std::ranges::sort(drafts, {}, &Draft::name);
  }

  static std::string base_name(uint32_t set, const Draft& draft) {
    return draft.wish.table.value_or(std::format("set{}", set));
  }

  void claim_name(const std::string& name, uint32_t set) {
    if (table_names_.insert(name).second) return;
    diagnostics_.error(
        Code::DuplicateName, {.file = policy_.file, .set = set},
        std::format("two tables would be named '{}'; give them names in the policy", name));
  }

  // A draft becomes one table for each residence that its bindings have. Those without descriptors
  // stay with the set's own.
  void plan_draft(uint32_t set, const Draft& draft) {
    SetRequest request = {
        .set = set,
        .wish = &draft.wish,
        .bindings = draft.bindings,
        .wishes = draft.wishes,
        .context = {.programStages = 0, .robustBufferAccess = policy_.robustBufferAccess},
        .policyFile = policy_.file};
    for (const uint32_t program : draft.programs)
      request.context.programStages |= programs_[program].interface.stages;
    const auto residences = choose_residences(request, squeeze_, diagnostics_);
    if (!residences) return;

    using Part = std::tuple<bool, Residence, uint32_t>;  // the set's own part comes first
    const Residency& own = residences->table;
    const Part main = {false, own.residence, own.instances};
    std::map<Part, std::vector<size_t>> parts;
    for (size_t i = 0; i < draft.bindings.size(); ++i) {
      const Residency& residency = residences->bindings[i];
      const bool with_set =
          !is_table_residence(residency.residence) ||
          (residency.residence == own.residence && residency.instances == own.instances);
      parts[with_set ? main : Part{true, residency.residence, residency.instances}].push_back(i);
    }
    for (const auto& [part, members] : parts) {
      const auto& [split, residence, instances] = part;
      add_table(set, draft, *residences, members, split);
    }
  }

  void add_table(uint32_t set, const Draft& draft, const SetResidences& residences,
                 const std::vector<size_t>& members, bool split) {
    const Residency& residency = split ? residences.bindings[members.front()] : residences.table;
    PlannedTable table = {.name = draft.name,
                          .set = set,
                          .residence = residency.residence,
                          .instances = residency.instances};
    if (split) {
      table.name = std::format("{}_{}", draft.name, to_string(table.residence));
      if (table_names_.contains(table.name))
        table.name = std::format("{}{}", table.name, table.instances);
      claim_name(table.name, set);
    }
    for (const size_t member : members)
      table.bindings.push_back(
          plan_binding(draft.bindings[member], draft.wishes[member], residences.bindings[member]));
    name_bindings(table, draft, members);
    choose_sampler_instances(table, draft.wish);
    choose_indirect_block(table, draft.wish, residency);
    if (draft.wish.packedIndex.value_or(false) && !split) pack_index(table, draft, members);
    const bool any_slots = std::ranges::any_of(table.bindings, [](const PlannedBinding& binding) {
      return is_table_residence(binding.residence);
    });
    explain_table(table, residency, any_slots);
    for (const size_t member : members)
      explain_binding(table, draft.bindings[member], residences.bindings[member]);
    const auto index = static_cast<uint32_t>(tables_.size());
    for (const size_t member : members) {
      for (const uint32_t program : draft.programs)
        table_of_[{program, set, draft.bindings[member].binding}] = index;
    }
    tables_.push_back(std::move(table));
  }

  // Without a word from the policy as many tuples as fit well into the smallest sampler heap.
  void choose_sampler_instances(PlannedTable& table, const SetPolicy& wish) {
    uint64_t samplers = 0;
    for (const PlannedBinding& binding : table.bindings) {
      if (has_samplers(binding.type) && binding.samplerPlacement == SamplerPlacement::Table)
        samplers += binding.capacity;
    }
    if (samplers == 0 || table.residence == Residence::Static) return;
    const uint64_t most = std::max<uint64_t>(kMostDefaultSamplerSlots / samplers, 1);
    table.samplerInstances = wish.samplerInstances.value_or(static_cast<uint32_t>(
        std::min<uint64_t>({table.instances, kDefaultSamplerInstances, most})));
  }

  // Words and addresses in memory lie in the block of their table, by its name if none is given.
  static void choose_indirect_block(PlannedTable& table, const SetPolicy& wish,
                                    const Residency& residency) {
    const bool in_memory = table.residence == Residence::Indirect ||
                           table.residence == Residence::Scattered ||
                           std::ranges::any_of(table.bindings, [](const PlannedBinding& binding) {
                             return binding.residence == Residence::IndirectAddress;
                           });
    if (!in_memory) return;
    table.indirectBlock = residency.indirectBlock.empty() ? wish.indirectBlock.value_or(table.name)
                                                          : residency.indirectBlock;
  }

  // A packed word is taken apart for OpTypeSampledImage variables only; all others would take it
  // for an index.
  void pack_index(PlannedTable& table, const Draft& draft, const std::vector<size_t>& members) {
    const auto refuse = [&](const std::string& why) {
      diagnostics_.error(Code::InvalidPolicy, {.file = policy_.file, .set = table.set},
                         std::format("table '{}' cannot have a packed index: {}", table.name, why));
    };
    if (table.residence != Residence::Indexed && table.residence != Residence::Indirect &&
        table.residence != Residence::Record) {
      refuse(std::format("nothing picks an instance of a {} table by one word",
                         to_string(table.residence)));
      return;
    }
    constexpr auto kCombined = static_cast<uint32_t>(reflect::ResourceKind::CombinedSampledImage);
    for (size_t i = 0; i < members.size(); ++i) {
      const PlannedBinding& binding = table.bindings[i];
      const bool picked =
          is_table_residence(binding.residence) &&
          (is_resource(binding.type) || binding.samplerPlacement == SamplerPlacement::Table);
      if (!picked) continue;
      const uint32_t kinds = draft.bindings[members[i]].kinds;
      if (binding.type == DescriptorType::CombinedImageSampler && (kinds & ~kCombined) == 0)
        continue;
      refuse(std::format("'{}' is no combined image sampler, and nothing else reads one",
                         binding.name));
      return;
    }
    if (table.instances > kPackedInstances || table.samplerInstances > kPackedSamplerInstances) {
      refuse(std::format("it has room for {} instances and {} sampler tuples, not {} and {}",
                         kPackedInstances, kPackedSamplerInstances, table.instances,
                         table.samplerInstances));
      return;
    }
    table.packedIndex = true;
  }

  void explain_table(const PlannedTable& table, const Residency& residency, bool any_slots) {
    choices_.push_back({.set = table.set,
                        .binding = std::nullopt,
                        .name = table.name,
                        .residence = table.residence,
                        .reason = any_slots ? residency.reason : "none of its bindings has slots",
                        .refused = any_slots ? residency.refused : std::vector<Refusal>()});
  }

  // Only what differs from its table, or nearly did, is worth a word.
  void explain_binding(const PlannedTable& table, const ProgramBinding& binding,
                       const Residency& residency) {
    if (residency.residence == table.residence && residency.refused.empty()) return;
    choices_.push_back({.set = table.set,
                        .binding = binding.binding,
                        .name = binding.name,
                        .residence = residency.residence,
                        .reason = residency.reason,
                        .refused = residency.refused});
  }

  // The policy's names stand, and have to differ. Stages may call two bindings by one name: the
  // second one then gets its number behind it.
  void name_bindings(PlannedTable& table, const Draft& draft, const std::vector<size_t>& members) {
    std::set<std::string> names;
    for (size_t i = 0; i < members.size(); ++i) {
      const auto& name = draft.wishes[members[i]].name;
      if (!name) continue;
      table.bindings[i].name = *name;
      if (names.insert(*name).second) continue;
      Place place = place_of(draft.bindings[members[i]]);
      place.file = policy_.file;
      diagnostics_.error(
          Code::DuplicateName, std::move(place),
          std::format("two bindings of set {} would be named '{}'", table.set, *name));
    }
    for (size_t i = 0; i < members.size(); ++i) {
      PlannedBinding& binding = table.bindings[i];
      if (draft.wishes[members[i]].name) continue;
      while (!names.insert(binding.name).second)
        binding.name = std::format("{}_{}", binding.name, binding.binding);
    }
  }

  PlannedBinding plan_binding(const ProgramBinding& binding, const BindingPolicy& wish,
                              const Residency& residency) {
    PlannedBinding planned = {.name = binding.name,
                              .binding = binding.binding,
                              .type = binding.type,
                              .arrayKind = binding.arrayKind,
                              .dims = binding.dims,
                              .capacity = capacity_of(binding, wish),
                              .stages = binding.stages,
                              .minBufferSize = binding.minBufferSize,
                              .views = binding.views,
                              .residence = residency.residence};
    if (residency.residence == Residence::HeapData) planned.capacity = residency.instances;
    samplers_.plan(binding, wish, planned);
    return planned;
  }

  void check_capacity(const ProgramBinding& binding, uint32_t capacity) {
    Place place = place_of(binding);
    place.file = policy_.file;
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

  uint32_t capacity_of(const ProgramBinding& binding, const BindingPolicy& wish) {
    if (wish.capacity) {
      check_capacity(binding, *wish.capacity);
      return *wish.capacity;
    }
    const uint64_t largest = std::numeric_limits<uint32_t>::max();
    if (binding.arrayKind != ArrayKind::Runtime) {
      if (binding.count > largest) {
        diagnostics_.error(Code::TooManySlots, place_of(binding),
                           std::format("'{}' has {} elements, which exceeds the heap limit",
                                       binding.name, binding.count));
      }
      return static_cast<uint32_t>(std::min(binding.count, largest));
    }
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

  HeapPlan assemble() {
    HeapPlan plan;
    plan.policyFile = policy_.file;
    plan.pushDataBudget = policy_.pushDataBudget - policy_.pushDataHeadroom;
    plan.externalRanges = policy_.externalRanges;
    plan.tables = std::move(tables_);
    plan.choices = std::move(choices_);
    plan.samplers = samplers_.take();
    uint32_t bindings = 0;
    for (PlannedTable& table : plan.tables) {
      table.firstBinding =
          std::exchange(bindings, bindings + static_cast<uint32_t>(table.bindings.size()));
    }
    for (uint32_t p = 0; p < programs_.size(); ++p)
      plan.programs.push_back(plan_program(p, plan));
    return plan;
  }

  PlannedProgram plan_program(uint32_t program, const HeapPlan& plan) const {
    const NamedProgram& source = programs_[program];
    PlannedProgram planned = {
        .name = source.name,
        .tables = {},
        .uses = {},
        .pushConstants = source.interface.pushConstants,
        .recordBlockSize = static_cast<uint32_t>(source.interface.recordBlockSize)};
    for (const ProgramBinding& binding : source.interface.bindings) {
      if (binding.kinds == 0) continue;
      const uint32_t table = table_of_.at({program, binding.set, binding.binding});
      const auto& bindings = plan.tables[table].bindings;
      const auto found =
          std::ranges::lower_bound(bindings, binding.binding, {}, &PlannedBinding::binding);
      HEAPSMITH_CHECK(found != bindings.end() && found->binding == binding.binding);
      planned.uses.push_back({.table = table,
                              .binding = static_cast<uint32_t>(found - bindings.begin()),
                              .kinds = binding.kinds,
                              .form = forms_.at({program, binding.set, binding.binding}),
                              .mappedBecause = {}});
      planned.tables.push_back(table);
    }
    std::ranges::sort(planned.tables);
    planned.tables.erase(std::ranges::unique(planned.tables).begin(), planned.tables.end());
    return planned;
  }

  std::span<const NamedProgram> programs_;
  const Policy& policy_;
  Squeeze squeeze_;
  Diagnostics& diagnostics_;
  Wishes wishes_;
  SamplerPlanner samplers_;
  std::map<uint32_t, std::vector<Draft>> drafts_of_set_;
  std::map<uint32_t, std::map<DraftKey, size_t>> draft_of_key_;  // index into the set's drafts
  std::set<std::string> table_names_;
  std::vector<PlannedTable> tables_;
  std::vector<Choice> choices_;
  using Use = std::tuple<uint32_t, uint32_t, uint32_t>;  // program, set, binding
  std::map<Use, uint32_t> table_of_;
  std::map<Use, std::optional<Form>> forms_;
};

}  // namespace

Diagnosed<HeapPlan> plan_heaps(std::span<const NamedProgram> programs, const Policy& policy,
                               Squeeze squeeze, Diagnostics& diagnostics) {
  return State(programs, policy, squeeze, diagnostics).run();
}

}  // namespace heapsmith::plan
