// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <format>
#include <random>
#include <string>
#include <utility>
#include <vector>

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
  if (is_buffer) made.minBufferSize = random.below(70000);
  return made;
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
    if (random.chance(60)) {
      program.interface.pushConstants = reflect::PushConstants{
          .name = "push", .offset = 4 * random.below(20), .size = 4 * (1 + random.below(20))};
    }
    programs.push_back(std::move(program));
  }
  return programs;
}

inline Policy random_policy(Random& random) {
  Policy policy;
  for (uint32_t set = 0; set < 4; ++set) {
    if (random.chance(40)) continue;
    SetPolicy& wish = policy.sets[set];
    if (random.chance(70)) {
      wish.residence = Residence::Indexed;
      wish.instances = 1 + random.below(3000);
      if (random.chance(30)) wish.samplerInstances = 1 + random.below(20);
    }
    if (random.chance(30)) wish.table = std::format("table{}", set);
  }
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
