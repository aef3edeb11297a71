// SPDX-License-Identifier: MIT
#include "heapsmith/commands.h"

#include <cassert>

namespace heapsmith {

void bind_heaps(const Device& device, VkCommandBuffer commandBuffer, const Heaps& heaps) noexcept {
  if (heaps.resources.extent.size != 0) {
    const VkBindHeapInfoEXT info = bind_info(heaps.resources);
    device.functions->vkCmdBindResourceHeapEXT(commandBuffer, &info);
  }
  if (heaps.samplers.extent.size != 0) {
    const VkBindHeapInfoEXT info = bind_info(heaps.samplers);
    device.functions->vkCmdBindSamplerHeapEXT(commandBuffer, &info);
  }
}

void push_data(const Device& device, VkCommandBuffer commandBuffer, uint32_t offset,
               std::span<const std::byte> bytes) noexcept {
  assert(offset % 4 == 0 && bytes.size() % 4 == 0);
  const VkPushDataInfoEXT info{.sType = VK_STRUCTURE_TYPE_PUSH_DATA_INFO_EXT,
                               .pNext = nullptr,
                               .offset = offset,
                               .data = {.address = bytes.data(), .size = bytes.size()}};
  device.functions->vkCmdPushDataEXT(commandBuffer, &info);
}

void push_index(const Device& device, VkCommandBuffer commandBuffer, const Manifest& manifest,
                PushFieldId field, uint32_t index) noexcept {
  push_data(device, commandBuffer, manifest.pushFields[field.index].offset,
            std::as_bytes(std::span(&index, 1)));
}

}  // namespace heapsmith
