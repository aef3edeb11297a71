// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <deque>
#include <format>
#include <string>
#include <utility>
#include <vector>

#include "reflect/program_interface.h"
#include "reflect/shader_interface.h"

/// Shader interfaces by hand, for tests of what comes after reflection.
namespace heapsmith::reflect::sample {

inline ResourceKind kind_of(DescriptorType type) {
  switch (type) {
    case DescriptorType::Sampler:
      return ResourceKind::Sampler;
    case DescriptorType::CombinedImageSampler:
      return ResourceKind::CombinedSampledImage;
    case DescriptorType::SampledImage:
    case DescriptorType::UniformTexelBuffer:
      return ResourceKind::SampledImage;
    case DescriptorType::StorageImage:
    case DescriptorType::StorageTexelBuffer:
    case DescriptorType::InputAttachment:
      return ResourceKind::ReadWriteImage;
    case DescriptorType::UniformBuffer:
      return ResourceKind::UniformBuffer;
    case DescriptorType::StorageBuffer:
      return ResourceKind::ReadWriteStorageBuffer;
    case DescriptorType::AccelerationStructureKHR:
      return ResourceKind::AccelerationStructure;
    case DescriptorType::TensorARM:
      return ResourceKind::TensorARM;
  }
  return {};
}

inline Resource resource(uint32_t set, uint32_t binding, std::string name, DescriptorType type) {
  Resource made;
  made.name = std::move(name);
  made.set = set;
  made.binding = binding;
  made.type = type;
  made.kind = kind_of(type);
  return made;
}

inline Resource array(Resource of, ArrayKind kind, std::vector<uint32_t> dims) {
  of.arrayKind = kind;
  of.dims = std::move(dims);
  of.count = 1;
  for (const uint32_t dim : of.dims)
    of.count *= dim;
  return of;
}

inline Resource block(Resource of, std::string name, uint64_t size, uint64_t tail_stride = 0) {
  of.blockName = std::move(name);
  of.blockSize = size;
  of.runtimeTailStride = tail_stride;
  of.runtimeTailOffset = size;  // as in most blocks
  return of;
}

/// A module of one entry point "main" that uses the first `used` resources.
inline ShaderInterface module(ShaderStage stage, std::vector<Resource> resources,
                              size_t used = SIZE_MAX) {
  ShaderInterface made;
  made.entryPoints.push_back({.name = "main", .stage = stage});
  for (uint32_t i = 0; i < resources.size(); ++i) {
    resources[i].id = i + 1;
    if (i < used) made.entryPoints[0].usedResources.push_back(i);
  }
  made.resources = std::move(resources);
  return made;
}

inline std::string describe(const ProgramBinding& binding) {
  std::string text = std::format("{}.{} {} {} {}", binding.set, binding.binding, binding.name,
                                 to_string(binding.type), to_string(binding.arrayKind));
  for (const uint32_t dim : binding.dims)
    text += std::format("[{}]", dim);
  text += std::format(" x{} stages {:#x} kinds {:#x} size {} in {} views", binding.count,
                      binding.stages, binding.kinds, binding.minBufferSize, binding.file);
  for (const BindingView& view : binding.views)
    text += std::format(" {}:{}", view.name, view.blockName);
  return text + "\n";
}

inline std::string describe(const Diagnostics& diagnostics) {
  std::string text;
  for (const Diagnostic& diagnostic : diagnostics.all()) {
    text += std::format("{} {}: {}\n", code_text(diagnostic.code), diagnostic.place.file,
                        diagnostic.text);
  }
  return text;
}

}  // namespace heapsmith::reflect::sample
