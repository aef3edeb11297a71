// SPDX-License-Identifier: MIT
#include "heapsmith/heaps.h"

#include <algorithm>
#include <array>
#include <catch2/catch_test_macros.hpp>
#include <cstring>
#include <span>

#include "heapsmith/commands.h"
#include "runtime/recording_device.h"
#include "runtime/sample_limits.h"
#include "runtime/sample_manifest.h"

using namespace heapsmith;

namespace {

ResolvedLayout resolved(const Manifest& manifest, const DeviceLimits& limits) {
  Result<ResolvedLayout> layout = resolve(manifest, limits);
  REQUIRE(layout);
  return std::move(*layout);
}

bool all(std::span<const std::byte> bytes, std::byte value) {
  return std::all_of(bytes.begin(), bytes.end(), [=](std::byte b) { return b == value; });
}

}  // namespace

TEST_CASE("create_heaps: over-allocated, rounded up, zeroed up to the reserved range") {
  RecordingDevice recorder;
  recorder.firstAddress = 0x12340;  // no multiple of 65536
  const ResolvedLayout layout = resolved(sample::kManifest, sample::kWorstCase);
  Result<Heaps> heaps = create_heaps(recorder.device(), layout);
  REQUIRE(heaps);
  CHECK(recorder.take_log() ==
        "vkCreateBuffer size 4261631 usage 0x10020000\n"
        "vkAllocateMemory size 4261647 type 2 > allocateFlags\n"
        "vkBindBufferMemory\n"
        "vkMapMemory\n"
        "vkCreateBuffer size 68703 usage 0x10020000\n"
        "vkAllocateMemory size 68719 type 2 > allocateFlags\n"
        "vkBindBufferMemory\n"
        "vkMapMemory\n");
  for (const Heap* heap : {&heaps->resources, &heaps->samplers}) {
    CHECK(heap->address % 65536 == 0);
    CHECK(all({heap->mapped, heap->extent.reservedRangeOffset}, std::byte{0}));
    CHECK(all({heap->mapped + heap->extent.reservedRangeOffset, heap->extent.reservedRangeSize},
              std::byte{0xAB}));
    CHECK(*(heap->mapped - 1) == std::byte{0xAB});
  }
  CHECK(heaps->resources.address == 0x20000);

  bind_heaps(recorder.device(), VK_NULL_HANDLE, *heaps);
  destroy_heaps(recorder.device(), *heaps);
  CHECK(recorder.take_log() ==
        "vkCmdBindResourceHeapEXT 0x20000+4196096 reserved 1792+4194304\n"
        "vkCmdBindSamplerHeapEXT 0x440000+3168 reserved 96+3072\n"
        "vkDestroyBuffer\nvkFreeMemory\nvkDestroyBuffer\nvkFreeMemory\n");
  CHECK(recorder.liveBuffers == 0);
  CHECK(recorder.liveMemories == 0);
  CHECK(heaps->resources.mapped == nullptr);
  destroy_heaps(recorder.device(), *heaps);
  CHECK(recorder.log.empty());
}

TEST_CASE("create_heaps: an aligned buffer loses nothing") {
  RecordingDevice recorder;
  const ResolvedLayout layout = resolved(sample::kManifest, sample::kWorstCase);
  Result<Heaps> heaps = create_heaps(recorder.device(), layout);
  REQUIRE(heaps);
  CHECK(heaps->resources.address == 0x10000);
  destroy_heaps(recorder.device(), *heaps);
}

TEST_CASE("create_heaps: an empty heap has no buffer and is not bound") {
  RecordingDevice recorder;
  const Manifest empty;
  Result<Heaps> heaps = create_heaps(recorder.device(), resolved(empty, sample::kLavapipe));
  REQUIRE(heaps);
  bind_heaps(recorder.device(), VK_NULL_HANDLE, *heaps);
  destroy_heaps(recorder.device(), *heaps);
  CHECK(recorder.log.empty());
}

