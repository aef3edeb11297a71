// SPDX-License-Identifier: MIT
#include "world.h"

#include <heapsmith/fields.h>
#include <heapsmith/manifest_json.h>
#include <heapsmith/pipeline.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include "common/check.h"
#include "support/align.h"

namespace source_matrix {
namespace {

using example::check;
using example::checked;
using heapsmith::Binding;
using heapsmith::BindingId;
using heapsmith::Field;
using heapsmith::FieldId;
using heapsmith::FieldKind;
using heapsmith::FieldSpace;
using heapsmith::kNone;
using heapsmith::SamplerPlacement;
using heapsmith::Table;

std::string read_text(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) example::fail(file.string(), "cannot be read");
  return {std::istreambuf_iterator<char>(stream), {}};
}

VkSamplerCreateInfo sampler_info(Dim dim, uint32_t trait) {
  const bool compares = dim == Dim::Shadow;
  const float level = compares ? 0 : static_cast<float>(trait);
  return {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
          .compareEnable = compares,
          .compareOp = trait == 1 ? VK_COMPARE_OP_LESS : VK_COMPARE_OP_GREATER_OR_EQUAL,
          .minLod = level,
          .maxLod = level};
}

/// An application's own numbers.
struct Overrides {
  std::vector<heapsmith::InstanceOverride> instances;
  std::vector<heapsmith::CapacityOverride> capacities;

  // Rewritten shaders have their slots built in.
  Overrides(const heapsmith::Manifest& manifest, bool wanted) {
    const bool fixed = std::ranges::any_of(manifest.shaders, &heapsmith::Shader::rewritten);
    if (!wanted || fixed) return;
    for (uint32_t t = 0; t < manifest.tables.size(); ++t) {
      const Table& table = manifest.tables[t];
      if (table.residence != Residence::Static)
        instances.push_back({.table = {t}, .instances = table.instances + 2});
    }
    for (uint32_t b = 0; b < manifest.bindings.size(); ++b) {
      const Binding& binding = manifest.bindings[b];
      const bool bounded =
          binding.residence == Residence::Scattered || binding.immutableSamplers.count > 1;
      const bool open = binding.arrayKind == heapsmith::ArrayKind::Runtime && !bounded;
      if (open || binding.residence == Residence::HeapData)
        capacities.push_back({.binding = {b}, .capacity = binding.capacity + 1});
    }
  }
};

uint32_t layers_taken(Dim dim) {
  return dim == Dim::D2Array ? 2 : dim == Dim::Cube ? 6 : dim == Dim::CubeArray ? kMostLayers : 1;
}

}  // namespace

World::World(TestDevice& device, Pools& pools, const Case& test,
             const std::filesystem::path& folder, const example::Buffer& results)
    : device_(device),
      handle_(device.heapsmith()),
      pools_(pools),
      test_(test),
      results_(results),
      storage_(checked(heapsmith::load_manifest_json(read_text(folder / "manifest.json")),
                       "loading " + (folder / "manifest.json").string())),
      layout_(resolve_case()),
      samplers_(checked(heapsmith::create_samplers(handle_, manifest()), "creating samplers")) {
  heaps_.emplace(checked(heapsmith::create_heaps(handle_, layout_), "creating heaps"));
  writer_.emplace(handle_, manifest(), layout_, *heaps_);
  number_bindings();
  write_descriptors();
  copy_heap_data();
  place_blocks();
}

heapsmith::ResolvedLayout World::resolve_case() const {
  const Overrides overrides(manifest(), test_.overridden);
  return checked(
      heapsmith::resolve(manifest(), device_.limits(), {overrides.instances, overrides.capacities}),
      test_.name + ": resolving");
}

void World::finish() {
  heapsmith::destroy_heaps(handle_, *heaps_);
}

std::vector<VkDescriptorSetAndBindingMappingEXT> World::mappings() const {
  return heapsmith::vulkan_mappings(manifest(), layout_, {0}, samplers_);
}

heapsmith::Specialization World::specialization(const heapsmith::Shader& shader) const {
  return heapsmith::vulkan_specialization(manifest(), layout_, shader);
}

