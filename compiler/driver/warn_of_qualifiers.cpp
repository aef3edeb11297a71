// SPDX-License-Identifier: MIT
#include "driver/warn_of_qualifiers.h"

#include <algorithm>
#include <format>
#include <set>
#include <utility>

#include "input/read_file.h"
#include "rewrite/place_bindings.h"

namespace heapsmith::driver {
namespace {

bool is_qualified_image(const reflect::Resource& resource) {
  return (resource.type == DescriptorType::StorageImage ||
          resource.type == DescriptorType::StorageTexelBuffer) &&
         (resource.qualifiers.coherent || resource.qualifiers.isVolatile);
}

bool is_rewritten(const RewriteJob& job, const reflect::Resource& resource) {
  const auto* placement = rewrite::find_placement(job.placements, resource.set, resource.binding);
  return placement != nullptr && placement->resource.has_value();
}

/// Whether all who use the job want it so.
bool is_asked_for(const Manifest& manifest, const plan::HeapPlan& plan, const RewriteJob& job,
                  const reflect::Resource& resource) {
  return std::ranges::all_of(job.programs, [&](size_t program) {
    return std::ranges::all_of(plan.programs[program].uses, [&](const plan::PlannedUse& use) {
      const Binding& binding = manifest.bindings[plan.tables[use.table].firstBinding + use.binding];
      const bool isIt =
          manifest.tables[binding.table].set == resource.set && binding.binding == resource.binding;
      return !isIt || use.form == plan::Form::Rewritten;
    });
  });
}

void warn(const std::string& file, const reflect::Resource& resource, Diagnostics& diagnostics) {
  diagnostics.warning(
      Code::OverlookedQualifier,
      {.file = file, .resource = resource.name, .set = resource.set, .binding = resource.binding},
      std::format("variable '{}': AMD's driver in Mesa (26.2) overlooks that an image in a heap is "
                  "{}; for that driver say \"form\": \"mapped\" in the policy, and \"rewritten\" "
                  "if it does not matter",
                  resource.name, resource.qualifiers.isVolatile ? "volatile" : "coherent"));
}

}  // namespace

void warn_of_qualifiers(const Manifest& manifest, const plan::HeapPlan& plan,
                        std::span<const RewriteJob> jobs, Diagnostics& diagnostics) {
  std::set<std::pair<const LoadedShader*, uint32_t>> said;  // a module may be several jobs
  for (const RewriteJob& job : jobs) {
    for (const reflect::Resource& resource : job.module->interface.resources) {
      if (is_qualified_image(resource) && is_rewritten(job, resource) &&
          !is_asked_for(manifest, plan, job, resource) &&
          said.emplace(job.module, resource.id).second)
        warn(input::shown_path(job.module->path), resource, diagnostics);
    }
  }
}

}  // namespace heapsmith::driver
