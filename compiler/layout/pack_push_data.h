// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "heapsmith/manifest.h"
#include "plan/heap_plan.h"

namespace heapsmith::layout {

/// A push field with its offset.
struct PackedField {
  std::string name;
  PushFieldKind kind{};
  uint32_t table = 0;   ///< index into HeapPlan::tables
  uint32_t offset = 0;  ///< bytes
  uint32_t size = 4;    ///< bytes
};

/// The words that indexed tables need, placed behind the push constants of every program that uses
/// them, or in a gap before those if there is no room behind. A field has one offset in all
/// programs, so that changing pipelines keeps the pushed state; fields that no program uses
/// together may share an offset. By table, then kind; no name comes twice. Fails with
/// PushDataBudget.
[[nodiscard]] Diagnosed<std::vector<PackedField>> pack_push_data(const plan::HeapPlan& plan,
                                                                 Diagnostics& diagnostics);

}  // namespace heapsmith::layout
