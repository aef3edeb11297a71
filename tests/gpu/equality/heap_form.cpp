// SPDX-License-Identifier: MIT
#include "heap_form.h"

#include <heapsmith/commands.h>
#include <heapsmith/fields.h>
#include <heapsmith/writer.h>

#include <algorithm>
#include <cstring>

#include "common/check.h"

namespace equality {
namespace {

using heapsmith::BindingId;
using heapsmith::DescriptorType;
using heapsmith::Field;
using heapsmith::FieldKind;
using heapsmith::FieldSpace;
using heapsmith::Manifest;
using heapsmith::Result;
using heapsmith::Specialization;

constexpr std::byte kPoison{0xEE};

uint32_t chosen(uint32_t instances) {
  return instances > 1 ? 1 : 0;
}

VkSamplerCreateInfo poison(const VkSamplerCreateInfo& sampler) {
  VkSamplerCreateInfo wrong = sampler;
  wrong.addressModeU = wrong.addressModeV = wrong.addressModeW =
      VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER;
  wrong.minLod += 1;
  wrong.compareOp = VK_COMPARE_OP_NEVER;
  return wrong;
}

BindingId find_binding(const Manifest& manifest, const SceneBinding& wanted) {
  for (uint32_t i = 0; i < manifest.bindings.size(); ++i) {
    const heapsmith::Binding& binding = manifest.bindings[i];
    if (manifest.tables[binding.table].set == wanted.set && binding.binding == wanted.binding)
      return {i};
  }
  example::fail("finding a binding", "the manifest has none of that set and number");
}

// All that an application has to say.
Specialization specialize(const HeapShader& shader, const heapsmith::ResolvedLayout& layout) {
  const heapsmith::Shader& described = shader.manifest.shaders.front();
  Specialization slots = heapsmith::vulkan_specialization(shader.manifest, layout, described);
  for (size_t i = 0; i < slots.entries.size(); ++i) {
    const heapsmith::SlotConstant& constant =
        shader.manifest.slotConstants[described.slotConstants.first + i];
    if (constant.number != heapsmith::SlotNumber::RegionFirstSlot) continue;
    std::byte* bytes = slots.data.data() + slots.entries[i].offset;
    uint32_t slot = 0;
    std::memcpy(&slot, bytes, sizeof(slot));
    slot += shader.slotsAmiss;
    std::memcpy(bytes, &slot, sizeof(slot));
  }
  return slots;
}

}  // namespace

SceneHeaps::SceneHeaps(Arena& arena, const heapsmith::Device& device, const Scene& scene,
                       const Resources& resources, const Manifest& manifest)
    : arena_(arena),
      device_(device),
      scene_(scene),
      resources_(resources),
      manifest_(manifest),
      layout_(example::checked(heapsmith::resolve(manifest, arena.gpu().limits), "resolving")),
      heaps_(example::checked(heapsmith::create_heaps(device, layout_), "creating heaps")) {
  arena_.at_end([device, heaps = heaps_]() mutable { heapsmith::destroy_heaps(device, heaps); });
  heapsmith::DescriptorWriter writer(device_, manifest_, layout_, heaps_);
  for (size_t binding = 0; binding < scene_.bindings.size(); ++binding)
    write(writer, binding);
  example::check(writer.flush(), "writing descriptors");
  write_guards();
  fill_fields();
}

// Of a type that the shader expects in that region.
void SceneHeaps::write_guards() const {
  for (uint32_t range = 0; range < manifest_.externalRanges.size(); ++range) {
    const auto region = manifest_.externalRanges[range].descriptorClass;
    const auto binding = std::ranges::find_if(scene_.bindings, [&](const SceneBinding& candidate) {
      return heapsmith::descriptor_class(candidate.type) == region;
    });
    if (binding == scene_.bindings.end()) continue;
    const bool isSampler = region == heapsmith::DescriptorClass::Sampler;
    const heapsmith::Heap& heap = isSampler ? heaps_.samplers : heaps_.resources;
    const VkHostAddressRangeEXT target{
        heap.mapped + heapsmith::external_offset(manifest_, layout_, {range}),
        layout_.region(region).stride};
    if (isSampler) {
      const auto index = static_cast<size_t>(binding - scene_.bindings.begin());
      const VkSamplerCreateInfo wrong = poison(resources_.bindings()[index].samplers.front());
      example::check(vkWriteSamplerDescriptorsEXT(arena_.gpu().device, 1, &wrong, &target),
                     "writing a guard");
      continue;
    }
    const bool isCombined = binding->type == DescriptorType::CombinedImageSampler;
    const VkResourceDescriptorInfoEXT null{
        .sType = VK_STRUCTURE_TYPE_RESOURCE_DESCRIPTOR_INFO_EXT,
        .type = isCombined ? VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE
                           : static_cast<VkDescriptorType>(binding->type)};
    example::check(vkWriteResourceDescriptorsEXT(arena_.gpu().device, 1, &null, &target),
                   "writing a guard");
  }
}

void SceneHeaps::write(heapsmith::DescriptorWriter& writer, size_t index) {
  const SceneBinding& binding = scene_.bindings[index];
  const BindingResources& shown = resources_.bindings()[index];
  const BindingId id = find_binding(manifest_, binding);
  const heapsmith::Table& table = manifest_.tables[manifest_.bindings[id.index].table];
  for (uint32_t element = 0; element < binding.elements; ++element) {
    if (binding.type != DescriptorType::Sampler) {
      for (uint32_t instance = 0; instance < table.instances; ++instance) {
        if (instance == chosen(table.instances)) {
          write_element(writer, id, binding, shown, element, instance);
        } else {
          example::check(writer.null(id, element, instance), "writing a null descriptor");
        }
      }
    }
    for (uint32_t tuple = 0; tuple < table.samplerInstances && !shown.samplers.empty(); ++tuple) {
      const VkSamplerCreateInfo& sampler = BindingResources::of(shown.samplers, element);
      const bool is_chosen = tuple == chosen(table.samplerInstances);
      example::check(writer.sampler(id, element, tuple, is_chosen ? sampler : poison(sampler)),
                     "writing a sampler");
    }
  }
}

void SceneHeaps::write_element(heapsmith::DescriptorWriter& writer, BindingId id,
                               const SceneBinding& binding, const BindingResources& shown,
                               uint32_t element, uint32_t instance) {
  if (!shown.images.empty()) {
    const SceneImage& image = BindingResources::of(shown.images, element);
    example::check(writer.image(id, element, instance, image.view, VK_IMAGE_LAYOUT_GENERAL),
                   "writing an image");
    return;
  }
  const example::Buffer& buffer = BindingResources::of(shown.buffers, element);
  if (binding.image) {
    example::check(
        writer.texel_buffer(id, element, instance, shown.texels, buffer.address, buffer.size),
        "writing a texel buffer");
  } else {
    example::check(writer.buffer(id, element, instance, buffer.address, buffer.size),
                   "writing a buffer");
  }
}

// The push constants at the shader's own offsets, and the manifest's fields behind them.
void SceneHeaps::fill_fields() {
  uint32_t size = 0;
  if (scene_.pushConstants) size = scene_.pushConstants->offset + scene_.pushConstants->size;
  for (const Field& field : manifest_.fields)
    if (field.space == FieldSpace::PushData) size = std::max(size, field.offset + field.size);
  push_.assign((size + 3) / 4 * 4, kPoison);
  if (scene_.pushConstants)
    std::ranges::copy(resources_.push_constants(), push_.begin() + scene_.pushConstants->offset);

  std::vector<example::Buffer> blocks;
  for (const heapsmith::IndirectBlock& block : manifest_.indirectBlocks) {
    blocks.push_back(arena_.buffer(block.size, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT));
    std::fill_n(blocks.back().mapped, block.size, kPoison);
  }
  for (uint32_t i = 0; i < manifest_.fields.size(); ++i) {
    const Field& field = manifest_.fields[i];
    const std::span<std::byte> bytes =
        field.space == FieldSpace::Indirect
            ? std::span(blocks[field.block].mapped, blocks[field.block].size)
            : std::span(push_);
    switch (field.kind) {
      case FieldKind::TableIndex:
        heapsmith::set_index(bytes, manifest_, {i},
                             chosen(manifest_.tables[field.table].instances));
        break;
      case FieldKind::SamplerIndex:
        heapsmith::set_index(bytes, manifest_, {i},
                             chosen(manifest_.tables[field.table].samplerInstances));
        break;
      case FieldKind::BlockAddress:
        heapsmith::set_address(bytes, manifest_, {i}, blocks[field.block].address);
        break;
      default:
        example::fail("filling fields", heapsmith::to_string(field.kind));
    }
  }
}

Result<Form> SceneHeaps::make_form(Launcher& launcher, const HeapShader& shader) const {
  const auto mappings = heapsmith::vulkan_mappings(shader.manifest, layout_, {0});
  const Specialization slots = specialize(shader, layout_);
  const VkSpecializationInfo specialization = slots.info();
  const PipelineMaker maker{
      .entryPoint = shader.entryPoint,
      .specialization = &specialization,
      .compute =
          [&](const VkComputePipelineCreateInfo& info) {
            return heapsmith::create_compute_pipeline(device_, info, mappings);
          },
      .graphics =
          [&](const VkGraphicsPipelineCreateInfo& info) {
            return heapsmith::create_graphics_pipeline(device_, info, mappings);
          }};
  const auto pipeline = launcher.make_pipeline(shader.words, maker);
  if (!pipeline) return heapsmith::Error(pipeline.error());
  return Form{.pipeline = *pipeline, .bind = [this](VkCommandBuffer commands) {
                heapsmith::bind_heaps(device_, commands, heaps_);
                if (!push_.empty()) heapsmith::push_data(device_, commands, 0, push_);
              }};
}

}  // namespace equality
