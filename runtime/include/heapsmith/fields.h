// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "heapsmith/manifest.h"

/// What fields hold, written into bytes of the caller's: a copy of the push data bank, a shader
/// record (behind its group handle), an indirect block in mapped memory. The generated header has
/// structs for the same bytes. Needs no Vulkan; any thread, different bytes at the same time.
namespace heapsmith {

/// The word of FieldKind::PackedIndex: an instance below kPackedInstances and a sampler tuple below
/// kPackedSamplerInstances.
[[nodiscard]] constexpr uint32_t packed_index(uint32_t index, uint32_t samplerTuple) noexcept {
  assert(index < kPackedInstances && samplerTuple < kPackedSamplerInstances);
  return index | samplerTuple << 20;
}

namespace detail {
template <typename T>
void set_field(std::span<std::byte> bytes, const Field& field, uint32_t element,
               const T& value) noexcept {
  const size_t offset = size_t{field.offset} + element * sizeof(T);
  assert((element + size_t{1}) * sizeof(T) <= field.size && offset + sizeof(T) <= bytes.size());
  std::memcpy(bytes.data() + offset, &value, sizeof(T));
}
}  // namespace detail

/// An instance, a sampler tuple, a packed_index(), or a heap_data_word(); of
/// FieldKind::ResourceSlots and SamplerSlots the slot of one element.
inline void set_index(std::span<std::byte> bytes, const Manifest& manifest, FieldId field,
                      uint32_t index, uint32_t element = 0) noexcept {
  detail::set_field(bytes, manifest.fields[field.index], element, index);
}

/// The device address of a buffer, an acceleration structure or an indirect block.
inline void set_address(std::span<std::byte> bytes, const Manifest& manifest, FieldId field,
                        uint64_t address) noexcept {
  detail::set_field(bytes, manifest.fields[field.index], 0, address);
}

/// The bytes of a uniform block. The padding at the end of its C++ struct, which may be larger than
/// the field, is left out.
inline void set_bytes(std::span<std::byte> bytes, const Manifest& manifest, FieldId field,
                      std::span<const std::byte> data) noexcept {
  const Field& target = manifest.fields[field.index];
  const size_t size = std::min<size_t>(data.size(), target.size);
  assert(target.kind == FieldKind::Data && target.offset + size <= bytes.size());
  std::memcpy(bytes.data() + target.offset, data.data(), size);
}

}  // namespace heapsmith
