// SPDX-License-Identifier: MIT
#include "emit/resolved_layout.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <format>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>
#include <vector>

#include "emit/enum_names.h"

namespace heapsmith::emit {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array kResourceRegions = {DescriptorClass::Image, DescriptorClass::Buffer,
                                         DescriptorClass::Tensor};

// One line of the binding list: a run of descriptors of one class, for one binding.
struct Row {
  const Table* table = nullptr;
  const Binding* binding = nullptr;
  DescriptorClass region{};
  uint64_t slot = 0;            ///< of element 0 of instance 0
  uint64_t offset = 0;          ///< bytes from the heap's start
  uint64_t elementStride = 0;   ///< bytes
  uint64_t instanceStride = 0;  ///< bytes; 0 for a single instance
  uint32_t instances = 1;
};

Row make_row(const Manifest& manifest, const ResolvedLayout& layout, uint32_t index,
             DescriptorClass region) {
  const Binding& binding = manifest.bindings[index];
  const TableSlots& table = layout.slots.tables[binding.table];
  const auto r = static_cast<size_t>(region);
  const bool sampler = region == DescriptorClass::Sampler;
  const BindingId id{index};
  Row row = {.table = &manifest.tables[binding.table], .binding = &binding, .region = region};
  row.slot = sampler ? sampler_slot(manifest, layout.slots, id)
                     : resource_slot(manifest, layout.slots, id);
  const uint64_t stride = layout.region(region).stride;
  row.elementStride = sampler ? stride : stride * binding.slotsPerElement;
  row.offset = layout.region(region).offset + row.slot * stride;
  row.instances = sampler ? table.samplerInstances : table.instances;
  if (binding.samplerPlacement == SamplerPlacement::Immutable && sampler) row.instances = 1;
  if (row.instances > 1) row.instanceStride = table.slotsPerInstance[r] * stride;
  return row;
}

std::vector<Row> make_rows(const Manifest& manifest, const ResolvedLayout& layout) {
  std::vector<Row> rows;
  for (uint32_t i = 0; i < manifest.bindings.size(); ++i) {
    const Binding& binding = manifest.bindings[i];
    if (has_resource_slots(binding))
      rows.push_back(make_row(manifest, layout, i, descriptor_class(binding.type)));
    if (has_sampler_slots(binding))
      rows.push_back(make_row(manifest, layout, i, DescriptorClass::Sampler));
  }
  return rows;
}

struct MappingNumber {
  const char* name;  // of the member of VkDescriptorMappingSource*EXT
  uint32_t value;
};

// What the members of the mapping's source are on this device. Those that Vulkan does not have in
// it, or that do not matter to the variable, are left out.
std::vector<MappingNumber> mapping_numbers(const Mapping& mapping,
                                           const ResolvedMapping& resolved) {
  using enum MappingSource;
  const MappingSource source = mapping.source;
  if (source == PushData) return {{"pushDataOffset", resolved.fieldOffset}};
  if (source == PushAddress) return {{"pushAddressOffset", resolved.fieldOffset}};
  if (source == ShaderRecordData) return {{"shaderRecordDataOffset", resolved.fieldOffset}};
  if (source == ShaderRecordAddress) return {{"shaderRecordAddressOffset", resolved.fieldOffset}};
  if (source == MappingSource::IndirectAddress)
    return {{"pushOffset", resolved.fieldOffset}, {"addressOffset", resolved.addressOffset}};
  if (source == ResourceHeapData)
    return {{"heapOffset", resolved.heapOffset}, {"pushOffset", resolved.fieldOffset}};

  std::vector<MappingNumber> numbers;
  const bool picked = source != HeapWithConstantOffset;
  const bool per_element = source == HeapWithIndirectIndexArray;
  const bool in_memory = source == HeapWithIndirectIndex || per_element;
  const bool in_record = source == HeapWithShaderRecordIndex;
  if (mapping.part != MappingPart::Sampler || mapping.embeddedSampler == kNone) {
    numbers.push_back({"heapOffset", resolved.heapOffset});
    if (!per_element) numbers.push_back({"heapArrayStride", resolved.heapArrayStride});
    if (picked) {
      numbers.push_back({"heapIndexStride", resolved.heapIndexStride});
      numbers.push_back({in_record ? "shaderRecordOffset" : "pushOffset", resolved.fieldOffset});
    }
    if (in_memory) numbers.push_back({"addressOffset", resolved.addressOffset});
  }
  if (mapping.part != MappingPart::Combined || mapping.embeddedSampler != kNone) return numbers;
  numbers.push_back({"samplerHeapOffset", resolved.samplerHeapOffset});
  if (!per_element) numbers.push_back({"samplerHeapArrayStride", resolved.samplerHeapArrayStride});
  if (!picked) return numbers;
  numbers.push_back({"samplerHeapIndexStride", resolved.samplerHeapIndexStride});
  if (mapping.packedIndex) return numbers;
  numbers.push_back(
      {in_record ? "samplerShaderRecordOffset" : "samplerPushOffset", resolved.samplerFieldOffset});
  if (in_memory) numbers.push_back({"samplerAddressOffset", resolved.samplerAddressOffset});
  return numbers;
}

// A specialization constant of a rewritten shader.
struct ConstantValue {
  std::string_view file;
  uint32_t specId = 0;
  SlotNumber number{};
  uint32_t value = 0;
};

std::vector<ConstantValue> slot_constants(const Manifest& manifest, const ResolvedLayout& layout,
                                          const Program& program) {
  std::vector<ConstantValue> values;
  for (const Shader& shader :
       manifest.shaders.subspan(program.shaders.first, program.shaders.count)) {
    const IndexRange range = shader.slotConstants;
    for (const SlotConstant& constant : manifest.slotConstants.subspan(range.first, range.count))
      values.push_back({.file = shader.file,
                        .specId = constant.specId,
                        .number = constant.number,
                        .value = slot_number(manifest, layout, constant)});
  }
  return values;
}

class TextWriter {
 public:
  TextWriter(const Manifest& manifest, const ResolvedLayout& layout)
      : manifest_(manifest), layout_(layout) {}

