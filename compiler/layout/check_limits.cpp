// SPDX-License-Identifier: MIT
#include "layout/check_limits.h"

#include <cstdint>
#include <format>

#include "heapsmith/resolve.h"

namespace heapsmith::layout {
namespace {

// Mapping offsets are 32-bit (VkDescriptorMappingSourceConstantOffsetEXT), and no class of any
// device known has descriptors of fewer than 16 bytes: more slots than this cannot be reached.
constexpr uint64_t kMostSlots = (uint64_t{1} << 32) / 16;

// Chapter "Limits": maxResourceHeapSize and maxSamplerHeapSize in descriptors, less the largest
// reserved ranges.
constexpr uint64_t kGuaranteedResourceSlots = (1u << 20) - (1u << 15);
constexpr uint64_t kGuaranteedSamplerSlots = 4000;

constexpr DescriptorClass kClasses[] = {DescriptorClass::Image, DescriptorClass::Buffer,
                                        DescriptorClass::Tensor, DescriptorClass::Sampler};

// The binding that asks for most, to blame.
const Binding* largest_binding(const Manifest& manifest, DescriptorClass descriptor_class) {
  const Binding* largest = nullptr;
  uint64_t most = 0;
  for (const Binding& binding : manifest.bindings) {
    const bool samplers = descriptor_class == DescriptorClass::Sampler;
    if (samplers ? !has_sampler_slots(binding)
                 : !has_resource_slots(binding) ||
                       heapsmith::descriptor_class(binding.type) != descriptor_class) {
      continue;
    }
    const Table& table = manifest.tables[binding.table];
    const uint64_t slots =
        uint64_t{binding.capacity} * (samplers ? table.samplerInstances : table.instances);
    if (slots > most) {
      most = slots;
      largest = &binding;
    }
  }
  return largest;
}

Place place_of(const Manifest& manifest, const Binding* binding) {
  if (binding == nullptr) return {};
  return {.resource = std::string(binding->name),
          .set = manifest.tables[binding->table].set,
          .binding = binding->binding};
}

}  // namespace

Diagnosed<void> check_slot_counts(const Manifest& manifest, Diagnostics& diagnostics) {
  const auto slots = assign_slots(manifest);
  if (!slots) return diagnostics.error(Code::TooManySlots, {}, slots.error().text);
  uint64_t resources = 0;
  for (const DescriptorClass descriptor_class : kClasses) {
    const uint64_t count = slots->regionSlots[static_cast<size_t>(descriptor_class)];
    const Place place = place_of(manifest, largest_binding(manifest, descriptor_class));
    if (count > kMostSlots) {
      return diagnostics.error(
          Code::TooManySlots, place,
          std::format("{} {} slots exceed the heap limit: mappings reach at most {}", count,
                      to_string(descriptor_class), kMostSlots));
    }
    if (descriptor_class == DescriptorClass::Sampler) {
      if (count > kGuaranteedSamplerSlots) {
        diagnostics.warning(Code::HeapLimit, place,
                            std::format("{} sampler slots are more than the {} that every device "
                                        "has",
                                        count, kGuaranteedSamplerSlots));
      }
    } else {
      resources += count;
    }
  }
  if (resources > kGuaranteedResourceSlots) {
    diagnostics.warning(Code::HeapLimit, {},
                        std::format("{} resource slots are more than the {} that every device has",
                                    resources, kGuaranteedResourceSlots));
  }
  return {};
}

Diagnosed<void> check_limits(const Manifest& manifest, const DeviceLimits& limits,
                             const std::string& profile, Diagnostics& diagnostics) {
  const auto layout = resolve(manifest, limits);
  if (layout) return {};
  return diagnostics.error(Code::HeapLimit, {},
                           std::format("profile '{}': {}", profile, layout.error().text));
}

}  // namespace heapsmith::layout
