// SPDX-License-Identifier: MIT
#include <algorithm>
#include <exception>
#include <format>
#include <spirv_cross/spirv_cross.hpp>
#include <vector>

#include "facts.h"

namespace corpus {
namespace {

namespace sc = spirv_cross;

uint64_t array_count(const sc::Compiler& compiler, const sc::SPIRType& type) {
  uint64_t count = 1;
  for (size_t i = 0; i < type.array.size(); ++i) {
    const uint64_t length =
        type.array_size_literal[i] ? type.array[i] : compiler.get_constant(type.array[i]).scalar();
    count *= length;
  }
  return count;
}

void add_members(const sc::Compiler& compiler, const sc::SPIRType& type, const std::string& prefix,
                 uint64_t base, int depth, Facts& facts) {
  if (type.basetype != sc::SPIRType::Struct || type.pointer || depth > 3) return;
  for (uint32_t i = 0; i < type.member_types.size(); ++i) {
    const sc::SPIRType& member = compiler.get_type(type.member_types[i]);
    const std::string key = std::format("{} member {}", prefix, i);
    const uint64_t offset = base + compiler.type_struct_member_offset(type, i);
    facts[key + " offset"] = std::to_string(offset);
    const bool isArray = !member.array.empty() && !member.pointer;
    const bool isTail = isArray && member.array_size_literal.back() && member.array.back() == 0;
    if (member.columns > 1)
      facts[key + (isArray ? " elements' matrixStride" : " matrixStride")] =
          std::to_string(compiler.type_struct_member_matrix_stride(type, i));
    if (isArray)
      facts[key + (isTail ? " tailStride" : " arrayStride")] =
          std::to_string(compiler.type_struct_member_array_stride(type, i));
    add_members(compiler, member, key, offset, depth + 1, facts);
  }
}

struct Found {
  sc::Resource resource;
  const char* type;
};

const char* image_type(const sc::SPIRType& type, bool storage) {
  if (type.image.dim == spv::DimBuffer)
    return storage ? "STORAGE_TEXEL_BUFFER" : "UNIFORM_TEXEL_BUFFER";
  return storage ? "STORAGE_IMAGE" : "SAMPLED_IMAGE";
}

std::vector<Found> found_resources(const sc::Compiler& compiler, const sc::ShaderResources& all) {
  std::vector<Found> found;
  const auto add = [&](const auto& list, const char* type) {
    for (const sc::Resource& resource : list)
      found.push_back({resource, type});
  };
  add(all.uniform_buffers, "UNIFORM_BUFFER");
  add(all.storage_buffers, "STORAGE_BUFFER");
  add(all.subpass_inputs, "INPUT_ATTACHMENT");
  add(all.separate_samplers, "SAMPLER");
  add(all.acceleration_structures, "ACCELERATION_STRUCTURE_KHR");
  // Its caller is to look at the dimension: before SPIR-V 1.6 texel buffers are sampled images.
  for (const sc::Resource& resource : all.sampled_images) {
    const bool texels = compiler.get_type(resource.type_id).image.dim == spv::DimBuffer;
    found.push_back({resource, texels ? "UNIFORM_TEXEL_BUFFER" : "COMBINED_IMAGE_SAMPLER"});
  }
  for (const sc::Resource& resource : all.storage_images)
    found.push_back({resource, image_type(compiler.get_type(resource.type_id), true)});
  for (const sc::Resource& resource : all.separate_images)
    found.push_back({resource, image_type(compiler.get_type(resource.type_id), false)});
  std::ranges::sort(found, {}, [](const Found& f) { return uint32_t(f.resource.id); });
  return found;
}

void add_resource(const sc::Compiler& compiler, const Found& found, const std::string& key,
                  Facts& facts) {
  const sc::SPIRType& type = compiler.get_type(found.resource.type_id);
  facts[key + " type"] = found.type;
  facts[key + " count"] = std::to_string(array_count(compiler, type));
  const bool isBlock =
      found.type == std::string("UNIFORM_BUFFER") || found.type == std::string("STORAGE_BUFFER");
  if (!isBlock) return;
  const sc::SPIRType& block = compiler.get_type(found.resource.base_type_id);
  facts[key + " size"] = std::to_string(compiler.get_declared_struct_size(block));
  add_members(compiler, block, key, 0, 0, facts);
}

}  // namespace

bool cross_facts(std::span<const uint32_t> words, Facts& facts) try {
  sc::Compiler compiler(words.data(), words.size());
  for (const sc::EntryPoint& entryPoint : compiler.get_entry_points_and_stages()) {
    compiler.set_entry_point(entryPoint.name, entryPoint.execution_model);
    const std::string entry =
        std::format("{}/{}", entryPoint.name, uint32_t(entryPoint.execution_model));
    facts[entry] = "entry point";
    const sc::ShaderResources all =
        compiler.get_shader_resources(compiler.get_active_interface_variables());
    for (const Found& found : found_resources(compiler, all)) {
      std::string key =
          resource_key(entryPoint.name, uint32_t(entryPoint.execution_model),
                       compiler.get_decoration(found.resource.id, spv::DecorationDescriptorSet),
                       compiler.get_decoration(found.resource.id, spv::DecorationBinding));
      while (facts.contains(key + " type"))
        key += "'";
      add_resource(compiler, found, key, facts);
    }
    for (const sc::Resource& push : all.push_constant_buffers) {
      facts[entry + " push constants"] = "used";
      add_members(compiler, compiler.get_type(push.base_type_id), entry + " push constants", 0, 0,
                  facts);
    }
    if (entryPoint.execution_model == spv::ExecutionModelGLCompute) {
      sc::SpecializationConstant size[3];
      const uint32_t id =
          compiler.get_work_group_size_specialization_constants(size[0], size[1], size[2]);
      uint32_t value[3];
      for (uint32_t i = 0; i < 3; ++i) {
        value[i] = compiler.get_execution_mode_argument(spv::ExecutionModeLocalSize, i);
        if (id != 0) value[i] = compiler.get_constant(id).scalar(0, i);
        if (size[i].id != 0) value[i] = compiler.get_constant(size[i].id).scalar();
      }
      facts[entry + " workgroup"] = std::format("{} {} {}", value[0], value[1], value[2]);
    }
  }
  return true;
} catch (const std::exception&) {
  return false;
}

}  // namespace corpus