TEST_CASE("create_heaps: whatever fails, nothing stays behind") {
  const ResolvedLayout layout = resolved(sample::kManifest, sample::kWorstCase);
  for (const char* call :
       {"vkCreateBuffer", "vkAllocateMemory", "vkBindBufferMemory", "vkMapMemory",
        "vkCreateBuffer#2", "vkAllocateMemory#2", "vkBindBufferMemory#2", "vkMapMemory#2"}) {
    CAPTURE(call);
    RecordingDevice recorder;
    recorder.failures[call] = VK_ERROR_OUT_OF_HOST_MEMORY;
    Result<Heaps> heaps = create_heaps(recorder.device(), layout);
    REQUIRE(!heaps);
    CHECK(heaps.error().code == ErrorCode::Vulkan);
    CHECK(heaps.error().vkResult == VK_ERROR_OUT_OF_HOST_MEMORY);
    CHECK(recorder.liveBuffers == 0);
    CHECK(recorder.liveMemories == 0);
  }
  RecordingDevice recorder;
  recorder.firstAddress = 0;
  Result<Heaps> heaps = create_heaps(recorder.device(), layout);
  REQUIRE(!heaps);
  CHECK(heaps.error().code == ErrorCode::NoSuitableMemory);
  CHECK(recorder.liveBuffers == 0);
  CHECK(recorder.liveMemories == 0);
}

TEST_CASE("create_heaps: which memory") {
  const ResolvedLayout layout = resolved(sample::kManifest, sample::kLavapipe);
  constexpr VkMemoryPropertyFlags host =
      VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  RecordingDevice recorder;

  SECTION("device-local first, and the next type where that is full") {
    recorder.failures["vkAllocateMemory#1"] = VK_ERROR_OUT_OF_DEVICE_MEMORY;
    Result<Heaps> heaps = create_heaps(recorder.device(), layout);
    REQUIRE(heaps);
    CHECK(recorder.log.find("type 2 > allocateFlags\nvkAllocateMemory size 1299 type 1") !=
          std::string::npos);
    destroy_heaps(recorder.device(), *heaps);
  }
  SECTION("only what the buffer allows") {
    recorder.memoryTypeBits = 0b010;
    Result<Heaps> heaps = create_heaps(recorder.device(), layout);
    REQUIRE(heaps);
    CHECK(recorder.log.find("type 2") == std::string::npos);
    destroy_heaps(recorder.device(), *heaps);
  }
  SECTION("none that needs a feature, none that is not coherent") {
    recorder.memoryTypes = {VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT,
                            host | VK_MEMORY_PROPERTY_DEVICE_COHERENT_BIT_AMD,
                            host | VK_MEMORY_PROPERTY_PROTECTED_BIT};
    Result<Heaps> heaps = create_heaps(recorder.device(), layout);
    REQUIRE(!heaps);
    CHECK(heaps.error().code == ErrorCode::NoSuitableMemory);
  }
  SECTION("all are full") {
    recorder.failures["vkAllocateMemory"] = VK_ERROR_OUT_OF_DEVICE_MEMORY;
    Result<Heaps> heaps = create_heaps(recorder.device(), layout);
    REQUIRE(!heaps);
    CHECK(heaps.error().vkResult == VK_ERROR_OUT_OF_DEVICE_MEMORY);
  }
  CHECK(recorder.liveBuffers == 0);
  CHECK(recorder.liveMemories == 0);
}

TEST_CASE("place_heap: inside a buffer of the application's") {
  RecordingDevice recorder;
  recorder.firstAddress = 0x10010;
  HeapExtent extent;
  extent.size = 100;
  extent.alignment = 64;
  extent.reservedRangeOffset = 100;
  CHECK(heap_buffer_size(extent) == 163);
  CHECK(heap_buffer_size(HeapExtent{}) == 0);
  HeapExtent huge = extent;
  huge.size = UINT64_MAX;
  CHECK(heap_buffer_size(huge) == UINT64_MAX);

  VkBufferCreateInfo info{};
  info.size = 256;
  VkBuffer buffer = VK_NULL_HANDLE;
  REQUIRE(recorder.functions.vkCreateBuffer(VK_NULL_HANDLE, &info, nullptr, &buffer) == VK_SUCCESS);
  std::array<std::byte, 256> bytes{};
  CHECK(!place_heap(recorder.device(), extent, buffer, 162, bytes.data()));
  Result<Heap> heap = place_heap(recorder.device(), extent, buffer, 163, bytes.data());
  REQUIRE(heap);
  CHECK(heap->address == 0x10040);
  CHECK(heap->mapped == bytes.data() + 0x30);
  const VkBindHeapInfoEXT bind = bind_info(*heap);
  CHECK(bind.heapRange.address == 0x10040);
  CHECK(bind.heapRange.size == 100);
  CHECK(bind.reservedRangeOffset == 100);
  CHECK(bind.reservedRangeSize == 0);
}

