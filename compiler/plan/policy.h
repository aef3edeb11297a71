// SPDX-License-Identifier: MIT
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "heapsmith/manifest.h"

/// What the user may ask for. All defaults together are the policy of a run without a policy file;
/// what is not set is chosen (choose_residences.h).
namespace heapsmith::plan {

/// Names that the user chooses become C++ identifiers and JSON keys, and had better be one already:
/// letters, digits and '_', no digit first.
[[nodiscard]] bool is_policy_name(std::string_view name);

/// How often an application changes what a set or binding points to, the slowest first.
enum class Frequency : uint8_t { Frame, View, Material, Draw };

/// Descriptor types that heaps do not have, and that SPIR-V does not tell from the usual ones.
enum class LegacyType : uint8_t { UniformBufferDynamic, StorageBufferDynamic, InlineUniformBlock };

/// How `heapsmith rewrite` lets shaders reach a binding. `map` leaves all of them mapped.
enum class Form : uint8_t { Mapped, Rewritten };

struct BindingPolicy {
  std::optional<std::string> name;
  std::optional<uint32_t> capacity;  ///< elements, for runtime- and specialization-sized arrays
  std::optional<Residence> residence;
  std::optional<Frequency> frequency;
  std::optional<uint32_t> instances;  ///< where the residence differs from its set's
  std::optional<LegacyType> legacyType;
  std::optional<Form> form;  ///< default: rewritten where that can be
  std::vector<std::string>
      immutableSamplers;      ///< names in Policy::samplers; one, or one an element
  std::optional<bool> embed;  ///< the immutable sampler into the mapping
  friend auto operator<=>(const BindingPolicy&, const BindingPolicy&) = default;
};

struct SetPolicy {
  std::optional<Residence> residence;
  std::optional<Frequency> frequency;
  std::optional<uint32_t> instances;
  std::optional<uint32_t> samplerInstances;  ///< default: kDefaultSamplerInstances, or fewer
  std::optional<bool> packedIndex;  ///< one word picks instance and sampler tuple of combined image
                                    ///< samplers, which must be all that the table holds
  std::optional<std::string> indirectBlock;  ///< tables that name one share its address
  std::optional<std::string> table;          ///< name; default "set<N>"
  std::optional<Form> form;                  ///< of bindings that say nothing themselves
  std::optional<bool> shared;  ///< all programs use one table, the union of what they declare
  std::map<std::string, BindingPolicy>
      bindings;  ///< by binding number in decimal, or by variable name
  friend auto operator<=>(const SetPolicy&, const SetPolicy&) = default;
};

/// What a rule is for; what is not set matches everything. Patterns know '*' and '?'.
struct Match {
  std::optional<uint32_t> set;
  std::optional<uint32_t> binding;
  std::optional<std::string> name;  ///< of a variable or of its block
  std::optional<DescriptorType> type;
  std::optional<std::string> program;
};

/// Later rules win over earlier ones, and Policy::sets over all rules.
template <typename Wish>
struct Rule {
  Match match;
  Wish wish;
  uint32_t line = 0;  ///< of the policy file
};

struct ExternalRangePolicy {
  std::string name;
  DescriptorClass descriptorClass{};
  uint32_t slots = 0;
};

/// Of a table with instances, unless the policy says otherwise: many instances share few sampler
/// tuples.
inline constexpr uint32_t kDefaultSamplerInstances = 16;

/// ... but not more of them than take up this many slots: a sampler heap has about 4,000 on every
/// device, 2,048 beside embedded samplers, for all tables together.
inline constexpr uint32_t kMostDefaultSamplerSlots = 512;

/// A runtime array of nothing but samplers gets at most this many elements by default.
inline constexpr uint32_t kDefaultSamplerCapacity = 256;

struct Policy {
  std::string file;  ///< for diagnostics; empty without a policy file
  std::map<uint32_t, SetPolicy> sets;
  std::vector<Rule<SetPolicy>> setRules;
  std::vector<Rule<BindingPolicy>> bindingRules;
  std::map<std::string, SamplerInfo> samplers;  ///< by name; SamplerInfo::name is not set
  bool robustBufferAccess = false;              ///< out-of-bounds accesses must be harmless
  uint32_t runtimeArrayCapacity = 1024;
  uint32_t pushDataBudget = 256;  ///< bytes; what every device has
  uint32_t pushDataHeadroom = 0;  ///< bytes of the budget left to tools
  std::vector<ExternalRangePolicy> externalRanges;
  std::map<std::string, std::vector<std::string>> programs;
};

}  // namespace heapsmith::plan