uint32_t World::next_number(const Resource& resource) {
  const auto take = [](uint32_t& next, uint32_t step, uint32_t end) {
    if (next + step > end) example::fail("numbering resources", "a pool is too small");
    return std::exchange(next, next + step);
  };
  switch (resource.kind) {
    case Kind::UniformBuffer:
    case Kind::StorageBuffer:
    case Kind::UniformTexelBuffer:
    case Kind::StorageTexelBuffer:
      return take(nextBuffer_, 1, kBufferNumbers);
    case Kind::SampledImage:
    case Kind::Combined:
      if (resource.dim == Dim::D3) return take(nextVolume_, 1, kVolumes);
      return take(nextImage_, 1, kImageNumbers);
    case Kind::InputAttachment:
      return take(nextImage_, 1, kImageNumbers);
    case Kind::StorageImage:
      if (resource.dim == Dim::D3) return take(nextVolume_, 1, kVolumes);
      return take(nextStorage_, layers_taken(resource.dim), kStorageNumbers);
    case Kind::AccelerationStructure:
      return take(nextScene_, 1, kScenes);
    case Kind::Sampler:
      return 0;
  }
  return 0;
}

// Gives each slot, copy, or pick of a binding a number that no other has.
void World::number_bindings() {
  const auto& bindings = manifest().bindings;
  numbers_.resize(bindings.size());
  resourceOf_.assign(bindings.size(), kNobody);
  for (uint32_t r = 0; r < test_.resources.size(); ++r) {
    const Resource& resource = test_.resources[r];
    uint32_t found = kNone;
    for (uint32_t b = 0; b < bindings.size(); ++b) {
      if (bindings[b].binding == kNumbers[resource.number] &&
          manifest().tables[bindings[b].table].set == kNumbers[test_.sets[resource.set].number])
        found = b;
    }
    if (found == kNone) example::fail(test_.name, variable(r) + " is not in the manifest");
    if (bindings[found].residence != resource.residence) {
      example::fail(test_.name + ": " + variable(r) + " is wrongly",
                    to_string(bindings[found].residence));
    }
    bindingOf_.push_back(found);
    // Of a texture and a sampler on one binding, the texture has the numbers.
    if (resourceOf_[found] != kNobody && resource.kind == Kind::Sampler) continue;
    resourceOf_[found] = r;
  }
  for (uint32_t b = 0; b < bindings.size(); ++b) {
    if (resourceOf_[b] == kNobody) example::fail(test_.name, "a binding that nobody declared");
    const heapsmith::BindingSlots& slots = layout_.slots.bindings[b];
    uint32_t count = kPicks;
    if (is_table_residence(bindings[b].residence))
      count = layout_.slots.tables[bindings[b].table].instances * slots.capacity;
    else if (bindings[b].residence == Residence::HeapData)
      count = slots.capacity;
    for (uint32_t i = 0; i < count; ++i)
      numbers_[b].push_back(next_number(test_.resources[resourceOf_[b]]));
  }
}

uint32_t World::number(uint32_t binding, uint32_t element, uint32_t instance) const {
  return numbers_[binding][instance * layout_.slots.bindings[binding].capacity + element];
}

void World::write_descriptor(uint32_t b, uint32_t element, uint32_t instance) {
  const Resource& resource = test_.resources[resourceOf_[b]];
  const BindingId id{b};
  const uint32_t n = number(b, element, instance);
  const auto write = [&]() -> heapsmith::Status {
    if (resource.null) return writer_->null(id, element, instance);
    const VkDeviceAddress address = pools_.buffers.address(n);
    switch (resource.kind) {
      case Kind::StorageBuffer:
        if (resource.role == Role::Results)
          return writer_->buffer(id, element, instance, results_.address, results_.size);
        return writer_->buffer(id, element, instance, address, buffer_size(resource, n));
      case Kind::UniformBuffer:
        return writer_->buffer(id, element, instance, address, buffer_size(resource, n));
      case Kind::UniformTexelBuffer:
      case Kind::StorageTexelBuffer:
        return writer_->texel_buffer(id, element, instance, VK_FORMAT_R32_UINT, address,
                                     buffer_size(resource, n));
      case Kind::SampledImage:
      case Kind::Combined:
        return writer_->image(id, element, instance, pools_.images.sampled(resource.dim, n),
                              VK_IMAGE_LAYOUT_READ_ONLY_OPTIMAL);
      case Kind::InputAttachment:
        return writer_->image(id, element, instance, pools_.images.input(n),
                              VK_IMAGE_LAYOUT_READ_ONLY_OPTIMAL);
      case Kind::StorageImage:
        return writer_->image(id, element, instance, pools_.images.storage(resource.dim, n),
                              VK_IMAGE_LAYOUT_GENERAL);
      case Kind::AccelerationStructure:
        return writer_->acceleration_structure(id, element, instance, pools_.scenes.address(n));
      case Kind::Sampler:
        break;
    }
    return heapsmith::Done{};
  };
  check(write(), test_.name + ": writing a descriptor");
}

