// SPDX-License-Identifier: MIT

// Breaks every rule that the layer checks, one at a time. Each must be reported, and no other.
// Written for the profile spec_reserved_ranges, where the classes differ in size and alignment.

#include <heapsmith/heaps.h>
#include <heapsmith/pipeline.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "common/buffer.h"
#include "common/check.h"
#include "common/commands.h"
#include "common/files.h"
#include "report.h"

namespace {

namespace rule = foreign_device::rule;

using Rules = std::set<std::string>;
using Mapping = VkDescriptorSetAndBindingMappingEXT;

constexpr std::string_view kPrefix = "foreign_device:";
constexpr VkDeviceSize kUserBytes = 1024;  // before and behind the reserved range

VKAPI_ATTR VkBool32 VKAPI_CALL on_message(VkDebugUtilsMessageSeverityFlagBitsEXT,
                                          VkDebugUtilsMessageTypeFlagsEXT,
                                          const VkDebugUtilsMessengerCallbackDataEXT* data,
                                          void* rules) {
  const std::string_view name = data->pMessageIdName ? data->pMessageIdName : "";
  if (name.starts_with(kPrefix)) static_cast<Rules*>(rules)->emplace(name.substr(kPrefix.size()));
  return VK_FALSE;
}

VkDebugUtilsMessengerEXT create_messenger(const example::Gpu& gpu, Rules& rules) {
  const VkDebugUtilsMessengerCreateInfoEXT info{
      .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
      .messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
      .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT,
      .pfnUserCallback = on_message,
      .pUserData = &rules};
  VkDebugUtilsMessengerEXT messenger = VK_NULL_HANDLE;
  example::check(vkCreateDebugUtilsMessengerEXT(gpu.instance, &info, nullptr, &messenger),
                 "creating the messenger");
  return messenger;
}

// User bytes, the reserved range, user bytes.
heapsmith::HeapExtent extent(uint64_t reserved, uint64_t alignment) {
  return {.size = 2 * kUserBytes + (reserved + kUserBytes - 1) / kUserBytes * kUserBytes,
          .alignment = alignment,
          .reservedRangeOffset = kUserBytes,
          .reservedRangeSize = reserved};
}

class Fixture {
 public:
  Fixture(const example::Gpu& gpu, VkShaderModule shader)
      : gpu_(gpu), device_(example::heapsmith_device(gpu)), shader_(shader) {
    heapsmith::ResolvedLayout layout;
    layout.resourceHeap =
        extent(gpu.limits.minResourceHeapReservedRange, gpu.limits.resourceHeapAlignment);
    layout.samplerHeap =
        extent(gpu.limits.minSamplerHeapReservedRange, gpu.limits.samplerHeapAlignment);
    heaps_ = example::checked(heapsmith::create_heaps(device_, layout), "creating heaps");
    data_ = example::create_buffer(gpu, 256, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT);
  }
  ~Fixture() {
    heapsmith::destroy_heaps(device_, heaps_);
    example::destroy_buffer(gpu_, data_);
  }
  Fixture(const Fixture&) = delete;
  Fixture& operator=(const Fixture&) = delete;

  const example::Gpu& gpu() const { return gpu_; }
  const heapsmith::DeviceLimits& limits() const { return gpu_.limits; }
  const heapsmith::Heap& resources() const { return heaps_.resources; }
  const example::Buffer& data() const { return data_; }
  VkBindHeapInfoEXT bind_info() const { return heapsmith::bind_info(heaps_.resources); }

  void write(void* address, size_t size) const {
    const VkDeviceAddressRangeEXT range{data_.address, data_.size};
    const VkResourceDescriptorInfoEXT info{.sType = VK_STRUCTURE_TYPE_RESOURCE_DESCRIPTOR_INFO_EXT,
                                           .type = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
                                           .data = {.pAddressRange = &range}};
    const VkHostAddressRangeEXT target{address, size};
    example::check(vkWriteResourceDescriptorsEXT(gpu_.device, 1, &info, &target), "writing");
  }
  void write_at(VkDeviceSize offset) const {
    write(heaps_.resources.mapped + offset, limits().bufferDescriptorSize);
  }

