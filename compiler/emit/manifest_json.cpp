// SPDX-License-Identifier: MIT
#include "emit/manifest_json.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "emit/block_json.h"
#include "emit/enum_names.h"
#include "emit/heap_access_json.h"
#include "emit/sampler_json.h"

namespace heapsmith::emit {
namespace {

using Json = nlohmann::ordered_json;

// The order of the regions in the heaps.
constexpr std::array kRegionOrder = {DescriptorClass::Image, DescriptorClass::Buffer,
                                     DescriptorClass::Tensor, DescriptorClass::Sampler};

// {region, slot}: a byte offset that waits for a device.
Json slot_term(DescriptorClass region, uint64_t slot) {
  return {{"region", to_string(region)}, {"slot", slot}};
}

// {class, count}: so many descriptor sizes.
Json size_term(DescriptorClass descriptor_class, uint64_t count) {
  return {{"class", to_string(descriptor_class)}, {"count", count}};
}

class Writer {
 public:
  Writer(const ManifestContent& content, const Manifest& manifest, const SlotLayout& slots)
      : content_(content), manifest_(manifest), slots_(slots) {}

  std::string run() {
    Json root;
    root["$schema"] = "urn:heapsmith:schema:manifest:1";
    root["formatVersion"] = {{"major", kFormatVersionMajor}, {"minor", kFormatVersionMinor}};
    root["regions"] = regions();
    root["externalRanges"] = external_ranges();
    root["tables"] = Json::array();
    for (uint32_t t = 0; t < manifest_.tables.size(); ++t)
      root["tables"].push_back(table(t));
    root["pushData"] = push_data();
    add_if_any(root, "shaderRecord", shader_record());
    add_if_any(root, "indirectBlocks", indirect_blocks());
    add_if_any(root, "samplers", samplers());
    if (manifest_.regionBases != RegionBases::Sizes)
      root["regionBases"] = to_string(manifest_.regionBases);
    root["programs"] = Json::array();
    for (size_t p = 0; p < manifest_.programs.size(); ++p)
      root["programs"].push_back(program(p));
    root["blocks"] = blocks();
    // Names come from shaders, and shaders may hold any bytes.
    return root.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
  }

 private:
  Json regions() const {
    Json list = Json::array();
    for (const DescriptorClass region : kRegionOrder) {
      const uint64_t slots = slots_.regionSlots[static_cast<size_t>(region)];
      if (slots == 0) continue;
      list.push_back({{"heap", region == DescriptorClass::Sampler ? "sampler" : "resource"},
                      {"class", to_string(region)},
                      {"slots", slots}});
    }
    return list;
  }

  Json external_ranges() const {
    Json list = Json::array();
    for (size_t i = 0; i < manifest_.externalRanges.size(); ++i) {
      const ExternalRange& range = manifest_.externalRanges[i];
      list.push_back({{"name", range.name},
                      {"class", to_string(range.descriptorClass)},
                      {"slots", range.slots},
                      {"firstSlot", slots_.externalRanges[i]}});
    }
    return list;
  }

  Json table(uint32_t index) const {
    const Table& table = manifest_.tables[index];
    const TableSlots& slots = slots_.tables[index];
    Json json = {{"name", table.name},
                 {"set", table.set},
                 {"residence", to_string(table.residence)},
                 {"instances", table.instances}};
    if (slots.slotsPerInstance[static_cast<size_t>(DescriptorClass::Sampler)] != 0) {
      json["samplerInstances"] = table.samplerInstances;
    }
    if (table.indexField != kNone) {
      json["indexField"] = manifest_.fields[table.indexField].name;
    }
    if (table.samplerIndexField != kNone) {
      json["samplerIndexField"] = manifest_.fields[table.samplerIndexField].name;
    }
    json["slots"] = Json::object();
    for (const DescriptorClass region : kRegionOrder) {
      const auto r = static_cast<size_t>(region);
      if (slots.slotsPerInstance[r] == 0) continue;
      json["slots"][to_string(region)] = {{"first", slots.firstSlot[r]},
                                          {"perInstance", slots.slotsPerInstance[r]}};
    }
    json["bindings"] = Json::array();
    for (uint32_t b = 0; b < table.bindings.count; ++b) {
      json["bindings"].push_back(binding(index, b));
    }
    return json;
  }

