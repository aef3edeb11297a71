// SPDX-License-Identifier: MIT

// Combined image samplers through every source that has them: an array of three whose images and
// samplers are found independently, and a texture of its own with an embedded sampler. Image k has
// the texels 10 k + {0, 1, 2, 3}; sampler j, by its way to continue an image, yields texel
// 1 + j % 3 of these. So a number tells both: 52 is image 5 through a sampler of the second kind.

#include <heapsmith/commands.h>

#include "common/commands.h"
#include "session.h"
#include "support/ray_tracing.h"

using namespace mapping_sources;

namespace {

using Numbers = std::vector<uint32_t>;

constexpr uint32_t kImages = 8;
constexpr uint32_t kSamplers = 10;
constexpr size_t kMostStages = 5;  // of one pipeline

enum class Pick {
  Own,     ///< a sampler index of its own, and a stride
  Shared,  ///< one sampler for the whole array, with a stride of 0
  Packed,  ///< bits 20 to 31 of the image's index
};

struct Case {
  const char* name;
  VkDescriptorMappingSourceEXT source;
  Pick pick;
  Numbers expected;  ///< of the array, and of the lone texture
};

constexpr auto kConstant = VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_CONSTANT_OFFSET_EXT;
constexpr auto kPush = VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_PUSH_INDEX_EXT;
constexpr auto kIndirect = VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_INDIRECT_INDEX_EXT;
constexpr auto kIndirectArray = VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_INDIRECT_INDEX_ARRAY_EXT;
constexpr auto kRecord = VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_SHADER_RECORD_INDEX_EXT;

// The offsets, strides and indices that lead there are those of Textures::map_*.
const std::vector<Case> kCases = {
    {"constant offset", kConstant, Pick::Own, {13, 31, 52, 63}},
    {"constant offset, one sampler", kConstant, Pick::Shared, {12, 32, 52, 63}},
    {"push index", kPush, Pick::Own, {31, 52, 73, 43}},
    {"push index, one sampler", kPush, Pick::Shared, {31, 51, 71, 43}},
    {"push index, packed", kPush, Pick::Packed, {32, 53, 71, 43}},
    {"indirect index", kIndirect, Pick::Own, {23, 31, 42, 53}},
    {"indirect index, one sampler", kIndirect, Pick::Shared, {23, 33, 43, 53}},
    {"indirect index, packed", kIndirect, Pick::Packed, {22, 33, 41, 53}},
    {"index array", kIndirectArray, Pick::Own, {72, 11, 43, 23}},
    {"index array, one sampler", kIndirectArray, Pick::Shared, {71, 11, 41, 23}},
    {"index array, packed", kIndirectArray, Pick::Packed, {73, 12, 41, 23}},
};
const std::vector<Case> kRecordCases = {
    {"record index", kRecord, Pick::Own, {51, 62, 73, 73}},
    {"record index, one sampler", kRecord, Pick::Shared, {51, 61, 71, 73}},
    {"record index, packed", kRecord, Pick::Packed, {52, 63, 71, 73}},
};

VkSamplerCreateInfo sampler_of_kind(uint32_t kind) {
  constexpr VkSamplerAddressMode kModes[] = {VK_SAMPLER_ADDRESS_MODE_REPEAT,
                                             VK_SAMPLER_ADDRESS_MODE_MIRRORED_REPEAT,
                                             VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE};
  return {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
          .addressModeU = kModes[kind - 1],
          .addressModeV = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
          .addressModeW = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE};
}

// An image of four texels, ready to be sampled.
example::Image upload(Session& session, uint32_t number) {
  const example::Image image =
      session.image({.format = VK_FORMAT_R32_SFLOAT,
                     .extent = {4, 1},
                     .usage = VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_SAMPLED_BIT});
  std::array<float, 4> texels{};
  for (uint32_t i = 0; i < texels.size(); ++i)
    texels[i] = static_cast<float>(10 * number + i);
  const example::Buffer staging =
      session.buffer(std::span<const float>(texels), VK_BUFFER_USAGE_TRANSFER_SRC_BIT);
  const example::ImageUse copied{.stages = VK_PIPELINE_STAGE_2_COPY_BIT,
                                 .access = VK_ACCESS_2_TRANSFER_WRITE_BIT,
                                 .layout = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL};
  const VkBufferImageCopy region{
      .imageSubresource = {.aspectMask = VK_IMAGE_ASPECT_COLOR_BIT, .layerCount = 1},
      .imageExtent = {4, 1, 1}};
  const VkCommandBuffer commands = example::begin_commands(session.gpu());
  example::image_barrier(commands, image, {}, copied);
  vkCmdCopyBufferToImage(commands, staging.buffer, image.image, copied.layout, 1, &region);
  example::image_barrier(commands, image, copied,
                         {.stages = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
                          .access = VK_ACCESS_2_SHADER_SAMPLED_READ_BIT,
                          .layout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL});
  example::submit_and_wait(session.gpu(), commands);
  return image;
}

constexpr uint32_t packed(uint32_t image, uint32_t sampler) {
  return sampler << 20 | image;
}

class Textures {
 public:
  explicit Textures(const example::GpuOptions& options = {}) : session_(options) {
    for (uint32_t number = 0; number < kImages; ++number)
      heaps_.write_sampled_image(images_.at(number), upload(session_, number));
    for (uint32_t number = 0; number < kSamplers; ++number)
      heaps_.write_sampler(samplers_.at(number), sampler_of_kind(1 + number % 3));
  }

