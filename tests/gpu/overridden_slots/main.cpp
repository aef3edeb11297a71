// SPDX-License-Identifier: MIT

// overridden_slots [--mapped]: capacities, instances and region bases that are chosen at run time
// move descriptors, and all forms of a shader must find them: mapped, rewritten, rewritten for
// regions that begin anywhere, and mixed. With --mapped only the first form runs, for devices whose
// numbers a layer makes up for mappings.

#include <heapsmith/fields.h>
#include <heapsmith/pipeline.h>
#include <heapsmith/writer.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "common/check.h"
#include "common/commands.h"
#include "mapped.h"
#include "mixed.h"
#include "moved.h"
#include "rewritten.h"
#include "support/launch.h"

namespace {

using heapsmith::DescriptorClass;

// All manifests have the same tables.
namespace bindings = mapped::bindings;
namespace tables = mapped::tables;

constexpr uint32_t kNumbers = 8;
constexpr uint32_t kFactor = 7;
constexpr uint32_t kSalt = 100;

struct Form {
  std::string name;
  const heapsmith::Manifest& manifest;
};

// What is chosen at run time, and what a launch picks: the last of everything.
struct Choice {
  std::string name;
  uint32_t texels = 4;
  uint32_t inputs = 3;
  uint32_t instances = 2;
  uint32_t tuples = 2;
  bool overridden = false;
  bool moved = false;

  [[nodiscard]] uint32_t element() const { return std::min(texels, inputs) - 1; }
};

const Choice kChoices[] = {
    {.name = "as in the manifest"},
    {.name = "more", .texels = 9, .inputs = 6, .instances = 7, .tuples = 5, .overridden = true},
    {.name = "fewer", .texels = 1, .inputs = 1, .instances = 1, .tuples = 1, .overridden = true},
    {.name = "elsewhere", .moved = true},
    {.name = "more, elsewhere",
     .texels = 11,
     .inputs = 13,
     .instances = 3,
     .tuples = 4,
     .overridden = true,
     .moved = true}};

constexpr size_t index_of(DescriptorClass descriptorClass) {
  return static_cast<size_t>(descriptorClass);
}

heapsmith::ResolvedLayout resolve(const heapsmith::Manifest& manifest, const Choice& choice,
                                  const heapsmith::DeviceLimits& limits) {
  const heapsmith::InstanceOverride instances[] = {{.table = tables::material,
                                                    .instances = choice.instances,
                                                    .samplerInstances = choice.tuples}};
  const heapsmith::CapacityOverride capacities[] = {
      {.binding = bindings::frame::texels, .capacity = choice.texels},
      {.binding = bindings::frame::inputs, .capacity = choice.inputs}};
  heapsmith::ResolveOptions options;
  if (choice.overridden) options = {.instances = instances, .capacities = capacities};
  if (choice.moved) {
    // Buffers first, then a gap, then images.
    const auto slots = example::checked(heapsmith::assign_slots(manifest, options), "slots");
    const uint64_t end =
        (3 + slots.regionSlots[index_of(DescriptorClass::Buffer)]) * limits.bufferDescriptorSize;
    options.regionBases[index_of(DescriptorClass::Buffer)] = 3;
    options.regionBases[index_of(DescriptorClass::Image)] = end / limits.imageDescriptorSize + 6;
    options.regionBases[index_of(DescriptorClass::Sampler)] = 11;
  }
  return example::checked(heapsmith::resolve(manifest, limits, options), "resolving");
}

class Runner {
 public:
  explicit Runner(bool rewritten)
      : device_("overridden_slots", {.allDescriptors = true, .heapReads = rewritten}),
        results_(device_, kNumbers),
        picture_(device_.image({.format = VK_FORMAT_R8G8B8A8_UNORM,
                                .extent = {1, 1},
                                .usage = VK_IMAGE_USAGE_SAMPLED_BIT})) {
    const VkCommandBuffer commands = example::begin_commands(device_.gpu());
    example::image_barrier(commands, picture_, {},
                           {.stages = VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT,
                            .access = VK_ACCESS_2_SHADER_READ_BIT,
                            .layout = VK_IMAGE_LAYOUT_GENERAL});
    example::submit_and_wait(device_.gpu(), commands);
  }

  /// How many numbers are wrong.
  size_t run(const Form& form, const Choice& choice) {
    const auto layout = resolve(form.manifest, choice, device_.limits());
    const heapsmith::Device& device = device_.heapsmith();
    heapsmith::Heaps heaps =
        example::checked(heapsmith::create_heaps(device, layout), "creating the heaps");
    heapsmith::DescriptorWriter writer(device, form.manifest, layout, heaps);
    write(writer, choice);
    example::check(writer.flush(), "writing descriptors");
    gpu_test::launch(device_, heaps, push(form.manifest, choice), [&](VkCommandBuffer commands) {
      vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline(form, layout));
      vkCmdDispatch(commands, 1, 1, 1);
    });
    heapsmith::destroy_heaps(device, heaps);
    return count_wrong(form, choice);
  }

  uint32_t finish() { return device_.finish(); }

