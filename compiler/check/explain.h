// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "layout/pack_fields.h"
#include "plan/heap_plan.h"

namespace heapsmith::check {

/// What was chosen for each table, and for each binding that differs from its table, why, and what
/// was not chosen and why not; then how much push data each program needs. For people.
[[nodiscard]] std::string explain_text(const plan::HeapPlan& plan,
                                       const layout::PackedFields& fields);

}  // namespace heapsmith::check
