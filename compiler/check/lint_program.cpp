// SPDX-License-Identifier: MIT
#include "check/lint_program.h"

#include <format>
#include <set>

#include "check/lint_structs.h"
#include "heapsmith/sampler_members.h"

namespace heapsmith::check {
namespace {

// Devices count samplers that are equal once. The name is ours and does not count.
std::string key_of(const SamplerInfo& sampler) {
  std::string key = std::format("{},", sampler.flags);
  for (const auto& [name, kind, member] : kSamplerEnums)
    key += std::format("{},", sampler.*member);
  for (const auto& [name, member] : kSamplerNumbers)
    key += std::format("{},", sampler.*member);
  for (const auto& [name, member] : kSamplerFlags)
    key += std::format("{},", sampler.*member);
  for (const uint32_t component : sampler.customBorderColor)
    key += std::format("{},", component);
  key += std::format("{},", sampler.customBorderColorFormat);
  if (!sampler.convertsYcbcr) return key;
  const YcbcrConversion& conversion = sampler.conversion;
  for (const auto& [name, kind, member] : kConversionEnums)
    key += std::format("{},", conversion.*member);
  for (const uint32_t component : conversion.components)
    key += std::format("{},", component);
  return key + std::format("{}", conversion.forceExplicitReconstruction);
}

void lint_sampler_budget(std::span<const mapping::VulkanMapping> mappings,
                         const LintedDevice& device, const std::string& mappingsFile,
                         Findings& findings) {
  std::set<std::string> different;
  for (const mapping::VulkanMapping& mapping : mappings) {
    if (!mapping.embeddedSampler) continue;
    different.insert(key_of(*mapping.embeddedSampler));
    if (different.size() <= device.limits.maxDescriptorHeapEmbeddedSamplers) continue;
    findings.add(Severity::Error, Code::EmbeddedSampler, place_of(mapping, mappingsFile),
                 std::format("this is one embedded sampler more than "
                             "maxDescriptorHeapEmbeddedSamplers, {} (11429)",
                             device.limits.maxDescriptorHeapEmbeddedSamplers),
                 device.name);
    return;
  }
}

}  // namespace

void lint_program(std::span<const LintedShader> shaders,
                  std::span<const mapping::VulkanMapping> mappings, const LintedDevice& device,
                  const std::string& mappingsFile, Findings& findings) {
  lint_structs(mappings, device, mappingsFile, findings);
  lint_sampler_budget(mappings, device, mappingsFile, findings);
  for (const LintedShader& shader : shaders)
    lint_mappings(shader, mappings, device, mappingsFile, findings);
}

}  // namespace heapsmith::check
