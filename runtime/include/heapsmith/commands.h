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

/// Picks the instance of a table for the draws that follow.
void push_index(const Device& device, VkCommandBuffer commandBuffer, const Manifest& manifest,
                PushFieldId field, uint32_t index) noexcept;

}  // namespace heapsmith
