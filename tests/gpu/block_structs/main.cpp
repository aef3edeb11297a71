// SPDX-License-Identifier: MIT

// block_structs [--mapped]: proves the structs of generated headers. Bytes that C++ wrote through a
// struct are read back, number by number, by a compute shader that knows only the GLSL block. And
// proves rewritten shaders that read such bytes from the heap; not with --mapped, for devices whose
// heaps shaders cannot address by themselves.

#include <heapsmith/block_types.h>
#include <heapsmith/commands.h>
#include <heapsmith/pipeline.h>
#include <heapsmith/writer.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "block_data.h"
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

  // How many numbers the shader read wrongly. The block's bytes lie in a buffer.
  size_t run_buffer(const ShapeTest& shape) {
    const Expectation expected = shape.fill();
    const example::Buffer input = example::create_buffer(
        gpu_, std::span<const std::byte>(expected.bytes),
        VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
    const size_t wrong = run(block_shapes::manifest, shape, expected, "", [&](Run& run) {
      example::check(run.writer.buffer(binding(run, 0), 0, 0, input.address, input.size),
                     "writing the block's descriptor");
    });
    example::destroy_buffer(gpu_, input);
    return wrong;
  }

  // Likewise, where they are one of several copies in the heap.
  size_t run_data(const ShapeTest& shape) {
    constexpr uint32_t kCopy = 2;
    const Expectation expected = shape.fill();
    return run(block_data::manifest, shape, expected, "in_heap/", [&](Run& run) {
      const heapsmith::BindingId block = binding(run, 0);
      const size_t size =
          std::min<size_t>(expected.bytes.size(), run.manifest.bindings[block.index].minBufferSize);
      std::memcpy(run.heaps.resources.mapped + heap_data_offset(run.layout, block, kCopy),
                  expected.bytes.data(), size);
      const auto field =
          std::ranges::find(run.manifest.fields, block.index, &heapsmith::Field::binding);
      run.pushed = heapsmith::FieldId{static_cast<uint32_t>(field - run.manifest.fields.begin())};
      run.word = heap_data_word(run.layout, block, kCopy);
    });
  }

  size_t numbers() const { return numbers_; }

 private:
  // One shader's: its heaps, and what it is pushed.
  struct Run {
    const heapsmith::Manifest& manifest;
    heapsmith::ProgramId program;
    heapsmith::ResolvedLayout layout;
    heapsmith::Heaps heaps;
    heapsmith::DescriptorWriter writer;
    std::optional<heapsmith::FieldId> pushed = std::nullopt;
    uint32_t word = 0;
  };

  // Mappings tell tables apart. Programs without any share the only table.
  static heapsmith::BindingId binding(const Run& run, uint32_t number) {
    const heapsmith::IndexRange range = run.manifest.programs[run.program.index].mappings;
    for (const auto& mapping : run.manifest.mappings.subspan(range.first, range.count)) {
      if (run.manifest.bindings[mapping.binding].binding == number) return {mapping.binding};
    }
    return {number};
  }

  template <typename Place>
  size_t run(const heapsmith::Manifest& manifest, const ShapeTest& shape,
             const Expectation& expected, const std::string& folder, const Place& place) {
    const std::vector<uint32_t> unset(expected.numbers.size(), 0xEEEEEEEEu);
    const example::Buffer output = example::create_buffer(gpu_, std::span<const uint32_t>(unset),
                                                          VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
    const auto layout = example::checked(heapsmith::resolve(manifest, gpu_.limits), "resolving");
    heapsmith::Heaps heaps =
        example::checked(heapsmith::create_heaps(device_, layout), "creating the heaps");
    Run run{.manifest = manifest,
            .program = heapsmith::find_program(manifest, shape.name),
            .layout = layout,
            .heaps = heaps,
            .writer = {device_, manifest, layout, heaps}};
    place(run);
    example::check(run.writer.buffer(binding(run, 1), 0, 0, output.address, output.size),
                   "writing the output's descriptor");
    example::check(run.writer.flush(), "writing descriptors");
    run_shader(run, folder + shape.name);
    heapsmith::destroy_heaps(device_, heaps);

    std::vector<uint32_t> read(unset.size());
    std::memcpy(read.data(), output.mapped, read.size() * sizeof(uint32_t));
    example::destroy_buffer(gpu_, output);
    return count_wrong(shape, expected, read);
  }

  size_t count_wrong(const ShapeTest& shape, const Expectation& expected,
                     const std::vector<uint32_t>& read) {
    size_t wrong = 0;
    for (size_t i = 0; i < read.size(); ++i) {
      if (read[i] == expected.numbers[i]) continue;
      if (wrong++ == 0)
        std::printf("%s (%s): number %zu is %#x, expected %#x\n", shape.name, shape.layout, i,
                    read[i], expected.numbers[i]);
    }
    numbers_ += read.size();
    return wrong;
  }

  void run_shader(const Run& run, const std::string& name) {
    const auto mappings = heapsmith::vulkan_mappings(run.manifest, run.layout, run.program);
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
    heapsmith::bind_heaps(device_, commands, run.heaps);
    if (run.pushed) heapsmith::push_index(device_, commands, run.manifest, *run.pushed, run.word);
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

int main(int argc, char** argv) {
  const bool readsHeaps = argc < 2 || std::string_view(argv[1]) != "--mapped";
  const std::span<const ShapeTest> data(kData, readsHeaps ? std::size(kData) : 0);
  example::Gpu gpu =
      example::create_gpu("block_structs", {.allNumberTypes = true, .heapReads = true});
  size_t wrongShapes = 0;
  size_t numbers = 0;
  {
    Runner runner(gpu, example::program_folder(argv[0]).string());
    for (const ShapeTest& shape : kShapes)
      wrongShapes += runner.run_buffer(shape) != 0;
    for (const ShapeTest& shape : data)
      wrongShapes += runner.run_data(shape) != 0;
    numbers = runner.numbers();
  }
  const size_t count = std::size(kShapes) + data.size();
  std::printf("%zu of %zu blocks read back right, %zu numbers\n", count - wrongShapes, count,
              numbers);
  const int exitCode = example::destroy_gpu(gpu);
  return wrongShapes == 0 ? exitCode : 1;
}