  // What each stage of the pipeline read, row by row.
  Numbers compute(const Case& test) {
    const VkPipeline pipeline =
        gpu_test::compute_pipeline(session_, session_.shader("textures.comp"), mappings(test));
    return run([=](VkCommandBuffer commands) { gpu_test::record_dispatch(commands, pipeline); });
  }

  Numbers draw(const Case& test) {
    const std::array shaders{
        shader(VK_SHADER_STAGE_VERTEX_BIT, "drawn_textures.vert"),
        shader(VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT, "drawn_textures.tesc"),
        shader(VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT, "drawn_textures.tese"),
        shader(VK_SHADER_STAGE_GEOMETRY_BIT, "drawn_textures.geom"),
        shader(VK_SHADER_STAGE_FRAGMENT_BIT, "drawn_textures.frag")};
    const VkPipeline pipeline = gpu_test::graphics_pipeline(session_, shaders, mappings(test));
    return run([=](VkCommandBuffer commands) { gpu_test::record_draw(commands, pipeline); });
  }

  Numbers draw_mesh(const Case& test) {
    const std::array shaders{shader(VK_SHADER_STAGE_TASK_BIT_EXT, "mesh_textures.task"),
                             shader(VK_SHADER_STAGE_MESH_BIT_EXT, "mesh_textures.mesh")};
    const VkPipeline pipeline = gpu_test::graphics_pipeline(session_, shaders, mappings(test));
    return run([=](VkCommandBuffer commands) { gpu_test::record_mesh_draw(commands, pipeline); });
  }

  Numbers trace(const Case& test) {
    const std::array groups{
        gpu_test::RayGroup{shader(VK_SHADER_STAGE_RAYGEN_BIT_KHR, "traced_textures.rgen")}};
    const VkPipeline pipeline = gpu_test::ray_pipeline(session_, groups, mappings(test));
    const std::array records{gpu_test::ShaderRecord{0, record_}};
    const gpu_test::BindingTable table{.raygen =
                                           gpu_test::record_table(session_, pipeline, records)};
    return run(
        [=](VkCommandBuffer commands) { gpu_test::record_trace(commands, pipeline, table); });
  }

 private:
  // Where index words, or the addresses of such words, lie in push data.
  static constexpr uint32_t kImageAt = 0;
  static constexpr uint32_t kSamplerAt = 8;
  static constexpr uint32_t kLoneAt = 16;
  static constexpr uint32_t kAddressOffset = 12;
  // The same of words in a shader record.
  static constexpr uint32_t kRecordImageAt = 4;
  static constexpr uint32_t kRecordSamplerAt = 0;
  static constexpr uint32_t kRecordLoneAt = 12;

  gpu_test::StageShader shader(VkShaderStageFlagBits stage, const char* name) {
    return {stage, session_.shader(name)};
  }

  Numbers run(const std::function<void(VkCommandBuffer)>& record) {
    gpu_test::launch(session_, heaps_.heaps(), push_, record);
    return results_.take();
  }

  std::vector<Mapping> mappings(const Case& test) {
    const auto [array, lone] = sources(test);
    return {gpu_test::map(0, 0, test.source, array), gpu_test::map(0, 1, test.source, lone),
            resultMapping_};
  }

  using Sources = std::array<VkDescriptorMappingSourceDataEXT, 2>;

