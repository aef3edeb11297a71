// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "base/diagnostics.h"
#include "driver/rewrite_job.h"
#include "heapsmith/manifest.h"
#include "plan/heap_plan.h"

namespace heapsmith::driver {

/// Warns of images that became part of a heap though nobody asked for that (`"form": "rewritten"`),
/// and that are `coherent` or `volatile`: AMD's driver in Mesa overlooks that there, and nothing
/// else would tell. Each variable of a module is named once.
void warn_of_qualifiers(const Manifest& manifest, const plan::HeapPlan& plan,
                        std::span<const RewriteJob> jobs, Diagnostics& diagnostics);

}  // namespace heapsmith::driver
