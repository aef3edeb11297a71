// SPDX-License-Identifier: MIT
#include "check/lint_heap_accesses.h"

#include <cstdint>
#include <format>
#include <string_view>

namespace heapsmith::check {
namespace {

struct Descriptor {
  std::string_view name;
  uint64_t size = 0;
  uint64_t alignment = 0;
};

Descriptor descriptor_of(DescriptorType type, const DeviceLimits& limits) {
  switch (descriptor_class(type)) {
    case DescriptorClass::Sampler:
      return {"sampler", limits.samplerDescriptorSize, limits.samplerDescriptorAlignment};
    case DescriptorClass::Image:
      return {"image", limits.imageDescriptorSize, limits.imageDescriptorAlignment};
    case DescriptorClass::Buffer:
      return {"buffer", limits.bufferDescriptorSize, limits.bufferDescriptorAlignment};
    case DescriptorClass::Tensor:
      return {"tensor", limits.tensorDescriptorSize, limits.tensorDescriptorAlignment};
  }
  return {};
}

/// Only what the module itself says in bytes.
bool is_literal(const reflect::HeapSize& size) {
  return size.kind == reflect::HeapSizeKind::Literal && size.bytes.has_value();
}

/// A specialization constant may be set to what fits.
bool lint_access(const reflect::HeapAccess& access, const std::string& file,
                 const LintedDevice& device, Findings& findings) {
  const Descriptor descriptor = descriptor_of(*access.type, device.limits);
  if (descriptor.size == 0) return true;  // a device without that class
  bool fits = true;
  const Place place = {.file = file, .resource = access.blockName};
  const auto add = [&](const std::string& text) {
    findings.add(Severity::Error, Code::HeapStride, place, text, device.name);
    fits = false;
  };
  const std::string what =
      std::format("reads {} descriptors of the {} heap", to_string(*access.type),
                  access.samplerHeap ? "sampler" : "resource");
  if (is_literal(access.offset) && *access.offset.bytes % descriptor.alignment != 0)
    add(std::format("{} from byte {} on, no multiple of {}DescriptorAlignment, {}", what,
                    *access.offset.bytes, descriptor.name, descriptor.alignment));
  for (const reflect::HeapArray& array : access.arrays) {
    if (!is_literal(array.stride)) continue;
    const uint64_t stride = *array.stride.bytes;
    if (stride % descriptor.alignment != 0)
      add(std::format("{} {} bytes apart, no multiple of {}DescriptorAlignment, {}", what, stride,
                      descriptor.name, descriptor.alignment));
    if (stride < descriptor.size)
      add(
          std::format("{} {} bytes apart, less than {}DescriptorSize, {}: let the stride be "
                      "OpConstantSizeOfEXT",
                      what, stride, descriptor.name, descriptor.size));
  }
  return fits;
}

}  // namespace

bool lint_heap_accesses(const reflect::ShaderInterface& shader, const std::string& file,
                        const LintedDevice& device, Findings& findings) {
  bool all_fit = true;
  for (const reflect::HeapAccess& access : shader.heapAccesses)
    if (access.type) all_fit &= lint_access(access, file, device, findings);
  return all_fit;
}

}  // namespace heapsmith::check
