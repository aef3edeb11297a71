// SPDX-License-Identifier: MIT
#include <heapsmith/pipeline.h>

#include "common/check.h"
#include "common/files.h"
#include "session.h"

using namespace mapping_sources;

namespace {

VkShaderCreateInfoEXT shader_info(VkShaderStageFlagBits stage, const std::vector<uint32_t>& code) {
  return {.sType = VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT,
          .stage = stage,
          .codeType = VK_SHADER_CODE_TYPE_SPIRV_EXT,
          .codeSize = code.size() * sizeof(uint32_t),
          .pCode = code.data(),
          .pName = "main"};
}

std::vector<VkShaderEXT> create(Session& session, std::span<const VkShaderCreateInfoEXT> infos,
                                Mappings mappings) {
  std::vector<VkShaderEXT> shaders = example::checked(
      heapsmith::create_shaders(session.heapsmith(), infos, mappings), "creating shader objects");
  session.at_end([device = session.gpu().device, shaders] {
    for (const VkShaderEXT shader : shaders)
      vkDestroyShaderEXT(device, shader, nullptr);
  });
  return shaders;
}

Mapping by_push_index(const Slots& slots) {
  return gpu_test::map(0, 0, VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_PUSH_INDEX_EXT,
                       {.pushIndex = {.heapOffset = slots.at(1),
                                      .pushOffset = 8,
                                      .heapIndexStride = 2 * slots.size,
                                      .heapArrayStride = slots.size}});
}

// Everything that a draw without pipeline wants to be told: one fragment, no attachments.
void set_draw_state(VkCommandBuffer commands) {
  const VkViewport viewport{.width = 1.0f, .height = 1.0f, .maxDepth = 1.0f};
  const VkRect2D scissor{.extent = {1, 1}};
  const VkSampleMask samples = 1;
  vkCmdSetViewportWithCount(commands, 1, &viewport);
  vkCmdSetScissorWithCount(commands, 1, &scissor);
  vkCmdSetVertexInputEXT(commands, 0, nullptr, 0, nullptr);
  vkCmdSetPrimitiveTopology(commands, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST);
  vkCmdSetPrimitiveRestartEnable(commands, VK_FALSE);
  vkCmdSetRasterizerDiscardEnable(commands, VK_FALSE);
  vkCmdSetPolygonModeEXT(commands, VK_POLYGON_MODE_FILL);
  vkCmdSetCullMode(commands, VK_CULL_MODE_NONE);
  vkCmdSetFrontFace(commands, VK_FRONT_FACE_COUNTER_CLOCKWISE);
  vkCmdSetDepthBiasEnable(commands, VK_FALSE);
  vkCmdSetDepthTestEnable(commands, VK_FALSE);
  vkCmdSetDepthWriteEnable(commands, VK_FALSE);
  vkCmdSetStencilTestEnable(commands, VK_FALSE);
  vkCmdSetRasterizationSamplesEXT(commands, VK_SAMPLE_COUNT_1_BIT);
  vkCmdSetSampleMaskEXT(commands, VK_SAMPLE_COUNT_1_BIT, &samples);
  vkCmdSetAlphaToCoverageEnableEXT(commands, VK_FALSE);
}

struct ShaderObjects {
  Session session{{.storesInAllStages = true, .shaderObjects = true}};
  HandHeaps heaps{session};
  Results results{session, 2};
  Mapping resultMapping = map_results(heaps, results);
  NumberedBlocks blocks{session, heaps, 9};
  std::array<Mapping, 2> mappings{by_push_index(blocks.slots), resultMapping};

  // The two numbers that `record` reads with this index pushed.
  std::vector<uint32_t> read(uint32_t index, const std::function<void(VkCommandBuffer)>& record) {
    PushData push;
    push.put(8, index);
    gpu_test::launch(session, heaps.heaps(), push, record);
    return results.take();
  }
};

}  // namespace

TEST_CASE_METHOD(ShaderObjects, "shader objects: compute") {
  const std::vector<uint32_t> code = example::read_words(Session::shader_file("two_elements.comp"));
  const std::array infos{shader_info(VK_SHADER_STAGE_COMPUTE_BIT, code)};
  const std::vector<VkShaderEXT> shaders = create(session, infos, mappings);
  const auto dispatch = [&](VkCommandBuffer commands) {
    const VkShaderStageFlagBits stage = VK_SHADER_STAGE_COMPUTE_BIT;
    vkCmdBindShadersEXT(commands, 1, &stage, shaders.data());
    vkCmdDispatch(commands, 1, 1, 1);
  };
  CHECK(read(0, dispatch) == std::vector<uint32_t>{1, 2});
  CHECK(read(2, dispatch) == std::vector<uint32_t>{5, 6});
}

TEST_CASE_METHOD(ShaderObjects, "shader objects: linked vertex and fragment") {
  const std::array codes{example::read_words(Session::shader_file("cover.vert")),
                         example::read_words(Session::shader_file("fragment_elements.frag"))};
  std::array infos{shader_info(VK_SHADER_STAGE_VERTEX_BIT, codes[0]),
                   shader_info(VK_SHADER_STAGE_FRAGMENT_BIT, codes[1])};
  infos[0].nextStage = VK_SHADER_STAGE_FRAGMENT_BIT;
  for (VkShaderCreateInfoEXT& info : infos)
    info.flags = VK_SHADER_CREATE_LINK_STAGE_BIT_EXT;
  const std::vector<VkShaderEXT> shaders = create(session, infos, mappings);
  const auto draw = [&](VkCommandBuffer commands) {
    const VkRenderingInfo rendering{.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
                                    .renderArea = {.extent = {1, 1}},
                                    .layerCount = 1};
    const std::array stages{VK_SHADER_STAGE_VERTEX_BIT, VK_SHADER_STAGE_FRAGMENT_BIT};
    vkCmdBeginRendering(commands, &rendering);
    vkCmdBindShadersEXT(commands, stages.size(), stages.data(), shaders.data());
    set_draw_state(commands);
    vkCmdDraw(commands, 3, 1, 0, 0);
    vkCmdEndRendering(commands);
  };
  CHECK(read(0, draw) == std::vector<uint32_t>{1, 2});
  CHECK(read(3, draw) == std::vector<uint32_t>{7, 8});
}
