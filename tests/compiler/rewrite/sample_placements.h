// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include "reflect/shader_interface.h"
#include "rewrite/placements.h"

/// Placements without a plan, for tests: every binding of a shader gets slots in order.
namespace heapsmith::rewrite::sample {

struct Options {
  InstanceSource source =
      InstanceSource::None;       ///< of every set: by a word behind the push constants
  uint32_t runtimeCapacity = 64;  ///< elements of runtime arrays
  /// Of every buffer and acceleration structure that needs no descriptor.
  std::optional<DataSource> data = std::nullopt;
};

/// Whether such a resource can be found so.
inline bool is_data(const reflect::Resource& resource, DataSource source) {
  if (resource.arrayKind != ArrayKind::None || resource.usesLength) return false;
  if (resource.type == DescriptorType::UniformBuffer) return true;
  const bool isAddress = source <= DataSource::RecordAddress;
  return isAddress && (resource.type == DescriptorType::StorageBuffer ||
                       resource.type == DescriptorType::AccelerationStructureKHR);
}

/// Input attachments and tensors get no place.
inline Placements place_all(const reflect::ShaderInterface& shader, const Options& options = {}) {
  std::map<std::pair<uint32_t, uint32_t>, Placement> bindings;
  std::array<uint32_t, kDescriptorClassCount> next{};
  uint32_t firstWord = 0;
  for (const reflect::EntryPoint& entryPoint : shader.entryPoints)
    if (const auto& constants = entryPoint.pushConstants)
      firstWord = std::max(firstWord, constants->offset + constants->size);
  std::map<uint32_t, uint32_t> sets;  // set numbers can be large
  const auto index_of = [&](uint32_t set) {
    return sets.try_emplace(set, static_cast<uint32_t>(sets.size())).first->second;
  };
  const auto locate = [&](DescriptorClass region, uint32_t set, uint32_t count) {
    uint32_t& slot = next[static_cast<size_t>(region)];
    const Location location{.firstSlot = std::exchange(slot, slot + count),
                            .source = options.source,
                            .pushOffset = firstWord + 8 * index_of(set),
                            .addressOffset = 12,
                            .slotsPerInstance = 1000};
    return location;
  };
  uint32_t nextData = firstWord;
  const auto bytes_of = [&](const reflect::Resource& resource) {
    const bool isBlock =
        options.data == DataSource::PushData || options.data == DataSource::RecordData;
    return isBlock ? static_cast<uint32_t>(resource.blockSize + 3) / 4 * 4 : 8;
  };
  for (const reflect::Resource& resource : shader.resources) {
    if (resource.type == DescriptorType::InputAttachment ||
        resource.type == DescriptorType::TensorARM)
      continue;
    Placement& place = bindings[{resource.set, resource.binding}];
    place.set = resource.set;
    place.binding = resource.binding;
    const uint64_t count = resource.count == 0 ? options.runtimeCapacity : resource.count;
    const auto slots = static_cast<uint32_t>(std::min<uint64_t>(count, 1u << 20));
    if (options.data && is_data(resource, *options.data)) {
      if (place.data) continue;
      const uint32_t offset = std::exchange(nextData, nextData + bytes_of(resource));
      place.data = {.source = *options.data,
                    .pushOffset = offset,
                    .addressOffset = 16,
                    .recordOffset = offset};
      continue;
    }
    if (is_resource(resource.type) && !place.resource)
      place.resource = locate(descriptor_class(resource.type), resource.set, slots);
    if (has_samplers(resource.type) && !place.sampler)
      place.sampler = locate(DescriptorClass::Sampler, resource.set, slots);
  }
  Placements placements;
  for (const auto& [key, place] : bindings)
    placements.bindings.push_back(place);
  placements.regions.imageSlots.value = next[static_cast<size_t>(DescriptorClass::Image)];
  return placements;
}

}  // namespace heapsmith::rewrite::sample