TEST_CASE("push data") {
  RecordingDevice recorder;
  const std::array<uint32_t, 3> words = {1, 2, 3};
  push_data(recorder.device(), VK_NULL_HANDLE, 8, std::as_bytes(std::span(words)));
  push_index(recorder.device(), VK_NULL_HANDLE, sample::kManifest, sample::kMaterialSamplerField,
             41);
  CHECK(recorder.log ==
        "vkCmdPushDataEXT offset 8 words 1 2 3\n"
        "vkCmdPushDataEXT offset 68 words 41\n");
}

TEST_CASE("push data: all that programs read is cleared, and no more") {
  RecordingDevice recorder;
  const Field fields[] = {{.name = "word", .kind = FieldKind::TableIndex, .table = 1, .offset = 12},
                          {.name = "far",
                           .kind = FieldKind::TableIndex,
                           .space = FieldSpace::Indirect,
                           .table = 1,
                           .offset = 64}};
  const Program programs[] = {{.name = "one", .pushConstantSize = 4},
                              {.name = "two", .pushConstantOffset = 16, .pushConstantSize = 8}};
  Manifest manifest;
  manifest.fields = fields;
  clear_push_data(recorder.device(), VK_NULL_HANDLE, manifest);
  manifest.programs = programs;
  clear_push_data(recorder.device(), VK_NULL_HANDLE, manifest);
  manifest.fields = {};
  manifest.programs = {};
  clear_push_data(recorder.device(), VK_NULL_HANDLE, manifest);
  CHECK(recorder.log ==
        "vkCmdPushDataEXT offset 0 words 0 0 0 0\n"
        "vkCmdPushDataEXT offset 0 words 0 0 0 0 0 0\n");
}

TEST_CASE("push data: as much as a device may have is cleared in parts") {
  RecordingDevice recorder;
  const Field fields[] = {
      {.name = "data", .kind = FieldKind::Data, .table = 1, .offset = 248, .size = 16}};
  Manifest manifest;
  manifest.fields = fields;
  clear_push_data(recorder.device(), VK_NULL_HANDLE, manifest);
  CHECK(recorder.log.starts_with("vkCmdPushDataEXT offset 0 words 0 0"));
  CHECK(recorder.log.ends_with("\nvkCmdPushDataEXT offset 256 words 0 0\n"));
}

TEST_CASE("push data: every kind of field") {
  RecordingDevice recorder;
  const Field fields[] = {
      {.name = "packed", .kind = FieldKind::PackedIndex, .table = 1, .offset = 4},
      {.name = "address", .kind = FieldKind::BufferAddress, .table = 1, .offset = 8, .size = 8},
      {.name = "data", .kind = FieldKind::Data, .table = 1, .offset = 16, .size = 12}};
  Manifest manifest = sample::kManifest;
  manifest.fields = fields;
  const std::array<uint32_t, 2> words = {7, 8};
  push_packed_index(recorder.device(), VK_NULL_HANDLE, manifest, {0}, 5, 1);
  push_address(recorder.device(), VK_NULL_HANDLE, manifest, {1}, 0x0000000300000002);
  push_bytes(recorder.device(), VK_NULL_HANDLE, manifest, {2}, std::as_bytes(std::span(words)));
  CHECK(recorder.log ==
        "vkCmdPushDataEXT offset 4 words 1048581\n"
        "vkCmdPushDataEXT offset 8 words 2 3\n"
        "vkCmdPushDataEXT offset 16 words 7 8\n");
}
