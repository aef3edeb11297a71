// SPDX-License-Identifier: MIT
#include "case.h"

namespace source_matrix {

bool is_allowed(Kind kind, Array array, Residence residence, Stage stage) {
  if (kind == Kind::InputAttachment && stage != Stage::Fragment) return false;
  const bool addressable = kind == Kind::UniformBuffer || kind == Kind::StorageBuffer ||
                           kind == Kind::AccelerationStructure;
  switch (residence) {
    case Residence::Static:
    case Residence::Indexed:
    case Residence::Indirect:
    case Residence::Scattered:
      return true;
    case Residence::Record:
      return is_ray_stage(stage);
    case Residence::HeapData:
    case Residence::PushData:
      return kind == Kind::UniformBuffer && array == Array::None;
    case Residence::RecordData:
      return kind == Kind::UniformBuffer && array == Array::None && is_ray_stage(stage);
    case Residence::PushAddress:
    case Residence::IndirectAddress:
      return addressable && array == Array::None;
    case Residence::RecordAddress:
      return addressable && array == Array::None && is_ray_stage(stage);
  }
  return false;
}

std::string_view name_of(Kind kind) {
  constexpr std::string_view kNames[kKinds] = {"uniform buffer",
                                               "storage buffer",
                                               "sampled image",
                                               "storage image",
                                               "sampler",
                                               "combined",
                                               "uniform texel buffer",
                                               "storage texel buffer",
                                               "input attachment",
                                               "acceleration structure"};
  return kNames[static_cast<size_t>(kind)];
}

std::string_view name_of(Stage stage) {
  constexpr std::string_view kNames[kStages] = {"comp", "vert",  "frag",  "task", "mesh",
                                                "rgen", "rmiss", "rchit", "rcall"};
  return kNames[static_cast<size_t>(stage)];
}

std::string variable(uint32_t resource) {
  return "r" + std::to_string(resource);
}

uint32_t words_of(const Case& test, uint32_t index) {
  const Resource& resource = test.resources[index];
  if (resource.role != Role::Subject) return 0;
  switch (resource.kind) {
    case Kind::UniformBuffer:
    case Kind::StorageBuffer:
    case Kind::UniformTexelBuffer:
      return 2;
    case Kind::SampledImage:
    case Kind::Sampler:
    case Kind::Combined:
      return resource.dim == Dim::Shadow ? 2 : 1;
    case Kind::StorageImage:
    case Kind::StorageTexelBuffer:
    case Kind::InputAttachment:
    case Kind::AccelerationStructure:
      return 1;
  }
  return 0;
}

uint32_t word_index(const Case& test, uint32_t resource, uint32_t element) {
  uint32_t index = kFirstWord;
  for (uint32_t before = 0; before < resource; ++before)
    index += words_of(test, before) * elements(test.resources[before].array);
  return index + element * words_of(test, resource);
}

uint32_t word_count(const Case& test) {
  return word_index(test, static_cast<uint32_t>(test.resources.size()), 0);
}

std::string level_sampler(uint32_t level) {
  return "level" + std::to_string(level);
}

std::string compare_sampler(bool less) {
  return less ? "less" : "greaterOrEqual";
}

}  // namespace source_matrix