  Sources sources(const Case& test) {
    switch (test.source) {
      case kConstant:
        return map_constant(test.pick);
      case kPush:
        return map_push(test.pick);
      case kIndirect:
        return map_indirect(test.pick);
      case kIndirectArray:
        return map_indirect_array(test.pick);
      default:
        return map_record(test.pick);
    }
  }

  // Images 1, 3, 5 with samplers 2, 3, 4 or sampler 1; image 6.
  Sources map_constant(Pick pick) {
    const bool own = pick == Pick::Own;
    return {{{.constantOffset = {.heapOffset = images_.at(1),
                                 .heapArrayStride = 2 * images_.size,
                                 .samplerHeapOffset = samplers_.at(own ? 2 : 1),
                                 .samplerHeapArrayStride = own ? samplers_.size : 0}},
             {.constantOffset = {.heapOffset = images_.at(6), .pEmbeddedSampler = &embedded_}}}};
  }

  // Images 1 + 2 + {0, 2, 4} with samplers 2 * 3 + {0, 1, 2}, sampler 2 * 3, or 4 + {0, 1, 2};
  // image 4. Packed, the sampler's own word would lead to sampler 3.
  Sources map_push(Pick pick) {
    const bool isPacked = pick == Pick::Packed;
    push_.put(kImageAt, isPacked ? packed(2, 4) : 2u);
    push_.put(kSamplerAt, uint32_t{3});
    push_.put(kLoneAt, uint32_t{4});
    return {{{.pushIndex = {.heapOffset = images_.at(1),
                            .pushOffset = kImageAt,
                            .heapIndexStride = images_.size,
                            .heapArrayStride = 2 * images_.size,
                            .useCombinedImageSamplerIndex = isPacked,
                            .samplerHeapOffset = samplers_.at(0),
                            .samplerPushOffset = kSamplerAt,
                            .samplerHeapIndexStride = (isPacked ? 1 : 2) * samplers_.size,
                            .samplerHeapArrayStride = pick == Pick::Shared ? 0 : samplers_.size}},
             {.pushIndex = {.heapOffset = images_.at(0),
                            .pushOffset = kLoneAt,
                            .heapIndexStride = images_.size,
                            .pEmbeddedSampler = &embedded_}}}};
  }

  // A buffer with these words, kAddressOffset bytes behind the address that is pushed.
  void push_words(uint32_t pushOffset, std::initializer_list<uint32_t> words) {
    const example::Buffer buffer = session_.buffer(kAddressOffset + words.size() * sizeof(uint32_t),
                                                   VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT);
    std::memcpy(buffer.mapped + kAddressOffset, words.begin(), words.size() * sizeof(uint32_t));
    push_.put(pushOffset, buffer.address);
  }

  // Images 2 * 1 + {0, 1, 2} with samplers 5 + {0, 1, 2}, sampler 5, or 7 + {0, 1, 2}; image 5.
  Sources map_indirect(Pick pick) {
    const bool isPacked = pick == Pick::Packed;
    push_words(kImageAt, {isPacked ? packed(1, 7) : 1u});
    push_words(kSamplerAt, {5});
    push_words(kLoneAt, {4});
    return {
        {{.indirectIndex = {.heapOffset = images_.at(0),
                            .pushOffset = kImageAt,
                            .addressOffset = kAddressOffset,
                            .heapIndexStride = 2 * images_.size,
                            .heapArrayStride = images_.size,
                            .useCombinedImageSamplerIndex = isPacked,
                            .samplerHeapOffset = samplers_.at(0),
                            .samplerPushOffset = kSamplerAt,
                            .samplerAddressOffset = kAddressOffset,
                            .samplerHeapIndexStride = samplers_.size,
                            .samplerHeapArrayStride = pick == Pick::Shared ? 0 : samplers_.size}},
         {.indirectIndex = {.heapOffset = images_.at(1),
                            .pushOffset = kLoneAt,
                            .addressOffset = kAddressOffset,
                            .heapIndexStride = images_.size,
                            .pEmbeddedSampler = &embedded_}}}};
  }

