// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "heapsmith/manifest.h"

/// What the user may ask for. All defaults together are the policy of a run without a policy file.
namespace heapsmith::plan {

struct BindingPolicy {
  std::optional<std::string> name;
  std::optional<uint32_t> capacity;  ///< elements, for runtime- and specialization-sized arrays
};

struct SetPolicy {
  Residence residence = Residence::Static;
  uint32_t instances = 1;
  std::optional<uint32_t> samplerInstances;  ///< default: kDefaultSamplerInstances, or fewer
  std::optional<std::string> table;          ///< name; default "set<N>"
  bool shared = false;  ///< all programs use one table, the union of what they declare
  std::map<std::string, BindingPolicy>
      bindings;  ///< by binding number in decimal, or by variable name
};

struct ExternalRangePolicy {
  std::string name;
  DescriptorClass descriptorClass{};
  uint32_t slots = 0;
};

/// Of an indexed table, unless the policy says otherwise: many instances share few sampler tuples.
inline constexpr uint32_t kDefaultSamplerInstances = 16;

/// A runtime array of nothing but samplers gets at most this many elements by default: a sampler
/// heap has only about 4,000 slots on every device, 2,048 beside embedded samplers.
inline constexpr uint32_t kDefaultSamplerCapacity = 256;

struct Policy {
  std::string file;  ///< for diagnostics; empty without a policy file
  std::map<uint32_t, SetPolicy> sets;
  uint32_t runtimeArrayCapacity = 1024;
  uint32_t pushDataBudget = 256;  ///< bytes; what every device has
  uint32_t pushDataHeadroom = 0;  ///< bytes of the budget left to tools
  std::vector<ExternalRangePolicy> externalRanges;
  std::map<std::string, std::vector<std::string>> programs;
};

}  // namespace heapsmith::plan
