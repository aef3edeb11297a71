// SPDX-License-Identifier: MIT
#include "emit/reflection_json.h"

#include <cstdint>
#include <format>
#include <nlohmann/json.hpp>
#include <vector>

#include "emit/block_json.h"
#include "emit/entry_point_json.h"
#include "emit/heap_access_json.h"
#include "emit/reflection_words.h"
#include "heapsmith/manifest.h"

namespace heapsmith::emit {
namespace {

using Json = nlohmann::ordered_json;
using reflect::EntryPoint;
using reflect::Resource;
using reflect::ShaderInterface;

Json block_json(const Resource& resource, const reflect::MergedBlocks& blocks) {
  Json json = {{"name", resource.blockName},
               {"structure", blocks.types[blocks.indices[0][resource.block]].name},
               {"size", resource.blockSize}};
  if (resource.runtimeTailStride != 0) {
    json["runtimeArrayOffset"] = resource.runtimeTailOffset;
    json["runtimeArrayStride"] = resource.runtimeTailStride;
  }
  return json;
}

void add_accesses(Json& json, const Resource& resource) {
  json["readOnly"] = resource.readOnly;
  json["writeOnly"] = resource.writeOnly;
  json["qualifiers"] = qualifier_words(resource.qualifiers);
  json["read"] = resource.isRead;
  json["written"] = resource.isWritten;
  json["access"] = access_word(resource.isRead, resource.isWritten);
  json["comparison"] = resource.comparison;
  json["usesLength"] = resource.usesLength;
  json["usesAtomics"] = resource.usesAtomics;
  json["usesDerivatives"] = resource.usesDerivatives;
  json["dynamicallyIndexed"] = resource.dynamicallyIndexed;
  json["nonUniformlyIndexed"] = resource.nonUniformlyIndexed;
  if (!resource.constantIndices.empty()) json["constantIndices"] = resource.constantIndices;
}

Json resource_json(const ShaderInterface& shader, const Resource& resource, bool used,
                   const reflect::MergedBlocks& blocks) {
  Json json = {{"name", resource.name},
               {"set", resource.set},
               {"binding", resource.binding},
               {"descriptorType", to_string(resource.type)},
               {"resourceType", to_string(static_cast<SpirvResourceType>(resource.kind))},
               {"arrayKind", to_string(resource.arrayKind)},
               {"count", length_json(resource.count)},
               {"dims", Json::array()}};
  for (const uint32_t dim : resource.dims)
    json["dims"].push_back(length_json(dim));
  if (!resource.sizeSpecIds.empty()) json["sizeSpecIds"] = resource.sizeSpecIds;
  if (!resource.sizeExpression.empty()) json["sizeExpression"] = resource.sizeExpression;
  json["used"] = used;
  if (resource.block != reflect::kNoType) json["block"] = block_json(resource, blocks);
  if (resource.image) json["image"] = image_json(*resource.image);
  if (resource.inputAttachmentIndex) json["inputAttachmentIndex"] = *resource.inputAttachmentIndex;
  add_accesses(json, resource);
  if (!resource.aliases.empty()) {
    json["aliases"] = Json::array();
    for (const uint32_t alias : resource.aliases)
      json["aliases"].push_back(shader.resources[alias].name);
  }
  if (!resource.counterBuffer.empty()) json["counterBuffer"] = resource.counterBuffer;
  if (!resource.userType.empty()) json["userType"] = resource.userType;
  return json;
}

Json required_features_json(const ShaderInterface& shader) {
  Json list = Json::array();
  for (const reflect::RequiredFeature& required : shader.requiredFeatures)
    list.push_back({{"capability", required.capability}, {"anyOf", required.features}});
  return list;
}

Json specialization_constants_json(const ShaderInterface& shader) {
  Json list = Json::array();
  for (const reflect::SpecializationConstant& constant : shader.specializationConstants)
    list.push_back({{"specId", constant.specId},
                    {"name", constant.name},
                    {"type", constant.type},
                    {"defaultBits", constant.defaultBits}});
  return list;
}

std::vector<bool> find_used(const ShaderInterface& shader) {
  std::vector<bool> used(shader.resources.size());
  for (const EntryPoint& entryPoint : shader.entryPoints)
    for (const uint32_t index : entryPoint.usedResources)
      used[index] = true;
  return used;
}

Json shader_json(const NamedInterface& named) {
  const ShaderInterface& shader = *named.shader;
  const reflect::MergedBlocks blocks = reflect::merge_blocks({&named.shader, 1});
  Json json = {{"file", named.file},
               {"spirvVersion", version_text(shader.spirvVersion)},
               {"capabilities", shader.capabilities},
               {"extensions", shader.extensions},
               {"requiredFeatures", required_features_json(shader)},
               {"entryPoints", Json::array()},
               {"resources", Json::array()}};
  for (const EntryPoint& entryPoint : shader.entryPoints)
    json["entryPoints"].push_back(entry_point_json(shader, entryPoint, blocks));
  const std::vector<bool> used = find_used(shader);
  for (size_t i = 0; i < shader.resources.size(); ++i)
    json["resources"].push_back(resource_json(shader, shader.resources[i], used[i], blocks));
  json["structures"] = Json::array();
  for (const uint32_t index : blocks.structures)
    json["structures"].push_back(structure_json(blocks, index));
  json["heapAccesses"] = heap_accesses_json(shader, blocks);
  json["specializationConstants"] = specialization_constants_json(shader);
  json["usesResourceHeap"] = shader.usesResourceHeap;
  json["usesSamplerHeap"] = shader.usesSamplerHeap;
  return json;
}

}  // namespace

std::string reflection_json(std::span<const NamedInterface> shaders) {
  Json root = {{"$schema", "urn:heapsmith:schema:reflection:1"},
               {"formatVersion", {{"major", 1}, {"minor", 0}}},
               {"shaders", Json::array()}};
  for (const NamedInterface& shader : shaders)
    root["shaders"].push_back(shader_json(shader));
  return root.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace heapsmith::emit
