// SPDX-License-Identifier: MIT
#include "emit/entry_point_json.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "emit/reflection_words.h"
#include "heapsmith/manifest.h"

namespace heapsmith::emit {
namespace {

using Json = nlohmann::ordered_json;
using reflect::EntryPoint;
using reflect::InterfaceKind;
using reflect::InterfaceVariable;
using reflect::Resource;
using reflect::ShaderInterface;

Json execution_modes_json(const EntryPoint& entryPoint) {
  Json list = Json::array();
  for (const reflect::ExecutionMode& mode : entryPoint.executionModes) {
    Json json = {{"name", mode.name}, {"operands", Json::array()}};
    for (const reflect::ExecutionModeOperand& operand : mode.operands) {
      Json value = {{"value", operand.value}};
      if (!operand.expression.empty()) value["expression"] = operand.expression;
      json["operands"].push_back(std::move(value));
    }
    list.push_back(std::move(json));
  }
  return list;
}

Json resource_name_json(const Resource& resource) {
  return {{"name", resource.name}, {"set", resource.set}, {"binding", resource.binding}};
}

void add_resources(Json& json, const ShaderInterface& shader, const EntryPoint& entryPoint) {
  json["usedResources"] = Json::array();
  json["unusedResources"] = Json::array();
  for (uint32_t index = 0; index < shader.resources.size(); ++index) {
    const bool used = std::ranges::binary_search(entryPoint.usedResources, index);
    json[used ? "usedResources" : "unusedResources"].push_back(
        resource_name_json(shader.resources[index]));
  }
}

Json push_constants_json(const reflect::PushConstants& pushConstants,
                         const reflect::MergedBlocks& blocks) {
  Json json = {{"name", pushConstants.name},
               {"structure", blocks.types[blocks.indices[0][pushConstants.block]].name},
               {"offset", pushConstants.offset},
               {"size", pushConstants.size},
               {"usedByteRanges", Json::array()}};
  for (const reflect::ByteRange& range : pushConstants.usedRanges)
    json["usedByteRanges"].push_back({{"offset", range.begin}, {"size", range.end - range.begin}});
  return json;
}

Json variable_json(const InterfaceVariable& variable, bool used) {
  Json json = {{"name", variable.name}, {"type", variable.type}};
  if (variable.location) json["location"] = *variable.location;
  if (variable.component) json["component"] = *variable.component;
  if (variable.index) json["index"] = *variable.index;
  if (!variable.builtIn.empty()) json["builtIn"] = variable.builtIn;
  if (!variable.decorations.empty()) json["decorations"] = variable.decorations;
  json["used"] = used;
  return json;
}

Json payload_json(const InterfaceVariable& variable, bool used) {
  Json json = {{"name", variable.name},
               {"storageClass", interface_kind_word(variable.kind)},
               {"type", variable.type}};
  if (variable.location) json["location"] = *variable.location;
  json["used"] = used;
  return json;
}

Json shader_record_json(const InterfaceVariable& variable, bool used,
                        const reflect::MergedBlocks& blocks) {
  Json json = {{"name", variable.name}};
  if (variable.block != reflect::kNoType) {
    const reflect::BlockType& block = blocks.types[blocks.indices[0][variable.block]];
    json["structure"] = block.name;
    json["size"] = block.size;
  }
  json["used"] = used;
  return json;
}

void add_variables(Json& json, const ShaderInterface& shader, const EntryPoint& entryPoint,
                   const reflect::MergedBlocks& blocks) {
  json["inputs"] = Json::array();
  json["outputs"] = Json::array();
  for (const reflect::EntryPointVariable& entry : entryPoint.variables) {
    const InterfaceVariable& variable = shader.variables[entry.variable];
    if (variable.kind == InterfaceKind::Input)
      json["inputs"].push_back(variable_json(variable, entry.used));
    else if (variable.kind == InterfaceKind::Output)
      json["outputs"].push_back(variable_json(variable, entry.used));
    else if (variable.kind == InterfaceKind::ShaderRecord)
      json["shaderRecord"] = shader_record_json(variable, entry.used, blocks);
    else
      json["payloads"].push_back(payload_json(variable, entry.used));
  }
}

}  // namespace

Json entry_point_json(const ShaderInterface& shader, const EntryPoint& entryPoint,
                      const reflect::MergedBlocks& blocks) {
  Json json = {{"name", entryPoint.name},
               {"stage", to_string(entryPoint.stage)},
               {"executionModes", execution_modes_json(entryPoint)}};
  if (entryPoint.workgroupSize) json["workgroupSize"] = *entryPoint.workgroupSize;
  if (!entryPoint.workgroupSizeSpecIds.empty())
    json["workgroupSizeSpecIds"] = entryPoint.workgroupSizeSpecIds;
  add_resources(json, shader, entryPoint);
  if (entryPoint.pushConstants)
    json["pushConstants"] = push_constants_json(*entryPoint.pushConstants, blocks);
  add_variables(json, shader, entryPoint, blocks);
  return json;
}

}  // namespace heapsmith::emit
