// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include "base/diagnostics.h"
#include "reflect/shader_interface.h"
#include "rewrite/placements.h"
#include "spirv/annotations.h"
#include "spirv/builder.h"
#include "spirv/editor.h"
#include "spirv/module.h"

namespace heapsmith::rewrite {

/// What every part of the rewriter reads, and where it writes.
struct Context {
  const spirv::Module& module;
  const spirv::Annotations& annotations;
  const reflect::ShaderInterface& shader;
  const Placements& placements;
  const std::string& file;
  Diagnostics& diagnostics;
  spirv::Editor& editor;
  spirv::Builder& builder;
};

/// Reports that a resource is used in a way that cannot be rewritten. `what` follows on "variable
/// 'x': ".
std::unexpected<Failed> refuse(const Context& context, const reflect::Resource& resource,
                               const std::string& what);

/// Whether a type is a structure that is decorated so: with Block or BufferBlock.
[[nodiscard]] bool has_block(const Context& context, uint32_t type, spv::Decoration kind);

/// Whether it is an OpExtInst that only tells something about the program.
[[nodiscard]] bool is_non_semantic(const Context& context, spirv::Instruction instruction);

}  // namespace heapsmith::rewrite