  // `between` happens after the command was recorded and before it runs.
  template <typename Between>
  void run_with(const VkBindHeapInfoEXT& info, const Between& between) const {
    const VkCommandBuffer commands = example::begin_commands(gpu_);
    vkCmdBindResourceHeapEXT(commands, &info);
    between();
    example::submit_and_wait(gpu_, commands);
  }
  void run_with(const VkBindHeapInfoEXT& info) const {
    run_with(info, [] {});
  }

  VkPipeline create_pipeline(uint32_t heapOffset, const VkSamplerCreateInfo* embedded) const {
    const auto entry = [](uint32_t binding, VkSpirvResourceTypeFlagsEXT mask,
                          const VkDescriptorMappingSourceConstantOffsetEXT& source) {
      return Mapping{.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_AND_BINDING_MAPPING_EXT,
                     .firstBinding = binding,
                     .bindingCount = 1,
                     .resourceMask = mask,
                     .source = VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_CONSTANT_OFFSET_EXT,
                     .sourceData = {.constantOffset = source}};
    };
    const std::array mappings{
        entry(0, VK_SPIRV_RESOURCE_TYPE_UNIFORM_BUFFER_BIT_EXT, {.heapOffset = heapOffset}),
        entry(1,
              VK_SPIRV_RESOURCE_TYPE_READ_ONLY_STORAGE_BUFFER_BIT_EXT |
                  VK_SPIRV_RESOURCE_TYPE_READ_WRITE_STORAGE_BUFFER_BIT_EXT,
              {}),
        entry(2, VK_SPIRV_RESOURCE_TYPE_COMBINED_SAMPLED_IMAGE_BIT_EXT,
              {.pEmbeddedSampler = embedded})};
    const VkComputePipelineCreateInfo info{
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = shader_,
                  .pName = "main"}};
    return example::checked(heapsmith::create_compute_pipeline(device_, info, mappings),
                            "creating a pipeline");
  }
  void destroy_pipeline(VkPipeline pipeline) const {
    vkDestroyPipeline(gpu_.device, pipeline, nullptr);
  }

  void bind_samplers_and(VkPipeline pipeline) const {
    const VkCommandBuffer commands = example::begin_commands(gpu_);
    const VkBindHeapInfoEXT info = heapsmith::bind_info(heaps_.samplers);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vkCmdBindSamplerHeapEXT(commands, &info);
    example::submit_and_wait(gpu_, commands);
  }

 private:
  const example::Gpu& gpu_;
  heapsmith::Device device_;
  VkShaderModule shader_;
  heapsmith::Heaps heaps_;
  example::Buffer data_;
};

void keep_all_rules(const Fixture& fixture) {
  fixture.write_at(0);
  fixture.write_at(0);  // an update
  fixture.write_at(fixture.limits().bufferDescriptorSize);
  fixture.run_with(fixture.bind_info(), [&] { fixture.write_at(0); });
  fixture.destroy_pipeline(fixture.create_pipeline(0, nullptr));
}

void write_elsewhere(const Fixture& fixture) {
  std::array<std::byte, 128> elsewhere{};
  fixture.write(elsewhere.data(), fixture.limits().bufferDescriptorSize);
}

void write_with_size_of_image(const Fixture& fixture) {
  fixture.write(fixture.resources().mapped, fixture.limits().imageDescriptorSize);
}

void write_with_size_of_two(const Fixture& fixture) {
  fixture.write(fixture.resources().mapped, 2 * fixture.limits().bufferDescriptorSize);
}

void write_misaligned(const Fixture& fixture) {
  fixture.write_at(fixture.limits().bufferDescriptorAlignment / 2);
  fixture.run_with(fixture.bind_info());
}

void write_with_stride_of_image(const Fixture& fixture) {
  fixture.write_at(0);
  fixture.write_at(fixture.limits().imageDescriptorSize);
}

void write_into_reserved(const Fixture& fixture) {
  fixture.write_at(fixture.bind_info().reservedRangeOffset);
  fixture.run_with(fixture.bind_info());
}

