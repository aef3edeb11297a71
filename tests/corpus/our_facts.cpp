// SPDX-License-Identifier: MIT
#include <format>
#include <spirv/unified1/spirv.hpp11>

#include "facts.h"
#include "reflect/reflect_module.h"
#include "spirv/parse.h"

namespace corpus {
namespace {

using namespace heapsmith;

uint32_t execution_model(ShaderStage stage) {
  switch (stage) {
    case ShaderStage::Vertex:
      return uint32_t(spv::ExecutionModel::Vertex);
    case ShaderStage::TessellationControl:
      return uint32_t(spv::ExecutionModel::TessellationControl);
    case ShaderStage::TessellationEvaluation:
      return uint32_t(spv::ExecutionModel::TessellationEvaluation);
    case ShaderStage::Geometry:
      return uint32_t(spv::ExecutionModel::Geometry);
    case ShaderStage::Fragment:
      return uint32_t(spv::ExecutionModel::Fragment);
    case ShaderStage::Compute:
      return uint32_t(spv::ExecutionModel::GLCompute);
    case ShaderStage::Task:
      return uint32_t(spv::ExecutionModel::TaskEXT);
    case ShaderStage::Mesh:
      return uint32_t(spv::ExecutionModel::MeshEXT);
    case ShaderStage::RayGeneration:
      return uint32_t(spv::ExecutionModel::RayGenerationKHR);
    case ShaderStage::AnyHit:
      return uint32_t(spv::ExecutionModel::AnyHitKHR);
    case ShaderStage::ClosestHit:
      return uint32_t(spv::ExecutionModel::ClosestHitKHR);
    case ShaderStage::Miss:
      return uint32_t(spv::ExecutionModel::MissKHR);
    case ShaderStage::Intersection:
      return uint32_t(spv::ExecutionModel::IntersectionKHR);
    case ShaderStage::Callable:
      return uint32_t(spv::ExecutionModel::CallableKHR);
  }
  return 0;
}

void add_members(const reflect::ShaderInterface& shader, uint32_t type, const std::string& prefix,
                 uint64_t base, int depth, Facts& facts) {
  while (shader.types[type].kind == reflect::TypeKind::Array ||
         shader.types[type].kind == reflect::TypeKind::RuntimeArray)
    type = shader.types[type].element;
  const reflect::BlockType& structure = shader.types[type];
  if (structure.kind != reflect::TypeKind::Structure || depth > 3) return;
  for (size_t i = 0; i < structure.members.size(); ++i) {
    const reflect::BlockMember& member = structure.members[i];
    const std::string key = std::format("{} member {}", prefix, i);
    facts[key + " offset"] = std::to_string(base + member.offset);
    const reflect::BlockType& inner = shader.types[member.type];
    const bool isTail = inner.kind == reflect::TypeKind::RuntimeArray;
    const bool isArray = isTail || inner.kind == reflect::TypeKind::Array;
    if (member.matrixStride != 0)
      facts[key + (isArray ? " elements' matrixStride" : " matrixStride")] =
          std::to_string(member.matrixStride);
    if (isArray)
      facts[key + (isTail ? " tailStride" : " arrayStride")] = std::to_string(inner.stride);
    add_members(shader, member.type, key, base + member.offset, depth + 1, facts);
  }
}

void add_resource(const reflect::ShaderInterface& shader, const reflect::Resource& resource,
                  const std::string& key, Facts& facts) {
  // Several variables on one binding: the facts of all, joined, in an order that does not depend on
  // ids.
  facts[key + " type"] = to_string(resource.type);
  facts[key + " count"] = std::to_string(resource.count);
  if (resource.block == reflect::kNoType) return;
  // As the peers count it: up to the runtime array, if there is one.
  const bool hasTail = resource.runtimeTailStride != 0;
  facts[key + " size"] = std::to_string(hasTail ? resource.runtimeTailOffset : resource.blockSize);
  add_members(shader, resource.block, key, 0, 0, facts);
}

}  // namespace

std::string resource_key(const std::string& entryPoint, uint32_t stage, uint32_t set,
                         uint32_t binding) {
  return std::format("{}/{} set {} binding {}", entryPoint, stage, set, binding);
}

bool our_facts(std::span<const uint32_t> words, Facts& facts) {
  Diagnostics diagnostics;
  const auto module = spirv::parse_module(std::as_bytes(words), "module", diagnostics);
  if (!module) return false;
  const auto shader = reflect::reflect_module(*module, "module", diagnostics);
  if (!shader) return false;
  for (const reflect::EntryPoint& entryPoint : shader->entryPoints) {
    const uint32_t stage = execution_model(entryPoint.stage);
    const std::string entry = std::format("{}/{}", entryPoint.name, stage);
    facts[entry] = "entry point";
    for (const uint32_t index : entryPoint.usedResources) {
      const reflect::Resource& resource = shader->resources[index];
      std::string key = resource_key(entryPoint.name, stage, resource.set, resource.binding);
      while (facts.contains(key + " type"))
        key += "'";
      add_resource(*shader, resource, key, facts);
    }
    if (entryPoint.pushConstants) {
      facts[entry + " push constants"] = "used";
      add_members(*shader, entryPoint.pushConstants->block, entry + " push constants", 0, 0, facts);
    }
    if (entryPoint.workgroupSize && entryPoint.stage == ShaderStage::Compute) {
      const auto& size = *entryPoint.workgroupSize;
      facts[entry + " workgroup"] = std::format("{} {} {}", size[0], size[1], size[2]);
    }
  }
  return true;
}

}  // namespace corpus
