// SPDX-License-Identifier: MIT
#define SPIRV_REFLECT_USE_SYSTEM_SPIRV_H
#include <spirv_reflect/spirv_reflect.h>
#include <algorithm>
#include <format>
#include <vector>

#include "facts.h"

namespace corpus {
namespace {

const char* type_name(SpvReflectDescriptorType type) {
  switch (type) {
    case SPV_REFLECT_DESCRIPTOR_TYPE_SAMPLER:
      return "SAMPLER";
    case SPV_REFLECT_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER:
      return "COMBINED_IMAGE_SAMPLER";
    case SPV_REFLECT_DESCRIPTOR_TYPE_SAMPLED_IMAGE:
      return "SAMPLED_IMAGE";
    case SPV_REFLECT_DESCRIPTOR_TYPE_STORAGE_IMAGE:
      return "STORAGE_IMAGE";
    case SPV_REFLECT_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
      return "UNIFORM_TEXEL_BUFFER";
    case SPV_REFLECT_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER:
      return "STORAGE_TEXEL_BUFFER";
    case SPV_REFLECT_DESCRIPTOR_TYPE_UNIFORM_BUFFER:
      return "UNIFORM_BUFFER";
    case SPV_REFLECT_DESCRIPTOR_TYPE_STORAGE_BUFFER:
      return "STORAGE_BUFFER";
    case SPV_REFLECT_DESCRIPTOR_TYPE_INPUT_ATTACHMENT:
      return "INPUT_ATTACHMENT";
    case SPV_REFLECT_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR:
      return "ACCELERATION_STRUCTURE_KHR";
    default:
      return "?";
  }
}

void add_members(const SpvReflectBlockVariable& block, const std::string& prefix, uint64_t base,
                 int depth, Facts& facts) {
  if (depth > 3) return;
  for (uint32_t i = 0; i < block.member_count; ++i) {
    const SpvReflectBlockVariable& member = block.members[i];
    const std::string key = std::format("{} member {}", prefix, i);
    facts[key + " offset"] = std::to_string(base + member.offset);
    const SpvReflectTypeDescription* type = member.type_description;
    const bool isTail = type != nullptr && type->op == SpvOpTypeRuntimeArray;
    const bool isArray = isTail || (type != nullptr && type->traits.array.dims_count != 0);
    if (member.numeric.matrix.stride != 0)
      facts[key + (isArray ? " elements' matrixStride" : " matrixStride")] =
          std::to_string(member.numeric.matrix.stride);
    if (isArray)
      facts[key + (isTail ? " tailStride" : " arrayStride")] =
          std::to_string(type->traits.array.stride);
    const bool isReference = member.type_description != nullptr &&
                             (member.type_description->type_flags & SPV_REFLECT_TYPE_FLAG_REF) != 0;
    if (!isReference) add_members(member, key, base + member.offset, depth + 1, facts);
  }
}

void add_resource(const SpvReflectDescriptorBinding& binding, const std::string& key,
                  Facts& facts) {
  facts[key + " type"] = type_name(binding.descriptor_type);
  facts[key + " count"] = std::to_string(binding.count);
  if (binding.descriptor_type == SPV_REFLECT_DESCRIPTOR_TYPE_UNIFORM_BUFFER ||
      binding.descriptor_type == SPV_REFLECT_DESCRIPTOR_TYPE_STORAGE_BUFFER) {
    facts[key + " size"] = std::to_string(binding.block.size);
    add_members(binding.block, key, 0, 0, facts);
  }
}

void add_entry_point(const SpvReflectShaderModule& module, const SpvReflectEntryPoint& entryPoint,
                     Facts& facts) {
  const uint32_t stage = uint32_t(entryPoint.spirv_execution_model);
  const std::string entry = std::format("{}/{}", entryPoint.name, stage);
  facts[entry] = "entry point";
  std::vector<const SpvReflectDescriptorBinding*> used;
  for (uint32_t b = 0; b < module.descriptor_binding_count; ++b) {
    const SpvReflectDescriptorBinding& binding = module.descriptor_bindings[b];
    const auto ids = std::span(entryPoint.used_uniforms, entryPoint.used_uniform_count);
    if (std::ranges::find(ids, binding.spirv_id) != ids.end()) used.push_back(&binding);
  }
  std::ranges::sort(used, {}, &SpvReflectDescriptorBinding::spirv_id);
  for (const SpvReflectDescriptorBinding* binding : used) {
    std::string key = resource_key(entryPoint.name, stage, binding->set, binding->binding);
    while (facts.contains(key + " type"))
      key += "'";
    add_resource(*binding, key, facts);
  }
  for (uint32_t p = 0; p < module.push_constant_block_count; ++p) {
    const SpvReflectBlockVariable& block = module.push_constant_blocks[p];
    const auto ids = std::span(entryPoint.used_push_constants, entryPoint.used_push_constant_count);
    if (std::ranges::find(ids, block.spirv_id) == ids.end()) continue;
    facts[entry + " push constants"] = "used";
    add_members(block, entry + " push constants", 0, 0, facts);
  }
  if (entryPoint.spirv_execution_model == SpvExecutionModelGLCompute)
    facts[entry + " workgroup"] = std::format("{} {} {}", entryPoint.local_size.x,
                                              entryPoint.local_size.y, entryPoint.local_size.z);
}

}  // namespace

bool reflect_facts(std::span<const uint32_t> words, Facts& facts) {
  SpvReflectShaderModule module{};
  if (spvReflectCreateShaderModule(words.size_bytes(), words.data(), &module) !=
      SPV_REFLECT_RESULT_SUCCESS)
    return false;
  for (uint32_t e = 0; e < module.entry_point_count; ++e)
    add_entry_point(module, module.entry_points[e], facts);
  spvReflectDestroyShaderModule(&module);
  return true;
}

}  // namespace corpus
