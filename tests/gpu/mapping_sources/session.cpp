// SPDX-License-Identifier: MIT
#include "session.h"

namespace mapping_sources {
namespace {

std::vector<Payload> numbered(uint32_t count) {
  std::vector<Payload> payloads(count);
  for (uint32_t number = 0; number < count; ++number)
    payloads[number].fill(number);
  return payloads;
}

}  // namespace

std::filesystem::path Session::shader_file(const char* name) {
  return std::filesystem::path(SHADER_FOLDER) / (std::string(name) + ".spv");
}

VkShaderModule Session::shader(const char* name) {
  return TestDevice::shader(shader_file(name));
}

Mapping map_results(HandHeaps& heaps, const Results& results) {
  const Slots slot = heaps.place_buffers(1);
  heaps.write_buffer(slot.offset, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, results.buffer().address,
                     results.buffer().size);
  return gpu_test::map(1, 0, VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_CONSTANT_OFFSET_EXT,
                       {.constantOffset = {.heapOffset = slot.offset}});
}

NumberedBlocks::NumberedBlocks(Session& session, HandHeaps& heaps, uint32_t count)
    : buffers(session.uniform_array(std::span<const Payload>(numbered(count)))),
      slots(heaps.place_buffers(count)) {
  for (uint32_t number = 0; number < count; ++number) {
    heaps.write_buffer(slots.at(number), VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, buffers.address(number),
                       buffers.valueSize);
  }
}

}  // namespace mapping_sources