 private:
  void write(heapsmith::DescriptorWriter& writer, const Choice& choice) {
    for (uint32_t i = 0; i < choice.texels; ++i)
      write_texels(writer, bindings::frame::texels, i, 0, 10 + i);
    write_texels(writer, bindings::frame::lastTexels, 0, 0, 50);
    for (uint32_t i = 0; i < choice.inputs; ++i)
      write_buffer(writer, bindings::frame::inputs, i, 0, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT,
                   60 + i);
    example::check(writer.buffer(bindings::frame::result, 0, 0, results_.buffer().address,
                                 results_.buffer().size),
                   "the results");
    for (uint32_t i = 0; i < choice.instances; ++i) {
      write_buffer(writer, bindings::material::material, 0, i, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT,
                   1000 * i);
      write_texels(writer, bindings::material::skin, 0, i, 90 + i);
    }
    write_buffer(writer, bindings::tail::tail, 0, 0, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT, 80);
    const VkImageViewCreateInfo view = example::view_info(picture_);
    for (const heapsmith::BindingId image : {bindings::frame::picture, bindings::tail::lastPicture})
      example::check(writer.image(image, 0, 0, view, VK_IMAGE_LAYOUT_GENERAL), "a picture");
    for (uint32_t tuple = 0; tuple < choice.tuples; ++tuple)
      write_sampler(writer, bindings::material::border, tuple, tuple + 1 == choice.tuples);
    write_sampler(writer, bindings::tail::lastPicture, 0, true);
  }

  void write_texels(heapsmith::DescriptorWriter& writer, heapsmith::BindingId binding,
                    uint32_t element, uint32_t instance, uint32_t number) {
    const example::Buffer buffer = device_.buffer(std::span<const uint32_t>(&number, 1),
                                                  VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT);
    example::check(writer.texel_buffer(binding, element, instance, VK_FORMAT_R32_UINT,
                                       buffer.address, buffer.size),
                   "a texel buffer");
  }

  void write_buffer(heapsmith::DescriptorWriter& writer, heapsmith::BindingId binding,
                    uint32_t element, uint32_t instance, VkBufferUsageFlags usage,
                    uint32_t number) {
    const example::Buffer buffer = device_.buffer(std::span<const uint32_t>(&number, 1), usage);
    example::check(writer.buffer(binding, element, instance, buffer.address, buffer.size),
                   "a buffer");
  }

  // Only what is to be read has a white border.
  static void write_sampler(heapsmith::DescriptorWriter& writer, heapsmith::BindingId binding,
                            uint32_t tuple, bool white) {
    const VkSamplerCreateInfo sampler{.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                                      .addressModeU = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER,
                                      .addressModeV = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER,
                                      .borderColor = white ? VK_BORDER_COLOR_FLOAT_OPAQUE_WHITE
                                                           : VK_BORDER_COLOR_FLOAT_OPAQUE_BLACK};
    example::check(writer.sampler(binding, 0, tuple, sampler), "a sampler");
  }

  static gpu_test::PushData push(const heapsmith::Manifest& manifest, const Choice& choice) {
    const heapsmith::Table& material = manifest.tables[tables::material.index];
    gpu_test::PushData pushed;
    pushed.put(0, std::array{choice.element(), kSalt});
    heapsmith::set_index(pushed.bytes, manifest, {material.indexField}, choice.instances - 1);
    heapsmith::set_index(pushed.bytes, manifest, {material.samplerIndexField}, choice.tuples - 1);
    return pushed;
  }

  VkPipeline pipeline(const Form& form, const heapsmith::ResolvedLayout& layout) {
    const heapsmith::Shader& shader = form.manifest.shaders[0];
    const auto mappings =
        heapsmith::vulkan_mappings(form.manifest, layout, heapsmith::ProgramId{0});
    const VkSpecializationMapEntry entry{.constantID = 0, .offset = 0, .size = sizeof kFactor};
    const VkSpecializationInfo own{
        .mapEntryCount = 1, .pMapEntries = &entry, .dataSize = sizeof kFactor, .pData = &kFactor};
    const auto specialization =
        heapsmith::vulkan_specialization(form.manifest, layout, shader, &own);
    const VkSpecializationInfo merged = specialization.info();
    const VkComputePipelineCreateInfo info{
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = device_.shader(std::string(SHADER_FOLDER "/") + form.name + "/" +
                                           std::string(shader.file)),
                  .pName = shader.entryPoint.data(),
                  .pSpecializationInfo = &merged}};
    return device_.own(example::checked(
        heapsmith::create_compute_pipeline(device_.heapsmith(), info, mappings), form.name));
  }

  size_t count_wrong(const Form& form, const Choice& choice) {
    const uint32_t expected[kNumbers] = {kFactor * kSalt,
                                         10 + choice.element(),
                                         50,
                                         60 + choice.element(),
                                         1000 * (choice.instances - 1) + 90 + choice.instances - 1,
                                         1,
                                         80,
                                         1};
    const std::vector<uint32_t> found = results_.take();
    size_t wrong = 0;
    for (uint32_t i = 0; i < kNumbers; ++i) {
      if (found[i] == expected[i]) continue;
      ++wrong;
      std::printf("%s, %s: number %u is %u, expected %u\n", form.name.c_str(), choice.name.c_str(),
                  i, found[i], expected[i]);
    }
    return wrong;
  }

  gpu_test::TestDevice device_;
  gpu_test::Results results_;
  example::Image picture_;
};

}  // namespace

int main(int argc, char** argv) {
  const bool allForms = argc < 2 || std::string_view(argv[1]) != "--mapped";
  std::vector<Form> forms = {{"mapped", mapped::manifest}};
  if (allForms) {
    forms.push_back({"rewritten", rewritten::manifest});
    forms.push_back({"moved", moved::manifest});
    forms.push_back({"mixed", mixed::manifest});
  }
  Runner runner(allForms);
  size_t ran = 0;
  size_t wrong = 0;
  for (const Form& form : forms) {
    const bool hasFixedRegions = form.name == "rewritten";
    for (const Choice& choice : kChoices) {
      if (choice.moved && hasFixedRegions) continue;
      wrong += runner.run(form, choice);
      ++ran;
    }
  }
  std::printf("%zu runs, %zu numbers are wrong\n", ran, wrong);
  const uint32_t messages = runner.finish();
  return wrong != 0 || messages != 0;
}
