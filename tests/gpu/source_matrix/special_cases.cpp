// SPDX-License-Identifier: MIT
#include <string>
#include <utility>
#include <vector>

#include "case.h"

namespace source_matrix {
namespace {

// Sets and bindings get numbers in the order in which they are added, beginning at `first`.
class Builder {
 public:
  Builder(std::string name, Stage stage, uint32_t first) : first_(first) {
    case_.name = std::move(name);
    case_.stage = stage;
    set({});
    add({.role = Role::Results,
         .kind = Kind::StorageBuffer,
         .residence = Residence::Static,
         .written = true});
  }

  uint32_t set(Set made) {
    made.number = (first_ + static_cast<uint32_t>(case_.sets.size())) % kNumberCount;
    case_.sets.push_back(std::move(made));
    return static_cast<uint32_t>(case_.sets.size() - 1);
  }

  uint32_t add(Resource resource) {
    const auto index = static_cast<uint32_t>(case_.resources.size());
    resource.number = resource.sameBinding == kNobody
                          ? (first_ + 3 + index) % kNumberCount
                          : case_.resources[resource.sameBinding].number;
    case_.resources.push_back(resource);
    return index;
  }

  void also(std::string policy) { case_.policy = std::move(policy); }
  void diverge() { case_.divergent = true; }

  Case take() { return std::move(case_); }

