// SPDX-License-Identifier: MIT
#pragma once

#include <heapsmith/manifest_storage.h>
#include <heapsmith/pipeline.h>
#include <heapsmith/resolve.h>
#include <heapsmith/samplers.h>
#include <heapsmith/writer.h>

#include <array>
#include <filesystem>
#include <optional>

#include "pools.h"

namespace source_matrix {

/// Bytes that fields lie in, as one pick wants them.
struct FieldBytes {
  alignas(8) std::array<std::byte, 256> push{};
  std::vector<std::byte> record;
};

/// What an element of a resource leads to.
struct Seen {
  uint32_t number = 0;  ///< in the pool of its kind
  uint32_t trait = 0;   ///< of its sampler
};

/// The manifest of a case with heaps, descriptors of pool resources in all slots, and the sums that
/// say what a pick makes the shaders see.
class World {
 public:
  World(TestDevice& device, Pools& pools, const Case& test, const std::filesystem::path& folder,
        const example::Buffer& results);

  [[nodiscard]] const heapsmith::Manifest& manifest() const { return storage_.manifest; }
  [[nodiscard]] const heapsmith::Heaps& heaps() const { return *heaps_; }
  [[nodiscard]] std::vector<VkDescriptorSetAndBindingMappingEXT> mappings() const;

  /// What a shader's stage must be told.
  [[nodiscard]] heapsmith::Specialization specialization(const heapsmith::Shader& shader) const;

  /// The bytes of all fields for a pick, indirect blocks included, which it writes to memory of
  /// their own.
  [[nodiscard]] FieldBytes fields(uint32_t pick);

  [[nodiscard]] Seen seen(uint32_t resource, uint32_t element, uint32_t pick) const;
  [[nodiscard]] uint32_t binding_of(uint32_t resource) const { return bindingOf_[resource]; }

  /// Views that a render pass reads at this pick, in the order of InputAttachmentIndex.
  [[nodiscard]] std::vector<VkImageViewCreateInfo> input_views(uint32_t pick) const;

  /// Bytes that descriptors of buffers cover: they differ.
  [[nodiscard]] static uint32_t buffer_size(const Resource& resource, uint32_t number) {
    return resource.large ? BufferPool::kBlockSize : 32 - 4 * (number % 3);
  }

  /// Frees what is as large as heaps are.
  void finish();

 private:
  /// A slot of a scattered table's choice.
  struct Place {
    uint32_t binding = 0;
    uint32_t element = 0;
    uint32_t instance = 0;
  };

  [[nodiscard]] heapsmith::ResolvedLayout resolve_case() const;
  void number_bindings();
  uint32_t next_number(const Resource& resource);
  void write_descriptors();
  void write_descriptor(uint32_t binding, uint32_t element, uint32_t instance);
  void write_samplers(uint32_t table);
  void copy_heap_data();
  void place_blocks();
  [[nodiscard]] uint32_t instance_of(uint32_t table, uint32_t pick) const;
  [[nodiscard]] uint32_t tuple_of(uint32_t table, uint32_t pick) const;
  [[nodiscard]] Place scattered(uint32_t binding, uint32_t element, uint32_t pick) const;
  [[nodiscard]] uint32_t number(uint32_t binding, uint32_t element, uint32_t instance) const;
  [[nodiscard]] uint32_t trait(uint32_t binding, uint32_t element, uint32_t pick) const;
  [[nodiscard]] VkDeviceAddress address(uint32_t binding, uint32_t pick) const;
  void set_field(std::span<std::byte> bytes, uint32_t field, uint32_t pick) const;

  TestDevice& device_;
  heapsmith::Device handle_;
  Pools& pools_;
  const Case& test_;
  const example::Buffer& results_;
  heapsmith::ManifestStorage storage_;
  heapsmith::ResolvedLayout layout_;
  std::optional<heapsmith::Heaps> heaps_;
  heapsmith::Samplers samplers_;
  std::optional<heapsmith::DescriptorWriter> writer_;
  std::vector<uint32_t> bindingOf_;                   ///< parallel to Case::resources
  std::vector<uint32_t> resourceOf_;                  ///< parallel to Manifest::bindings
  std::vector<std::vector<uint32_t>> numbers_;        ///< of each binding, by instance and element
  std::vector<std::vector<uint32_t>> tupleIndices_;   ///< of each table
  std::vector<std::vector<example::Buffer>> blocks_;  ///< of each indirect block, one a pick
  uint32_t nextBuffer_ = 1;
  uint32_t nextImage_ = 1;
  uint32_t nextStorage_ = 1;
  uint32_t nextVolume_ = 1;
  uint32_t nextScene_ = 1;
};

}  // namespace source_matrix
