// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <format>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "heapsmith/sampler_members.h"
#include "plan/plan_heaps.h"
#include "reflect/sample_shaders.h"

/// Random programs and policies for property tests; the same for the same seed everywhere.
namespace heapsmith::plan::sample {

class Random {
 public:
  explicit Random(uint32_t seed) : engine_(seed) {}

  /// 0 .. end - 1. The standard's distributions differ between libraries.
  uint32_t below(uint32_t end) { return static_cast<uint32_t>(engine_()) % end; }
  bool chance(uint32_t percent) { return below(100) < percent; }

  template <typename T, size_t N>
  const T& pick(const T (&values)[N]) {
    return values[below(N)];
  }

 private:
  std::mt19937 engine_;
};

inline reflect::ProgramBinding random_binding(Random& random, uint32_t set, uint32_t number) {
  static constexpr DescriptorType kTypes[] = {
      DescriptorType::Sampler,
      DescriptorType::CombinedImageSampler,
      DescriptorType::SampledImage,
      DescriptorType::StorageImage,
      DescriptorType::UniformTexelBuffer,
      DescriptorType::StorageTexelBuffer,
      DescriptorType::UniformBuffer,
      DescriptorType::StorageBuffer,
      DescriptorType::InputAttachment,
      DescriptorType::AccelerationStructureKHR,
      DescriptorType::TensorARM,
  };
  static const std::string kNames[] = {"a",  "b",       "b_1",  "class",  "$Globals",
                                       "",   "\"\\\n",  "名前", "x_y__z", "very.deep[3].name",
                                       "_0", "samplers"};
  reflect::ProgramBinding made;
  made.set = set;
  made.binding = number;
  made.name = random.pick(kNames);
  if (made.name.empty()) made.name = std::format("set{}_binding{}", set, number);
  made.type = random.pick(kTypes);
  made.file = "a.frag";
  made.views = {{made.name, random.chance(30) ? "Block" : ""}};
  switch (random.below(6)) {
    case 0:
      made.arrayKind = ArrayKind::Fixed;
      made.dims = {1 + random.below(4)};
      if (random.chance(50)) made.dims.push_back(1 + random.below(3));
      break;
    case 1:
      made.arrayKind = ArrayKind::Specialization;
      made.dims = {1 + random.below(8)};
      break;
    case 2:
      made.arrayKind = ArrayKind::Runtime;
      made.dims = {0};
      made.count = random.chance(50) ? 0 : random.below(2000);
      break;
    default:
      break;
  }
  if (made.arrayKind != ArrayKind::Runtime) {
    for (const uint32_t dim : made.dims)
      made.count *= dim;
  }
  if (random.chance(80)) {
    made.stages = 1u << random.below(14);
    made.kinds = static_cast<uint32_t>(reflect::sample::kind_of(made.type));
    if (made.type == DescriptorType::CombinedImageSampler) made.kinds = 1 + random.below(3);
    if (made.type == DescriptorType::CombinedImageSampler && random.chance(60)) made.kinds |= 0x10;
  }
  const bool is_buffer =
      made.type == DescriptorType::UniformBuffer || made.type == DescriptorType::StorageBuffer;
  if (is_buffer)
    made.minBufferSize = random.chance(50) ? 4 + random.below(70) : random.below(70000);
  made.isWritten = made.type == DescriptorType::StorageBuffer && random.chance(50);
  made.usesLength = made.type == DescriptorType::StorageBuffer && random.chance(20);
  made.variablePointers = random.chance(5);
  return made;
}

/// Stages of a pipeline of one kind or the other: only ray-tracing stages have shader records.
inline void choose_stages(Random& random, NamedProgram& program) {
  const bool rays = random.chance(40);
  for (reflect::ProgramBinding& binding : program.interface.bindings) {
    if (binding.stages == 0) continue;
    binding.stages = rays ? 0x100u << random.below(6) : 1u << random.below(8);
    program.interface.stages |= binding.stages;
  }
  if (rays && random.chance(40)) program.interface.recordBlockSize = 1 + random.below(100);
}

inline std::vector<NamedProgram> random_programs(Random& random) {
  // Few shapes a set, so that programs share tables.
  std::vector<std::vector<reflect::ProgramBinding>> sets;
  for (uint32_t i = 0; i < 6; ++i) {
    std::vector<reflect::ProgramBinding> bindings;
    uint32_t number = random.chance(10) ? 0xFFFFFF00 : random.below(3);
    for (uint32_t b = random.below(5); b > 0; --b) {
      bindings.push_back(random_binding(random, i % 4, number));
      number += 1 + random.below(3);
    }
    sets.push_back(std::move(bindings));
  }
  std::vector<NamedProgram> programs;
  for (uint32_t p = random.below(7); p > 0; --p) {
    NamedProgram program = {.name = std::format("p{}", 9 - p), .interface = {}};
    std::vector<bool> taken(4);
    for (const auto& set : sets) {
      if (set.empty() || taken[set[0].set] || random.chance(40)) continue;
      taken[set[0].set] = true;
      program.interface.bindings.insert(program.interface.bindings.end(), set.begin(), set.end());
    }
    std::ranges::sort(program.interface.bindings, {},
                      [](const reflect::ProgramBinding& b) { return std::pair(b.set, b.binding); });
    choose_stages(random, program);
    if (random.chance(60)) {
      program.interface.pushConstants = reflect::PushConstants{
          .name = "push", .offset = 4 * random.below(20), .size = 4 * (1 + random.below(20))};
    }
    programs.push_back(std::move(program));
  }
  return programs;
}

/// Samplers of every kind, named "plain0" ... "ycbcr1".
inline std::map<std::string, SamplerInfo> random_samplers(Random& random) {
  std::map<std::string, SamplerInfo> samplers;
  for (uint32_t i = 0; i < 2; ++i) {
    SamplerInfo info = {.magFilter = i, .mipLodBias = 0.1f * static_cast<float>(random.below(30))};
    samplers[std::format("plain{}", i)] = info;
    info.borderColor = i == 0 ? kFloatCustomBorderColor : kIntCustomBorderColor;
    for (uint32_t& component : info.customBorderColor)
      component = random.below(1u << 20);
    info.customBorderColorFormat = 37;
    info.reductionMode = i;
    samplers[std::format("border{}", i)] = info;
    samplers[std::format("ycbcr{}", i)] = {
        .addressModeU = 2,
        .addressModeV = 2,
        .addressModeW = 2,
        .convertsYcbcr = true,
        .conversion = {.format = 1000156003, .ycbcrModel = random.below(5), .xChromaOffset = i}};
  }
  return samplers;
}

template <typename T, size_t N>
std::optional<T> maybe(Random& random, uint32_t percent, const T (&values)[N]) {
  if (!random.chance(percent)) return std::nullopt;
  return random.pick(values);
}

inline constexpr Frequency kFrequencies[] = {Frequency::Frame, Frequency::View, Frequency::Material,
                                             Frequency::Draw};
inline constexpr Residence kTableResidences[] = {Residence::Static, Residence::Indexed,
                                                 Residence::Indirect, Residence::Scattered,
                                                 Residence::Record};

inline SetPolicy random_set(Random& random, uint32_t set) {
  SetPolicy wish;
  wish.residence = maybe(random, 50, kTableResidences);
  wish.frequency = maybe(random, 30, kFrequencies);
  if (wish.residence != Residence::Static) {
    if (random.chance(50)) wish.instances = 1 + random.below(3000);
    if (random.chance(30)) wish.samplerInstances = 1 + random.below(20);
    if (random.chance(10)) wish.packedIndex = true;
  }
  if (random.chance(30)) wish.table = std::format("table{}", set);
  if (random.chance(20)) wish.indirectBlock = "words";
  return wish;
}

/// What suits the binding, most of the time, so that plans with everything come about.
inline BindingPolicy random_binding_policy(Random& random, const reflect::ProgramBinding& binding) {
  static constexpr Residence kOfBlocks[] = {Residence::HeapData,    Residence::PushData,
                                            Residence::PushAddress, Residence::IndirectAddress,
                                            Residence::RecordData,  Residence::RecordAddress};
  static constexpr Residence kOfBuffers[] = {Residence::PushAddress, Residence::IndirectAddress,
                                             Residence::RecordAddress};
  static constexpr LegacyType kLegacyBlocks[] = {LegacyType::UniformBufferDynamic,
                                                 LegacyType::InlineUniformBlock};
  static const std::string kSamplers[] = {"plain0",  "plain1", "border0",
                                          "border1", "ycbcr0", "ycbcr1"};
  BindingPolicy wish;
  const bool single = binding.arrayKind == ArrayKind::None;
  const bool block = single && binding.type == DescriptorType::UniformBuffer;
  const bool buffer = single && (binding.type == DescriptorType::StorageBuffer ||
                                 binding.type == DescriptorType::AccelerationStructureKHR);
  if (block || buffer) {
    wish.residence = block ? maybe(random, 60, kOfBlocks) : maybe(random, 60, kOfBuffers);
    if (block) wish.legacyType = maybe(random, 20, kLegacyBlocks);
    if (binding.type == DescriptorType::StorageBuffer && random.chance(20))
      wish.legacyType = LegacyType::StorageBufferDynamic;
  } else if (random.chance(15)) {
    wish.residence = random.pick(kTableResidences);
  }
  if (random.chance(5)) wish.residence = random.pick(kOfBlocks);
  wish.frequency = maybe(random, 20, kFrequencies);
  const bool copies = wish.residence == Residence::HeapData || wish.residence == Residence::Indexed;
  if (copies && random.chance(50)) wish.instances = 1 + random.below(50);
  if (has_samplers(binding.type) && random.chance(50)) {
    wish.immutableSamplers = {random.pick(kSamplers)};
    if (random.chance(20)) wish.embed = random.chance(50);
  }
  if (binding.arrayKind == ArrayKind::Runtime && random.chance(50)) {
    wish.capacity = static_cast<uint32_t>(binding.count) + 1 + random.below(40);
  }
  return wish;
}

/// A policy for these programs that may use all that there is, or asks for what cannot be.
inline Policy random_policy(Random& random, const std::vector<NamedProgram>& programs) {
  Policy policy;
  policy.samplers = random_samplers(random);
  for (uint32_t set = 0; set < 4; ++set) {
    if (random.chance(60)) policy.sets[set] = random_set(random, set);
  }
  for (const NamedProgram& program : programs) {
    for (const reflect::ProgramBinding& binding : program.interface.bindings) {
      if (random.chance(70)) continue;
      const BindingPolicy wish = random_binding_policy(random, binding);
      if (random.chance(50)) {
        policy.sets[binding.set].bindings[std::to_string(binding.binding)] = wish;
      } else {
        Match match = {.set = binding.set, .binding = binding.binding};
        if (random.chance(50)) match.program = program.name;
        policy.bindingRules.push_back({std::move(match), wish});
      }
    }
  }
  if (random.chance(20))
    policy.setRules.push_back({{.program = "p?"}, {.frequency = Frequency::View}});
  policy.robustBufferAccess = random.chance(5);
  static constexpr DescriptorClass kClasses[] = {DescriptorClass::Buffer, DescriptorClass::Image,
                                                 DescriptorClass::Sampler, DescriptorClass::Tensor};
  for (uint32_t i = random.below(3); i > 0; --i) {
    policy.externalRanges.push_back(
        {std::format("range{}", i), random.pick(kClasses), 1 + random.below(100)});
  }
  if (random.chance(30)) policy.pushDataHeadroom = 4 * random.below(10);
  return policy;
}

}  // namespace heapsmith::plan::sample
