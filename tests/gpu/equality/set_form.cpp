// SPDX-License-Identifier: MIT
#include "set_form.h"

#include <algorithm>
#include <format>

#include "common/check.h"

namespace equality {
namespace {

using heapsmith::DescriptorType;
using heapsmith::Error;
using heapsmith::ErrorCode;
using heapsmith::Result;

VkDescriptorType vulkan_type(DescriptorType type) {
  return static_cast<VkDescriptorType>(type);
}

class SetForm {
 public:
  SetForm(Arena& arena, const Scene& scene, const Resources& resources)
      : arena_(arena), device_(arena.gpu().device), scene_(scene), resources_(resources) {}

  Result<Form> make(Launcher& launcher, std::span<const uint32_t> words) {
    make_layouts();
    make_sets();
    for (size_t i = 0; i < scene_.bindings.size(); ++i)
      write(scene_.bindings[i], resources_.bindings()[i]);
    const auto made = launcher.make_pipeline(words, maker());
    if (!made) return Error(made.error());
    return Form{.pipeline = *made, .bind = binder()};
  }

 private:
  VkShaderStageFlags stages() const { return static_cast<VkShaderStageFlags>(scene_.stage); }

  // Sets without a binding that is used are empty.
  void make_layouts() {
    uint32_t count = 0;
    for (const SceneBinding& binding : scene_.bindings)
      count = std::max(count, binding.set + 1);
    for (uint32_t set = 0; set < count; ++set)
      layouts_.push_back(make_layout(set));
    VkPushConstantRange range{.stageFlags = stages()};
    if (scene_.pushConstants) {
      range.offset = scene_.pushConstants->offset;
      range.size = scene_.pushConstants->size;
    }
    const VkPipelineLayoutCreateInfo info{.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                          .setLayoutCount = count,
                                          .pSetLayouts = layouts_.data(),
                                          .pushConstantRangeCount = range.size != 0 ? 1u : 0u,
                                          .pPushConstantRanges = &range};
    example::check(vkCreatePipelineLayout(device_, &info, nullptr, &layout_),
                   "creating a pipeline layout");
    arena_.at_end(
        [device = device_, layout = layout_] { vkDestroyPipelineLayout(device, layout, nullptr); });
  }

  VkDescriptorSetLayout make_layout(uint32_t set) {
    std::vector<VkDescriptorSetLayoutBinding> bindings;
    for (const SceneBinding& binding : scene_.bindings) {
      if (binding.set != set) continue;
      bindings.push_back({.binding = binding.binding,
                          .descriptorType = vulkan_type(binding.type),
                          .descriptorCount = binding.elements,
                          .stageFlags = stages()});
    }
    const VkDescriptorSetLayoutCreateInfo info{
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = static_cast<uint32_t>(bindings.size()),
        .pBindings = bindings.data()};
    VkDescriptorSetLayout layout = VK_NULL_HANDLE;
    example::check(vkCreateDescriptorSetLayout(device_, &info, nullptr, &layout),
                   "creating a set layout");
    arena_.at_end(
        [device = device_, layout] { vkDestroyDescriptorSetLayout(device, layout, nullptr); });
    return layout;
  }

  void make_sets() {
    if (layouts_.empty()) return;
    std::vector<VkDescriptorPoolSize> sizes;
    for (const SceneBinding& binding : scene_.bindings)
      sizes.push_back({vulkan_type(binding.type), binding.elements});
    const VkDescriptorPoolCreateInfo info{.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                          .maxSets = static_cast<uint32_t>(layouts_.size()),
                                          .poolSizeCount = static_cast<uint32_t>(sizes.size()),
                                          .pPoolSizes = sizes.data()};
    VkDescriptorPool pool = VK_NULL_HANDLE;
    example::check(vkCreateDescriptorPool(device_, &info, nullptr, &pool), "creating a pool");
    arena_.at_end([device = device_, pool] { vkDestroyDescriptorPool(device, pool, nullptr); });
    const VkDescriptorSetAllocateInfo allocation{
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
        .descriptorPool = pool,
        .descriptorSetCount = static_cast<uint32_t>(layouts_.size()),
        .pSetLayouts = layouts_.data()};
    sets_.resize(layouts_.size());
    example::check(vkAllocateDescriptorSets(device_, &allocation, sets_.data()), "allocating sets");
  }

