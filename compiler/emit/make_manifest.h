// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "emit/block_structs.h"
#include "heapsmith/manifest_storage.h"
#include "layout/pack_fields.h"
#include "plan/heap_plan.h"
#include "reflect/merge_blocks.h"
#include "reflect/shader_interface.h"

namespace heapsmith::emit {

struct EmittedShader {
  std::string file;  ///< relative to the manifest
  std::string entryPoint;
  std::string sha256;
  ShaderStage stage{};
  std::vector<reflect::SpecializationConstant> specializationConstants;
  uint32_t pushConstants = reflect::kNoType;      ///< index into MergedBlocks::types
  uint32_t module = 0;                            ///< which of the run's shaders it is made of
  bool rewritten = false;                         ///< reads the heaps itself
  std::vector<reflect::HeapAccess> heapAccesses;  ///< of the entry point, before it is rewritten
  std::vector<SlotConstant> slotConstants;        ///< of a rewritten one, by SpecId
};

struct EmittedProgram {
  std::vector<EmittedShader> shaders;
  std::vector<Mapping> mappings;
};

/// Everything that a run decided. The renderings of the manifest are made from this.
struct ManifestContent {
  plan::HeapPlan plan;
  layout::PackedFields fields;
  std::vector<EmittedProgram> programs;  ///< parallel to plan.programs
  reflect::MergedBlocks blocks;
  std::vector<StructNames> structNames;  ///< parallel to blocks.types
  RegionBases regionBases{};
};

/// The content as the types that applications see.
[[nodiscard]] ManifestStorage make_manifest(const ManifestContent& content);

}  // namespace heapsmith::emit
