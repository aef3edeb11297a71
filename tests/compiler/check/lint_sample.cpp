// SPDX-License-Identifier: MIT
#include "lint_sample.h"

#include <catch2/catch_test_macros.hpp>
#include <format>

#include "check/lint_program.h"
#include "input/mappings_json.h"

namespace heapsmith::check {
namespace {

using reflect::Resource;
using reflect::ResourceKind;

Resource resource(std::string_view kind, uint32_t binding, DescriptorType type,
                  ResourceKind resource_kind) {
  Resource made;
  made.name = std::format("{}{}", kind, binding);
  made.binding = binding;
  made.type = type;
  made.kind = resource_kind;
  return made;
}

std::string_view word(Severity severity) {
  switch (severity) {
    case Severity::Error:
      return "error";
    case Severity::Warning:
      return "warning";
    case Severity::Note:
      return "note";
  }
  return {};
}

}  // namespace

DeviceLimits sample_limits() {
  return {.samplerHeapAlignment = 64,
          .resourceHeapAlignment = 64,
          .maxSamplerHeapSize = 4096,
          .maxResourceHeapSize = 65536,
          .minSamplerHeapReservedRange = 64,
          .minSamplerHeapReservedRangeWithEmbedded = 128,
          .minResourceHeapReservedRange = 1024,
          .samplerDescriptorSize = 16,
          .imageDescriptorSize = 64,
          .bufferDescriptorSize = 32,
          .tensorDescriptorSize = 128,
          .samplerDescriptorAlignment = 16,
          .imageDescriptorAlignment = 64,
          .bufferDescriptorAlignment = 32,
          .tensorDescriptorAlignment = 128,
          .maxPushDataSize = 256,
          .maxDescriptorHeapEmbeddedSamplers = 2,
          .samplerYcbcrConversionCount = 3,
          .minUniformBufferOffsetAlignment = 64,
          .minStorageBufferOffsetAlignment = 64,
          .maxShaderRecordSize = 128};
}

Resource uniform_block(uint32_t binding, uint64_t size) {
  Resource made =
      resource("block", binding, DescriptorType::UniformBuffer, ResourceKind::UniformBuffer);
  made.blockSize = size;
  return made;
}

Resource storage_block(uint32_t binding) {
  return resource("storage", binding, DescriptorType::StorageBuffer,
                  ResourceKind::ReadWriteStorageBuffer);
}

Resource texture(uint32_t binding) {
  return resource("texture", binding, DescriptorType::SampledImage, ResourceKind::SampledImage);
}

Resource sampler(uint32_t binding) {
  return resource("sampler", binding, DescriptorType::Sampler, ResourceKind::Sampler);
}

Resource combined(uint32_t binding) {
  return resource("combined", binding, DescriptorType::CombinedImageSampler,
                  ResourceKind::CombinedSampledImage);
}

Resource tensor(uint32_t binding) {
  return resource("tensor", binding, DescriptorType::TensorARM, ResourceKind::TensorARM);
}

Resource array_of(Resource element, uint64_t count) {
  element.arrayKind = count == 0 ? ArrayKind::Runtime : ArrayKind::Fixed;
  element.dims = {static_cast<uint32_t>(count)};
  element.count = count;
  return element;
}

std::string lint_text(const SampleShader& shader, const std::string& mappings,
                      const DeviceLimits& limits) {
  Diagnostics diagnostics;
  const auto parsed =
      input::parse_mappings("{\"mappings\": [" + mappings + "]}", "m.json", diagnostics);
  if (!parsed) return "a bad test: " + diagnostics.all().front().text;

  reflect::ShaderInterface interface;
  interface.capabilities = shader.capabilities;
  interface.resources = shader.resources;
  reflect::EntryPoint& entry_point = interface.entryPoints.emplace_back();
  entry_point.name = "main";
  entry_point.stage = ShaderStage::Compute;
  entry_point.pushConstants = shader.pushConstants;
  for (uint32_t i = 0; i < interface.resources.size(); ++i)
    entry_point.usedResources.push_back(i);

  Findings findings;
  const LintedShader linted = {&interface, 0, "s.comp"};
  lint_program({&linted, 1}, *parsed, {"device", limits}, "m.json", findings);
  findings.report(1, diagnostics);
  std::string text;
  for (const Diagnostic& diagnostic : diagnostics.all()) {
    text += std::format("{} {} {}: {}\n", word(diagnostic.severity), code_text(diagnostic.code),
                        diagnostic.place.resource, diagnostic.text);
  }
  return text;
}

}  // namespace heapsmith::check
