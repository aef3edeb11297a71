// SPDX-License-Identifier: MIT
#include "emit/heap_access_json.h"

#include <string>
#include <vector>

#include "emit/reflection_words.h"
#include "heapsmith/manifest.h"

namespace heapsmith::emit {
namespace {

using Json = nlohmann::ordered_json;
using reflect::HeapAccess;
using reflect::HeapSize;

Json size_json(const HeapSize& size) {
  Json json = {{"kind", size_kind_word(size.kind)}};
  if (size.bytes) json["bytes"] = *size.bytes;
  json["text"] = size.text;
  if (!size.specIds.empty()) json["specIds"] = size.specIds;
  return json;
}

Json arrays_json(const HeapAccess& access) {
  Json list = Json::array();
  for (const reflect::HeapArray& array : access.arrays) {
    Json json = {{"length", length_json(array.length)}};
    if (!array.stride.text.empty()) json["stride"] = size_json(array.stride);
    list.push_back(std::move(json));
  }
  return list;
}

void add_contents(Json& json, const HeapAccess& access, const reflect::MergedBlocks& blocks) {
  if (!access.type) {
    json["dataType"] = access.dataType;
    return;
  }
  json["descriptorType"] = to_string(*access.type);
  json["resourceType"] = to_string(static_cast<SpirvResourceType>(access.kind));
  if (access.image) json["image"] = image_json(*access.image);
  if (access.block != reflect::kNoType)
    json["block"] = {{"name", access.blockName},
                     {"structure", blocks.types[blocks.indices[0][access.block]].name}};
}

Json access_json(const HeapAccess& access, const reflect::MergedBlocks& blocks,
                 const std::vector<std::string>& entryPoints) {
  Json json = {{"heap", access.samplerHeap ? "sampler" : "resource"},
               {"contents", access.type ? "descriptor" : "data"}};
  add_contents(json, access, blocks);
  json["offset"] = size_json(access.offset);
  json["arrays"] = arrays_json(access);
  json["indexing"] = indexing_word(access.indexing);
  json["slots"] = access.slots;
  json["nonUniformlyIndexed"] = access.nonUniformlyIndexed;
  json["qualifiers"] = qualifier_words(access.qualifiers);
  json["access"] = access_word(access.isRead, access.isWritten);
  json["comparison"] = access.comparison;
  json["usesLength"] = access.usesLength;
  json["usesAtomics"] = access.usesAtomics;
  json["usesDerivatives"] = access.usesDerivatives;
  json["entryPoints"] = entryPoints;
  return json;
}

}  // namespace

Json heap_accesses_json(const reflect::ShaderInterface& shader,
                        const reflect::MergedBlocks& blocks) {
  std::vector<std::vector<std::string>> users(shader.heapAccesses.size());
  for (const reflect::EntryPoint& entryPoint : shader.entryPoints)
    for (const uint32_t access : entryPoint.heapAccesses)
      users[access].push_back(entryPoint.name);
  Json list = Json::array();
  for (size_t i = 0; i < shader.heapAccesses.size(); ++i)
    list.push_back(access_json(shader.heapAccesses[i], blocks, users[i]));
  return list;
}

Json heap_place_json(const HeapAccess& access) {
  Json json = {{"heap", access.samplerHeap ? "sampler" : "resource"},
               {"contents", access.type ? "descriptor" : "data"}};
  if (access.type)
    json["descriptorType"] = to_string(*access.type);
  else
    json["dataType"] = access.dataType;
  json["offset"] = size_json(access.offset);
  json["arrays"] = arrays_json(access);
  json["indexing"] = indexing_word(access.indexing);
  json["slots"] = access.slots;
  return json;
}

Json image_json(const reflect::ImageFacts& image) {
  Json json = {{"dim", dim_word(image.dim)},
               {"arrayed", image.arrayed},
               {"multisampled", image.multisampled},
               {"depth", image.depth == 1},
               {"sampledType", image.sampledType}};
  if (image.format != 0) json["format"] = format_word(image.format);
  return json;
}

Json length_json(uint64_t length) {
  return length == 0 ? Json("runtime") : Json(length);
}

}  // namespace heapsmith::emit