void write_behind_end(const Fixture& fixture) {
  VkBindHeapInfoEXT shorter = fixture.bind_info();
  shorter.heapRange.size -= kUserBytes / 2;
  fixture.write_at(shorter.heapRange.size);
  fixture.run_with(shorter);
}

void write_across_end(const Fixture& fixture) {
  VkBindHeapInfoEXT shorter = fixture.bind_info();
  shorter.heapRange.size -= kUserBytes / 2;
  fixture.write_at(shorter.heapRange.size - fixture.limits().bufferDescriptorSize / 2);
  fixture.run_with(shorter);
}

void touch_reserved(const Fixture& fixture) {
  const VkBindHeapInfoEXT info = fixture.bind_info();
  fixture.run_with(info, [&] {
    std::memset(fixture.resources().mapped + info.reservedRangeOffset + info.reservedRangeSize - 1,
                0, 1);
  });
}

void bind_misaligned(const Fixture& fixture) {
  VkBindHeapInfoEXT info = fixture.bind_info();
  info.heapRange.address += kUserBytes / 2;
  info.heapRange.size -= kUserBytes / 2;
  fixture.run_with(info);
}

void bind_other_buffer(const Fixture& fixture) {
  VkBindHeapInfoEXT info = fixture.bind_info();
  info.heapRange.address = fixture.data().address;
  fixture.run_with(info);
}

void bind_more_than_buffer(const Fixture& fixture) {
  VkBindHeapInfoEXT info = fixture.bind_info();
  info.heapRange.size *= 2;
  fixture.run_with(info);
}

void reserve_too_little(const Fixture& fixture) {
  VkBindHeapInfoEXT info = fixture.bind_info();
  info.reservedRangeSize -= 1;
  fixture.run_with(info);
}

void reserve_misaligned(const Fixture& fixture) {
  VkBindHeapInfoEXT info = fixture.bind_info();
  info.reservedRangeOffset += fixture.limits().imageDescriptorAlignment;  // not enough for buffers
  fixture.run_with(info);
}

void map_misaligned(const Fixture& fixture) {
  const auto offset = static_cast<uint32_t>(fixture.limits().bufferDescriptorAlignment / 2);
  fixture.destroy_pipeline(fixture.create_pipeline(offset, nullptr));
}

void map_far_away(const Fixture& fixture) {
  fixture.destroy_pipeline(fixture.create_pipeline(0xF0000000u, nullptr));
}

void push_too_much(const Fixture& fixture) {
  const VkCommandBuffer commands = example::begin_commands(fixture.gpu());
  const uint32_t word = 0;
  const VkPushDataInfoEXT info{.sType = VK_STRUCTURE_TYPE_PUSH_DATA_INFO_EXT,
                               .offset = static_cast<uint32_t>(fixture.limits().maxPushDataSize),
                               .data = {.address = &word, .size = sizeof(word)}};
  vkCmdPushDataEXT(commands, &info);
  example::submit_and_wait(fixture.gpu(), commands);
}

void embed_without_range(const Fixture& fixture) {
  const VkSamplerCreateInfo sampler{.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                                    .maxLod = VK_LOD_CLAMP_NONE};
  const VkPipeline pipeline = fixture.create_pipeline(0, &sampler);
  fixture.bind_samplers_and(pipeline);
  fixture.destroy_pipeline(pipeline);
}

void create_huge_buffer(const Fixture& fixture) {
  const VkBufferCreateInfo info{
      .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
      .size = VkDeviceSize{1} << 30,
      .usage = VK_BUFFER_USAGE_DESCRIPTOR_HEAP_BIT_EXT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT};
  VkBuffer buffer = VK_NULL_HANDLE;
  if (vkCreateBuffer(fixture.gpu().device, &info, nullptr, &buffer) == VK_SUCCESS)
    example::fail("a buffer that the layer cannot follow", "was made");
}

struct Case {
  const char* rule;  ///< null: none is broken
  const char* what;
  void (*run)(const Fixture& fixture);
};

