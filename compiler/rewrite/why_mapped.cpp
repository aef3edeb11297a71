// SPDX-License-Identifier: MIT
#include "rewrite/why_mapped.h"

#include "base/check.h"
#include "reflect/shader_interface.h"

namespace heapsmith::rewrite {

bool serves(const Placement& placement, DescriptorType type, uint32_t kinds) {
  using reflect::ResourceKind;
  constexpr auto kSampler = static_cast<uint32_t>(ResourceKind::Sampler);
  constexpr auto kCombined = static_cast<uint32_t>(ResourceKind::CombinedSampledImage);
  // Before SPIR-V 1.6 a uniform texel buffer may look like an image with a sampler.
  const bool needsSampler = has_samplers(type) && (kinds & (kSampler | kCombined)) != 0;
  const bool needsResource = (kinds & ~kSampler) != 0;
  const bool hasResource = placement.resource || placement.data;
  return (!needsSampler || placement.sampler) && (!needsResource || hasResource);
}

std::string why_mapped(const Manifest& manifest, uint32_t index) {
  const Binding& binding = manifest.bindings[index];
  if (binding.type == DescriptorType::InputAttachment)
    return "an input attachment is always a variable";
  if (binding.type == DescriptorType::TensorARM) return "a tensor is not rewritten";
  if (binding.slotsPerElement != 1)
    return "its sampler converts from YCbCr, and such samplers lie in mappings";
  HEAPSMITH_CHECK(binding.samplerPlacement == SamplerPlacement::Embedded);
  return "its sampler is embedded in the mapping";
}

}  // namespace heapsmith::rewrite