  std::string run(const std::string& profile) {
    line("profile {}", profile);
    line("");
    write_heap("resource heap", layout_.resourceHeap, kResourceRegions);
    write_heap("sampler heap", layout_.samplerHeap, std::array{DescriptorClass::Sampler});
    write_external_ranges();
    write_bindings();
    write_heap_data();
    write_fields();
    for (const Program& program : manifest_.programs)
      write_program(program);
    return std::move(text_);
  }

 private:
  template <typename... Arguments>
  void line(std::format_string<Arguments...> format, Arguments&&... arguments) {
    std::format_to(std::back_inserter(text_), format, std::forward<Arguments>(arguments)...);
    while (!text_.empty() && text_.back() == ' ')
      text_.pop_back();
    text_ += '\n';
  }

  template <size_t N>
  void write_heap(std::string_view name, const HeapExtent& heap,
                  const std::array<DescriptorClass, N>& regions) {
    line("{}: {} bytes, aligned to {}", name, heap.size, heap.alignment);
    for (const DescriptorClass descriptor_class : regions) {
      const Region& region = layout_.region(descriptor_class);
      if (region.slots == 0) continue;
      line("  {:<10} offset {:>10}  stride {:>4}  slots {}", to_string(descriptor_class),
           region.offset, region.stride, region.slots);
    }
    line("  {:<10} offset {:>10}  size {}", "reserved", heap.reservedRangeOffset,
         heap.reservedRangeSize);
    line("");
  }

  void write_external_ranges() {
    if (manifest_.externalRanges.empty()) return;
    line("external ranges");
    for (uint32_t i = 0; i < manifest_.externalRanges.size(); ++i) {
      const ExternalRange& range = manifest_.externalRanges[i];
      line("  {:<24} {:<8} slot {:>8}  offset {:>10}  slots {}", range.name,
           to_string(range.descriptorClass), layout_.slots.externalRanges[i],
           external_offset(manifest_, layout_, {i}), range.slots);
    }
    line("");
  }

  void write_bindings() {
    line("bindings");
    const Table* table = nullptr;
    for (const Row& row : make_rows(manifest_, layout_)) {
      if (row.table != table) {
        table = row.table;
        line("  {} (set {}, {})", table->name, table->set, to_string(table->residence));
      }
      std::string instances;
      if (row.instances > 1) {
        instances = std::format("instances {} every {}", row.instances, row.instanceStride);
      }
      line("    {:>5} {:<24} {:<8} slot {:>8}  offset {:>10}  {} x {:<6} {}", row.binding->binding,
           row.binding->name, to_string(row.region), row.slot, row.offset, row.binding->capacity,
           row.elementStride, instances);
    }
    line("");
  }

