// SPDX-License-Identifier: MIT
#include "driver/heap_strides.h"

#include <format>
#include <utility>

#include "input/read_file.h"

namespace heapsmith::driver {
namespace {

// Those of AMD's RDNA 2.
constexpr DeviceLimits kSmallestDescriptors = {.samplerDescriptorSize = 16,
                                               .imageDescriptorSize = 32,
                                               .bufferDescriptorSize = 16,
                                               .samplerDescriptorAlignment = 4,
                                               .imageDescriptorAlignment = 4,
                                               .bufferDescriptorAlignment = 4};

spirv::DescriptorSize size_of(uint64_t size, uint64_t alignment) {
  return {.size = static_cast<uint32_t>(size), .alignment = static_cast<uint32_t>(alignment)};
}

spirv::ValidationOptions with_descriptors(const DeviceLimits& limits) {
  return {.scalarBlockLayout = true,
          .buffer = size_of(limits.bufferDescriptorSize, limits.bufferDescriptorAlignment),
          .image = size_of(limits.imageDescriptorSize, limits.imageDescriptorAlignment),
          .sampler = size_of(limits.samplerDescriptorSize, limits.samplerDescriptorAlignment)};
}

}  // namespace

spirv::ValidationOptions with_smallest_descriptors() {
  return with_descriptors(kSmallestDescriptors);
}

const std::optional<std::string>& StrideCheck::find_wrong(const DeviceLimits& limits) {
  const auto [known, is_new] =
      known_.try_emplace({limits.bufferDescriptorSize, limits.bufferDescriptorAlignment,
                          limits.imageDescriptorSize, limits.imageDescriptorAlignment,
                          limits.samplerDescriptorSize, limits.samplerDescriptorAlignment});
  if (is_new) known->second = validate(with_descriptors(limits));
  return known->second;
}

std::optional<std::string> StrideCheck::validate(const spirv::ValidationOptions& sizes) const {
  const reflect::ShaderInterface& interface = shader_->interface;
  const bool reads_heaps = interface.usesResourceHeap || interface.usesSamplerHeap;
  if (!options_->validate || !reads_heaps) return std::nullopt;
  spirv::ValidationOptions validation = sizes;
  validation.environment = options_->target.value_or(validation.environment);
  Diagnostics said;
  if (spirv::validate_module(shader_->words, validation, {}, Code::HeapStride, said))
    return std::nullopt;
  return said.all().front().text;
}

Diagnosed<void> check_heap_strides(const std::vector<LoadedShader>& shaders,
                                   const ShaderOptions& options, Diagnostics& diagnostics) {
  bool all_fit = true;
  for (const LoadedShader& shader : shaders) {
    const auto wrong = StrideCheck(shader, options).find_wrong(kSmallestDescriptors);
    if (!wrong) continue;
    diagnostics.error(Code::HeapStride, {.file = input::shown_path(shader.path)},
                      std::format("steps through a heap in bytes that fit no device, not even one "
                                  "whose descriptors have {} (buffers), {} (images) and {} bytes "
                                  "(samplers): {}",
                                  kSmallestDescriptors.bufferDescriptorSize,
                                  kSmallestDescriptors.imageDescriptorSize,
                                  kSmallestDescriptors.samplerDescriptorSize, *wrong));
    all_fit = false;
  }
  if (!all_fit) return diagnostics.failed();
  return {};
}

}  // namespace heapsmith::driver
