// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "heapsmith/manifest.h"
#include "plan/policy.h"
#include "reflect/program_interface.h"

/// Facts and policy turned into choices. No bytes, no slots.
namespace heapsmith::plan {

struct PlannedBinding {
  std::string name;
  uint32_t binding = 0;
  DescriptorType type{};
  ArrayKind arrayKind{};
  std::vector<uint32_t> dims;
  uint32_t capacity = 1;  ///< elements; copies of a HeapData block
  uint32_t stages = 0;
  uint64_t minBufferSize = 0;
  std::vector<reflect::BindingView> views;
  Residence residence{};
  SamplerPlacement samplerPlacement{};
  std::vector<uint32_t> immutableSamplers;  ///< indices into HeapPlan::samplers
  uint32_t slotsPerElement = 1;
};

struct PlannedTable {
  std::string name;
  uint32_t set = 0;
  Residence residence{};
  uint32_t instances = 1;
  uint32_t samplerInstances = 1;
  bool packedIndex = false;
  std::string indirectBlock;  ///< where its words and its bindings' addresses are, if it needs one
  uint32_t firstBinding = 0;  ///< bindings of the tables before it: index into the flat list
  std::vector<PlannedBinding> bindings;  ///< ascending by number
};

/// Where a used binding of a program is found, and by which kinds of variables it is reached.
struct PlannedUse {
  uint32_t table = 0;        ///< index into HeapPlan::tables
  uint32_t binding = 0;      ///< index into PlannedTable::bindings
  uint32_t kinds = 0;        ///< reflect::ResourceKind bits
  std::optional<Form> form;  ///< that the policy asks for
  std::string
      mappedBecause;  ///< why it stays mapped where shaders are rewritten; empty: it does not
};

struct PlannedProgram {
  std::string name;
  std::vector<uint32_t> tables;  ///< that it uses at least one binding of, ascending
  std::vector<PlannedUse> uses;  ///< by set, binding
  std::optional<reflect::PushConstants> pushConstants;
  uint32_t recordBlockSize = 0;  ///< bytes of its shaders' own shader-record blocks
};

struct PlannedSampler {
  std::string name;
  SamplerInfo info;  ///< without its name
};

/// What was not chosen, and why.
struct Refusal {
  Residence residence{};
  std::string reason;
};

/// A choice to explain: of a table, or of a binding that differs from its table.
struct Choice {
  uint32_t set = 0;
  std::optional<uint32_t> binding;
  std::string name;  ///< the table's or the binding's
  Residence residence{};
  std::string reason;
  std::vector<Refusal> refused;
};

struct HeapPlan {
  std::vector<PlannedTable> tables;  ///< by set, name; each before those that were split off it
  std::vector<PlannedProgram> programs;
  std::vector<PlannedSampler> samplers;  ///< that bindings use, by name
  std::vector<ExternalRangePolicy> externalRanges;
  std::vector<Choice> choices;    ///< by table, binding
  uint32_t pushDataBudget = 256;  ///< bytes, headroom taken off
  std::string policyFile;         ///< for diagnostics; empty without a policy file
};

}  // namespace heapsmith::plan