 private:
  Case case_;
  uint32_t first_;
};

constexpr Residence kTables[] = {Residence::Static, Residence::Indexed, Residence::Indirect,
                                 Residence::Scattered};

// A texture and a sampler that share a binding, which is a combined image sampler then.
Case shared_binding(Residence residence, uint32_t first) {
  Builder builder("shared_binding_" + std::string(to_string(residence)), Stage::Compute, first);
  const uint32_t instances = residence == Residence::Static ? 1 : 3;
  const uint32_t set = builder.set({.residence = residence, .instances = instances});
  for (const Array array : {Array::None, Array::Fixed}) {
    const Resource texture = {.kind = Kind::SampledImage,
                              .dim = Dim::D2,
                              .array = array,
                              .residence = residence,
                              .instances = instances,
                              .set = set};
    Resource sampler = texture;
    sampler.partner = sampler.sameBinding = builder.add(texture);
    sampler.kind = Kind::Sampler;
    builder.add(sampler);
  }
  return builder.take();
}

// One word that picks textures and samplers of a whole set, arrays included. Only combined image
// samplers take it apart; a sampler that is the same for all instances needs no word.
Case packed(Residence residence, Stage stage, uint32_t first) {
  Builder builder("packed_" + std::string(to_string(residence)), stage, first);
  const uint32_t partner = builder.add({.role = Role::Partner,
                                        .kind = Kind::SampledImage,
                                        .dim = Dim::D2,
                                        .residence = Residence::Static});
  const uint32_t set =
      builder.set({.residence = residence, .instances = 4, .samplerInstances = 3, .packed = true});
  const auto add = [&](Kind kind, Dim dim, Array array, Samplers samplers, uint32_t with) {
    builder.add({.kind = kind,
                 .dim = dim,
                 .array = array,
                 .residence = residence,
                 .instances = 4,
                 .samplers = samplers,
                 .partner = with,
                 .set = set});
  };
  add(Kind::Combined, Dim::D2, Array::None, Samplers::Tuples, kNobody);
  add(Kind::Combined, Dim::D2Array, Array::Fixed, Samplers::Tuples, kNobody);
  add(Kind::Combined, Dim::Cube, Array::Runtime, Samplers::InHeap, kNobody);
  add(Kind::Combined, Dim::D2, Array::None, Samplers::Embedded, kNobody);
  add(Kind::Combined, Dim::Shadow, Array::Fixed, Samplers::Tuples, kNobody);
  add(Kind::Sampler, Dim::D2, Array::Fixed, Samplers::InHeap, partner);
  return builder.take();
}

// The words of a scattered table name slots of other tables too: of the same set, and of another.
Case scattered_elsewhere(uint32_t first) {
  Builder builder("scattered_elsewhere", Stage::Compute, first);
  const uint32_t one = builder.set({.residence = Residence::Indexed, .instances = 3});
  const uint32_t two = builder.set({.residence = Residence::Scattered, .instances = 2});
  const Kind kinds[] = {Kind::UniformBuffer, Kind::StorageBuffer, Kind::SampledImage,
                        Kind::StorageTexelBuffer};
  for (const Kind kind : kinds) {
    const Dim dim = kind == Kind::SampledImage ? Dim::D2 : Dim::None;
    builder.add({.kind = kind,
                 .dim = dim,
                 .array = Array::Fixed,
                 .residence = Residence::Indexed,
                 .instances = 3,
                 .set = one});
    builder.add({.kind = kind,
                 .dim = dim,
                 .array = Array::Runtime,
                 .residence = Residence::Scattered,
                 .instances = 2,
                 .set = two});
  }
  return builder.take();
}

// What Vulkan 1.0 called dynamic buffers, and inline uniform blocks: the policy says no more than
// that, and the compiler chooses.
Case legacy_types(uint32_t first) {
  Builder builder("legacy_types", Stage::Compute, first);
  const uint32_t set = builder.set({});
  const auto add = [&](Kind kind, Array array, Residence residence, bool written = false) {
    const bool copies = residence == Residence::Indexed || residence == Residence::HeapData;
    builder.add({.kind = kind,
                 .array = array,
                 .residence = residence,
                 .instances = copies ? 3u : 1u,
                 .written = written,
                 .large = residence == Residence::HeapData,
                 .said = Said::LegacyType,
                 .set = set});
  };
  add(Kind::UniformBuffer, Array::None, Residence::PushAddress);
  add(Kind::UniformBuffer, Array::Fixed, Residence::Indexed);
  add(Kind::UniformBuffer, Array::None, Residence::PushData);
  add(Kind::UniformBuffer, Array::None, Residence::HeapData);
  add(Kind::StorageBuffer, Array::None, Residence::PushAddress);
  add(Kind::StorageBuffer, Array::None, Residence::Indexed, true);
  return builder.take();
}

// A set that changes with every draw, as far as the policy says anything.
Case automatic(const std::string& name, uint32_t first, const std::vector<Resource>& resources,
               const std::string& policy = {}) {
  Builder builder("automatic_" + name, Stage::Compute, first);
  const uint32_t set = builder.set({.instances = 3, .eachDraw = true});
  for (Resource resource : resources) {
    resource.said = Said::Nothing;
    resource.set = set;
    builder.add(resource);
  }
  if (!policy.empty()) builder.also(policy);
  return builder.take();
}

constexpr Resource kDrawn{.kind = Kind::Combined, .dim = Dim::D2, .residence = Residence::Indexed};

Resource block(Residence residence) {
  return {.kind = Kind::UniformBuffer, .residence = residence};
}

std::vector<Case> automatic_cases(uint32_t first) {
  std::vector<Case> cases;
  Resource read = {.kind = Kind::StorageBuffer, .residence = Residence::PushAddress};
  Resource written = {
      .kind = Kind::StorageBuffer, .residence = Residence::Indexed, .written = true};
  cases.push_back(automatic("draw", first++, {block(Residence::PushData), read, written, kDrawn}));
  // 8 or 24 bytes for each block, of the 248 that are left.
  cases.push_back(automatic("addresses", first++,
                            std::vector<Resource>(kNumberCount - 4, block(Residence::PushAddress)),
                            "\"pushData\": { \"budget\": 144 }"));
  cases.push_back(automatic("indices", first++,
                            std::vector<Resource>(kNumberCount - 4, block(Residence::Indexed)),
                            "\"pushData\": { \"budget\": 64 }"));
  // One word for images and one for samplers do not fit beside the shader's own eight bytes; one
  // address does.
  Resource behind = kDrawn;
  behind.residence = Residence::Indirect;
  Builder builder("automatic_memory", Stage::Compute, first++);
  for (int i = 0; i < 2; ++i) {
    behind.said = Said::Nothing;
    behind.set = builder.set({.instances = 3, .eachDraw = true});
    builder.add(behind);
  }
  builder.also("\"pushData\": { \"budget\": 16 }");
  cases.push_back(builder.take());
  read.residence = Residence::Indexed;
  cases.push_back(automatic("robust", first++, {block(Residence::Indexed), read, written, kDrawn},
                            "\"robustBufferAccess\": true"));
  return cases;
}

// Invocations of one workgroup read different elements.
Case divergent(Residence residence, uint32_t first) {
  Builder builder("divergent_" + std::string(to_string(residence)), Stage::Compute, first);
  const uint32_t instances = residence == Residence::Static ? 1 : 2;
  const uint32_t set = builder.set({.residence = residence, .instances = instances});
  const auto add = [&](Kind kind, Dim dim, bool written) {
    builder.add({.kind = kind,
                 .dim = dim,
                 .array = Array::Runtime,
                 .residence = residence,
                 .instances = instances,
                 .written = written,
                 .set = set});
  };
  add(Kind::UniformBuffer, Dim::None, false);
  add(Kind::StorageBuffer, Dim::None, true);
  add(Kind::SampledImage, Dim::D2, false);
  add(Kind::StorageImage, Dim::D2Array, true);
  add(Kind::Combined, Dim::D2, false);
  add(Kind::UniformTexelBuffer, Dim::None, false);
  add(Kind::StorageTexelBuffer, Dim::None, true);
  builder.diverge();
  return builder.take();
}

Case null_descriptors(Residence residence, uint32_t first) {
  Builder builder("null_" + std::string(to_string(residence)), Stage::Compute, first);
  const uint32_t instances = residence == Residence::Static ? 1 : 2;
  const uint32_t set = builder.set({.residence = residence, .instances = instances});
  const auto add = [&](Kind kind, Dim dim, Array array, bool written) {
    builder.add({.kind = kind,
                 .dim = dim,
                 .array = array,
                 .residence = residence,
                 .instances = instances,
                 .written = written,
                 .null = true,
                 .set = set});
  };
  add(Kind::UniformBuffer, Dim::None, Array::Fixed, false);
  add(Kind::StorageBuffer, Dim::None, Array::None, true);
  add(Kind::SampledImage, Dim::D2, Array::Fixed, false);
  add(Kind::StorageImage, Dim::D2, Array::None, true);
  add(Kind::Combined, Dim::D2, Array::Fixed, false);
  add(Kind::UniformTexelBuffer, Dim::None, Array::None, false);
  add(Kind::StorageTexelBuffer, Dim::None, Array::Fixed, true);
  add(Kind::AccelerationStructure, Dim::None, Array::None, false);
  return builder.take();
}

}  // namespace

std::vector<Case> special_cases() {
  std::vector<Case> cases;
  uint32_t first = 0;
  for (const Residence residence : kTables) {
    cases.push_back(shared_binding(residence, first++));
    cases.push_back(null_descriptors(residence, first++));
    cases.push_back(divergent(residence, first++));
  }
  cases.push_back(packed(Residence::Indexed, Stage::Fragment, first++));
  cases.push_back(packed(Residence::Indirect, Stage::Compute, first++));
  cases.push_back(packed(Residence::Record, Stage::RayGeneration, first++));
  cases.push_back(scattered_elsewhere(first++));
  cases.push_back(legacy_types(first++));
  for (Case& made : automatic_cases(first))
    cases.push_back(std::move(made));
  return cases;
}

}  // namespace source_matrix
