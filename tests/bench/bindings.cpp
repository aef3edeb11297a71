// SPDX-License-Identifier: MIT
#include "bindings.h"

#include <algorithm>
#include <map>
#include <span>
#include <utility>

#include "reflect/reflect_module.h"
#include "spirv/parse.h"

namespace bench {
namespace {

using namespace heapsmith;

constexpr uint32_t kUnboundedElements = 1024;
constexpr uint32_t kUnboundedSamplers = 256;

uint32_t elements_of(const reflect::Resource& resource) {
  if (resource.arrayKind != ArrayKind::Runtime) return static_cast<uint32_t>(resource.count);
  const uint32_t least =
      resource.type == DescriptorType::Sampler ? kUnboundedSamplers : kUnboundedElements;
  return std::max(static_cast<uint32_t>(resource.count), least);
}

bool is_image(DescriptorType type) {
  switch (type) {
    case DescriptorType::CombinedImageSampler:
    case DescriptorType::SampledImage:
    case DescriptorType::StorageImage:
    case DescriptorType::UniformTexelBuffer:
    case DescriptorType::StorageTexelBuffer:
    case DescriptorType::InputAttachment:
      return true;
    default:
      return false;
  }
}

bool is_image_and_sampler(DescriptorType a, DescriptorType b) {
  return std::min(a, b) == DescriptorType::Sampler &&
         std::max(a, b) == DescriptorType::SampledImage;
}

/// Another variable of the same set and binding.
void unite(Binding& binding, const reflect::Resource& resource) {
  binding.count = std::max(binding.count, elements_of(resource));
  if (is_image_and_sampler(binding.type, resource.type)) {
    binding.type = DescriptorType::CombinedImageSampler;
    binding.isTwoVariables = true;
  } else {
    binding.type = std::min(binding.type, resource.type);
  }
}

bool hits_driver_limit(std::span<const reflect::Resource> resources) {
  const bool writes = std::ranges::any_of(resources, &reflect::Resource::isWritten);
  return writes && std::ranges::any_of(resources, [](const reflect::Resource& resource) {
           const auto& qualifiers = resource.qualifiers;
           return (resource.type == DescriptorType::StorageImage ||
                   resource.type == DescriptorType::StorageTexelBuffer) &&
                  resource.isRead &&
                  (!resource.isWritten || qualifiers.coherent || qualifiers.isVolatile);
         });
}

/// Slots that are given out one after the other.
struct Run {
  uint64_t size = 0;
  uint64_t next = 0;

