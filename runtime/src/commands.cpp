// SPDX-License-Identifier: MIT
#include "heapsmith/commands.h"

#include <algorithm>
#include <array>
#include <cassert>

#include "heapsmith/fields.h"

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

namespace {

/// Behind the last byte of push data that any program reads.
uint32_t push_data_end(const Manifest& manifest) noexcept {
  uint32_t end = 0;
  for (const Program& program : manifest.programs)
    end = std::max(end, program.pushConstantOffset + program.pushConstantSize);
  for (const Field& field : manifest.fields) {
    if (field.space == FieldSpace::PushData) end = std::max(end, field.offset + field.size);
  }
  return end;
}

template <typename T>
void push_value(const Device& device, VkCommandBuffer commandBuffer, const Field& field,
                const T& value) noexcept {
  assert(field.space == FieldSpace::PushData && field.size == sizeof(T));
  push_data(device, commandBuffer, field.offset, std::as_bytes(std::span(&value, 1)));
}

}  // namespace

void clear_push_data(const Device& device, VkCommandBuffer commandBuffer,
                     const Manifest& manifest) noexcept {
  static constexpr std::array<std::byte, 256> kZeros{};
  const uint32_t end = push_data_end(manifest);
  for (uint32_t offset = 0; offset < end; offset += static_cast<uint32_t>(kZeros.size())) {
    const size_t size = std::min<size_t>(kZeros.size(), end - offset);
    push_data(device, commandBuffer, offset, std::span(kZeros).first(size));
  }
}

void push_index(const Device& device, VkCommandBuffer commandBuffer, const Manifest& manifest,
                FieldId field, uint32_t index) noexcept {
  push_value(device, commandBuffer, manifest.fields[field.index], index);
}

void push_packed_index(const Device& device, VkCommandBuffer commandBuffer,
                       const Manifest& manifest, FieldId field, uint32_t index,
                       uint32_t samplerTuple) noexcept {
  push_value(device, commandBuffer, manifest.fields[field.index],
             packed_index(index, samplerTuple));
}

void push_address(const Device& device, VkCommandBuffer commandBuffer, const Manifest& manifest,
                  FieldId field, VkDeviceAddress address) noexcept {
  push_value(device, commandBuffer, manifest.fields[field.index], address);
}

void push_bytes(const Device& device, VkCommandBuffer commandBuffer, const Manifest& manifest,
                FieldId field, std::span<const std::byte> bytes) noexcept {
  const Field& target = manifest.fields[field.index];
  assert(target.space == FieldSpace::PushData && target.kind == FieldKind::Data);
  push_data(device, commandBuffer, target.offset,
            bytes.first(std::min<size_t>(bytes.size(), target.size)));
}

}  // namespace heapsmith
