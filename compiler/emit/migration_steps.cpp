// SPDX-License-Identifier: MIT
#include "emit/migration_steps.h"

#include <algorithm>
#include <format>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "emit/migration_places.h"
#include "emit/text_table.h"

namespace heapsmith::emit {
namespace {

std::string quoted(std::string_view name) {
  return std::format("'{}'", printable(name));
}

std::string counted(uint64_t count, std::string_view what) {
  return std::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

/// By capability, what the shaders did not need before.
std::map<std::string, std::string> new_features(std::span<const MigratedShader> shaders) {
  std::map<std::string, std::string> features;
  for (const MigratedShader& shader : shaders) {
    const auto& added = shader.addedCapabilities;
    for (const auto& [capability, alternatives] : shader.forms.after->requiredFeatures) {
      if (std::ranges::contains(added, capability))
        features[capability] = join(alternatives, " or ");
    }
  }
  return features;
}

MigrationStep features_step(std::span<const MigratedShader> shaders) {
  MigrationStep step = {.topic = "features", .text = "enable these device features", .items = {}};
  step.items.emplace_back("descriptorHeap: VK_EXT_descriptor_heap");
  step.items.emplace_back("bufferDeviceAddress: heaps are bound by their addresses");
  if (std::ranges::any_of(shaders, &MigratedShader::rewritten))
    step.items.emplace_back("shaderUntypedPointers: shaders that read the heaps by themselves");
  for (const auto& [capability, features] : new_features(shaders)) {
    const bool isSaid = capability == "DescriptorHeapEXT" || capability == "UntypedPointersKHR" ||
                        capability == "PhysicalStorageBufferAddresses";
    if (isSaid) continue;
    step.items.push_back(std::format("{}: SPIR-V capability {}", features, capability));
  }
  return step;
}

MigrationStep heaps_step(const SlotLayout& slots) {
  MigrationStep step = {
      .topic = "heaps",
      .text =
          "create a buffer for each heap and bind it with vkCmdBindResourceHeapEXT "
          "or vkCmdBindSamplerHeapEXT, once for each command buffer",
      .items = {}};
  for (const DescriptorClass region : {DescriptorClass::Image, DescriptorClass::Buffer,
                                       DescriptorClass::Tensor, DescriptorClass::Sampler}) {
    const uint64_t count = slots.regionSlots[static_cast<size_t>(region)];
    if (count != 0)
      step.items.push_back(std::format("{} region: {}", to_string(region), counted(count, "slot")));
  }
  return step;
}

MigrationStep descriptors_step(const Manifest& manifest, const SlotLayout& slots) {
  MigrationStep step = {
      .topic = "descriptors",
      .text =
          "write descriptors into the heaps with vkWriteResourceDescriptorsEXT and "
          "vkWriteSamplerDescriptorsEXT, at the slots that the manifest gives, instead of "
          "vkUpdateDescriptorSets",
      .items = {}};
  for (uint32_t t = 0; t < manifest.tables.size(); ++t) {
    const Table& table = manifest.tables[t];
    const auto& perInstance = slots.tables[t].slotsPerInstance;
    const bool hasSlots = std::ranges::any_of(perInstance, [](uint64_t n) { return n != 0; });
    if (hasSlots)
      step.items.push_back(std::format("table {} of set {}: {}", quoted(table.name), table.set,
                                       counted(table.instances, "instance")));
  }
  return step;
}

MigrationStep mappings_step(const Manifest& manifest) {
  MigrationStep step = {
      .topic = "mappings",
      .text = "chain VkShaderDescriptorSetAndBindingMappingInfoEXT to each stage of these programs",
      .items = {}};
  for (const Program& program : manifest.programs) {
    if (program.mappings.count != 0)
      step.items.push_back(std::format("program {}: {}", quoted(program.name),
                                       counted(program.mappings.count, "mapping")));
  }
  return step;
}

/// When a constant's default is not right.
std::string_view when_needed(const Manifest& manifest, const SlotConstant& constant) {
  if (constant.number != SlotNumber::RegionFirstSlot)
    return "if capacities or instances are overridden";
  return manifest.regionBases == RegionBases::Sizes
             ? "always, for shaders compiled from the GLSL; the SPIR-V has no such constant"
             : "always";
}

MigrationStep specialization_step(const Manifest& manifest, const SlotLayout& slots) {
  MigrationStep step = {.topic = "specialization",
                        .text =
                            "set these specialization constants when pipelines are created, as "
                            "vulkan_specialization() does",
                        .items = {}};
  std::map<uint32_t, const SlotConstant*> constants;  // by SpecId, which mean the same everywhere
  for (const SlotConstant& constant : manifest.slotConstants)
    constants.emplace(constant.specId, &constant);
  for (const auto& [specId, constant] : constants)
    step.items.push_back(std::format("constant_id {}: {} ({})", specId,
                                     slot_constant_text(manifest, slots, *constant),
                                     when_needed(manifest, *constant)));
  return step;
}

std::string meaning_of(const Manifest& manifest, const Field& field) {
  const auto table = [&] { return quoted(manifest.tables[field.table].name); };
  const auto binding = [&] { return quoted(manifest.bindings[field.binding].name); };
  switch (field.kind) {
    case FieldKind::TableIndex:
      return "the instance of table " + table();
    case FieldKind::SamplerIndex:
      return "the sampler tuple of table " + table();
    case FieldKind::PackedIndex:
      return "the instance and, from bit 20 on, the sampler tuple of table " + table();
    case FieldKind::ResourceSlots:
      return "the slot of each element of " + binding();
    case FieldKind::SamplerSlots:
      return "the sampler slot of each element of " + binding();
    case FieldKind::BlockAddress:
      return "the device address of indirect block " +
             quoted(manifest.indirectBlocks[field.block].name);
    case FieldKind::BufferAddress:
      return "the device address of " + binding();
    case FieldKind::HeapDataOffset:
      return "where in the resource heap the bytes of " + binding() + " lie";
    case FieldKind::Data:
      return "the bytes of " + binding();
  }
  return {};
}

std::vector<std::string> fields_of(const Manifest& manifest, FieldSpace space) {
  std::vector<std::string> items;
  for (const Field& field : manifest.fields) {
    if (field.space == space)
      items.push_back(
          std::format("{}: {}", field_place_text(manifest, field), meaning_of(manifest, field)));
  }
  return items;
}

MigrationStep push_data_step(const Manifest& manifest) {
  MigrationStep step = {.topic = "pushData",
                        .text = "push with vkCmdPushDataEXT, which sets push constants too",
                        .items = {}};
  std::set<std::pair<uint32_t, uint32_t>> constants;
  for (const Program& program : manifest.programs)
    if (program.pushConstantSize != 0)
      constants.emplace(program.pushConstantOffset, program.pushConstantSize);
  for (const auto& [offset, size] : constants)
    step.items.push_back(
        std::format("push data from byte {} to {}: the shaders' push constants, as before", offset,
                    offset + size));
  for (std::string& item : fields_of(manifest, FieldSpace::PushData))
    step.items.push_back(std::move(item));
  return step;
}

}  // namespace

std::vector<MigrationStep> migration_steps(const Manifest& manifest, const SlotLayout& slots,
                                           std::span<const MigratedShader> shaders) {
  std::vector<MigrationStep> steps = {features_step(shaders)};
  const auto add_if_any = [&](MigrationStep step) {
    if (!step.items.empty()) steps.push_back(std::move(step));
  };
  add_if_any(heaps_step(slots));
  add_if_any(descriptors_step(manifest, slots));
  steps.push_back({.topic = "pipelines",
                   .text = "create pipelines with VK_PIPELINE_CREATE_2_DESCRIPTOR_HEAP_BIT_EXT and "
                           "no VkPipelineLayout",
                   .items = {}});
  add_if_any(mappings_step(manifest));
  add_if_any(specialization_step(manifest, slots));
  add_if_any(push_data_step(manifest));
  add_if_any({.topic = "indirectBlocks",
              .text = "fill these blocks in memory, and push their addresses",
              .items = fields_of(manifest, FieldSpace::Indirect)});
  add_if_any({.topic = "shaderRecords",
              .text = "write these fields behind the group handles of shader records",
              .items = fields_of(manifest, FieldSpace::ShaderRecord)});
  steps.push_back(
      {.topic = "removals",
       .text = "descriptor set layouts, pools and sets, pipeline layouts, vkCmdBindDescriptorSets "
               "and vkCmdPushConstants are no longer used",
       .items = {}});
  return steps;
}

}  // namespace heapsmith::emit