void World::write_samplers(uint32_t t) {
  const Table& table = manifest().tables[t];
  heapsmith::SamplerTuples tuples(manifest(), layout_, {t});
  for (uint32_t tuple = 0; tuple < layout_.slots.tables[t].samplerInstances; ++tuple) {
    std::vector<VkSamplerCreateInfo> infos;
    for (uint32_t b = table.bindings.first; b < table.bindings.first + table.bindings.count; ++b) {
      if (!is_in_sampler_tuples(manifest().bindings[b])) continue;
      const Dim dim = test_.resources[resourceOf_[b]].dim;
      for (uint32_t element = 0; element < layout_.slots.bindings[b].capacity; ++element)
        infos.push_back(
            sampler_info(dim, sampler_trait(dim, tuple, static_cast<uint32_t>(infos.size()))));
    }
    tupleIndices_[t].push_back(
        infos.empty() ? 0 : checked(tuples.add(*writer_, infos), test_.name + ": adding a tuple"));
  }
}

void World::write_descriptors() {
  for (uint32_t b = 0; b < manifest().bindings.size(); ++b) {
    const Binding& binding = manifest().bindings[b];
    if (!has_resource_slots(binding)) continue;
    for (uint32_t i = 0; i < layout_.slots.tables[binding.table].instances; ++i) {
      for (uint32_t element = 0; element < layout_.slots.bindings[b].capacity; ++element)
        write_descriptor(b, element, i);
    }
  }
  tupleIndices_.resize(manifest().tables.size());
  for (uint32_t t = 0; t < manifest().tables.size(); ++t)
    write_samplers(t);
  check(heapsmith::write_immutable_samplers(*writer_, manifest(), layout_, samplers_),
        test_.name + ": writing immutable samplers");
  check(writer_->flush(), test_.name + ": writing descriptors");
}

void World::copy_heap_data() {
  for (uint32_t b = 0; b < manifest().bindings.size(); ++b) {
    if (manifest().bindings[b].residence != Residence::HeapData) continue;
    for (uint32_t copy = 0; copy < numbers_[b].size(); ++copy) {
      const auto block = pools_.buffers.block(numbers_[b][copy]);
      std::ranges::copy(block.first(manifest().bindings[b].minBufferSize),
                        heaps_->resources.mapped + heap_data_offset(layout_, {b}, copy));
    }
  }
}

void World::place_blocks() {
  for (const heapsmith::IndirectBlock& block : manifest().indirectBlocks) {
    auto& made = blocks_.emplace_back();
    for (uint32_t pick = 0; pick < kPicks; ++pick)
      made.push_back(device_.buffer(block.size + 8, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT));
  }
}

uint32_t World::instance_of(uint32_t table, uint32_t pick) const {
  return (pick + table) % layout_.slots.tables[table].instances;
}

uint32_t World::tuple_of(uint32_t table, uint32_t pick) const {
  return (pick + table + 1) % layout_.slots.tables[table].samplerInstances;
}

// Any slot of a binding that is declared alike will do, whichever table it belongs to.
World::Place World::scattered(uint32_t b, uint32_t element, uint32_t pick) const {
  const Resource& own = test_.resources[resourceOf_[b]];
  std::vector<Place> places;
  for (uint32_t other = 0; other < manifest().bindings.size(); ++other) {
    const Resource& resource = test_.resources[resourceOf_[other]];
    const bool alike = resource.role == own.role && resource.kind == own.kind &&
                       resource.dim == own.dim && resource.written == own.written &&
                       resource.null == own.null && has_resource_slots(manifest().bindings[other]);
    if (!alike) continue;
    for (uint32_t i = 0; i < numbers_[other].size(); ++i) {
      const uint32_t capacity = layout_.slots.bindings[other].capacity;
      places.push_back({other, i % capacity, i / capacity});
    }
  }
  return places[(5 * pick + 3 * element + b + 1) % places.size()];
}

VkDeviceAddress World::address(uint32_t b, uint32_t pick) const {
  const Resource& resource = test_.resources[resourceOf_[b]];
  if (resource.role == Role::Results) return results_.address;
  return resource.kind == Kind::AccelerationStructure ? pools_.scenes.address(numbers_[b][pick])
                                                      : pools_.buffers.address(numbers_[b][pick]);
}

