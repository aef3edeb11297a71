// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "plan/heap_plan.h"
#include "plan/policy.h"
#include "reflect/program_interface.h"

namespace heapsmith::plan {

/// Gives bindings their immutable samplers: embedded into the mapping where Vulkan allows it, else
/// in the sampler heap.
class SamplerPlanner {
 public:
  /// Both are borrowed.
  SamplerPlanner(const Policy& policy, Diagnostics& diagnostics);

  /// Sets the placement, the samplers and the slots of `planned`. What cannot be is reported as
  /// InvalidPolicy.
  void plan(const reflect::ProgramBinding& binding, const BindingPolicy& wish,
            PlannedBinding& planned);

  /// All that plan() has given away, in the order that PlannedBinding::immutableSamplers count.
  [[nodiscard]] std::vector<PlannedSampler> take();

 private:
  [[nodiscard]] bool may_embed(const reflect::ProgramBinding& binding, const BindingPolicy& wish,
                               const SamplerInfo& info);
  void refuse(const reflect::ProgramBinding& binding, const std::string& why);

  const Policy* policy_;
  Diagnostics* diagnostics_;
  std::map<std::string, uint32_t> indices_;
  std::vector<PlannedSampler> samplers_;
};

}  // namespace heapsmith::plan
