// SPDX-License-Identifier: MIT
#include "input/mappings_json.h"

#include <array>
#include <optional>
#include <span>

#include "input/json_object.h"
#include "input/json_text.h"
#include "input/sampler_json.h"

namespace heapsmith::input {
namespace {

using mapping::VulkanMapping;

constexpr std::array kSources = {
    MappingSource::HeapWithConstantOffset,
    MappingSource::HeapWithPushIndex,
    MappingSource::HeapWithIndirectIndex,
    MappingSource::HeapWithIndirectIndexArray,
    MappingSource::ResourceHeapData,
    MappingSource::PushData,
    MappingSource::PushAddress,
    MappingSource::IndirectAddress,
    MappingSource::HeapWithShaderRecordIndex,
    MappingSource::ShaderRecordData,
    MappingSource::ShaderRecordAddress,
};
constexpr std::array kKinds = {
    SpirvResourceType::Sampler,
    SpirvResourceType::SampledImage,
    SpirvResourceType::ReadOnlyImage,
    SpirvResourceType::ReadWriteImage,
    SpirvResourceType::CombinedSampledImage,
    SpirvResourceType::UniformBuffer,
    SpirvResourceType::ReadOnlyStorageBuffer,
    SpirvResourceType::ReadWriteStorageBuffer,
    SpirvResourceType::AccelerationStructure,
    SpirvResourceType::TensorARM,
};

struct Member {
  std::string_view key;
  uint32_t ResolvedMapping::* member;
};

constexpr Member kHeapOffset = {"heapOffset", &ResolvedMapping::heapOffset};
constexpr Member kHeapArrayStride = {"heapArrayStride", &ResolvedMapping::heapArrayStride};
constexpr Member kHeapIndexStride = {"heapIndexStride", &ResolvedMapping::heapIndexStride};
constexpr Member kPushOffset = {"pushOffset", &ResolvedMapping::fieldOffset};
constexpr Member kAddressOffset = {"addressOffset", &ResolvedMapping::addressOffset};
constexpr Member kRecordOffset = {"shaderRecordOffset", &ResolvedMapping::fieldOffset};
constexpr Member kSamplerHeapOffset = {"samplerHeapOffset", &ResolvedMapping::samplerHeapOffset};
constexpr Member kSamplerArrayStride = {"samplerHeapArrayStride",
                                        &ResolvedMapping::samplerHeapArrayStride};
constexpr Member kSamplerIndexStride = {"samplerHeapIndexStride",
                                        &ResolvedMapping::samplerHeapIndexStride};
constexpr Member kSamplerPushOffset = {"samplerPushOffset", &ResolvedMapping::samplerFieldOffset};
constexpr Member kSamplerAddressOffset = {"samplerAddressOffset",
                                          &ResolvedMapping::samplerAddressOffset};
constexpr Member kSamplerRecordOffset = {"samplerShaderRecordOffset",
                                         &ResolvedMapping::samplerFieldOffset};

// The members of VkDescriptorMappingSource*EXT.
constexpr Member kConstantOffset[] = {kHeapOffset, kHeapArrayStride, kSamplerHeapOffset,
                                      kSamplerArrayStride};
constexpr Member kPushIndex[] = {kHeapOffset,         kPushOffset,        kHeapIndexStride,
                                 kHeapArrayStride,    kSamplerHeapOffset, kSamplerPushOffset,
                                 kSamplerIndexStride, kSamplerArrayStride};
constexpr Member kIndirectIndex[] = {kHeapOffset,        kPushOffset,           kAddressOffset,
                                     kHeapIndexStride,   kHeapArrayStride,      kSamplerHeapOffset,
                                     kSamplerPushOffset, kSamplerAddressOffset, kSamplerIndexStride,
                                     kSamplerArrayStride};
constexpr Member kIndirectIndexArray[] = {
    kHeapOffset,        kPushOffset,        kAddressOffset,        kHeapIndexStride,
    kSamplerHeapOffset, kSamplerPushOffset, kSamplerAddressOffset, kSamplerIndexStride};
constexpr Member kHeapData[] = {kHeapOffset, kPushOffset};
constexpr Member kPushData[] = {{"pushDataOffset", &ResolvedMapping::fieldOffset}};
constexpr Member kPushAddress[] = {{"pushAddressOffset", &ResolvedMapping::fieldOffset}};
constexpr Member kIndirectAddress[] = {kPushOffset, kAddressOffset};
constexpr Member kRecordIndex[] = {kHeapOffset,         kRecordOffset,      kHeapIndexStride,
                                   kHeapArrayStride,    kSamplerHeapOffset, kSamplerRecordOffset,
                                   kSamplerIndexStride, kSamplerArrayStride};
constexpr Member kRecordData[] = {{"shaderRecordDataOffset", &ResolvedMapping::fieldOffset}};
constexpr Member kRecordAddress[] = {{"shaderRecordAddressOffset", &ResolvedMapping::fieldOffset}};

std::span<const Member> members_of(MappingSource source) {
  switch (source) {
    case MappingSource::HeapWithConstantOffset:
      return kConstantOffset;
    case MappingSource::HeapWithPushIndex:
      return kPushIndex;
    case MappingSource::HeapWithIndirectIndex:
      return kIndirectIndex;
    case MappingSource::HeapWithIndirectIndexArray:
      return kIndirectIndexArray;
    case MappingSource::ResourceHeapData:
      return kHeapData;
    case MappingSource::PushData:
      return kPushData;
    case MappingSource::PushAddress:
      return kPushAddress;
    case MappingSource::IndirectAddress:
      return kIndirectAddress;
    case MappingSource::HeapWithShaderRecordIndex:
      return kRecordIndex;
    case MappingSource::ShaderRecordData:
      return kRecordData;
    case MappingSource::ShaderRecordAddress:
      return kRecordAddress;
  }
  return {};
}

uint32_t read_mask(const JsonValue* value, JsonErrors& errors) {
  if (value == nullptr || (value->kind == JsonValue::Kind::String && value->text == "ALL"))
    return mapping::kAllResourceTypes;
  if (value->kind != JsonValue::Kind::Array) {
    errors.at(*value, "must be \"ALL\" or a list of resource types");
    return 0;
  }
  std::vector<std::string_view> names;
  for (const SpirvResourceType kind : kKinds)
    names.push_back(to_string(kind));
  uint32_t mask = 0;
  for (const JsonValue& name : value->children) {
    if (const auto choice = read_choice(name, errors, names))
      mask |= static_cast<uint32_t>(kKinds[*choice]);
  }
  return mask;
}

uint32_t number(JsonObject& in, std::string_view key, uint32_t fallback) {
  return static_cast<uint32_t>(in.number_or(key, fallback, kUint32Range));
}

VulkanMapping read_mapping(const JsonValue& value, JsonErrors& errors) {
  VulkanMapping mapping;
  mapping.line = value.at.line;
  JsonObject in(value, errors);
  mapping.set = number(in, "descriptorSet", 0);
  mapping.firstBinding = static_cast<uint32_t>(in.number("firstBinding", kUint32Range));
  mapping.bindingCount = number(in, "bindingCount", 1);
  mapping.resourceMask = read_mask(in.find("resourceMask"), errors);
  std::vector<std::string_view> names;
  for (const MappingSource source : kSources)
    names.push_back(to_string(source));
  const JsonValue* source = in.find("source");
  if (source == nullptr) {
    (void)in.string("source");  // must be there
    return mapping;
  }
  const auto choice = read_choice(*source, errors, names);
  if (!choice) return mapping;
  mapping.source = kSources[*choice];
  for (const auto& [key, member] : members_of(mapping.source))
    mapping.numbers.*member = number(in, key, 0);
  if (reaches_descriptors(mapping.source)) {
    if (mapping.source != MappingSource::HeapWithConstantOffset)
      mapping.packedIndex = in.boolean_or("useCombinedImageSamplerIndex", false);
    if (const JsonValue* sampler = in.object_or_null("embeddedSampler"))
      mapping.embeddedSampler = read_sampler(*sampler, errors);
  }
  in.finish();
  return mapping;
}

}  // namespace

Diagnosed<std::vector<VulkanMapping>> parse_mappings(std::string_view text, const std::string& file,
                                                     Diagnostics& diagnostics) {
  const auto root = parse_json(text, file, diagnostics);
  if (!root) return std::unexpected(root.error());
  JsonErrors errors(file, Code::InvalidMappings, diagnostics);
  JsonObject in(*root, errors);
  in.check_schema("urn:heapsmith:schema:mappings:1");
  std::vector<VulkanMapping> mappings;
  if (const JsonValue* list = in.array("mappings")) {
    for (const JsonValue& mapping : list->children)
      mappings.push_back(read_mapping(mapping, errors));
  }
  in.finish();
  if (errors.any()) return errors.failed();
  return mappings;
}

}  // namespace heapsmith::input
