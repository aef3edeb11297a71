// SPDX-License-Identifier: MIT
#include "run_case.h"

#include <algorithm>
#include <format>
#include <map>

#include "common/check.h"
#include "input_pass.h"
#include "support/ray_tracing.h"
#include "world.h"

namespace source_matrix {
namespace {

class Run {
 public:
  Run(TestDevice& device, Pools& pools, gpu_test::Results& results, const Case& test,
      const std::filesystem::path& folder, Check check)
      : device_(device),
        pools_(pools),
        results_(results),
        test_(test),
        folder_(folder),
        check_(check),
        world_(device, pools, test, folder, results.buffer()) {}

  std::vector<std::string> run() {
    prepare();
    for (uint32_t pick = 0; pick < kPicks; ++pick) {
      pools_.buffers.reset();
      if (has_storage_images()) pools_.images.reset();
      const uint32_t key = 1000 + pick;
      launch(pick, key);
      if (check_ == Check::Nothing) continue;
      compare_words(pick, key, results_.take());
      compare_writes(pick);
    }
    world_.finish();
    return std::move(wrong_);
  }

 private:
  bool has_storage_images() const {
    return std::ranges::any_of(test_.resources, [](const Resource& resource) {
      return resource.kind == Kind::StorageImage;
    });
  }

  uint32_t inputs() const { return static_cast<uint32_t>(world_.input_views(0).size()); }

  void prepare() {
    const auto described = world_.manifest().shaders;
    std::vector<heapsmith::Specialization> told;
    for (const heapsmith::Shader& shader : described)
      told.push_back(world_.specialization(shader));
    std::vector<VkSpecializationInfo> specializations;
    for (const heapsmith::Specialization& specialization : told)
      specializations.push_back(specialization.info());
    std::vector<gpu_test::StageShader> shaders;
    for (size_t i = 0; i < described.size(); ++i) {
      shaders.push_back({static_cast<VkShaderStageFlagBits>(described[i].stage),
                         device_.shader(folder_ / described[i].file), &specializations[i]});
    }
    const auto mappings = world_.mappings();
    switch (test_.stage) {
      case Stage::Compute:
        pipeline_ = gpu_test::compute_pipeline(device_, shaders[0].shader, mappings,
                                               shaders[0].specialization);
        return;
      case Stage::Vertex:
      case Stage::Fragment:
      case Stage::Task:
      case Stage::Mesh:
        if (inputs() != 0) pass_.emplace(device_, inputs());
        pipeline_ = gpu_test::graphics_pipeline(device_, shaders, mappings,
                                                pass_ ? pass_->handle() : VK_NULL_HANDLE);
        return;
      case Stage::RayGeneration:
      case Stage::Miss:
      case Stage::ClosestHit:
      case Stage::Callable:
        break;
    }
    std::vector<gpu_test::RayGroup> groups;
    for (const gpu_test::StageShader& shader : shaders)
      groups.push_back({shader});
    pipeline_ = gpu_test::ray_pipeline(device_, groups, mappings);
    make_table(shaders);
  }

  // The record that a launch picks has the fields of its pick, all others those of other picks.
  void make_table(const std::vector<gpu_test::StageShader>& shaders) {
    for (uint32_t group = 0; group < shaders.size(); ++group) {
      const bool subject = shaders[group].stage == subject_stage();
      std::vector<gpu_test::ShaderRecord> records;
      for (uint32_t pick = 0; pick < kPicks; ++pick)
        records.push_back({group, subject ? world_.fields(pick).record : std::vector<std::byte>()});
      switch (shaders[group].stage) {
        case VK_SHADER_STAGE_RAYGEN_BIT_KHR:
          for (const gpu_test::ShaderRecord& record : records)
            raygens_.push_back(gpu_test::record_table(device_, pipeline_, {&record, 1}));
          break;
        case VK_SHADER_STAGE_MISS_BIT_KHR:
          table_.miss = gpu_test::record_table(device_, pipeline_, records);
          break;
        case VK_SHADER_STAGE_CALLABLE_BIT_KHR:
          table_.callable = gpu_test::record_table(device_, pipeline_, records);
          break;
        default:
          table_.hit = gpu_test::record_table(device_, pipeline_, records);
      }
    }
  }

  VkShaderStageFlagBits subject_stage() const {
    switch (test_.stage) {
      case Stage::Miss:
        return VK_SHADER_STAGE_MISS_BIT_KHR;
      case Stage::ClosestHit:
        return VK_SHADER_STAGE_CLOSEST_HIT_BIT_KHR;
      case Stage::Callable:
        return VK_SHADER_STAGE_CALLABLE_BIT_KHR;
      default:
        return VK_SHADER_STAGE_RAYGEN_BIT_KHR;
    }
  }

  void launch(uint32_t pick, uint32_t key) {
    gpu_test::PushData push{world_.fields(pick).push};
    push.put(world_.manifest().programs[0].pushConstantOffset,
             OwnConstants{.key = key, .record = pick});
    gpu_test::launch(device_, world_.heaps(), push, [&](VkCommandBuffer commands) {
      switch (test_.stage) {
        case Stage::Compute:
          return gpu_test::record_dispatch(commands, pipeline_);
        case Stage::Vertex:
        case Stage::Fragment:
          if (pass_) return pass_->record(commands, pipeline_, world_.input_views(pick));
          return gpu_test::record_draw(commands, pipeline_);
        case Stage::Task:
        case Stage::Mesh:
          return gpu_test::record_mesh_draw(commands, pipeline_);
        case Stage::RayGeneration:
        case Stage::Miss:
        case Stage::ClosestHit:
        case Stage::Callable:
          table_.raygen = raygens_[pick];
          return gpu_test::record_trace(commands, pipeline_, table_);
      }
    });
  }