  uint32_t take(uint32_t count) {
    return static_cast<uint32_t>(std::exchange(next, next + count * size));
  }
};

}  // namespace

Bindings bindings_of(const corpus::Stages& stages) {
  std::map<std::pair<uint32_t, uint32_t>, Binding> all;
  Bindings bindings;
  for (const corpus::Stage& stage : stages.stages) {
    Diagnostics diagnostics;
    const auto module =
        spirv::parse_module(std::as_bytes(std::span(stage.words)), "stage", diagnostics);
    if (!module) continue;
    const auto shader = reflect::reflect_module(*module, "stage", diagnostics);
    if (!shader) continue;
    for (const reflect::EntryPoint& entryPoint : shader->entryPoints)
      if (const auto& constants = entryPoint.pushConstants)
        bindings.pushBytes = std::max(bindings.pushBytes, constants->offset + constants->size);
    if (hits_driver_limit(shader->resources))
      bindings.limitedStages |= static_cast<uint32_t>(stage.stage);
    for (const reflect::Resource& resource : shader->resources) {
      const auto [entry, isNew] = all.try_emplace(
          {resource.set, resource.binding},
          Binding{resource.set, resource.binding, resource.type, elements_of(resource)});
      if (!isNew) unite(entry->second, resource);
    }
  }
  for (const auto& [key, binding] : all)
    bindings.all.push_back(binding);
  return bindings;
}

std::vector<VkDescriptorSetAndBindingMappingEXT> map_by_hand(const Bindings& bindings,
                                                             const DeviceLimits& limits) {
  Run images{.size = limits.imageDescriptorSize};
  Run buffers{.size = limits.bufferDescriptorSize};
  Run samplers{.size = limits.samplerDescriptorSize};
  for (const Binding& binding : bindings.all)
    if (is_image(binding.type)) (void)images.take(binding.count);
  buffers.next = (images.next + buffers.size - 1) / buffers.size * buffers.size;
  images.next = 0;

  std::vector<VkDescriptorSetAndBindingMappingEXT> mappings;
  for (const Binding& binding : bindings.all) {
    const bool isSampler = binding.type == DescriptorType::Sampler;
    Run& run = isSampler ? samplers : is_image(binding.type) ? images : buffers;
    VkDescriptorSetAndBindingMappingEXT mapping{
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_AND_BINDING_MAPPING_EXT,
        .descriptorSet = binding.set,
        .firstBinding = binding.binding,
        .bindingCount = 1,
        .resourceMask = VK_SPIRV_RESOURCE_TYPE_ALL_EXT,
        .source = VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_CONSTANT_OFFSET_EXT};
    auto& offsets = mapping.sourceData.constantOffset;
    offsets.heapOffset = run.take(binding.count);
    offsets.heapArrayStride = static_cast<uint32_t>(run.size);
    if (binding.type == DescriptorType::CombinedImageSampler) {
      offsets.samplerHeapOffset = samplers.take(binding.count);
      offsets.samplerHeapArrayStride = static_cast<uint32_t>(samplers.size);
    }
    if (binding.isTwoVariables) {
      VkDescriptorSetAndBindingMappingEXT sampler = mapping;
      sampler.resourceMask = VK_SPIRV_RESOURCE_TYPE_SAMPLER_BIT_EXT;
      sampler.sourceData.constantOffset = {.heapOffset = offsets.samplerHeapOffset,
                                           .heapArrayStride = offsets.samplerHeapArrayStride};
      mappings.push_back(sampler);
      mapping.resourceMask = VK_SPIRV_RESOURCE_TYPE_ALL_EXT & ~sampler.resourceMask;
    }
    mappings.push_back(mapping);
  }
  return mappings;
}

SetLayout::SetLayout(const corpus::Gpu& gpu, const Bindings& bindings) : gpu_(gpu) {
  std::map<uint32_t, std::vector<VkDescriptorSetLayoutBinding>> sets;
  for (const Binding& binding : bindings.all)
    sets[binding.set].push_back({.binding = binding.binding,
                                 .descriptorType = static_cast<VkDescriptorType>(binding.type),
                                 .descriptorCount = binding.count,
                                 .stageFlags = VK_SHADER_STAGE_ALL});
  const uint32_t count = sets.empty() ? 0 : sets.rbegin()->first + 1;
  for (uint32_t set = 0; set < count; ++set) {
    const VkDescriptorSetLayoutCreateInfo info{
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = static_cast<uint32_t>(sets[set].size()),
        .pBindings = sets[set].data()};
    VkDescriptorSetLayout layout = VK_NULL_HANDLE;
    if (gpu.functions.vkCreateDescriptorSetLayout(gpu.device, &info, nullptr, &layout) !=
        VK_SUCCESS)
      return;
    sets_.push_back(layout);
  }
  const VkPushConstantRange range{.stageFlags = VK_SHADER_STAGE_ALL, .size = bindings.pushBytes};
  const VkPipelineLayoutCreateInfo info{.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                        .setLayoutCount = count,
                                        .pSetLayouts = sets_.data(),
                                        .pushConstantRangeCount = bindings.pushBytes != 0 ? 1u : 0u,
                                        .pPushConstantRanges = &range};
  if (gpu.functions.vkCreatePipelineLayout(gpu.device, &info, nullptr, &layout_) != VK_SUCCESS)
    layout_ = VK_NULL_HANDLE;
}

SetLayout::~SetLayout() {
  gpu_.functions.vkDestroyPipelineLayout(gpu_.device, layout_, nullptr);
  for (const VkDescriptorSetLayout set : sets_)
    gpu_.functions.vkDestroyDescriptorSetLayout(gpu_.device, set, nullptr);
}

}  // namespace bench
