// SPDX-License-Identifier: MIT

// The worked examples of the Vulkan Guide's chapter on descriptor heaps. The guide's descriptors
// and payloads have 16 bytes each; here, a descriptor is as large as the device's, and a payload
// that is addressed starts where the device's alignment lets it.

#include "session.h"
#include "support/align.h"

using namespace mapping_sources;

namespace {

using Numbers = std::vector<uint32_t>;

constexpr uint32_t kAddressOffset = 0x40;

struct Guide {
  Session session;
  HandHeaps heaps{session};
  Results results{session, 2};
  Mapping resultMapping = map_results(heaps, results);
  PushData push;

  Numbers read(const char* shader, VkDescriptorMappingSourceEXT source,
               const VkDescriptorMappingSourceDataEXT& data) {
    const std::array mappings{gpu_test::map(0, 0, source, data), resultMapping};
    const VkPipeline pipeline =
        gpu_test::compute_pipeline(session, session.shader(shader), mappings);
    gpu_test::launch(session, heaps.heaps(), push, [pipeline](VkCommandBuffer commands) {
      gpu_test::record_dispatch(commands, pipeline);
    });
    return results.take();
  }
};

// Two elements of an array of blocks.
struct Elements : Guide {
  Slots slots = NumberedBlocks(session, heaps, 8).slots;

  Numbers read(VkDescriptorMappingSourceEXT source, const VkDescriptorMappingSourceDataEXT& data) {
    return Guide::read("two_elements.comp", source, data);
  }

  // A buffer whose words from kAddressOffset on are these.
  VkDeviceAddress indices(std::initializer_list<uint32_t> words) {
    const example::Buffer buffer = session.buffer(kAddressOffset + words.size() * sizeof(uint32_t),
                                                  VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT);
    std::memcpy(buffer.mapped + kAddressOffset, words.begin(), words.size() * sizeof(uint32_t));
    return buffer.address;
  }
};

// Two members of one block.
struct Members : Guide {
  uint32_t step = static_cast<uint32_t>(gpu_test::align(
      sizeof(Payload), session.gpu().properties.limits.minUniformBufferOffsetAlignment));

  Numbers read(VkDescriptorMappingSourceEXT source, const VkDescriptorMappingSourceDataEXT& data) {
    return Guide::read("two_members.comp", source, data);
  }

  // The guide's row of payloads uvec4(0), uvec4(1) ... may be read from any of them on. Where steps
  // are longer than a payload, each is followed by a copy of the next.
  void fill(std::byte* target, uint32_t stepBytes, uint32_t count) {
    for (uint32_t number = 0; number < count; ++number) {
      for (const uint32_t member : {0u, 1u}) {
        Payload payload;
        payload.fill(number + member);
        std::memcpy(target + number * stepBytes + member * sizeof payload, &payload,
                    sizeof payload);
      }
    }
  }

  example::Buffer payloads() {
    constexpr uint32_t kCount = 8;
    const example::Buffer buffer =
        session.buffer(kCount * step + sizeof(Payload), VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT);
    fill(buffer.mapped, step, kCount);
    return buffer;
  }
};

}  // namespace

TEST_CASE_METHOD(Elements, "guide: heap with constant offset") {
  // 0x20 + {0, 1} * 0x40
  CHECK(read(VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_CONSTANT_OFFSET_EXT,
             {.constantOffset = {.heapOffset = slots.at(2), .heapArrayStride = 4 * slots.size}}) ==
        Numbers{2, 6});
}

TEST_CASE_METHOD(Elements, "guide: heap with push index") {
  push.put(8, uint32_t{2});
  // 0x20 + 2 * 0x10 + {0, 1} * 0x10
  CHECK(read(VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_PUSH_INDEX_EXT,
             {.pushIndex = {.heapOffset = slots.at(2),
                            .pushOffset = 8,
                            .heapIndexStride = slots.size,
                            .heapArrayStride = slots.size}}) == Numbers{4, 5});
}

TEST_CASE_METHOD(Elements, "guide: heap with indirect index") {
  push.put(16, indices({2}));
  // 0x10 + 2 * 0x10 + {0, 1} * 0x20
  CHECK(read(VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_INDIRECT_INDEX_EXT,
             {.indirectIndex = {.heapOffset = slots.at(1),
                                .pushOffset = 16,
                                .addressOffset = kAddressOffset,
                                .heapIndexStride = slots.size,
                                .heapArrayStride = 2 * slots.size}}) == Numbers{3, 5});
}

TEST_CASE_METHOD(Elements, "guide: heap with indirect index array") {
  push.put(16, indices({6, 2}));
  // 0x00 + {6, 2} * 0x10
  CHECK(read(VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_INDIRECT_INDEX_ARRAY_EXT,
             {.indirectIndexArray = {.heapOffset = slots.at(0),
                                     .pushOffset = 16,
                                     .addressOffset = kAddressOffset,
                                     .heapIndexStride = slots.size}}) == Numbers{6, 2});
}

TEST_CASE_METHOD(Members, "guide: resource heap data") {
  constexpr uint32_t kCount = 4;
  const uint32_t data = heaps.place_data(kCount * step + sizeof(Payload));
  fill(heaps.data(data), step, kCount);
  push.put(12, step);
  CHECK(read(VK_DESCRIPTOR_MAPPING_SOURCE_RESOURCE_HEAP_DATA_EXT,
             {.heapData = {.heapOffset = data + step, .pushOffset = 12}}) == Numbers{2, 3});
}

TEST_CASE_METHOD(Members, "guide: push data") {
  fill(push.bytes.data(), sizeof(Payload), 4);
  CHECK(read(VK_DESCRIPTOR_MAPPING_SOURCE_PUSH_DATA_EXT, {.pushDataOffset = 2 * sizeof(Payload)}) ==
        Numbers{2, 3});
}

TEST_CASE_METHOD(Members, "guide: push address") {
  push.put(8, payloads().address + 2 * step);
  CHECK(read(VK_DESCRIPTOR_MAPPING_SOURCE_PUSH_ADDRESS_EXT, {.pushAddressOffset = 8}) ==
        Numbers{2, 3});
}

TEST_CASE_METHOD(Members, "guide: indirect address") {
  const VkDeviceAddress address = payloads().address + 2 * step;
  const example::Buffer table =
      session.buffer(kAddressOffset + sizeof address, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT);
  std::memcpy(table.mapped + kAddressOffset, &address, sizeof address);
  push.put(16, table.address);
  CHECK(read(VK_DESCRIPTOR_MAPPING_SOURCE_INDIRECT_ADDRESS_EXT,
             {.indirectAddress = {.pushOffset = 16, .addressOffset = kAddressOffset}}) ==
        Numbers{2, 3});
}