void World::set_field(std::span<std::byte> bytes, uint32_t index, uint32_t pick) const {
  const Field& field = manifest().fields[index];
  const FieldId id{index};
  const auto set = [&](uint32_t word, uint32_t element = 0) {
    heapsmith::set_index(bytes, manifest(), id, word, element);
  };
  switch (field.kind) {
    case FieldKind::TableIndex:
      return set(instance_of(field.table, pick));
    case FieldKind::SamplerIndex:
      return set(tupleIndices_[field.table][tuple_of(field.table, pick)]);
    case FieldKind::PackedIndex:
      return set(heapsmith::packed_index(instance_of(field.table, pick),
                                         tupleIndices_[field.table][tuple_of(field.table, pick)]));
    case FieldKind::ResourceSlots:
      for (uint32_t element = 0; element < field.size / 4; ++element) {
        const Place place = scattered(field.binding, element, pick);
        set(static_cast<uint32_t>(resource_slot(manifest(), layout_.slots, {place.binding},
                                                place.element, place.instance)),
            element);
      }
      return;
    case FieldKind::SamplerSlots:
      for (uint32_t element = 0; element < field.size / 4; ++element) {
        const uint32_t tuple = tupleIndices_[field.table][tuple_of(field.table, pick)];
        set(static_cast<uint32_t>(
                sampler_slot(manifest(), layout_.slots, {field.binding}, element, tuple)),
            element);
      }
      return;
    case FieldKind::BlockAddress: {
      const VkDeviceAddress address = blocks_[field.block][pick].address;
      return heapsmith::set_address(bytes, manifest(), id, gpu_test::align(address, 8));
    }
    case FieldKind::BufferAddress:
      return heapsmith::set_address(bytes, manifest(), id, address(field.binding, pick));
    case FieldKind::HeapDataOffset:
      return set(heap_data_word(layout_, {field.binding},
                                pick % static_cast<uint32_t>(numbers_[field.binding].size())));
    case FieldKind::Data: {
      const auto block = pools_.buffers.block(numbers_[field.binding][pick]);
      return heapsmith::set_bytes(bytes, manifest(), id, block.first(field.size));
    }
  }
}

FieldBytes World::fields(uint32_t pick) {
  FieldBytes made;
  for (const Field& field : manifest().fields) {
    if (field.space == FieldSpace::ShaderRecord)
      made.record.resize(std::max<size_t>(made.record.size(), field.offset + field.size));
  }
  for (uint32_t index = 0; index < manifest().fields.size(); ++index) {
    const Field& field = manifest().fields[index];
    if (field.space == FieldSpace::PushData) {
      set_field(made.push, index, pick);
    } else if (field.space == FieldSpace::ShaderRecord) {
      set_field(made.record, index, pick);
    } else {
      const example::Buffer& buffer = blocks_[field.block][pick];
      const uint64_t skipped = gpu_test::align(buffer.address, 8) - buffer.address;
      set_field({buffer.mapped + skipped, manifest().indirectBlocks[field.block].size}, index,
                pick);
    }
  }
  return made;
}

uint32_t World::trait(uint32_t b, uint32_t element, uint32_t pick) const {
  const Binding& binding = manifest().bindings[b];
  const Resource& resource = test_.resources[resourceOf_[b]];
  if (!has_samplers(binding.type)) return 0;
  if (binding.samplerPlacement != SamplerPlacement::Table)
    return immutable_trait(resource, element);
  const uint32_t slot = static_cast<uint32_t>(layout_.slots.bindings[b].firstSamplerSlot) + element;
  return sampler_trait(resource.dim, tuple_of(binding.table, pick), slot);
}

Seen World::seen(uint32_t r, uint32_t element, uint32_t pick) const {
  const uint32_t b = bindingOf_[r];
  const Binding& binding = manifest().bindings[b];
  Seen what{.trait = trait(b, element, pick)};
  if (binding.residence == Residence::Scattered && has_resource_slots(binding)) {
    const Place place = scattered(b, element, pick);
    what.number = number(place.binding, place.element, place.instance);
  } else if (is_table_residence(binding.residence)) {
    what.number = number(b, element, instance_of(binding.table, pick));
  } else if (binding.residence == Residence::HeapData) {
    what.number = numbers_[b][pick % numbers_[b].size()];
  } else {
    what.number = numbers_[b][pick];
  }
  return what;
}

std::vector<VkImageViewCreateInfo> World::input_views(uint32_t pick) const {
  std::vector<VkImageViewCreateInfo> views;
  for (uint32_t r = 0; r < test_.resources.size(); ++r) {
    if (test_.resources[r].kind != Kind::InputAttachment) continue;
    for (uint32_t element = 0; element < elements(test_.resources[r].array); ++element)
      views.push_back(pools_.images.input(seen(r, element, pick).number));
  }
  return views;
}

}  // namespace source_matrix
