// SPDX-License-Identifier: MIT
#include "mutate.h"

#include <array>
#include <format>
#include <iterator>

namespace lint_agreement {
namespace {

using heapsmith::MappingSource;
using heapsmith::ResolvedMapping;
using heapsmith::mapping::VulkanMapping;

constexpr std::array<uint32_t, 18> kNumbers = {0,  1,  2,   4,   6,   8,   12,  16,   20,
                                               32, 64, 128, 192, 248, 252, 256, 1024, 65536};
constexpr std::array<uint32_t ResolvedMapping::*, 10> kMembers = {
    &ResolvedMapping::heapOffset,
    &ResolvedMapping::heapArrayStride,
    &ResolvedMapping::heapIndexStride,
    &ResolvedMapping::fieldOffset,
    &ResolvedMapping::addressOffset,
    &ResolvedMapping::samplerHeapOffset,
    &ResolvedMapping::samplerHeapArrayStride,
    &ResolvedMapping::samplerHeapIndexStride,
    &ResolvedMapping::samplerFieldOffset,
    &ResolvedMapping::samplerAddressOffset,
};
constexpr uint32_t kSources = 11;
constexpr uint32_t kKinds = 9;  // without tensors
constexpr uint32_t kAllKinds = 0x7FFFFFFF;

// std::uniform_int_distribution is another one in every standard library.
uint32_t below(std::minstd_rand& random, uint32_t bound) {
  return static_cast<uint32_t>(random() >> 4) % bound;
}

void change(VulkanMapping& mapping, std::minstd_rand& random) {
  switch (below(random, 8)) {
    case 0:
      mapping.source = static_cast<MappingSource>(below(random, kSources));
      return;
    case 1:
      mapping.resourceMask =
          below(random, 3) == 0 ? kAllKinds : below(random, uint32_t{1} << kKinds);
      return;
    case 2:
      mapping.bindingCount = below(random, 4);
      return;
    case 3:
      if (mapping.embeddedSampler) {
        mapping.embeddedSampler.reset();
      } else {
        mapping.embeddedSampler.emplace();
      }
      return;
    case 4:
      mapping.packedIndex = !mapping.packedIndex;
      return;
    default:
      mapping.numbers.*kMembers[below(random, kMembers.size())] =
          kNumbers[below(random, kNumbers.size())];
      return;
  }
}

// What the source's struct does not have, nobody can ask for.
void forget_absent_members(VulkanMapping& mapping) {
  const bool descriptors = reaches_descriptors(mapping.source);
  if (!descriptors) mapping.embeddedSampler.reset();
  if (!descriptors || mapping.source == MappingSource::HeapWithConstantOffset)
    mapping.packedIndex = false;
}

void change_one(std::vector<VulkanMapping>& mappings, std::minstd_rand& random) {
  if (mappings.empty()) return;
  const uint32_t picked = below(random, static_cast<uint32_t>(mappings.size()));
  switch (below(random, 12)) {
    case 0:
      mappings.erase(mappings.begin() + picked);
      return;
    case 1:
      mappings.push_back(mappings[picked]);
      change(mappings.back(), random);
      return;
    default:
      change(mappings[picked], random);
      if (below(random, 2) == 0) change(mappings[picked], random);
      return;
  }
}

}  // namespace

void mutate(std::vector<VulkanMapping>& mappings, std::minstd_rand& random) {
  change_one(mappings, random);
  for (VulkanMapping& mapping : mappings)
    forget_absent_members(mapping);
}

std::string describe(const VulkanMapping& mapping) {
  std::string text =
      std::format("set {} binding {} count {} mask {:#x} {}{}{}", mapping.set, mapping.firstBinding,
                  mapping.bindingCount, mapping.resourceMask, to_string(mapping.source),
                  mapping.packedIndex ? " packed" : "", mapping.embeddedSampler ? " embedded" : "");
  for (const auto member : kMembers)
    text += std::format(" {}", mapping.numbers.*member);
  return text;
}

}  // namespace lint_agreement
