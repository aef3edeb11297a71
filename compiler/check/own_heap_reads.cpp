// SPDX-License-Identifier: MIT
#include "check/own_heap_reads.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <format>
#include <optional>
#include <set>
#include <utility>

namespace heapsmith::check {
namespace {

using reflect::HeapAccess;

// The regions of the resource heap, in their order.
constexpr std::array kResourceRegions = {DescriptorClass::Image, DescriptorClass::Buffer,
                                         DescriptorClass::Tensor};

class State {
 public:
  State(const Manifest& manifest, const SlotLayout& slots) : manifest_(manifest), slots_(slots) {}

  // Nothing if there is no reason to warn.
  std::optional<std::string> advice(const HeapAccess& access) const {
    if (!has_descriptors(access.samplerHeap)) return std::nullopt;
    const DescriptorClass kind = descriptor_class(*access.type);
    const uint64_t external = external_slots(kind);
    if (external == 0)
      return std::format("keep its slots free with an external range of class \"{}\" in the policy",
                         to_string(kind));
    if (!begins_its_heap(kind) || !counts_slots(access)) return std::nullopt;
    const auto beyond = std::ranges::lower_bound(access.slots, external);
    if (beyond == access.slots.end()) return std::nullopt;
    return std::format("slot {} is beyond the {} of the policy's external ranges of class \"{}\"",
                       *beyond, external, to_string(kind));
  }

 private:
  uint64_t external_slots(DescriptorClass kind) const {
    uint64_t count = 0;
    for (const ExternalRange& range : manifest_.externalRanges)
      if (range.descriptorClass == kind) count += range.slots;
    return count;
  }

  uint64_t region_slots(DescriptorClass kind) const {
    return slots_.regionSlots[static_cast<size_t>(kind)];
  }

  bool has_own_slots(DescriptorClass kind) const {
    return region_slots(kind) > external_slots(kind);
  }

  // Of the manifest's tables.
  bool has_descriptors(bool sampler_heap) const {
    if (sampler_heap) return has_own_slots(DescriptorClass::Sampler);
    return std::ranges::any_of(kResourceRegions,
                               [&](DescriptorClass kind) { return has_own_slots(kind); });
  }

  bool begins_its_heap(DescriptorClass kind) const {
    if (kind == DescriptorClass::Sampler) return true;
    for (const DescriptorClass region : kResourceRegions) {
      if (region == kind) return true;
      if (region_slots(region) != 0) return false;
    }
    return true;
  }

  // Its constant indices are slots of the region, on every device.
  static bool counts_slots(const HeapAccess& access) {
    return access.offset.kind == reflect::HeapSizeKind::Literal && access.offset.bytes == 0 &&
           access.arrays.size() == 1 &&
           access.arrays[0].stride.kind == reflect::HeapSizeKind::SizeOf;
  }

  const Manifest& manifest_;
  const SlotLayout& slots_;
};

}  // namespace

void check_own_heap_reads(const reflect::ShaderInterface& shader, const std::string& file,
                          const Manifest& manifest, const SlotLayout& slots,
                          Diagnostics& diagnostics) {
  // Then the application places the regions, and knows what it reads itself.
  if (manifest.regionBases == RegionBases::Specialization) return;
  const State state(manifest, slots);
  std::set<std::string> said;  // several accesses may differ in what is not said
  for (const HeapAccess& access : shader.heapAccesses) {
    if (!access.type) continue;
    const auto advice = state.advice(access);
    if (!advice) continue;
    std::string text = std::format(
        "reads {} descriptors of the {} heap by itself, in which this layout has descriptors too: "
        "{}",
        to_string(*access.type), access.samplerHeap ? "sampler" : "resource", *advice);
    if (!said.insert(access.blockName + text).second) continue;
    diagnostics.warning(Code::AlreadyRewritten, {.file = file, .resource = access.blockName},
                        std::move(text));
  }
}

}  // namespace heapsmith::check