  // Images 1 + {6, 0, 3} with samplers {1, 3, 8}, sampler 0, or {2, 4, 6}; image 2.
  Sources map_indirect_array(Pick pick) {
    const bool isPacked = pick == Pick::Packed;
    if (isPacked) {
      push_words(kImageAt, {packed(6, 2), packed(0, 4), packed(3, 6)});
    } else {
      push_words(kImageAt, {6, 0, 3});
    }
    push_words(kSamplerAt, {1, 3, 8});
    push_words(kLoneAt, {2});
    return {{{.indirectIndexArray = {.heapOffset = images_.at(1),
                                     .pushOffset = kImageAt,
                                     .addressOffset = kAddressOffset,
                                     .heapIndexStride = images_.size,
                                     .useCombinedImageSamplerIndex = isPacked,
                                     .samplerHeapOffset = samplers_.at(0),
                                     .samplerPushOffset = kSamplerAt,
                                     .samplerAddressOffset = kAddressOffset,
                                     .samplerHeapIndexStride =
                                         pick == Pick::Shared ? 0 : samplers_.size}},
             {.indirectIndexArray = {.heapOffset = images_.at(0),
                                     .pushOffset = kLoneAt,
                                     .addressOffset = kAddressOffset,
                                     .heapIndexStride = images_.size,
                                     .pEmbeddedSampler = &embedded_}}}};
  }

  // Images 2 + 3 * 1 + {0, 1, 2} with samplers 1 + 2 + {0, 1, 2}, sampler 1 + 2, or
  // 1 + 6 + {0, 1, 2}; image 7.
  Sources map_record(Pick pick) {
    const bool isPacked = pick == Pick::Packed;
    record_.resize(16);
    put_record(kRecordImageAt, isPacked ? packed(1, 6) : 1u);
    put_record(kRecordSamplerAt, 2);
    put_record(kRecordLoneAt, 7);
    return {{{.shaderRecordIndex = {.heapOffset = images_.at(2),
                                    .shaderRecordOffset = kRecordImageAt,
                                    .heapIndexStride = 3 * images_.size,
                                    .heapArrayStride = images_.size,
                                    .useCombinedImageSamplerIndex = isPacked,
                                    .samplerHeapOffset = samplers_.at(1),
                                    .samplerShaderRecordOffset = kRecordSamplerAt,
                                    .samplerHeapIndexStride = samplers_.size,
                                    .samplerHeapArrayStride =
                                        pick == Pick::Shared ? 0 : samplers_.size}},
             {.shaderRecordIndex = {.heapOffset = images_.at(0),
                                    .shaderRecordOffset = kRecordLoneAt,
                                    .heapIndexStride = images_.size,
                                    .pEmbeddedSampler = &embedded_}}}};
  }

  void put_record(uint32_t offset, uint32_t word) {
    std::memcpy(record_.data() + offset, &word, sizeof word);
  }

  Session session_;
  HandHeaps heaps_{session_};
  Slots images_ = heaps_.place_images(kImages);
  Slots samplers_ = heaps_.place_samplers(kSamplers);
  Results results_{session_, 4 * kMostStages};
  Mapping resultMapping_ = map_results(heaps_, results_);
  VkSamplerCreateInfo embedded_ = sampler_of_kind(3);
  PushData push_;
  std::vector<std::byte> record_;
};

struct DrawnTextures : Textures {
  DrawnTextures() : Textures({.storesInAllStages = true, .geometryStages = true}) {}
};
struct MeshTextures : Textures {
  MeshTextures() : Textures({.meshShaders = true}) {}
};
struct TracedTextures : Textures {
  TracedTextures() : Textures({.rayTracing = true}) {}
};

// The expected row from each of the stages, and nothing else.
Numbers rows(const Case& test, size_t stages) {
  Numbers numbers;
  for (size_t i = 0; i < stages; ++i)
    numbers.insert(numbers.end(), test.expected.begin(), test.expected.end());
  numbers.resize(4 * kMostStages, Results::kUnwritten);
  return numbers;
}

}  // namespace

TEST_CASE_METHOD(Textures, "textures: compute") {
  for (const Case& test : kCases) {
    INFO(test.name);
    CHECK(compute(test) == rows(test, 1));
  }
}

TEST_CASE_METHOD(DrawnTextures, "textures: vertex, tessellation, geometry, fragment") {
  for (const Case& test : kCases) {
    INFO(test.name);
    CHECK(draw(test) == rows(test, 5));
  }
}

TEST_CASE_METHOD(MeshTextures, "textures: task and mesh") {
  for (const Case& test : kCases) {
    INFO(test.name);
    CHECK(draw_mesh(test) == rows(test, 2));
  }
}

TEST_CASE_METHOD(TracedTextures, "textures: ray generation") {
  for (const std::vector<Case>& cases : {kCases, kRecordCases}) {
    for (const Case& test : cases) {
      INFO(test.name);
      CHECK(trace(test) == rows(test, 1));
    }
  }
}
