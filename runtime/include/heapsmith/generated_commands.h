// SPDX-License-Identifier: MIT
#pragma once

#include <volk.h>

#include <cassert>
#include <cstdint>

#include "heapsmith/manifest.h"

/// Push data that device-generated commands bring along (VK_EXT_device_generated_commands): each
/// sequence can pick its own table instances, addresses and constants. What no token covers stays
/// as vkCmdPushDataEXT left it. A layout with these tokens needs no VkPipelineLayout.
namespace heapsmith {

/// Bytes of push data that a token writes: `size` of them from `pushOffset`, both multiples of 4
/// and within maxPushDataSize. Push data has one bank for all stages, so that the stage flags must
/// be VK_SHADER_STAGE_ALL (VUID 11332, 11333). Ranges of one layout must not overlap (VUID 11099).
[[nodiscard]] constexpr VkIndirectCommandsPushConstantTokenEXT push_data_range(
    uint32_t pushOffset, uint32_t size) noexcept {
  return {.updateRange = {.stageFlags = VK_SHADER_STAGE_ALL, .offset = pushOffset, .size = size}};
}

/// The bytes of a field of push data, so that each sequence brings its own instance, address or
/// uniform block. What they hold is what the push_* functions of commands.h take.
[[nodiscard]] constexpr VkIndirectCommandsPushConstantTokenEXT push_data_range(
    const Manifest& manifest, FieldId field) noexcept {
  const Field& pushed = manifest.fields[field.index];
  assert(pushed.space == FieldSpace::PushData);
  return push_data_range(pushed.offset, pushed.size);
}

/// A token that copies `range.updateRange.size` bytes of each sequence, from `sequenceOffset` (a
/// multiple of 4, VUID 11125) on, to the range. It points to `range`, which must live until the
/// layout is created.
[[nodiscard]] constexpr VkIndirectCommandsLayoutTokenEXT push_data_token(
    const VkIndirectCommandsPushConstantTokenEXT& range, uint32_t sequenceOffset) noexcept {
  return {.sType = VK_STRUCTURE_TYPE_INDIRECT_COMMANDS_LAYOUT_TOKEN_EXT,
          .pNext = nullptr,
          .type = VK_INDIRECT_COMMANDS_TOKEN_TYPE_PUSH_DATA_EXT,
          .data = {.pPushConstant = &range},
          .offset = sequenceOffset};
}

/// A token that writes the sequence's number to the range, which must have 4 bytes (VUID 11133). A
/// layout may have one such token (VUID 11094). It takes nothing from the sequence, but the offsets
/// of a layout's tokens must not fall (VUID 11103), those of this kind included.
[[nodiscard]] constexpr VkIndirectCommandsLayoutTokenEXT push_sequence_index_token(
    const VkIndirectCommandsPushConstantTokenEXT& range, uint32_t sequenceOffset) noexcept {
  return {.sType = VK_STRUCTURE_TYPE_INDIRECT_COMMANDS_LAYOUT_TOKEN_EXT,
          .pNext = nullptr,
          .type = VK_INDIRECT_COMMANDS_TOKEN_TYPE_PUSH_DATA_SEQUENCE_INDEX_EXT,
          .data = {.pPushConstant = &range},
          .offset = sequenceOffset};
}

// A range that dies with the expression would leave a dangling pointer.
VkIndirectCommandsLayoutTokenEXT push_data_token(const VkIndirectCommandsPushConstantTokenEXT&&,
                                                 uint32_t) = delete;
VkIndirectCommandsLayoutTokenEXT push_sequence_index_token(
    const VkIndirectCommandsPushConstantTokenEXT&&, uint32_t) = delete;

}  // namespace heapsmith