  void write_heap_data() {
    if (layout_.data.empty()) return;
    line("heap data");
    for (uint32_t i = 0; i < manifest_.bindings.size(); ++i) {
      const Binding& binding = manifest_.bindings[i];
      if (binding.residence != Residence::HeapData) continue;
      line("  set {} {:>5} {:<24} offset {:>10}  {} x {}", manifest_.tables[binding.table].set,
           binding.binding, binding.name, layout_.data[i].offset,
           layout_.slots.bindings[i].capacity, layout_.data[i].stride);
    }
    line("");
  }

  void write_fields() {
    line("push data");
    for (const Program& program : manifest_.programs) {
      if (program.pushConstantSize == 0) continue;
      line("  {:>4} +{:<4} push constants of {}", program.pushConstantOffset,
           program.pushConstantSize, program.name);
    }
    write_fields_of(FieldSpace::PushData, kNone);
    const auto in_record = [](const Field& field) {
      return field.space == FieldSpace::ShaderRecord;
    };
    if (std::ranges::any_of(manifest_.fields, in_record)) {
      line("");
      line("shader record");
      write_fields_of(FieldSpace::ShaderRecord, kNone);
    }
    for (uint32_t i = 0; i < manifest_.indirectBlocks.size(); ++i) {
      line("");
      line("indirect block {}", manifest_.indirectBlocks[i].name);
      write_fields_of(FieldSpace::Indirect, i);
    }
  }

  void write_fields_of(FieldSpace space, uint32_t block) {
    for (const Field& field : manifest_.fields) {
      if (field.space != space || (block != kNone && field.block != block)) continue;
      line("  {:>4} +{:<4} {} ({})", field.offset, field.size, field.name, to_string(field.kind));
    }
  }

  void write_program(const Program& program) {
    line("");
    line("program {}", program.name);
    const auto mappings =
        manifest_.mappings.subspan(program.mappings.first, program.mappings.count);
    for (const Mapping& mapping : mappings)
      write_mapping(mapping);
    write_slot_constants(program);
  }

  void write_slot_constants(const Program& program) {
    for (const ConstantValue& constant : slot_constants(manifest_, layout_, program))
      line("  {}: constant {} is {} ({})", constant.file, constant.specId, constant.value,
           to_string(constant.number));
  }

  void write_mapping(const Mapping& mapping) {
    const ResolvedMapping resolved = resolve_mapping(manifest_, layout_, mapping);
    std::string mask;
    for (const std::string& name : resource_mask_names(mapping.resourceMask)) {
      mask += (mask.empty() ? "" : "|") + name;
    }
    line("  set {} binding {}: {} {}", mapping.set, manifest_.bindings[mapping.binding].binding,
         to_string(mapping.source), mask);
    std::string numbers;
    for (const auto& [name, value] : mapping_numbers(mapping, resolved)) {
      const bool second_line = std::string_view(name) == "samplerHeapOffset";
      const char* separator = numbers.empty() ? "" : second_line ? "\n    " : ", ";
      numbers += std::format("{}{} {}", separator, name, value);
    }
    if (!numbers.empty()) line("    {}", numbers);
    if (mapping.embeddedSampler != kNone)
      line("    pEmbeddedSampler {}", manifest_.samplers[mapping.embeddedSampler].name);
  }