  Json binding(uint32_t table, uint32_t index) const {
    const Binding& binding = manifest_.bindings[manifest_.tables[table].bindings.first + index];
    const plan::PlannedBinding& planned = content_.plan.tables[table].bindings[index];
    Json json = {{"name", binding.name},
                 {"binding", binding.binding},
                 {"descriptorType", to_string(binding.type)},
                 {"array", to_string(binding.arrayKind)}};
    if (binding.arrayKind == ArrayKind::Runtime) {
      json["count"] = "runtime";
    } else {
      // The capacity of a block that lies in the heap counts its copies.
      json["count"] = binding.residence == Residence::HeapData ? 1 : binding.capacity;
    }
    json["capacity"] = binding.capacity;
    if (binding.residence != manifest_.tables[table].residence)
      json["residence"] = to_string(binding.residence);
    if (planned.dims.size() > 1) json["dims"] = planned.dims;
    json["stages"] = stage_names(binding.stages);
    json["used"] = binding.stages != 0;
    const bool is_buffer = binding.type == DescriptorType::UniformBuffer ||
                           binding.type == DescriptorType::StorageBuffer;
    if (is_buffer) json["minBufferSize"] = binding.minBufferSize;
    json["views"] = Json::array();
    for (const reflect::BindingView& view : planned.views)
      json["views"].push_back(this->view(view));
    if (has_resource_slots(binding)) {
      json["slot"] = slot_term(descriptor_class(binding.type),
                               resource_slot(manifest_, slots_, id_of(binding)));
    }
    if (has_sampler_slots(binding)) {
      json["samplerSlot"] =
          slot_term(DescriptorClass::Sampler, sampler_slot(manifest_, slots_, id_of(binding)));
    }
    if (binding.slotsPerElement != 1) json["slotsPerElement"] = binding.slotsPerElement;
    if (binding.samplerPlacement == SamplerPlacement::Table) return json;
    json["samplerPlacement"] = to_string(binding.samplerPlacement);
    Json& immutable = json["immutableSamplers"] = Json::array();
    const IndexRange range = binding.immutableSamplers;
    for (const uint32_t sampler : manifest_.immutableSamplers.subspan(range.first, range.count))
      immutable.push_back(manifest_.samplers[sampler].name);
    return json;
  }

  Json view(const reflect::BindingView& view) const {
    Json json = {{"name", view.name}};
    if (!view.blockName.empty()) json["blockName"] = view.blockName;
    if (view.block != reflect::kNoType) json["block"] = content_.blocks.types[view.block].name;
    if (!view.counterBuffer.empty()) json["counterBuffer"] = view.counterBuffer;
    if (!view.userType.empty()) json["userType"] = view.userType;
    if (view.inputAttachmentIndex) json["inputAttachmentIndex"] = *view.inputAttachmentIndex;
    if (view.comparison) json["comparison"] = true;
    if (view.usesLength) json["usesLength"] = true;
    return json;
  }

  BindingId id_of(const Binding& binding) const {
    return {static_cast<uint32_t>(&binding - manifest_.bindings.data())};
  }

  static void add_if_any(Json& root, const char* key, Json value) {
    if (!value.empty()) root[key] = std::move(value);
  }

  Json field(const Field& field) const {
    Json json = {{"name", field.name}, {"kind", to_string(field.kind)}};
    if (field.table != kNone) json["table"] = manifest_.tables[field.table].name;
    if (field.binding != kNone) json["binding"] = manifest_.bindings[field.binding].binding;
    if (field.kind == FieldKind::BlockAddress)
      json["block"] = manifest_.indirectBlocks[field.block].name;
    json["offset"] = field.offset;
    json["size"] = field.size;
    return json;
  }

  Json shader_record() const {
    Json fields = Json::array();
    uint32_t size = 0;
    for (const Field& field : manifest_.fields) {
      if (field.space != FieldSpace::ShaderRecord) continue;
      size = std::max(size, field.offset + field.size);
      fields.push_back(this->field(field));
    }
    if (fields.empty()) return {};
    return {{"size", size}, {"fields", std::move(fields)}};
  }

  Json indirect_blocks() const {
    Json list = Json::array();
    for (uint32_t i = 0; i < manifest_.indirectBlocks.size(); ++i) {
      const IndirectBlock& block = manifest_.indirectBlocks[i];
      Json json = {{"name", block.name},
                   {"size", block.size},
                   {"addressField", manifest_.fields[block.addressField].name},
                   {"fields", Json::array()}};
      for (const Field& field : manifest_.fields) {
        if (field.space == FieldSpace::Indirect && field.block == i)
          json["fields"].push_back(this->field(field));
      }
      list.push_back(std::move(json));
    }
    return list;
  }

  Json samplers() const {
    Json list = Json::array();
    for (const SamplerInfo& sampler : manifest_.samplers)
      list.push_back(sampler_json(sampler));
    return list;
  }

  Json push_data() const {
    uint32_t size = 0;
    Json fields = Json::array();
    for (const Field& field : manifest_.fields) {
      if (field.space != FieldSpace::PushData) continue;
      size = std::max(size, field.offset + field.size);
      fields.push_back(this->field(field));
    }
    for (const Program& program : manifest_.programs) {
      if (program.pushConstantSize != 0) {
        size = std::max(size, program.pushConstantOffset + program.pushConstantSize);
      }
    }
    return {{"size", size}, {"fields", std::move(fields)}};
  }

  Json program(size_t index) const {
    const Program& program = manifest_.programs[index];
    Json json = {{"name", program.name}};
    if (program.pushConstantSize != 0) {
      json["pushConstants"] = {{"offset", program.pushConstantOffset},
                               {"size", program.pushConstantSize}};
    }
    if (program.recordBlockSize != 0) json["recordBlockSize"] = program.recordBlockSize;
    json["shaders"] = Json::array();
    for (const EmittedShader& shader : content_.programs[index].shaders) {
      json["shaders"].push_back(this->shader(shader));
    }
    json["mappings"] = Json::array();
    const auto mappings =
        manifest_.mappings.subspan(program.mappings.first, program.mappings.count);
    for (const Mapping& mapping : mappings)
      json["mappings"].push_back(this->mapping(mapping));
    return json;
  }

