// SPDX-License-Identifier: MIT

// A rewritten shader reads the same descriptors as the mapped one: the same heaps serve all forms
// of a shader that uses every kind of them, and all must give the numbers that are expected.

#include <heapsmith/commands.h>
#include <heapsmith/pipeline.h>
#include <heapsmith/writer.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "common/buffer.h"
#include "common/check.h"
#include "common/commands.h"
#include "common/files.h"
#include "common/image.h"
#include "reflect/reflect_module.h"
#include "rewrite/rewrite_module.h"
#include "rewritten_shaders.h"
#include "spirv/parse.h"

namespace {

constexpr const heapsmith::Manifest& kManifest = rewritten_shaders::manifest;
constexpr uint32_t kGroups = 4;
constexpr uint32_t kNumbers = 16;
constexpr uint32_t kSalt = 1000;
constexpr uint32_t kInstance = 2;
// Behind what the manifest has, and a hole that nobody reads.
constexpr uint32_t kAddressOffset = 16;

using Numbers = std::array<uint32_t, kGroups * kNumbers>;

constexpr uint32_t kScales[2][4] = {{11, 12, 13, 14}, {21, 22, 23, 24}};
constexpr uint32_t kOffset = 100;
constexpr uint32_t kReds[] = {40, 80, 120, 160, 200};  // two pictures, plain, two skins
constexpr uint32_t kTexels[kGroups] = {31, 32, 33, 34};
constexpr uint32_t kCounter = 10;
constexpr uint32_t kTally = 70;

Numbers expected_numbers() {
  Numbers numbers{};
  for (uint32_t group = 0; group < kGroups; ++group) {
    const uint32_t input = group % 3;
    const uint32_t values[kNumbers] = {kScales[group & 1][group] + kOffset,
                                       500 + input,
                                       4 + input,
                                       620 + group,
                                       kReds[group & 1],
                                       2,
                                       kCounter,
                                       kCounter + group + 1,
                                       kTexels[group],
                                       kTally,
                                       kReds[2],
                                       900 + kInstance + kSalt,
                                       kReds[4],
                                       kReds[1 - (group & 1)],
                                       kGroups,
                                       kGroups * kNumbers};
    std::ranges::copy(values, numbers.begin() + group * kNumbers);
  }
  return numbers;
}

std::vector<uint32_t> read_words(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  const std::string bytes(std::istreambuf_iterator<char>(stream), {});
  std::vector<uint32_t> words(bytes.size() / 4);
  std::memcpy(words.data(), bytes.data(), words.size() * 4);
  return words;
}

// Where the manifest's mappings find the same descriptors. The instance is a word of push data, or
// the second word behind an address.
heapsmith::rewrite::Placements placements_of(const heapsmith::SlotLayout& slots,
                                             heapsmith::rewrite::InstanceSource source) {
  using heapsmith::DescriptorClass;
  heapsmith::rewrite::Placements placements;
  placements.regions.imageSlots.value =
      static_cast<uint32_t>(slots.regionSlots[static_cast<size_t>(DescriptorClass::Image)]);
  for (uint32_t i = 0; i < kManifest.bindings.size(); ++i) {
    const heapsmith::Binding& binding = kManifest.bindings[i];
    const heapsmith::Table& table = kManifest.tables[binding.table];
    const auto locate = [&](DescriptorClass region, uint64_t slot, uint32_t field) {
      const auto index = static_cast<size_t>(region);
      const heapsmith::TableSlots& own = slots.tables[binding.table];
      heapsmith::rewrite::Location location{.firstSlot =
                                                static_cast<uint32_t>(own.firstSlot[index] + slot)};
      if (field == heapsmith::kNone) return location;
      const bool isIndirect = source == heapsmith::rewrite::InstanceSource::IndirectWord &&
                              region != DescriptorClass::Sampler;
      location.source = isIndirect ? source : heapsmith::rewrite::InstanceSource::PushWord;
      location.pushOffset = isIndirect ? kAddressOffset : kManifest.fields[field].offset;
      location.addressOffset = isIndirect ? 4 : 0;
      location.slotsPerInstance = static_cast<uint32_t>(own.slotsPerInstance[index]);
      return location;
    };
    heapsmith::rewrite::Placement placement{.set = table.set, .binding = binding.binding};
    if (heapsmith::has_resource_slots(binding))
      placement.resource = locate(heapsmith::descriptor_class(binding.type),
                                  slots.bindings[i].firstSlot, table.indexField);
    if (heapsmith::has_sampler_slots(binding))
      placement.sampler = locate(DescriptorClass::Sampler, slots.bindings[i].firstSamplerSlot,
                                 table.samplerIndexField);
    placements.bindings.push_back(placement);
  }
  return placements;
}

std::vector<uint32_t> rewrite(const std::vector<uint32_t>& words,
                              const heapsmith::SlotLayout& slots,
                              heapsmith::rewrite::InstanceSource source) {
  const std::string file = "everything.comp.spv";
  heapsmith::Diagnostics diagnostics;
  const auto module =
      heapsmith::spirv::parse_module(std::as_bytes(std::span(words)), file, diagnostics);
  if (!module) example::fail(file, diagnostics.all()[0].text);
  const auto shader = heapsmith::reflect::reflect_module(*module, file, diagnostics);
  if (!shader) example::fail(file, diagnostics.all()[0].text);
  auto rewritten = heapsmith::rewrite::rewrite_module(
      *module, *shader, placements_of(slots, source), file, diagnostics);
  if (!rewritten) example::fail(file, diagnostics.all()[0].text);
  return std::move(*rewritten);
}

// All that the shader reads and writes, with descriptors.
class Scene {
 public:
  Scene(const example::Gpu& gpu, heapsmith::DescriptorWriter& writer) : gpu_(gpu) {
    make_buffers(writer);
    make_images(writer);
    example::check(writer.flush(), "writing descriptors");
  }
  ~Scene() {
    for (const example::Buffer& buffer : buffers_)
      example::destroy_buffer(gpu_, buffer);
    for (const example::Image& image : images_)
      example::destroy_image(gpu_, image);
  }
  Scene(const Scene&) = delete;
  Scene& operator=(const Scene&) = delete;

