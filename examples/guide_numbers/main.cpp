// SPDX-License-Identifier: MIT

// The numbers of the Vulkan Guide's chapter on descriptor heaps, and how they come about without
// arithmetic of one's own. Buffer k holds the number k, so what a shader reads tells which
// descriptor it went through.

#include <heapsmith/commands.h>
#include <heapsmith/heaps.h>
#include <heapsmith/pipeline.h>
#include <heapsmith/resolve.h>
#include <heapsmith/writer.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <functional>

#include "common/buffer.h"
#include "common/check.h"
#include "common/commands.h"
#include "common/files.h"
#include "guide_numbers.h"

namespace {

using Numbers = std::array<uint32_t, 2>;
using Mappings = std::span<const VkDescriptorSetAndBindingMappingEXT>;

constexpr uint32_t kBuffers = 8;
constexpr uint32_t kSet = 0;  // as in numbers.comp
constexpr uint32_t kBlocksBinding = 0;
constexpr uint32_t kOutputBinding = 1;
constexpr uint32_t kOutputSlot = kBuffers;  // of the heap laid out by hand
constexpr uint32_t kPushOffset = 8;
constexpr uint32_t kPushedWord = 0x10;

struct Example {
  const example::Gpu& gpu;
  heapsmith::Device device;
  VkShaderModule shader = VK_NULL_HANDLE;
  example::UniformArray blocks;
  example::Buffer output;
};

// Runs the shader with these mappings and heaps. `push` may push data.
Numbers run_shader(const Example& example, Mappings mappings, const heapsmith::Heaps& heaps,
                   const std::function<void(VkCommandBuffer)>& push = {}) {
  const VkComputePipelineCreateInfo info{
      .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
      .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                .module = example.shader,
                .pName = "main"}};
  const VkPipeline pipeline = example::checked(
      heapsmith::create_compute_pipeline(example.device, info, mappings), "creating a pipeline");

  Numbers numbers{~0u, ~0u};
  std::memcpy(example.output.mapped, numbers.data(), sizeof(numbers));
  const VkCommandBuffer commands = example::begin_commands(example.gpu);
  heapsmith::bind_heaps(example.device, commands, heaps);
  if (push) push(commands);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
  vkCmdDispatch(commands, 1, 1, 1);
  example::submit_and_wait(example.gpu, commands);
  std::memcpy(numbers.data(), example.output.mapped, sizeof(numbers));
  vkDestroyPipeline(example.gpu.device, pipeline, nullptr);
  return numbers;
}

bool is_expected(const char* what, const Numbers& numbers, const Numbers& expected) {
  const bool same = numbers == expected;
  std::printf("%-24s read (%u, %u), expected (%u, %u)%s\n", what, numbers[0], numbers[1],
              expected[0], expected[1], same ? "" : "  <- wrong");
  return same;
}

// The guide counts in bytes of descriptors 16 bytes apart; here, they are as far apart as this
// device's are large.
uint32_t scaled(const Example& example, uint32_t guideBytes) {
  return static_cast<uint32_t>(guideBytes * example.gpu.limits.bufferDescriptorSize / 16);
}

// Nine buffer descriptors, then what the driver keeps for itself.
heapsmith::ResolvedLayout layout_by_hand(const heapsmith::DeviceLimits& limits) {
  const uint64_t used = (kBuffers + 1) * limits.bufferDescriptorSize;
  const uint64_t alignment =
      std::max(limits.bufferDescriptorAlignment, limits.imageDescriptorAlignment);
  heapsmith::ResolvedLayout layout;
  layout.resourceHeap.alignment = limits.resourceHeapAlignment;
  layout.resourceHeap.reservedRangeOffset = (used + alignment - 1) / alignment * alignment;
  layout.resourceHeap.reservedRangeSize = limits.minResourceHeapReservedRange;
  layout.resourceHeap.size =
      layout.resourceHeap.reservedRangeOffset + layout.resourceHeap.reservedRangeSize;
  return layout;
}

void write_descriptor(const Example& example, const heapsmith::Heap& heap, uint32_t slot,
                      VkDescriptorType type, VkDeviceAddress address, VkDeviceSize size) {
  const VkDeviceAddressRangeEXT range{address, size};
  const VkResourceDescriptorInfoEXT info{.sType = VK_STRUCTURE_TYPE_RESOURCE_DESCRIPTOR_INFO_EXT,
                                         .type = type,
                                         .data = {.pAddressRange = &range}};
  const uint64_t stride = example.gpu.limits.bufferDescriptorSize;
  const VkHostAddressRangeEXT destination{heap.mapped + slot * stride, stride};
  example::check(vkWriteResourceDescriptorsEXT(example.gpu.device, 1, &info, &destination),
                 "writing a descriptor");
}

VkDescriptorSetAndBindingMappingEXT map_output(const Example& example) {
  return {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_AND_BINDING_MAPPING_EXT,
          .descriptorSet = kSet,
          .firstBinding = kOutputBinding,
          .bindingCount = 1,
          .resourceMask = VK_SPIRV_RESOURCE_TYPE_READ_ONLY_STORAGE_BUFFER_BIT_EXT |
                          VK_SPIRV_RESOURCE_TYPE_READ_WRITE_STORAGE_BUFFER_BIT_EXT,
          .source = VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_CONSTANT_OFFSET_EXT,
          .sourceData = {.constantOffset = {.heapOffset = scaled(example, kOutputSlot * 16)}}};
}

