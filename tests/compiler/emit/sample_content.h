// SPDX-License-Identifier: MIT
#pragma once

#include <catch2/catch_test_macros.hpp>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/diagnostics.h"
#include "emit/make_manifest.h"
#include "layout/pack_fields.h"
#include "mapping/build_mappings.h"
#include "plan/plan_heaps.h"
#include "reflect/sample_shaders.h"

/// What a run decided, for tests of its renderings.
namespace heapsmith::emit::sample {

/// Everything from merged programs on, as the driver does it; nothing if the plan is refused, with
/// a diagnostic.
inline std::optional<ManifestContent> content_of(std::span<const plan::NamedProgram> programs,
                                                 const plan::Policy& policy) {
  Diagnostics diagnostics;
  auto planned = plan::plan_heaps(programs, policy, plan::Squeeze::Nothing, diagnostics);
  CHECK(planned.has_value() != diagnostics.has_errors());
  if (!planned) return std::nullopt;
  ManifestContent content = {.plan = std::move(*planned)};
  auto fields = layout::pack_fields(content.plan, diagnostics);
  CHECK(fields.has_value() != diagnostics.has_errors());
  if (!fields) return std::nullopt;
  content.fields = std::move(*fields);
  for (const plan::PlannedProgram& program : content.plan.programs) {
    content.programs.push_back(
        {.shaders = {{.file = program.name + ".frag.spv",
                      .entryPoint = "main",
                      .sha256 = std::string(64, '7'),
                      .stage = ShaderStage::Fragment}},
         .mappings = mapping::build_mappings(content.plan, program, content.fields)});
  }
  return content;
}

inline reflect::ProgramBinding binding(uint32_t set, uint32_t number, const std::string& name,
                                       DescriptorType type) {
  return {.set = set,
          .binding = number,
          .name = name,
          .type = type,
          .stages = static_cast<uint32_t>(ShaderStage::Fragment),
          .kinds = static_cast<uint32_t>(reflect::sample::kind_of(type)),
          .views = {{name, ""}}};
}

/// One program, one static and one indexed table, an external range.
inline ManifestContent content() {
  reflect::ProgramBinding camera = binding(0, 0, "camera", DescriptorType::UniformBuffer);
  camera.minBufferSize = 64;
  camera.views = {{"camera", "Camera"}};
  reflect::ProgramBinding shadow = binding(0, 7, "shadow", DescriptorType::Sampler);
  reflect::ProgramBinding albedo = binding(2, 0, "albedo", DescriptorType::CombinedImageSampler);
  albedo.arrayKind = ArrayKind::Fixed;
  albedo.dims = {2, 2};
  albedo.count = 4;
  plan::NamedProgram knot = {.name = "knot",
                             .interface = {.bindings = {camera, shadow, albedo},
                                           .pushConstants = reflect::PushConstants{"push", 0, 16}}};
  plan::Policy policy;
  policy.sets[2].residence = Residence::Indexed;
  policy.sets[2].instances = 3;
  policy.sets[2].samplerInstances = 2;
  policy.sets[2].table = "material";
  policy.externalRanges = {{"ui", DescriptorClass::Image, 5}};
  ManifestContent made = *content_of({&knot, 1}, policy);
  made.programs[0].shaders.insert(made.programs[0].shaders.begin(),
                                  {.file = "knot.vert.spv",
                                   .entryPoint = "main",
                                   .sha256 = std::string(64, 'a'),
                                   .stage = ShaderStage::Vertex,
                                   .specializationConstants = {{4, "kLights", "uint32", 8}}});
  return made;
}

}  // namespace heapsmith::emit::sample
