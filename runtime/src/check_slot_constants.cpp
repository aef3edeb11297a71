// SPDX-License-Identifier: MIT
#include "check_slot_constants.h"

#include <map>
#include <set>
#include <tuple>

namespace heapsmith::detail {
namespace {

/// What a SpecId stands for.
using Meaning = std::tuple<SlotNumber, DescriptorClass, uint32_t, uint32_t>;

struct State {
  Reader& in;
  const Manifest& manifest;
  const SlotLayout& slots;
  std::map<uint32_t, Meaning> meanings;

  void run(const Place& root) {
    const Place programs = in.member(root, "programs");
    for (size_t p = 0; p < in.length(programs); ++p) {
      const Place program = in.element(programs, p);
      const Place shaders = in.member(program, "shaders");
      const IndexRange range = manifest.programs[p].shaders;
      for (uint32_t s = 0; s < range.count; ++s)
        shader(in.element(shaders, s), manifest.shaders[range.first + s]);
    }
  }

  void shader(const Place& place, const Shader& shader) {
    if (shader.slotConstants.count == 0) return;
    const Place list = in.member(place, "slotConstants");
    if (!shader.rewritten) in.fail(list, "only a rewritten shader has them");
    const std::set<uint32_t> own = own_constants(place);
    const IndexRange range = shader.slotConstants;
    for (uint32_t i = 0; i < range.count; ++i) {
      const SlotConstant& constant = manifest.slotConstants[range.first + i];
      const Place entry = in.element(list, i);
      const Place specId = in.member(entry, "specId");
      if (own.contains(constant.specId)) in.fail(specId, "is one of the shader's own");
      const bool ascends =
          i == 0 || manifest.slotConstants[range.first + i - 1].specId < constant.specId;
      if (!ascends) in.fail(specId, "the constants ascend by specId");
      names_a_number(entry, constant);
      if (in.failed()) return;
      means_one_thing(specId, constant);
      states_default(in.member(entry, "default"), constant);
    }
  }

  std::set<uint32_t> own_constants(const Place& place) {
    std::set<uint32_t> own;
    if (!in.has(place, "specializationConstants")) return own;
    const Place list = in.member(place, "specializationConstants");
    for (size_t i = 0; i < in.length(list); ++i) {
      const Place constant = in.element(list, i);
      own.insert(in.number32(in.member(constant, "specId")));
    }
    return own;
  }

  void names_a_number(const Place& place, const SlotConstant& constant) {
    const bool ofBinding = constant.binding != kNone;
    if (ofBinding && in.has(place, "class"))
      in.fail(in.member(place, "class"), "a binding's is known");
    if (!ofBinding && in.has(place, "binding"))
      in.fail(in.member(place, "binding"), "does not apply here");
    if (constant.table == kNone && in.has(place, "table"))
      in.fail(in.member(place, "table"), "does not apply here");
    const Place what = in.member(place, "what");
    switch (constant.number) {
      case SlotNumber::RegionFirstSlot:
        // Where buffers begin, shaders of GLSL are always told: GLSL has no word for sizes.
        if (manifest.regionBases == RegionBases::Sizes &&
            constant.descriptorClass != DescriptorClass::Buffer)
          in.fail(what, "contradicts the manifest's regionBases");
        break;
      case SlotNumber::RegionSlots:
      case SlotNumber::SlotsPerInstance:
        if (slot_number(manifest, slots, constant) == 0)
          in.fail(in.member(place, "class"), "there are no such slots");
        break;
      case SlotNumber::ResourceSlot:
        if (!has_resource_slots(manifest.bindings[constant.binding]))
          in.fail(what, "the binding has no such slots");
        break;
      case SlotNumber::SamplerSlot:
        if (!has_sampler_slots(manifest.bindings[constant.binding]))
          in.fail(what, "the binding has no such slots");
        break;
    }
  }

  void means_one_thing(const Place& specId, const SlotConstant& constant) {
    const Meaning meaning = {constant.number, constant.descriptorClass, constant.table,
                             constant.binding};
    const auto [known, isNew] = meanings.emplace(constant.specId, meaning);
    if (!isNew && known->second != meaning)
      in.fail(specId, "stands for something else in another shader");
  }

  void states_default(const Place& place, const SlotConstant& constant) {
    const uint64_t wanted = slot_number(manifest, slots, constant);
    const uint64_t stated = in.number32(place);
    if (stated != wanted) in.fail(place, "states ", stated, ", but it is ", wanted);
  }
};

}  // namespace

void check_slot_constants(Reader& reader, const Place& root, const Manifest& manifest,
                          const SlotLayout& slots) {
  State{reader, manifest, slots, {}}.run(root);
}

}  // namespace heapsmith::detail