  Json shader(const EmittedShader& shader) const {
    Json json = {{"stage", to_string(shader.stage)},
                 {"entryPoint", shader.entryPoint},
                 {"file", shader.file},
                 {"sha256", shader.sha256},
                 {"form", shader.rewritten ? "rewritten" : "mapped"}};
    if (shader.pushConstants != reflect::kNoType)
      json["pushConstantBlock"] = content_.blocks.types[shader.pushConstants].name;
    Json constants = Json::array();
    for (const reflect::SpecializationConstant& constant : shader.specializationConstants) {
      constants.push_back({{"specId", constant.specId},
                           {"name", constant.name},
                           {"type", constant.type},
                           {"defaultBits", constant.defaultBits}});
    }
    add_if_any(json, "specializationConstants", std::move(constants));
    Json slot_constants = Json::array();
    for (const SlotConstant& constant : shader.slotConstants)
      slot_constants.push_back(slot_constant(constant));
    add_if_any(json, "slotConstants", std::move(slot_constants));
    Json accesses = Json::array();
    for (const reflect::HeapAccess& access : shader.heapAccesses)
      accesses.push_back(heap_place_json(access));
    add_if_any(json, "heapAccesses", std::move(accesses));
    return json;
  }

  Json slot_constant(const SlotConstant& constant) const {
    Json json = {{"specId", constant.specId}, {"what", to_string(constant.number)}};
    if (constant.table != kNone) json["table"] = manifest_.tables[constant.table].name;
    if (constant.binding != kNone)
      json["binding"] = manifest_.bindings[constant.binding].binding;
    else
      json["class"] = to_string(constant.descriptorClass);
    json["default"] = slot_number(manifest_, slots_, constant);
    return json;
  }

  // Their C++ names beside the shaders', since some are no identifiers there.
  Json blocks() const {
    Json list = Json::array();
    for (const uint32_t index : content_.blocks.structures) {
      Json json = structure_json(content_.blocks, index);
      const StructNames& names = content_.structNames[index];
      json["cppName"] = names.name;
      for (size_t i = 0; i < names.members.size(); ++i)
        json["members"][i]["cppName"] = names.members[i];
      list.push_back(std::move(json));
    }
    return list;
  }

  Json mapping(const Mapping& mapping) const {
    const Binding& binding = manifest_.bindings[mapping.binding];
    Json json = {{"set", mapping.set},
                 {"binding", binding.binding},
                 {"table", manifest_.tables[binding.table].name},
                 {"resourceMask", resource_mask_names(mapping.resourceMask)},
                 {"source", to_string(mapping.source)},
                 {"part", to_string(mapping.part)}};
    if (mapping.field != kNone) json["field"] = manifest_.fields[mapping.field].name;
    if (mapping.packedIndex) json["useCombinedImageSamplerIndex"] = true;
    if (mapping.embeddedSampler != kNone)
      json["embeddedSampler"] = manifest_.samplers[mapping.embeddedSampler].name;
    if (!reaches_descriptors(mapping.source)) return json;
    if (mapping.part != MappingPart::Sampler)
      add_half(json, {"heapOffset", "heapArrayStride", "heapIndexStride"},
               resource_half(manifest_, slots_, mapping));
    if (mapping.part == MappingPart::Resource || mapping.embeddedSampler != kNone) return json;
    const MappingHalf sampler = sampler_half(manifest_, slots_, mapping);
    if (mapping.part == MappingPart::Sampler) {
      add_half(json, {"heapOffset", "heapArrayStride", "heapIndexStride"}, sampler);
      return json;
    }
    add_half(json, {"samplerHeapOffset", "samplerHeapArrayStride", "samplerHeapIndexStride"},
             sampler);
    if (mapping.samplerField != kNone)
      json["samplerField"] = manifest_.fields[mapping.samplerField].name;
    return json;
  }

  struct HalfKeys {
    const char* offset;
    const char* arrayStride;
    const char* indexStride;
  };

  // A stride of 0 says nothing.
  static void add_half(Json& json, const HalfKeys& keys, const MappingHalf& half) {
    json[keys.offset] = slot_term(half.descriptorClass, half.slot);
    if (half.arrayStride != 0)
      json[keys.arrayStride] = size_term(half.descriptorClass, half.arrayStride);
    if (half.indexStride != 0)
      json[keys.indexStride] = size_term(half.descriptorClass, half.indexStride);
  }

  const ManifestContent& content_;
  const Manifest& manifest_;
  const SlotLayout& slots_;
};

}  // namespace

std::string manifest_json(const ManifestContent& content, const Manifest& manifest,
                          const SlotLayout& slots) {
  return Writer(content, manifest, slots).run();
}

}  // namespace heapsmith::emit