  // Makes everything as it was at the beginning.
  void reset(VkCommandBuffer commands) {
    std::memset(output_->mapped, 0, output_->size);
    for (uint32_t i = 0; i < kGroups; ++i)
      std::memcpy(tally_->mapped + 4 * i, &kTally, 4);
    for (size_t i = 0; i < images_.size(); ++i) {
      VkClearColorValue color{};
      if (i < std::size(kReds))
        color.float32[0] = static_cast<float>(kReds[i]) / 255.0f;
      else
        color.uint32[0] = kCounter;
      clear(commands, images_[i], color);
    }
  }

  // Of two words, of which the second one is the instance.
  [[nodiscard]] VkDeviceAddress instance_address() const { return instance_->address; }

  [[nodiscard]] Numbers numbers() const {
    Numbers numbers;
    std::memcpy(numbers.data(), output_->mapped, sizeof(numbers));
    return numbers;
  }

 private:
  void make_buffers(heapsmith::DescriptorWriter& writer);
  void make_images(heapsmith::DescriptorWriter& writer);
  void clear(VkCommandBuffer commands, const example::Image& image, VkClearColorValue color);

  const example::Buffer& add_buffer(const std::vector<uint32_t>& words, VkBufferUsageFlags usage) {
    buffers_.push_back(example::create_buffer(gpu_, std::span<const uint32_t>(words), usage));
    return buffers_.back();
  }
  const example::Image& add_image(VkFormat format, VkExtent2D extent, VkImageUsageFlags usage) {
    images_.push_back(example::create_image(
        gpu_,
        {.format = format, .extent = extent, .usage = usage | VK_IMAGE_USAGE_TRANSFER_DST_BIT}));
    return images_.back();
  }

