// SPDX-License-Identifier: MIT
#include "emit/resolved_layout.h"

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
  const BindingSlots& slots = layout.slots.bindings[index];
  const auto r = static_cast<size_t>(region);
  const bool sampler = region == DescriptorClass::Sampler;
  Row row = {.table = &manifest.tables[binding.table], .binding = &binding, .region = region};
  row.slot = table.firstSlot[r] + (sampler ? slots.firstSamplerSlot : slots.firstSlot);
  row.elementStride = layout.region(region).stride;
  row.offset = layout.region(region).offset + row.slot * row.elementStride;
  row.instances = sampler ? table.samplerInstances : table.instances;
  if (row.instances > 1) row.instanceStride = table.slotsPerInstance[r] * row.elementStride;
  return row;
}

std::vector<Row> make_rows(const Manifest& manifest, const ResolvedLayout& layout) {
  std::vector<Row> rows;
  for (uint32_t i = 0; i < manifest.bindings.size(); ++i) {
    const DescriptorType type = manifest.bindings[i].type;
    if (has_resource_slots(type)) {
      rows.push_back(make_row(manifest, layout, i, descriptor_class(type)));
    }
    if (has_sampler_slots(type)) {
      rows.push_back(make_row(manifest, layout, i, DescriptorClass::Sampler));
    }
  }
  return rows;
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
    write_push_data();
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

  void write_push_data() {
    line("push data");
    for (const Program& program : manifest_.programs) {
      if (program.pushConstantSize == 0) continue;
      line("  {:>4} +{:<4} push constants of {}", program.pushConstantOffset,
           program.pushConstantSize, program.name);
    }
    for (const PushField& field : manifest_.pushFields) {
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
  }

  void write_mapping(const Mapping& mapping) {
    const ResolvedMapping resolved = resolve_mapping(manifest_, layout_, mapping);
    std::string mask;
    for (const std::string& name : resource_mask_names(mapping.resourceMask)) {
      mask += (mask.empty() ? "" : "|") + name;
    }
    line("  set {} binding {}: {} {}", mapping.set, manifest_.bindings[mapping.binding].binding,
         to_string(mapping.source), mask);
    const bool indexed = mapping.source == MappingSource::HeapWithPushIndex;
    line("    heapOffset {}, heapArrayStride {}{}", resolved.heapOffset, resolved.heapArrayStride,
         indexed ? std::format(", heapIndexStride {}, pushOffset {}", resolved.heapIndexStride,
                               resolved.pushOffset)
                 : "");
    if (mapping.part != MappingPart::Combined) return;
    line("    samplerHeapOffset {}, samplerHeapArrayStride {}{}", resolved.samplerHeapOffset,
         resolved.samplerHeapArrayStride,
         indexed ? std::format(", samplerHeapIndexStride {}, samplerPushOffset {}",
                               resolved.samplerHeapIndexStride, resolved.samplerPushOffset)
                 : "");
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
  const bool indexed = mapping.source == MappingSource::HeapWithPushIndex;
  Json json = {{"set", mapping.set},
               {"binding", manifest.bindings[mapping.binding].binding},
               {"resourceMask", resource_mask_names(mapping.resourceMask)},
               {"source", to_string(mapping.source)},
               {"heapOffset", resolved.heapOffset},
               {"heapArrayStride", resolved.heapArrayStride}};
  if (indexed) {
    json["heapIndexStride"] = resolved.heapIndexStride;
    json["pushOffset"] = resolved.pushOffset;
  }
  if (mapping.part != MappingPart::Combined) return json;
  json["samplerHeapOffset"] = resolved.samplerHeapOffset;
  json["samplerHeapArrayStride"] = resolved.samplerHeapArrayStride;
  if (indexed) {
    json["samplerHeapIndexStride"] = resolved.samplerHeapIndexStride;
    json["samplerPushOffset"] = resolved.samplerPushOffset;
  }
  return json;
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
  root["programs"] = Json::array();
  for (const Program& program : manifest.programs) {
    Json mappings = Json::array();
    for (const Mapping& mapping :
         manifest.mappings.subspan(program.mappings.first, program.mappings.count)) {
      mappings.push_back(mapping_json(manifest, layout, mapping));
    }
    root["programs"].push_back({{"name", program.name}, {"mappings", std::move(mappings)}});
  }
  return root.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace heapsmith::emit
