// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "heapsmith/manifest.h"
#include "heapsmith/resolve.h"
#include "rewrite/placements.h"

namespace heapsmith::rewrite {

/// SpecIds for slots begin here and ascend from it, past those of the shaders' own. Shaders count
/// theirs from 0.
inline constexpr uint32_t kFirstSlotSpecId = 0x10000;

/// Which numbers of a manifest rewritten shaders must be told when their pipelines are made, since
/// an override or region bases of resolve() can change them, and by which SpecIds. All others are
/// literals. A SpecId stands for one number in all shaders of the manifest.
class SlotConstants {
 public:
  /// `taken` are the SpecIds of all shaders; `glsl`: they are to be had as GLSL too. Fails where
  /// not even small counts fit into the heaps.
  [[nodiscard]] static Result<SlotConstants> choose(const Manifest& manifest, RegionBases bases,
                                                    const std::set<uint32_t>& taken,
                                                    bool glsl = false);

  /// Replaces literals of what place_bindings() made of the same bindings.
  void specialize(const Manifest& manifest, std::span<const uint32_t> bindings,
                  Placements& placements) const;

  /// The same shader for GLSL, which has no word for descriptors' sizes: what follows from them,
  /// where buffers begin, is a constant too.
  void specialize_sizes(Placements& placements) const;

  /// Those that a rewritten module declares, ascending by SpecId.
  [[nodiscard]] std::vector<SlotConstant> declared_by(std::span<const uint32_t> words) const;

 private:
  /// By class; none where the number cannot change.
  using SpecIds = std::array<std::optional<uint32_t>, kDescriptorClassCount>;
  struct BindingIds {
    std::optional<uint32_t> resource;
    std::optional<uint32_t> sampler;
  };
  class Chooser;

  void specialize(const Manifest& manifest, uint32_t binding, Placement& placement) const;

  std::map<uint32_t, SlotConstant> constants_;  // by SpecId
  SpecIds regionFirstSlots_;
  SpecIds regionSlots_;
  std::optional<uint32_t> glslFirstBuffer_;
  std::vector<SpecIds> slotsPerInstance_;  // by table
  std::vector<BindingIds> bindings_;
};

}  // namespace heapsmith::rewrite