  const Manifest& manifest_;
  const ResolvedLayout& layout_;
  std::string text_;
};

Json heap_json(const HeapExtent& heap) {
  return {{"size", heap.size},
          {"alignment", heap.alignment},
          {"reservedRangeOffset", heap.reservedRangeOffset},
          {"reservedRangeSize", heap.reservedRangeSize}};
}

Json mapping_json(const Manifest& manifest, const ResolvedLayout& layout, const Mapping& mapping) {
  const ResolvedMapping resolved = resolve_mapping(manifest, layout, mapping);
  Json json = {{"set", mapping.set},
               {"binding", manifest.bindings[mapping.binding].binding},
               {"resourceMask", resource_mask_names(mapping.resourceMask)},
               {"source", to_string(mapping.source)}};
  for (const auto& [name, value] : mapping_numbers(mapping, resolved))
    json[name] = value;
  if (mapping.packedIndex) json["useCombinedImageSamplerIndex"] = true;
  if (mapping.embeddedSampler != kNone)
    json["embeddedSampler"] = manifest.samplers[mapping.embeddedSampler].name;
  return json;
}

Json fields_json(const Manifest& manifest, FieldSpace space, uint32_t block) {
  Json list = Json::array();
  for (const Field& field : manifest.fields) {
    if (field.space != space || (block != kNone && field.block != block)) continue;
    list.push_back({{"name", field.name},
                    {"kind", to_string(field.kind)},
                    {"offset", field.offset},
                    {"size", field.size}});
  }
  return list;
}

Json heap_data_json(const Manifest& manifest, const ResolvedLayout& layout) {
  Json list = Json::array();
  for (uint32_t i = 0; i < manifest.bindings.size(); ++i) {
    const Binding& binding = manifest.bindings[i];
    if (binding.residence != Residence::HeapData) continue;
    list.push_back({{"table", manifest.tables[binding.table].name},
                    {"set", manifest.tables[binding.table].set},
                    {"binding", binding.binding},
                    {"name", binding.name},
                    {"offset", layout.data[i].offset},
                    {"stride", layout.data[i].stride},
                    {"copies", layout.slots.bindings[i].capacity}});
  }
  return list;
}

Json binding_json(const Row& row) {
  Json json = {{"table", row.table->name},
               {"set", row.table->set},
               {"binding", row.binding->binding},
               {"name", row.binding->name},
               {"class", to_string(row.region)},
               {"slot", row.slot},
               {"offset", row.offset},
               {"count", row.binding->capacity},
               {"stride", row.elementStride},
               {"instances", row.instances}};
  if (row.instances > 1) json["instanceStride"] = row.instanceStride;
  return json;
}

}  // namespace

std::string resolved_layout_text(const Manifest& manifest, const ResolvedLayout& layout,
                                 const std::string& profile) {
  return TextWriter(manifest, layout).run(profile);
}

std::string resolved_layout_json(const Manifest& manifest, const ResolvedLayout& layout,
                                 const std::string& profile) {
  Json root = {{"$schema", "urn:heapsmith:schema:resolved:1"}, {"profile", profile}};
  root["resourceHeap"] = heap_json(layout.resourceHeap);
  root["samplerHeap"] = heap_json(layout.samplerHeap);
  root["regions"] = Json::array();
  for (const DescriptorClass descriptor_class :
       {DescriptorClass::Image, DescriptorClass::Buffer, DescriptorClass::Tensor,
        DescriptorClass::Sampler}) {
    const Region& region = layout.region(descriptor_class);
    if (region.slots == 0) continue;
    root["regions"].push_back({{"class", to_string(descriptor_class)},
                               {"offset", region.offset},
                               {"stride", region.stride},
                               {"slots", region.slots}});
  }
  root["externalRanges"] = Json::array();
  for (uint32_t i = 0; i < manifest.externalRanges.size(); ++i) {
    const ExternalRange& range = manifest.externalRanges[i];
    root["externalRanges"].push_back({{"name", range.name},
                                      {"class", to_string(range.descriptorClass)},
                                      {"offset", external_offset(manifest, layout, {i})},
                                      {"slots", range.slots}});
  }
  root["bindings"] = Json::array();
  for (const Row& row : make_rows(manifest, layout))
    root["bindings"].push_back(binding_json(row));
  if (!layout.data.empty()) root["heapData"] = heap_data_json(manifest, layout);
  root["pushData"] = fields_json(manifest, FieldSpace::PushData, kNone);
  root["shaderRecord"] = fields_json(manifest, FieldSpace::ShaderRecord, kNone);
  root["indirectBlocks"] = Json::array();
  for (uint32_t i = 0; i < manifest.indirectBlocks.size(); ++i) {
    root["indirectBlocks"].push_back({{"name", manifest.indirectBlocks[i].name},
                                      {"size", manifest.indirectBlocks[i].size},
                                      {"fields", fields_json(manifest, FieldSpace::Indirect, i)}});
  }
  root["programs"] = Json::array();
  for (const Program& program : manifest.programs) {
    Json mappings = Json::array();
    for (const Mapping& mapping :
         manifest.mappings.subspan(program.mappings.first, program.mappings.count)) {
      mappings.push_back(mapping_json(manifest, layout, mapping));
    }
    Json json = {{"name", program.name}, {"mappings", std::move(mappings)}};
    for (const ConstantValue& constant : slot_constants(manifest, layout, program))
      json["slotConstants"].push_back({{"file", constant.file},
                                       {"specId", constant.specId},
                                       {"what", to_string(constant.number)},
                                       {"value", constant.value}});
    root["programs"].push_back(std::move(json));
  }
  return root.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace heapsmith::emit
