// SPDX-License-Identifier: MIT

// Every record of a shader binding table leads its shader to buffers of its own, by an index, by
// its data and by an address, while groups share their shaders: two records of each kind, and all
// six stages. The rays go through an acceleration structure that is mapped in every way there is.

#include "session.h"
#include "support/acceleration.h"
#include "support/ray_tracing.h"

using namespace mapping_sources;

namespace {

enum Group : uint32_t { kRaygen, kMiss, kTriangle, kBox, kCallable };

constexpr uint32_t kSceneSet = 2;
constexpr uint32_t kRows = 11;  // of raygen.rgen

// Where a record keeps what: the order is not that of the bindings.
constexpr uint32_t kAddressAt = 0;
constexpr uint32_t kSceneAt = 8;
constexpr uint32_t kIndexAt = 20;
constexpr uint32_t kDataAt = 24;
constexpr uint32_t kRecordBytes = 32;

struct Row {
  uint32_t byIndex0, byIndex1, byData, byAddress;
  bool operator==(const Row&) const = default;
};
using Rows = std::vector<Row>;

struct Records {
  Session session{{.rayTracing = true}};
  HandHeaps heaps{session};
  Results results{session, 4 * kRows};
  Mapping resultMapping = map_results(heaps, results);
  NumberedBlocks blocks{session, heaps, 24};
  Slots sceneSlot = heaps.place_buffers(1);
  gpu_test::AccelerationStructure triangle;
  gpu_test::AccelerationStructure box;
  gpu_test::AccelerationStructure scene;
  PushData push;

  // The rays along z at x = 0 and 10 hit a triangle, those at 20 and 30 a box, each with a record
  // of its own.
  Records() {
    const std::array corners{gpu_test::Vertex{-1, -1, 5}, gpu_test::Vertex{1, -1, 5},
                             gpu_test::Vertex{0, 1, 5}};
    triangle = gpu_test::build_triangles(session, corners);
    const std::array boxes{gpu_test::Box{{-1, -1, 4}, {1, 1, 6}}};
    box = gpu_test::build_boxes(session, boxes);
    const std::array instances{gpu_test::Instance{&triangle, 0, 0},
                               gpu_test::Instance{&triangle, 10, 1},
                               gpu_test::Instance{&box, 20, 2}, gpu_test::Instance{&box, 30, 3}};
    scene = gpu_test::build_instances(session, instances);
    heaps.write_buffer(sceneSlot.offset, VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR,
                       scene.address, 0);
  }

  // A record that leads to blocks 1 + 2 * index and the next, a number, and block `addressed`.
  gpu_test::ShaderRecord record(Group group, uint32_t index, uint32_t number, uint32_t addressed) {
    gpu_test::ShaderRecord made{group, std::vector<std::byte>(kRecordBytes)};
    const auto put = [&](uint32_t offset, const auto& value) {
      std::memcpy(made.data.data() + offset, &value, sizeof value);
    };
    put(kAddressAt, blocks.buffers.address(addressed));
    put(kSceneAt, scene.address);
    put(kIndexAt, index);
    put(kDataAt, std::array<uint32_t, 2>{9999, number});
    return made;
  }

  std::vector<Mapping> mappings(VkDescriptorMappingSourceEXT sceneSource,
                                const VkDescriptorMappingSourceDataEXT& sceneData) {
    return {gpu_test::map(0, 0, VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_SHADER_RECORD_INDEX_EXT,
                          {.shaderRecordIndex = {.heapOffset = blocks.slots.at(1),
                                                 .shaderRecordOffset = kIndexAt,
                                                 .heapIndexStride = 2 * blocks.slots.size,
                                                 .heapArrayStride = blocks.slots.size}}),
            gpu_test::map(0, 1, VK_DESCRIPTOR_MAPPING_SOURCE_SHADER_RECORD_DATA_EXT,
                          {.shaderRecordDataOffset = kDataAt}),
            gpu_test::map(0, 2, VK_DESCRIPTOR_MAPPING_SOURCE_SHADER_RECORD_ADDRESS_EXT,
                          {.shaderRecordAddressOffset = kAddressAt}),
            gpu_test::map(kSceneSet, 0, sceneSource, sceneData), resultMapping};
  }