  const example::Gpu& gpu_;
  std::vector<example::Buffer> buffers_;
  std::vector<example::Image> images_;
  const example::Buffer* output_ = nullptr;
  const example::Buffer* tally_ = nullptr;
  const example::Buffer* instance_ = nullptr;
};

void Scene::make_buffers(heapsmith::DescriptorWriter& writer) {
  namespace everything = rewritten_shaders::bindings::everything;
  buffers_.reserve(16);  // pointers to them are kept
  const auto write = [&](heapsmith::BindingId binding, uint32_t element, uint32_t instance,
                         const std::vector<uint32_t>& words, VkBufferUsageFlags usage) {
    const example::Buffer& buffer = add_buffer(words, usage);
    example::check(writer.buffer(binding, element, instance, buffer.address, buffer.size),
                   "a buffer");
    return &buffer;
  };
  const auto write_texels = [&](heapsmith::BindingId binding, const std::vector<uint32_t>& words,
                                VkBufferUsageFlags usage) {
    const example::Buffer& buffer = add_buffer(words, usage);
    example::check(
        writer.texel_buffer(binding, 0, 0, VK_FORMAT_R32_UINT, buffer.address, buffer.size),
        "a texel buffer");
    return &buffer;
  };
  for (uint32_t i = 0; i < 2; ++i)
    write(everything::frames, i, 0,
          {kScales[i][0], kScales[i][1], kScales[i][2], kScales[i][3], kOffset * i},
          VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT);
  for (uint32_t i = 0; i < 3; ++i) {
    std::vector<uint32_t> words = {500 + i};
    for (uint32_t k = 0; k < 4 + i; ++k)
      words.push_back(600 + 10 * i + k);
    write(everything::inputs, i, 0, words, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
    write(rewritten_shaders::bindings::material::material, 0, i, {900 + i},
          VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT);
  }
  output_ = write(everything::result, 0, 0, std::vector<uint32_t>(kGroups * kNumbers),
                  VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
  write_texels(everything::texels, {std::begin(kTexels), std::end(kTexels)},
               VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT);
  instance_ = &add_buffer({77, kInstance}, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
  tally_ = write_texels(everything::tally, std::vector<uint32_t>(kGroups),
                        VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT);
}

void Scene::make_images(heapsmith::DescriptorWriter& writer) {
  namespace everything = rewritten_shaders::bindings::everything;
  namespace material = rewritten_shaders::bindings::material;
  constexpr VkSamplerCreateInfo kSampler{.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
  for (uint32_t i = 0; i < std::size(kReds); ++i)
    (void)add_image(VK_FORMAT_R8G8B8A8_UNORM, {i + 1, 1}, VK_IMAGE_USAGE_SAMPLED_BIT);
  (void)add_image(VK_FORMAT_R32_UINT, {kGroups, 1}, VK_IMAGE_USAGE_STORAGE_BIT);
  const auto write = [&](heapsmith::BindingId binding, uint32_t element, uint32_t instance,
                         size_t image) {
    const VkImageViewCreateInfo view = example::view_info(images_[image]);
    example::check(writer.image(binding, element, instance, view, VK_IMAGE_LAYOUT_GENERAL),
                   "an image");
  };
  write(everything::pictures, 0, 0, 0);
  write(everything::pictures, 1, 0, 1);
  write(everything::plain, 0, 0, 2);
  write(everything::counter, 0, 0, std::size(kReds));
  for (uint32_t instance = 0; instance < 3; ++instance)
    write(material::skin, 0, instance, instance == kInstance ? 4 : 3);
  for (uint32_t element = 0; element < 2; ++element)
    example::check(writer.sampler(everything::pictures, element, 0, kSampler), "a sampler");
  example::check(writer.sampler(everything::nearest, 0, 0, kSampler), "a sampler");
  for (uint32_t tuple = 0; tuple < kManifest.tables[1].samplerInstances; ++tuple)
    example::check(writer.sampler(material::skin, 0, tuple, kSampler), "a sampler");
}

void Scene::clear(VkCommandBuffer commands, const example::Image& image, VkClearColorValue color) {
  const example::ImageUse cleared{.stages = VK_PIPELINE_STAGE_2_CLEAR_BIT,
                                  .access = VK_ACCESS_2_TRANSFER_WRITE_BIT,
                                  .layout = VK_IMAGE_LAYOUT_GENERAL};
  const VkImageSubresourceRange range{VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
  example::image_barrier(commands, image, {}, cleared);
  vkCmdClearColorImage(commands, image.image, cleared.layout, &color, 1, &range);
  example::image_barrier(commands, image, cleared,
                         {.stages = VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT,
                          .access = VK_ACCESS_2_SHADER_READ_BIT | VK_ACCESS_2_SHADER_WRITE_BIT,
                          .layout = VK_IMAGE_LAYOUT_GENERAL});
}

struct Runner {
  const example::Gpu& gpu;
  const heapsmith::Device& device;
  const heapsmith::Heaps& heaps;
  Scene& scene;

  // How many numbers are wrong.
  size_t run(const char* form, const std::vector<uint32_t>& words,
             std::span<const VkDescriptorSetAndBindingMappingEXT> mappings) {
    const VkShaderModuleCreateInfo moduleInfo{.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                              .codeSize = words.size() * 4,
                                              .pCode = words.data()};
    VkShaderModule module = VK_NULL_HANDLE;
    example::check(vkCreateShaderModule(gpu.device, &moduleInfo, nullptr, &module), form);
    const VkComputePipelineCreateInfo info{
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = module,
                  .pName = "main"}};
    const VkPipeline pipeline =
        example::checked(heapsmith::create_compute_pipeline(device, info, mappings), form);
    const VkCommandBuffer commands = example::begin_commands(gpu);
    scene.reset(commands);
    heapsmith::bind_heaps(device, commands, heaps);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    clear_push_data(commands);
    heapsmith::push_data(device, commands, 0, std::as_bytes(std::span(&kSalt, 1)));
    const VkDeviceAddress address = scene.instance_address();
    heapsmith::push_data(device, commands, kAddressOffset, std::as_bytes(std::span(&address, 1)));
    const heapsmith::Table& table = kManifest.tables[1];
    heapsmith::push_index(device, commands, kManifest, {table.indexField}, kInstance);
    if (table.samplerIndexField != heapsmith::kNone)
      heapsmith::push_index(device, commands, kManifest, {table.samplerIndexField}, 0);
    vkCmdDispatch(commands, kGroups, 1, 1);
    example::submit_and_wait(gpu, commands);
    vkDestroyPipeline(gpu.device, pipeline, nullptr);
    vkDestroyShaderModule(gpu.device, module, nullptr);
    return count_wrong(form);
  }

 private:
  // The layer speaks of what is left of the hole.
  void clear_push_data(VkCommandBuffer commands) const {
    std::vector<heapsmith::Field> fields(kManifest.fields.begin(), kManifest.fields.end());
    fields.push_back({.name = "address",
                      .kind = heapsmith::FieldKind::BlockAddress,
                      .offset = kAddressOffset,
                      .size = 8});
    heapsmith::Manifest manifest = kManifest;
    manifest.fields = fields;
    heapsmith::clear_push_data(device, commands, manifest);
  }

  [[nodiscard]] size_t count_wrong(const char* form) const {
    const Numbers expected = expected_numbers();
    const Numbers read = scene.numbers();
    size_t wrong = 0;
    for (size_t i = 0; i < read.size(); ++i) {
      if (read[i] == expected[i]) continue;
      ++wrong;
      std::printf("%s: number %zu of group %zu is %u, expected %u\n", form, i % kNumbers,
                  i / kNumbers, read[i], expected[i]);
    }
    return wrong;
  }
};

size_t run_all(const example::Gpu& gpu, const std::string& folder) {
  const heapsmith::Device device = example::heapsmith_device(gpu);
  const auto slots = example::checked(heapsmith::assign_slots(kManifest), "assigning slots");
  const auto layout = example::checked(heapsmith::resolve(kManifest, gpu.limits), "resolving");
  heapsmith::Heaps heaps =
      example::checked(heapsmith::create_heaps(device, layout), "creating the heaps");
  size_t wrong = 0;
  {
    heapsmith::DescriptorWriter writer(device, kManifest, layout, heaps);
    Scene scene(gpu, writer);
    Runner runner{.gpu = gpu, .device = device, .heaps = heaps, .scene = scene};
    const auto words = read_words(folder + "/everything.comp.spv");
    const auto mappings = heapsmith::vulkan_mappings(kManifest, layout, heapsmith::ProgramId{0});
    wrong += runner.run("mapped", words, mappings);
    using heapsmith::rewrite::InstanceSource;
    wrong += runner.run("rewritten", rewrite(words, slots, InstanceSource::PushWord), {});
    wrong += runner.run("indirect", rewrite(words, slots, InstanceSource::IndirectWord), {});
  }
  heapsmith::destroy_heaps(device, heaps);
  return wrong;
}

}  // namespace

int main(int, char** argv) {
  example::Gpu gpu = example::create_gpu("rewritten_shaders", {.heapReads = true});
  const size_t wrong = run_all(gpu, example::program_folder(argv[0]).string());
  std::printf("%zu of %zu numbers are wrong\n", wrong, 3 * std::tuple_size_v<Numbers>);
  const int exitCode = example::destroy_gpu(gpu);
  return wrong == 0 ? exitCode : 1;
}
