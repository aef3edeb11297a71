// SPDX-License-Identifier: MIT

// Proves the structs of generated headers: bytes that C++ wrote through a struct are read back,
// number by number, by a compute shader that knows only the GLSL block.

#include <heapsmith/block_types.h>
#include <heapsmith/commands.h>
#include <heapsmith/pipeline.h>
#include <heapsmith/writer.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "block_shapes.h"
#include "common/buffer.h"
#include "common/check.h"
#include "common/commands.h"
#include "common/files.h"

namespace {

struct Expectation {
  std::vector<std::byte> bytes;
  std::vector<uint32_t> numbers;
};

struct ShapeTest {
  const char* name;
  const char* layout;
  Expectation (*fill)();
};

// The generated statements do not know where the header had to pad. These take what is asked for
// out of whatever the header made of it: a number may be the first of a padded array, and an
// element may be Strided.
template <typename T, size_t Stride>
T& whole(heapsmith::Strided<T, Stride>& strided) {
  return strided.value;
}
template <typename T>
T& whole(T& value) {
  return value;
}
template <typename T>
T& number(T& value) {
  return value;
}
template <typename T, size_t N>
T& number(T (&padded)[N]) {
  return padded[0];
}
template <typename T, size_t N>
T& component(T (&vector)[N], size_t index) {
  return vector[index];
}
// A matrix, or one that was flattened because the last vector's padding is not its own.
template <size_t Length, typename T, size_t N, size_t M>
T& entry(T (&matrix)[N][M], size_t vector, size_t index) {
  return matrix[vector][index];
}

template <typename T>
T& at(std::vector<std::byte>& bytes, size_t offset) {
  return *reinterpret_cast<T*>(bytes.data() + offset);
}

#include "shapes.inc"

class Runner {
 public:
  Runner(const example::Gpu& gpu, std::string folder)
      : gpu_(gpu), folder_(std::move(folder)), device_(example::heapsmith_device(gpu)) {}

  // How many numbers the shader read wrongly.
  size_t run(const ShapeTest& shape) {
    const Expectation expected = shape.fill();
    const example::Buffer input = example::create_buffer(
        gpu_, std::span<const std::byte>(expected.bytes),
        VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
    const std::vector<uint32_t> unset(expected.numbers.size(), 0xEEEEEEEEu);
    const example::Buffer output = example::create_buffer(gpu_, std::span<const uint32_t>(unset),
                                                          VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
    dispatch(shape, input, output);

    std::vector<uint32_t> read(unset.size());
    std::memcpy(read.data(), output.mapped, read.size() * sizeof(uint32_t));
    size_t wrong = 0;
    for (size_t i = 0; i < read.size(); ++i) {
      if (read[i] == expected.numbers[i]) continue;
      if (wrong++ == 0)
        std::printf("%s (%s): number %zu is %#x, expected %#x\n", shape.name, shape.layout, i,
                    read[i], expected.numbers[i]);
    }
    numbers_ += read.size();
    example::destroy_buffer(gpu_, input);
    example::destroy_buffer(gpu_, output);
    return wrong;
  }

  size_t numbers() const { return numbers_; }

 private:
  void dispatch(const ShapeTest& shape, const example::Buffer& input,
                const example::Buffer& output) {
    constexpr const heapsmith::Manifest& manifest = block_shapes::manifest;
    const auto layout = example::checked(heapsmith::resolve(manifest, gpu_.limits), "resolving");
    heapsmith::Heaps heaps =
        example::checked(heapsmith::create_heaps(device_, layout), "creating the heaps");
    const heapsmith::ProgramId program = heapsmith::find_program(manifest, shape.name);
    heapsmith::DescriptorWriter writer(device_, manifest, layout, heaps);
    const heapsmith::IndexRange range = manifest.programs[program.index].mappings;
    for (const auto& mapping : manifest.mappings.subspan(range.first, range.count)) {
      const bool isInput = manifest.bindings[mapping.binding].binding == 0;
      const example::Buffer& buffer = isInput ? input : output;
      example::check(writer.buffer({mapping.binding}, 0, 0, buffer.address, buffer.size),
                     "writing");
    }
    example::check(writer.flush(), "writing descriptors");
    run_shader(heapsmith::vulkan_mappings(manifest, layout, program), heaps, shape.name);
    heapsmith::destroy_heaps(device_, heaps);
  }

  void run_shader(std::span<const VkDescriptorSetAndBindingMappingEXT> mappings,
                  const heapsmith::Heaps& heaps, const std::string& name) {
    const VkShaderModule shader = example::load_shader(gpu_, folder_ + "/" + name + ".comp.spv");
    const VkComputePipelineCreateInfo info{
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = shader,
                  .pName = "main"}};
    const VkPipeline pipeline = example::checked(
        heapsmith::create_compute_pipeline(device_, info, mappings), "creating a pipeline");
    const VkCommandBuffer commands = example::begin_commands(gpu_);
    heapsmith::bind_heaps(device_, commands, heaps);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vkCmdDispatch(commands, 1, 1, 1);
    example::submit_and_wait(gpu_, commands);
    vkDestroyPipeline(gpu_.device, pipeline, nullptr);
    vkDestroyShaderModule(gpu_.device, shader, nullptr);
  }

  const example::Gpu& gpu_;
  std::string folder_;
  heapsmith::Device device_;
  size_t numbers_ = 0;
};

}  // namespace

int main(int, char** argv) {
  example::Gpu gpu = example::create_gpu("block_structs", {.allNumberTypes = true});
  size_t wrongShapes = 0;
  size_t numbers = 0;
  {
    Runner runner(gpu, example::program_folder(argv[0]).string());
    for (const ShapeTest& shape : kShapes)
      wrongShapes += runner.run(shape) != 0;
    numbers = runner.numbers();
  }
  std::printf("%zu of %zu blocks read back right, %zu numbers\n", std::size(kShapes) - wrongShapes,
              std::size(kShapes), numbers);
  const int exitCode = example::destroy_gpu(gpu);
  return wrongShapes == 0 ? exitCode : 1;
}
