// SPDX-License-Identifier: MIT
#include "session.h"

#include <heapsmith/pipeline.h>

#include "support/pipelines.h"

namespace mapped_shaders {
namespace {

example::GpuOptions with_descriptors(example::GpuOptions options) {
  options.allDescriptors = true;
  return options;
}

}  // namespace

Session::Session(const example::GpuOptions& options)
    : TestDevice("mapped_shaders", with_descriptors(options)) {
  // Few instances, of what the policy leaves open: the tests write all that they read.
  layout_.emplace(checked(heapsmith::resolve(shaders::manifest, limits()), "resolving"));
  heaps_.emplace(checked(heapsmith::create_heaps(heapsmith(), *layout_), "creating heaps"));
  at_end([this] { heapsmith::destroy_heaps(heapsmith(), *heaps_); });
  samplers_.emplace(
      checked(heapsmith::create_samplers(heapsmith(), shaders::manifest), "creating samplers"));
  at_end([this] { heapsmith::destroy_samplers(heapsmith(), *samplers_); });
  writer_.emplace(heapsmith(), shaders::manifest, *layout_, *heaps_);
  check(heapsmith::write_immutable_samplers(*writer_, shaders::manifest, *layout_, *samplers_),
        "writing immutable samplers");
  check(writer_->buffer(shaders::bindings::set0::results, 0, 0, results.buffer().address,
                        results.buffer().size),
        "writing the results' descriptor");
}

Session::~Session() {
  CHECK(finish() == 0);
}

VkPipeline Session::pipeline(heapsmith::ProgramId program) {
  const heapsmith::Program& made = shaders::manifest.programs[program.index];
  const heapsmith::Shader& shader = shaders::manifest.shaders[made.shaders.first];
  return gpu_test::compute_pipeline(
      *this, TestDevice::shader(std::filesystem::path(SHADER_FOLDER) / shader.file),
      heapsmith::vulkan_mappings(shaders::manifest, *layout_, program, *samplers_));
}

void Session::write_number(heapsmith::BindingId binding, uint32_t element, uint32_t instance,
                           uint32_t number) {
  const uint32_t words[4] = {number};
  const example::UniformArray block = uniform_array(std::span(&words, 1));
  check(writer_->buffer(binding, element, instance, block.address(0), block.valueSize),
        "writing a descriptor");
}

std::vector<uint32_t> Session::run(VkPipeline pipeline, const gpu_test::PushData& push,
                                   uint32_t count) {
  check(writer_->flush(), "writing descriptors");
  gpu_test::launch(*this, *heaps_, push, [&](VkCommandBuffer commands) {
    gpu_test::record_dispatch(commands, pipeline);
  });
  std::vector<uint32_t> words = results.take();
  words.resize(count);
  return words;
}

}  // namespace mapped_shaders