constexpr Case kCases[] = {
    {nullptr, "nothing is wrong", keep_all_rules},
    {rule::kWriteTarget, "a descriptor is written to the stack", write_elsewhere},
    {rule::kWriteSize, "a buffer's descriptor with an image's size", write_with_size_of_image},
    {rule::kWriteSize, "one descriptor with the size of two", write_with_size_of_two},
    {rule::kWriteAlignment, "a descriptor at half its alignment", write_misaligned},
    {rule::kWriteOverlap, "buffers with an image's stride", write_with_stride_of_image},
    {rule::kWriteReserved, "a descriptor in the reserved range", write_into_reserved},
    {rule::kWriteOutside, "a descriptor behind the heap", write_behind_end},
    {rule::kWriteOutside, "a descriptor across the heap's end", write_across_end},
    {rule::kReservedTouched, "a byte of the reserved range", touch_reserved},
    {rule::kBindAddress, "a heap at no multiple of its alignment", bind_misaligned},
    {rule::kBindAddress, "a heap in a buffer for uniforms", bind_other_buffer},
    {rule::kBindSize, "a heap that is larger than its buffer", bind_more_than_buffer},
    {rule::kBindReserved, "a reserved range without its last byte", reserve_too_little},
    {rule::kBindReserved, "a reserved range aligned for images only", reserve_misaligned},
    {rule::kMappingAlignment, "a mapping to half an alignment", map_misaligned},
    {rule::kPushData, "push data behind its end", push_too_much},
    {rule::kEmbeddedReserved, "an embedded sampler without its range", embed_without_range},
    {rule::kOverflow, "a mapping to the end of 32 bits", map_far_away},
    {rule::kUnsupported, "a buffer of a gibibyte", create_huge_buffer},
};

std::string join(const Rules& rules) {
  std::string text;
  for (const std::string& name : rules)
    text += (text.empty() ? "" : ", ") + name;
  return text.empty() ? "nothing" : text;
}

size_t run_cases(const example::Gpu& gpu, VkShaderModule shader) {
  Rules reported;
  const VkDebugUtilsMessengerEXT messenger = create_messenger(gpu, reported);
  size_t wrong = 0;
  for (const Case& broken : kCases) {
    reported.clear();
    const uint32_t messages = *gpu.messageCount;
    {
      const Fixture fixture(gpu, shader);
      broken.run(fixture);
    }
    const Rules expected = broken.rule ? Rules{broken.rule} : Rules{};
    const bool isQuiet = *gpu.messageCount == messages;  // the validation layer included
    const bool isRight = reported == expected && (broken.rule || isQuiet);
    std::printf("%-42s %s%s\n", broken.what, join(reported).c_str(),
                isRight ? "" : ("  <- expected " + join(expected)).c_str());
    wrong += !isRight;
  }
  vkDestroyDebugUtilsMessengerEXT(gpu.instance, messenger, nullptr);
  return wrong;
}

// Where nobody listens, a broken rule must end the program.
int break_unheard(example::Gpu& gpu, VkShaderModule shader) {
  vkDestroyDebugUtilsMessengerEXT(gpu.instance, gpu.messenger, nullptr);
  std::signal(SIGABRT, [](int) { std::_Exit(0); });
  write_elsewhere(Fixture(gpu, shader));
  std::fprintf(stderr, "error: a broken rule was not noticed\n");
  std::_Exit(1);
}

}  // namespace

int main(int argc, char** argv) {
  example::Gpu gpu = example::create_gpu("broken_rules");
  const VkShaderModule shader =
      example::load_shader(gpu, example::program_folder(argv[0]) / "mixed.comp.spv");
  if (argc > 1 && std::string_view(argv[1]) == "--unheard") return break_unheard(gpu, shader);

  const size_t wrong = run_cases(gpu, shader);
  std::printf("%zu of %zu cases are right\n", std::size(kCases) - wrong, std::size(kCases));
  vkDestroyShaderModule(gpu.device, shader, nullptr);
  // That is how every other test finds out.
  const bool isNoticed = example::destroy_gpu(gpu) != 0;
  return wrong == 0 && isNoticed ? 0 : 1;
}
