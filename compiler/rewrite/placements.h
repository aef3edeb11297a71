// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <vector>

#include "heapsmith/manifest.h"

/// Where rewritten shaders find their descriptors. Slots only: what a slot measures is known to the
/// device alone, and the module asks it.
namespace heapsmith::rewrite {

/// A number that whoever creates the pipeline may set, with its default.
struct Specializable {
  uint32_t value = 0;
  std::optional<uint32_t> specId;  ///< nothing: a literal. Must be no SpecId of the shader's own

  Specializable(uint32_t number = 0, std::optional<uint32_t> id = std::nullopt)
      : value(number), specId(id) {}
  auto operator<=>(const Specializable&) const = default;
};

/// In the resource heap images come first, then buffers from the next multiple of their size on
/// (heapsmith/resolve.h). The sampler heap is one region. Both regions must end within 2^32 bytes,
/// as everything that mappings reach.
struct Regions {
  Specializable imageSlots;  ///< of the whole region
  /// By DescriptorClass: a region's first slot, in slots of its class from the heap's start, in
  /// place of what follows from the counts.
  std::array<std::optional<Specializable>, kDescriptorClassCount> firstSlots;

  bool operator==(const Regions&) const = default;
};

/// How the instance of a table is picked.
enum class InstanceSource : uint8_t {
  None,          ///< there is one
  PushWord,      ///< a 32-bit word of push data
  IndirectWord,  ///< a 32-bit word in memory, behind a 64-bit address in push data
  RecordWord,    ///< a 32-bit word of the ray-tracing shader record
  /// Every element has a 32-bit word of its own, which says its slot: they follow each other in
  /// memory behind an address in push data.
  ScatteredWords,
};

/// Which bits of the word count.
enum class WordPart : uint8_t {
  All,
  Instance,      ///< bits 0 to 19: below kPackedInstances
  SamplerTuple,  ///< bits 20 to 31
};

/// Slot of element k in instance i: `firstSlot + i * slotsPerInstance + k`, in its region. Arrays
/// of arrays are flattened in row-major order.
struct Location {
  Specializable firstSlot;
  InstanceSource source{};
  uint32_t pushOffset = 0;     ///< bytes, a multiple of 4; free of the shader's own push constants
  uint32_t addressOffset = 0;  ///< bytes from the address to the word, a multiple of 4
  Specializable slotsPerInstance;
  uint32_t recordOffset = 0;  ///< bytes from the record's start, behind the shader group handle
  WordPart part{};

  bool operator==(const Location&) const = default;
};

/// What takes a descriptor's place.
enum class DataSource : uint8_t {
  PushAddress,      ///< an address in push data
  IndirectAddress,  ///< an address in memory, behind a 64-bit address in push data
  RecordAddress,    ///< an address in the ray-tracing shader record
  PushData,         ///< a uniform block's bytes, in push data
  RecordData,       ///< likewise, in the shader record
  HeapData,  ///< likewise, in the resource heap, from a byte on that a word of push data says
};

/// Where a single buffer, or an acceleration structure, is found that has no descriptor. Addresses
/// of buffers are multiples of what the largest member of their block is aligned to by std430, or
/// of 16, if that is less. Blocks in the heap begin at multiples of 8, and so does the heap.
struct DataLocation {
  DataSource source{};
  uint32_t pushOffset = 0;     ///< bytes, a multiple of 4; free of the shader's own push constants
  uint32_t addressOffset = 0;  ///< IndirectAddress: bytes from the pushed address, a multiple of 8
  uint32_t recordOffset = 0;   ///< bytes from the record's start, behind the shader group handle

  bool operator==(const DataLocation&) const = default;
};

/// One binding. A variable is rewritten if all that it needs has a location (for a combined image
/// sampler that is both), and stays as it is otherwise, for a mapping to serve.
struct Placement {
  uint32_t set = 0;
  uint32_t binding = 0;
  std::optional<Location> resource;  ///< of a buffer, image or acceleration structure
  std::optional<Location> sampler;
  std::optional<DataLocation> data = std::nullopt;  ///< in place of `resource`

  bool operator==(const Placement&) const = default;
};

struct Placements {
  Regions regions;
  std::vector<Placement> bindings;  ///< ascending by set, then binding

  bool operator==(const Placements&) const = default;
};

}  // namespace heapsmith::rewrite
