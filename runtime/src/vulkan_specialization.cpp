// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstring>

#include "heapsmith/pipeline.h"

namespace heapsmith {
namespace {

/// Copies the entries that are about constants of the shader's source, and all data.
void add_own(Specialization& specialization, const VkSpecializationInfo& own,
             std::span<const SlotConstant> constants) {
  if (own.dataSize != 0) std::memcpy(specialization.data.data(), own.pData, own.dataSize);
  for (uint32_t i = 0; i < own.mapEntryCount; ++i) {
    const VkSpecializationMapEntry& entry = own.pMapEntries[i];
    const bool isOurs = std::any_of(
        constants.begin(), constants.end(),
        [&](const SlotConstant& constant) { return constant.specId == entry.constantID; });
    if (!isOurs) specialization.entries.push_back(entry);
  }
}

}  // namespace

Specialization vulkan_specialization(const Manifest& manifest, const ResolvedLayout& layout,
                                     const Shader& shader, const VkSpecializationInfo* own) {
  const std::span<const SlotConstant> constants =
      manifest.slotConstants.subspan(shader.slotConstants.first, shader.slotConstants.count);
  const VkSpecializationInfo theirs = own != nullptr ? *own : VkSpecializationInfo{};
  Specialization specialization;
  specialization.entries.reserve(theirs.mapEntryCount + constants.size());
  specialization.data.resize(theirs.dataSize + constants.size() * sizeof(uint32_t));
  add_own(specialization, theirs, constants);
  size_t offset = theirs.dataSize;
  for (const SlotConstant& constant : constants) {
    const uint32_t number = slot_number(manifest, layout, constant);
    std::memcpy(specialization.data.data() + offset, &number, sizeof(number));
    specialization.entries.push_back({.constantID = constant.specId,
                                      .offset = static_cast<uint32_t>(offset),
                                      .size = sizeof(number)});
    offset += sizeof(number);
  }
  return specialization;
}

}  // namespace heapsmith