VkDescriptorSetAndBindingMappingEXT map_blocks(VkDescriptorMappingSourceEXT source,
                                               const VkDescriptorMappingSourceDataEXT& data) {
  return {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_AND_BINDING_MAPPING_EXT,
          .descriptorSet = kSet,
          .firstBinding = kBlocksBinding,
          .bindingCount = 1,
          .resourceMask = VK_SPIRV_RESOURCE_TYPE_UNIFORM_BUFFER_BIT_EXT,
          .source = source,
          .sourceData = data};
}

// The application's own layout: heapsmith only creates the heap and the pipelines.
bool read_by_hand(const Example& example) {
  heapsmith::Heaps heaps =
      example::checked(heapsmith::create_heaps(example.device, layout_by_hand(example.gpu.limits)),
                       "creating a heap");
  for (uint32_t slot = 0; slot < kBuffers; ++slot) {
    write_descriptor(example, heaps.resources, slot, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
                     example.blocks.address(slot), example.blocks.valueSize);
  }
  write_descriptor(example, heaps.resources, kOutputSlot, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                   example.output.address, example.output.size);

  // 0x20 + {0, 1} * 0x40 = 0x20, 0x60
  const std::array constantOffset{
      map_blocks(VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_CONSTANT_OFFSET_EXT,
                 {.constantOffset = {.heapOffset = scaled(example, 0x20),
                                     .heapArrayStride = scaled(example, 0x40)}}),
      map_output(example)};
  const bool constantIsRight =
      is_expected("by hand, constant offset", run_shader(example, constantOffset, heaps), {2, 6});

  // 0x20 + 0x10 * 2 + {0, 1} * 0x10 = 0x40, 0x50
  const std::array pushIndex{map_blocks(VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_PUSH_INDEX_EXT,
                                        {.pushIndex = {.heapOffset = scaled(example, 0x20),
                                                       .pushOffset = kPushOffset,
                                                       .heapIndexStride = scaled(example, 2),
                                                       .heapArrayStride = scaled(example, 0x10)}}),
                             map_output(example)};
  const auto push = [&](VkCommandBuffer commands) {
    heapsmith::push_data(example.device, commands, kPushOffset,
                         std::as_bytes(std::span(&kPushedWord, 1)));
  };
  const bool pushIsRight =
      is_expected("by hand, push index", run_shader(example, pushIndex, heaps, push), {4, 5});
  heapsmith::destroy_heaps(example.device, heaps);
  return constantIsRight && pushIsRight;
}

// The compiler's layout: no byte is counted here.
bool read_by_manifest(const Example& example) {
  namespace bindings = guide_numbers::bindings::numbers;
  constexpr const heapsmith::Manifest& manifest = guide_numbers::manifest;
  const heapsmith::ResolvedLayout layout =
      example::checked(heapsmith::resolve(manifest, example.gpu.limits), "resolving the manifest");
  heapsmith::Heaps heaps =
      example::checked(heapsmith::create_heaps(example.device, layout), "creating the heaps");

  const Numbers chosen{3, 7};
  heapsmith::DescriptorWriter writer(example.device, manifest, layout, heaps);
  for (uint32_t element = 0; element < chosen.size(); ++element) {
    example::check(writer.buffer(bindings::blocks, element, 0,
                                 example.blocks.address(chosen[element]), example.blocks.valueSize),
                   "writing a block");
  }
  example::check(writer.buffer(bindings::result, 0, 0, example.output.address, example.output.size),
                 "writing the output");
  example::check(writer.flush(), "writing descriptors");

  const auto mappings =
      heapsmith::vulkan_mappings(manifest, layout, guide_numbers::programs::guide_numbers);
  const bool isRight = is_expected("by manifest", run_shader(example, mappings, heaps), chosen);
  heapsmith::destroy_heaps(example.device, heaps);
  return isRight;
}

}  // namespace

int main(int, char** argv) {
  example::Gpu gpu = example::create_gpu("guide_numbers");
  std::array<std::array<uint32_t, 4>, kBuffers> values;
  for (uint32_t index = 0; index < kBuffers; ++index)
    values[index].fill(index);
  const Example example{
      .gpu = gpu,
      .device = example::heapsmith_device(gpu),
      .shader = example::load_shader(gpu, example::program_folder(argv[0]) / "numbers.comp.spv"),
      .blocks =
          example::create_uniform_array(gpu, std::span<const std::array<uint32_t, 4>>(values)),
      .output = example::create_buffer(gpu, sizeof(Numbers), VK_BUFFER_USAGE_STORAGE_BUFFER_BIT)};

  std::printf("device: %s\n", gpu.properties.deviceName);
  const auto size = static_cast<unsigned>(gpu.limits.bufferDescriptorSize);
  if (size == 16) {
    std::printf("buffer descriptors have the guide's 16 bytes: its numbers are used as they are\n");
  } else {
    std::printf("buffer descriptors have %u bytes, not 16: offsets and strides are scaled\n", size);
  }
  const bool handIsRight = read_by_hand(example);
  const bool manifestIsRight = read_by_manifest(example);

  vkDestroyShaderModule(gpu.device, example.shader, nullptr);
  example::destroy_buffer(gpu, example.blocks.buffer);
  example::destroy_buffer(gpu, example.output);
  const int exitCode = example::destroy_gpu(gpu);
  return handIsRight && manifestIsRight ? exitCode : 1;
}