  std::vector<uint32_t> expected(uint32_t index, uint32_t element, uint32_t pick) const {
    const Resource& resource = test_.resources[index];
    const Seen seen = world_.seen(index, element, pick);
    const uint32_t n = seen.number;
    if (resource.null) return std::vector<uint32_t>(words_of(test_, index));
    const auto partner = [&] {
      const bool alone = test_.resources[resource.partner].array == Array::None;
      return world_.seen(resource.partner, alone ? 0 : element, pick);
    };
    const auto sampled = [&](uint32_t number, uint32_t trait) -> std::vector<uint32_t> {
      const uint32_t value = ImagePool::value(resource.dim, number, trait);
      return resource.dim == Dim::Shadow ? std::vector{value, trait} : std::vector{value};
    };
    switch (resource.kind) {
      case Kind::UniformBuffer:
        return {n, BufferPool::tail(n)};
      case Kind::StorageBuffer: {
        return {n, reads_length(test_, resource) ? World::buffer_size(resource, n) / 4 - 2 : 0};
      }
      case Kind::SampledImage:
        if (resource.partner == kNobody) return sampled(n, 0);
        return sampled(n, partner().trait);
      case Kind::Sampler:
        return sampled(partner().number, seen.trait);
      case Kind::Combined:
        return sampled(n, seen.trait);
      case Kind::StorageImage:
        return {ImagePool::storage_value(resource.dim, n)};
      case Kind::UniformTexelBuffer:
        return {n, World::buffer_size(resource, n) / 4};
      case Kind::InputAttachment:
        return {ImagePool::value(Dim::D2, n, 0)};
      case Kind::StorageTexelBuffer:
      case Kind::AccelerationStructure:
        return {n};
    }
    return {};
  }

  void complain(std::string what) { wrong_.push_back(test_.name + ": " + std::move(what)); }

  void compare_words(uint32_t pick, uint32_t key, const std::vector<uint32_t>& words) {
    if (words[0] != key)
      complain(std::format("pick {}: the push constant is {}, not {}", pick, words[0], key));
    for (uint32_t r = 0; r < test_.resources.size(); ++r) {
      const Resource& resource = test_.resources[r];
      if (resource.role != Role::Subject) continue;
      for (uint32_t element = 0; element < elements(resource.array); ++element) {
        const std::vector<uint32_t> wanted = expected(r, element, pick);
        for (uint32_t word = 0; word < wanted.size(); ++word) {
          const uint32_t found = words[word_index(test_, r, element) + word];
          if (found == wanted[word]) continue;
          complain(std::format("pick {}: word {} of {}[{}] ({}, {}) is {}, not {}", pick, word,
                               variable(r), element, name_of(resource.kind),
                               to_string(resource.residence), found, wanted[word]));
        }
      }
    }
    for (size_t i = word_count(test_); i < words.size(); ++i) {
      if (words[i] != gpu_test::Results::kUnwritten)
        complain(std::format("pick {}: word {} was written", pick, i));
    }
  }

  void compare_writes(uint32_t pick) {
    std::map<uint32_t, uint32_t> buffers;
    std::map<uint32_t, uint32_t> texels;
    for (uint32_t r = 0; r < test_.resources.size(); ++r) {
      const Resource& resource = test_.resources[r];
      if (resource.role != Role::Subject || !resource.written || resource.null) continue;
      for (uint32_t element = 0; element < elements(resource.array); ++element) {
        const uint32_t n = world_.seen(r, element, pick).number;
        if (resource.kind == Kind::StorageImage) {
          texels[ImagePool::read_back_index(resource.dim, n)] =
              ImagePool::storage_value(resource.dim, n) + kWritten;
        } else {
          buffers[n] = n + kWritten;
        }
      }
    }
    for (uint32_t n = 0; n < kBufferNumbers; ++n)
      compare_write(pick, "buffer", n, buffers, pools_.buffers.second(n));
    if (!has_storage_images()) return;
    const std::vector<uint32_t> found = pools_.images.read_back();
    for (uint32_t i = 0; i < found.size(); ++i)
      compare_write(pick, "storage image", i, texels, found[i]);
  }

  void compare_write(uint32_t pick, std::string_view what, uint32_t index,
                     const std::map<uint32_t, uint32_t>& written, uint32_t found) {
    const auto expected = written.find(index);
    const uint32_t wanted = expected == written.end() ? kUntouched : expected->second;
    if (found == wanted) return;
    complain(std::format("pick {}: {} {} was made {}, not {}", pick, what, index, found, wanted));
  }

  TestDevice& device_;
  Pools& pools_;
  gpu_test::Results& results_;
  const Case& test_;
  std::filesystem::path folder_;
  Check check_;
  World world_;
  VkPipeline pipeline_ = VK_NULL_HANDLE;
  std::optional<InputPass> pass_;
  std::vector<VkStridedDeviceAddressRegionKHR> raygens_;
  gpu_test::BindingTable table_;
  std::vector<std::string> wrong_;
};

}  // namespace

std::vector<std::string> run_case(TestDevice& device, Pools& pools, gpu_test::Results& results,
                                  const Case& test, const std::filesystem::path& folder,
                                  Check check) {
  return Run(device, pools, results, test, folder, check).run();
}

}  // namespace source_matrix
