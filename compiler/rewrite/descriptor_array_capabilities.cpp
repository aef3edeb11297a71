// SPDX-License-Identifier: MIT
#include "rewrite/descriptor_array_capabilities.h"

#include <algorithm>

namespace heapsmith::rewrite {
namespace {

using spirv::Instruction;

bool is_about_descriptor_arrays(spv::Capability capability) {
  switch (capability) {
    case spv::Capability::UniformBufferArrayDynamicIndexing:
    case spv::Capability::SampledImageArrayDynamicIndexing:
    case spv::Capability::StorageBufferArrayDynamicIndexing:
    case spv::Capability::StorageImageArrayDynamicIndexing:
    case spv::Capability::ShaderNonUniform:
    case spv::Capability::RuntimeDescriptorArray:
    case spv::Capability::UniformTexelBufferArrayDynamicIndexing:
    case spv::Capability::StorageTexelBufferArrayDynamicIndexing:
    case spv::Capability::UniformBufferArrayNonUniformIndexing:
    case spv::Capability::SampledImageArrayNonUniformIndexing:
    case spv::Capability::StorageBufferArrayNonUniformIndexing:
    case spv::Capability::StorageImageArrayNonUniformIndexing:
    case spv::Capability::UniformTexelBufferArrayNonUniformIndexing:
    case spv::Capability::StorageTexelBufferArrayNonUniformIndexing:
      return true;
    default:  // those of input attachments too, which stay mapped
      return false;
  }
}

/// What a capability declares along with it, and something else may need.
spv::Capability implied_by(spv::Capability capability) {
  switch (capability) {
    case spv::Capability::UniformTexelBufferArrayDynamicIndexing:
    case spv::Capability::UniformTexelBufferArrayNonUniformIndexing:
      return spv::Capability::SampledBuffer;
    case spv::Capability::StorageTexelBufferArrayDynamicIndexing:
    case spv::Capability::StorageTexelBufferArrayNonUniformIndexing:
      return spv::Capability::ImageBuffer;
    default:  // all others
      return spv::Capability::Shader;
  }
}

bool is_superfluous(Instruction instruction) {
  switch (instruction.op()) {
    case spv::Op::OpCapability:
      return is_about_descriptor_arrays(static_cast<spv::Capability>(instruction.word(1)));
    case spv::Op::OpExtension:
      return instruction.string(1) == "SPV_EXT_descriptor_indexing";
    case spv::Op::OpDecorate:
      return static_cast<spv::Decoration>(instruction.word(2)) == spv::Decoration::NonUniform;
    default:  // nothing else needs them
      return false;
  }
}

}  // namespace

void drop_descriptor_array_capabilities(const Context& context, const Objects& objects) {
  const auto is_rewritten = [&](const reflect::Resource& resource) {
    return objects.of(resource.id) != nullptr;
  };
  if (!std::ranges::all_of(context.shader.resources, is_rewritten)) return;
  for (const Instruction instruction : context.module.declarations()) {
    if (!is_superfluous(instruction)) continue;
    context.editor.remove(instruction);
    if (instruction.op() == spv::Op::OpCapability)
      context.builder.require(implied_by(static_cast<spv::Capability>(instruction.word(1))));
  }
}

}  // namespace heapsmith::rewrite
