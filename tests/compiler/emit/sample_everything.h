// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "emit/sample_content.h"
#include "heapsmith/sampler_members.h"

namespace heapsmith::emit::sample {

inline reflect::ProgramBinding block(uint32_t set, uint32_t number, const std::string& name,
                                     uint64_t size) {
  reflect::ProgramBinding made = binding(set, number, name, DescriptorType::UniformBuffer);
  made.minBufferSize = size;
  return made;
}

inline plan::NamedProgram graphics_program() {
  reflect::ProgramBinding scattered =
      binding(4, 0, "scattered", DescriptorType::CombinedImageSampler);
  scattered.arrayKind = ArrayKind::Fixed;
  scattered.dims = {3};
  scattered.count = 3;
  reflect::ProgramBinding shadows = binding(6, 2, "shadows", DescriptorType::CombinedImageSampler);
  shadows.arrayKind = ArrayKind::Fixed;
  shadows.dims = {2};
  shadows.count = 2;
  plan::NamedProgram made = {.name = "graphics", .interface = {}};
  made.interface.stages = static_cast<uint32_t>(ShaderStage::Fragment);
  made.interface.pushConstants = reflect::PushConstants{"push", 0, 12};
  made.interface.bindings = {
      block(0, 0, "camera", 64),
      binding(0, 1, "image", DescriptorType::StorageImage),
      binding(1, 0, "albedo", DescriptorType::CombinedImageSampler),
      binding(2, 0, "packed", DescriptorType::CombinedImageSampler),
      binding(3, 0, "far", DescriptorType::SampledImage),
      binding(3, 1, "farSampler", DescriptorType::Sampler),
      scattered,
      block(5, 0, "inHeap", 100),
      block(5, 1, "inPushData", 20),
      block(5, 2, "atPushedAddress", 16),
      block(5, 3, "atFarAddress", 16),
      binding(6, 0, "embedded", DescriptorType::CombinedImageSampler),
      binding(6, 1, "film", DescriptorType::CombinedImageSampler),
      shadows,
      binding(6, 3, "alone", DescriptorType::Sampler),
  };
  return made;
}

inline plan::NamedProgram ray_program() {
  plan::NamedProgram made = {.name = "rays", .interface = {}};
  made.interface.stages = static_cast<uint32_t>(ShaderStage::ClosestHit);
  made.interface.recordBlockSize = 4;
  made.interface.bindings = {
      binding(7, 0, "scene", DescriptorType::AccelerationStructureKHR),
      binding(7, 1, "hitImage", DescriptorType::CombinedImageSampler),
      block(7, 2, "hitData", 12),
      block(7, 3, "hitAddress", 16),
  };
  for (reflect::ProgramBinding& binding : made.interface.bindings)
    binding.stages = made.interface.stages;
  return made;
}

inline plan::Policy policy_of_everything() {
  plan::Policy policy;
  policy.samplers["linear"] = {.magFilter = 1};
  policy.samplers["red"] = {.borderColor = kFloatCustomBorderColor,
                            .customBorderColor = {0x3F800000, 0, 0, 0x3F800000},
                            .customBorderColorFormat = 37};
  policy.samplers["film"] = {.addressModeU = 2,
                             .addressModeV = 2,
                             .addressModeW = 2,
                             .convertsYcbcr = true,
                             .conversion = {.format = 1000156003, .ycbcrModel = 2}};
  policy.sets[1] = {.residence = Residence::Indexed, .instances = 8, .samplerInstances = 2};
  policy.sets[2] = {.residence = Residence::Indexed, .instances = 8, .packedIndex = true};
  policy.sets[3] = {.residence = Residence::Indirect, .instances = 4, .indirectBlock = "draw"};
  policy.sets[4] = {.residence = Residence::Scattered, .instances = 2, .indirectBlock = "draw"};
  policy.sets[5].bindings["0"] = {.residence = Residence::HeapData, .instances = 5};
  policy.sets[5].bindings["1"] = {.residence = Residence::PushData};
  policy.sets[5].bindings["2"] = {.residence = Residence::PushAddress};
  policy.sets[5].bindings["3"] = {.residence = Residence::IndirectAddress};
  policy.sets[6].bindings["0"] = {.immutableSamplers = {"linear"}};
  policy.sets[6].bindings["1"] = {.immutableSamplers = {"film"}};
  policy.sets[6].bindings["2"] = {.immutableSamplers = {"red", "linear"}};
  policy.sets[6].bindings["3"] = {.immutableSamplers = {"linear"}, .embed = false};
  policy.sets[7] = {.residence = Residence::Record, .instances = 6};
  policy.sets[7].bindings["0"] = {.residence = Residence::PushAddress};
  policy.sets[7].bindings["2"] = {.residence = Residence::RecordData};
  policy.sets[7].bindings["3"] = {.residence = Residence::RecordAddress};
  policy.externalRanges = {{"ui", DescriptorClass::Image, 5}};
  return policy;
}

/// Every residence, every kind of field and of sampler.
inline ManifestContent everything() {
  const std::vector<plan::NamedProgram> programs = {graphics_program(), ray_program()};
  auto made = content_of(programs, policy_of_everything());
  REQUIRE(made);
  return std::move(*made);
}

}  // namespace heapsmith::emit::sample
