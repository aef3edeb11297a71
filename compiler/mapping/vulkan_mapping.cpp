// SPDX-License-Identifier: MIT
#include "mapping/vulkan_mapping.h"

namespace heapsmith::mapping {

std::vector<VulkanMapping> vulkan_mappings(const Manifest& manifest, const ResolvedLayout& layout,
                                           const Program& program) {
  std::vector<VulkanMapping> made;
  for (const Mapping& mapping :
       manifest.mappings.subspan(program.mappings.first, program.mappings.count)) {
    made.push_back({.set = mapping.set,
                    .firstBinding = manifest.bindings[mapping.binding].binding,
                    .resourceMask = vulkan_resource_mask(manifest, mapping),
                    .source = mapping.source,
                    .numbers = resolve_mapping(manifest, layout, mapping),
                    .packedIndex = mapping.packedIndex,
                    .embeddedSampler = std::nullopt});
    if (mapping.embeddedSampler != kNone)
      made.back().embeddedSampler = manifest.samplers[mapping.embeddedSampler];
  }
  return made;
}

}  // namespace heapsmith::mapping
