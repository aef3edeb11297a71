// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "heapsmith/heaps.h"

/// Recording. Each function is one or two vkCmd* calls; the command buffer is externally
/// synchronised, and must come from a pool with graphics or compute.
namespace heapsmith {

/// Binds both heaps, once for a command buffer: binding is costly on some hardware. Any use of
/// descriptor sets, push constants or descriptor buffers afterwards unbinds them and loses the push
/// data (Vulkan specification, "Descriptor Heaps"; so does an overlay that is not ours), and vice
/// versa.
void bind_heaps(const Device& device, VkCommandBuffer commandBuffer, const Heaps& heaps) noexcept;

/// vkCmdPushDataEXT. Offset and size in bytes, both multiples of 4 (VUID 11418, 11419).
void push_data(const Device& device, VkCommandBuffer commandBuffer, uint32_t offset,
               std::span<const std::byte> bytes) noexcept;

/// Sets all push data that the manifest's programs read to 0, their push constants included: behind
/// bind_heaps(), before anything else is pushed. Vulkan asks for what a shader uses to be pushed,
/// no more (VUID 11376). But a rewritten shader has one block of push constants, with holes
/// wherever its fields do not follow each other, and the validation layer (1.4.363) takes a block
/// for used from its first byte to its last.
void clear_push_data(const Device& device, VkCommandBuffer commandBuffer,
                     const Manifest& manifest) noexcept;

/// Picks the instance of a table for the draws that follow, or its sampler tuple, or a copy of a
/// HeapData block (heap_data_word()): a field of 4 bytes of push data.
void push_index(const Device& device, VkCommandBuffer commandBuffer, const Manifest& manifest,
                FieldId field, uint32_t index) noexcept;

/// Picks instance and sampler tuple at once, for FieldKind::PackedIndex.
void push_packed_index(const Device& device, VkCommandBuffer commandBuffer,
                       const Manifest& manifest, FieldId field, uint32_t index,
                       uint32_t samplerTuple) noexcept;

/// The address of a buffer (a multiple of minUniformBufferOffsetAlignment or
/// minStorageBufferOffsetAlignment: VUID 11441, 11442), of an acceleration structure, or of an
/// indirect block (a multiple of 8: VUID 11300, 11304). Nothing checks accesses beyond the buffer:
/// no descriptor knows its size.
void push_address(const Device& device, VkCommandBuffer commandBuffer, const Manifest& manifest,
                  FieldId field, VkDeviceAddress address) noexcept;

/// The bytes of a uniform block, for FieldKind::Data: a multiple of 4. The padding at the end of
/// its C++ struct, which may be larger than the field, is left out.
void push_bytes(const Device& device, VkCommandBuffer commandBuffer, const Manifest& manifest,
                FieldId field, std::span<const std::byte> bytes) noexcept;

}  // namespace heapsmith
