// SPDX-License-Identifier: MIT
#include "plan/plan_samplers.h"

#include <format>
#include <optional>
#include <utility>

#include "heapsmith/sampler_members.h"

namespace heapsmith::plan {
namespace {

using reflect::ProgramBinding;
using reflect::ResourceKind;

// Why Vulkan does not take the sampler in a mapping.
std::optional<std::string> forbids_embedding(const ProgramBinding& binding,
                                             const SamplerInfo& info) {
  if (binding.arrayKind != ArrayKind::None) {
    return "an array's samplers cannot be embedded (11399)";
  }
  if (has_custom_border_color(info)) {
    return "a custom border colour cannot be embedded (11445)";
  }
  return std::nullopt;
}

}  // namespace

SamplerPlanner::SamplerPlanner(const Policy& policy, Diagnostics& diagnostics)
    : policy_(&policy), diagnostics_(&diagnostics) {}

void SamplerPlanner::refuse(const ProgramBinding& binding, const std::string& why) {
  diagnostics_->error(Code::InvalidPolicy,
                      {.file = policy_->file,
                       .resource = binding.name,
                       .set = binding.set,
                       .binding = binding.binding},
                      std::format("immutable samplers of '{}': {}", binding.name, why));
}

void SamplerPlanner::plan(const ProgramBinding& binding, const BindingPolicy& wish,
                          PlannedBinding& planned) {
  if (wish.immutableSamplers.empty()) {
    if (wish.embed) refuse(binding, "there are none to embed");
    return;
  }
  if (!has_samplers(binding.type)) {
    refuse(binding, std::format("{} has no sampler", to_string(binding.type)));
    return;
  }
  if (wish.immutableSamplers.size() != 1 && wish.immutableSamplers.size() != planned.capacity) {
    refuse(binding, std::format("{} are given, but it has {} elements",
                                wish.immutableSamplers.size(), planned.capacity));
    return;
  }
  bool embed = wish.embed.value_or(true);
  for (const std::string& name : wish.immutableSamplers) {
    const auto found = policy_->samplers.find(name);
    if (found == policy_->samplers.end()) {
      refuse(binding, std::format("the policy's samplers have no '{}'", name));
      return;
    }
    const SamplerInfo& info = found->second;
    embed = may_embed(binding, wish, info) && embed;
    if (info.convertsYcbcr) planned.slotsPerElement = kYcbcrSlots;
    const auto [index, is_new] = indices_.emplace(name, static_cast<uint32_t>(samplers_.size()));
    if (is_new) samplers_.push_back({name, info});
    planned.immutableSamplers.push_back(index->second);
  }
  planned.samplerPlacement = embed ? SamplerPlacement::Embedded : SamplerPlacement::Immutable;
}

bool SamplerPlanner::may_embed(const ProgramBinding& binding, const BindingPolicy& wish,
                               const SamplerInfo& info) {
  const auto forbidden = forbids_embedding(binding, info);
  if (info.convertsYcbcr) {
    // It can be nowhere else: the sampler heap takes no conversion (11204).
    constexpr auto kCombined = static_cast<uint32_t>(ResourceKind::CombinedSampledImage);
    if (forbidden) {
      refuse(binding,
             std::format("one converts from YCbCr and must be embedded, but {}", *forbidden));
    } else if (!wish.embed.value_or(true)) {
      refuse(binding, "one that converts from YCbCr must be embedded (11204)");
    } else if (binding.type != DescriptorType::CombinedImageSampler ||
               (binding.kinds != 0 && binding.kinds != kCombined)) {
      refuse(binding,
             "one that converts from YCbCr needs an OpTypeSampledImage variable (12203, 12204)");
    }
  } else if (forbidden && wish.embed.value_or(false)) {
    refuse(binding, *forbidden);
  }
  return !forbidden;
}

std::vector<PlannedSampler> SamplerPlanner::take() {
  return std::move(samplers_);
}

}  // namespace heapsmith::plan