  VkPipeline pipeline(Mappings mappings) {
    const auto shader = [this](VkShaderStageFlagBits stage, const char* name) {
      return gpu_test::StageShader{stage, session.shader(name)};
    };
    const std::array<gpu_test::RayGroup, 5> groups{{
        {shader(VK_SHADER_STAGE_RAYGEN_BIT_KHR, "raygen.rgen")},
        {shader(VK_SHADER_STAGE_MISS_BIT_KHR, "miss.rmiss")},
        {shader(VK_SHADER_STAGE_CLOSEST_HIT_BIT_KHR, "triangle.rchit"),
         shader(VK_SHADER_STAGE_ANY_HIT_BIT_KHR, "triangle.rahit")},
        {shader(VK_SHADER_STAGE_CLOSEST_HIT_BIT_KHR, "box.rchit"),
         shader(VK_SHADER_STAGE_INTERSECTION_BIT_KHR, "box.rint")},
        {shader(VK_SHADER_STAGE_CALLABLE_BIT_KHR, "callable.rcall")},
    }};
    return gpu_test::ray_pipeline(session, groups, mappings);
  }

  // What the launch with this ray-generation record wrote.
  Rows trace(VkPipeline pipeline, const gpu_test::ShaderRecord& raygen) {
    const std::array raygens{raygen};
    const std::array callables{record(kCallable, 1, 101, 11), record(kCallable, 0, 102, 12)};
    const std::array misses{record(kMiss, 3, 103, 13), record(kMiss, 2, 104, 14)};
    const std::array hits{record(kTriangle, 5, 105, 15), record(kTriangle, 4, 106, 16),
                          record(kBox, 9, 109, 21), record(kBox, 10, 110, 20)};
    const gpu_test::BindingTable table{
        .raygen = gpu_test::record_table(session, pipeline, raygens),
        .miss = gpu_test::record_table(session, pipeline, misses),
        .hit = gpu_test::record_table(session, pipeline, hits),
        .callable = gpu_test::record_table(session, pipeline, callables)};
    gpu_test::launch(session, heaps.heaps(), push, [&](VkCommandBuffer commands) {
      gpu_test::record_trace(commands, pipeline, table);
    });
    Rows rows(kRows);
    const std::vector<uint32_t> words = results.take();
    std::memcpy(rows.data(), words.data(), words.size() * sizeof(uint32_t));
    return rows;
  }

  void check(VkDescriptorMappingSourceEXT sceneSource,
             const VkDescriptorMappingSourceDataEXT& sceneData) {
    const VkPipeline made = pipeline(mappings(sceneSource, sceneData));
    Rows expected = {
        {},                 // ray generation, see below
        {3, 4, 101, 11},    // callable
        {1, 2, 102, 12},    //
        {7, 8, 103, 13},    // miss
        {5, 6, 104, 14},    //
        {11, 12, 105, 15},  // closest hit
        {9, 10, 106, 16},   //
        {11, 12, 105, 15},  // any hit: the same records
        {9, 10, 106, 16},   //
        {19, 20, 109, 21},  // intersection
        {21, 22, 110, 20},
    };
    expected[0] = {17, 18, 107, 2};
    CHECK(trace(made, record(kRaygen, 8, 107, 2)) == expected);
    expected[0] = {15, 16, 108, 19};
    CHECK(trace(made, record(kRaygen, 7, 108, 19)) == expected);
  }
};

std::ostream& operator<<(std::ostream& stream, const Row& row) {
  return stream << '(' << row.byIndex0 << ' ' << row.byIndex1 << ' ' << row.byData << ' '
                << row.byAddress << ')';
}

}  // namespace

TEST_CASE_METHOD(Records, "shader records: the scene by a descriptor") {
  check(VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_CONSTANT_OFFSET_EXT,
        {.constantOffset = {.heapOffset = sceneSlot.offset}});
}

TEST_CASE_METHOD(Records, "shader records: the scene by a pushed address") {
  push.put(24, scene.address);
  check(VK_DESCRIPTOR_MAPPING_SOURCE_PUSH_ADDRESS_EXT, {.pushAddressOffset = 24});
}

TEST_CASE_METHOD(Records, "shader records: the scene by an indirect address") {
  const std::array<VkDeviceAddress, 3> words{0, 0, scene.address};
  const example::Buffer table =
      session.buffer(std::span<const VkDeviceAddress>(words), VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT);
  push.put(24, table.address);
  check(VK_DESCRIPTOR_MAPPING_SOURCE_INDIRECT_ADDRESS_EXT,
        {.indirectAddress = {.pushOffset = 24, .addressOffset = 16}});
}

TEST_CASE_METHOD(Records, "shader records: the scene by an address in the record") {
  check(VK_DESCRIPTOR_MAPPING_SOURCE_SHADER_RECORD_ADDRESS_EXT,
        {.shaderRecordAddressOffset = kSceneAt});
}