  void write(const SceneBinding& binding, const BindingResources& shown) {
    std::vector<VkImageView> views;
    for (const SceneImage& image : shown.images)
      views.push_back(arena_.view(image.view));
    std::vector<VkSampler> samplers;
    for (const VkSamplerCreateInfo& info : shown.samplers)
      samplers.push_back(make_sampler(info));
    std::vector<VkBufferView> texels;
    for (const example::Buffer& buffer : shown.buffers)
      if (shown.texels != VK_FORMAT_UNDEFINED) texels.push_back(make_texels(buffer, shown.texels));

    for (uint32_t element = 0; element < binding.elements; ++element) {
      VkDescriptorImageInfo image{.imageLayout = VK_IMAGE_LAYOUT_GENERAL};
      VkDescriptorBufferInfo buffer{.range = VK_WHOLE_SIZE};
      VkWriteDescriptorSet written{.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                   .dstSet = sets_[binding.set],
                                   .dstBinding = binding.binding,
                                   .dstArrayElement = element,
                                   .descriptorCount = 1,
                                   .descriptorType = vulkan_type(binding.type),
                                   .pImageInfo = &image,
                                   .pBufferInfo = &buffer};
      if (!views.empty()) image.imageView = BindingResources::of(views, element);
      if (!samplers.empty()) image.sampler = BindingResources::of(samplers, element);
      if (!shown.buffers.empty())
        buffer.buffer = BindingResources::of(shown.buffers, element).buffer;
      if (!texels.empty()) written.pTexelBufferView = &BindingResources::of(texels, element);
      vkUpdateDescriptorSets(device_, 1, &written, 0, nullptr);
    }
  }

  VkSampler make_sampler(const VkSamplerCreateInfo& info) {
    VkSampler sampler = VK_NULL_HANDLE;
    example::check(vkCreateSampler(device_, &info, nullptr, &sampler), "creating a sampler");
    arena_.at_end([device = device_, sampler] { vkDestroySampler(device, sampler, nullptr); });
    return sampler;
  }

  VkBufferView make_texels(const example::Buffer& buffer, VkFormat format) {
    const VkBufferViewCreateInfo info{.sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO,
                                      .buffer = buffer.buffer,
                                      .format = format,
                                      .range = buffer.size};
    VkBufferView view = VK_NULL_HANDLE;
    example::check(vkCreateBufferView(device_, &info, nullptr, &view), "creating a buffer view");
    arena_.at_end([device = device_, view] { vkDestroyBufferView(device, view, nullptr); });
    return view;
  }

  PipelineMaker maker() const {
    const auto yield = [](VkResult result, VkPipeline pipeline) -> Result<VkPipeline> {
      if (result == VK_SUCCESS) return pipeline;
      return Error{.code = ErrorCode::Vulkan,
                   .vkResult = result,
                   .text = std::format("making a pipeline: {}", static_cast<int>(result))};
    };
    return {.layout = layout_,
            .compute =
                [device = device_, yield](const VkComputePipelineCreateInfo& info) {
                  VkPipeline made = VK_NULL_HANDLE;
                  const VkResult result =
                      vkCreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &made);
                  return yield(result, made);
                },
            .graphics =
                [device = device_, yield](const VkGraphicsPipelineCreateInfo& info) {
                  VkPipeline made = VK_NULL_HANDLE;
                  const VkResult result =
                      vkCreateGraphicsPipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &made);
                  return yield(result, made);
                }};
  }

  std::function<void(VkCommandBuffer)> binder() const {
    const bool draws = scene_.stage == heapsmith::ShaderStage::Fragment;
    const auto point = draws ? VK_PIPELINE_BIND_POINT_GRAPHICS : VK_PIPELINE_BIND_POINT_COMPUTE;
    return [this_layout = layout_, sets = sets_, bytes = resources_.push_constants(),
            offset = scene_.pushConstants ? scene_.pushConstants->offset : 0, point,
            stages = stages()](VkCommandBuffer commands) {
      if (!sets.empty()) {
        vkCmdBindDescriptorSets(commands, point, this_layout, 0, static_cast<uint32_t>(sets.size()),
                                sets.data(), 0, nullptr);
      }
      if (!bytes.empty()) {
        vkCmdPushConstants(commands, this_layout, stages, offset,
                           static_cast<uint32_t>(bytes.size()), bytes.data());
      }
    };
  }

  Arena& arena_;
  VkDevice device_;
  const Scene& scene_;
  const Resources& resources_;
  std::vector<VkDescriptorSetLayout> layouts_;
  std::vector<VkDescriptorSet> sets_;
  VkPipelineLayout layout_ = VK_NULL_HANDLE;
};

}  // namespace

Result<Form> make_set_form(Arena& arena, const Scene& scene, const Resources& resources,
                           Launcher& launcher, std::span<const uint32_t> words) {
  return SetForm(arena, scene, resources).make(launcher, words);
}

}  // namespace equality
