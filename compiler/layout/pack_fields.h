// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "heapsmith/manifest.h"
#include "plan/heap_plan.h"

namespace heapsmith::layout {

/// A field with its offset. Tables, bindings and blocks are indices: into HeapPlan::tables, its
/// flat list of bindings, and PackedFields::blocks.
struct PackedField {
  std::string name;
  FieldKind kind{};
  FieldSpace space{};
  uint32_t table = kNone;
  uint32_t binding = kNone;
  uint32_t block = kNone;
  uint32_t offset = 0;  ///< bytes
  uint32_t size = 4;    ///< bytes
};

struct PackedBlock {
  std::string name;
  uint32_t size = 0;  ///< bytes
  uint32_t addressField = kNone;
};

struct PackedFields {
  std::vector<PackedField> fields;  ///< by space, block, offset; no name comes twice
  std::vector<PackedBlock> blocks;  ///< by name

  /// kNone if there is none.
  [[nodiscard]] uint32_t of_table(FieldKind kind, uint32_t table) const;
  [[nodiscard]] uint32_t of_binding(FieldKind kind, uint32_t binding) const;
};

/// What the plan's mappings read, placed. Push data: behind the push constants of every program
/// that uses a field, or in a gap before those if there is no room behind; addresses (8 bytes)
/// first, then blocks of data, then words. Shader records likewise, behind the shaders' own record
/// blocks. A field has one offset in all programs, so that changing pipelines keeps the pushed
/// state; fields that no program uses together may share an offset. Fails with PushDataBudget, or
/// with HeapLimit where shader records outgrow what Vulkan guarantees.
[[nodiscard]] Diagnosed<PackedFields> pack_fields(const plan::HeapPlan& plan,
                                                  Diagnostics& diagnostics);

}  // namespace heapsmith::layout
