// SPDX-License-Identifier: MIT
#include "check/lint_mappings.h"

#include <algorithm>
#include <format>
#include <string_view>
#include <utility>
#include <vector>

#include "check/lint_structs.h"
#include "plan/residence_rules.h"
#include "reflect/program_interface.h"

namespace heapsmith::check {
namespace {

using mapping::VulkanMapping;
using reflect::EntryPoint;
using reflect::Resource;
using reflect::ResourceKind;

constexpr uint64_t kLast32 = UINT32_MAX;

constexpr uint32_t bit(ResourceKind kind) {
  return static_cast<uint32_t>(kind);
}

bool covers(const VulkanMapping& mapping, const Resource& resource) {
  return mapping.set == resource.set && mapping.firstBinding <= resource.binding &&
         resource.binding < uint64_t{mapping.firstBinding} + mapping.bindingCount;
}

bool reads_address(MappingSource source) {
  return source == MappingSource::PushAddress || source == MappingSource::IndirectAddress ||
         source == MappingSource::ShaderRecordAddress;
}

bool is_buffer(DescriptorType type) {
  return type == DescriptorType::UniformBuffer || type == DescriptorType::StorageBuffer;
}

/// Size and alignment of one descriptor class, with the rule for its alignment in mappings.
struct ClassRule {
  std::string_view name;
  uint64_t size;
  uint64_t alignment;
  const char* rule;
};

class Linter {
 public:
  Linter(const LintedShader& shader, std::span<const VulkanMapping> mappings,
         const LintedDevice& device, const std::string& file, Findings& findings)
      : interface_(*shader.interface),
        entry_point_(shader.interface->entryPoints[shader.entryPoint]),
        shader_(shader),
        mappings_(mappings),
        device_(device),
        file_(file),
        findings_(findings),
        embeds_(std::ranges::any_of(
            mappings, [](const VulkanMapping& m) { return m.embeddedSampler.has_value(); })) {}

  void run() {
    lint_push_constants();
    for (const uint32_t index : entry_point_.usedResources)
      lint_resource(interface_.resources[index]);
    lint_variable_pointers();
    lint_collisions();
    lint_push_data_overlaps();
  }

 private:
  // The finding's place is the shader; a mapping of somebody's file is named by its line.
  void add(Severity severity, Code code, const Resource& resource, const VulkanMapping* mapping,
           const std::string& text) {
    Place place = {.file = shader_.file,
                   .entryPoint = entry_point_.name,
                   .resource = resource.name,
                   .set = resource.set,
                   .binding = resource.binding};
    std::string whole =
        mapping == nullptr ? text : std::format("{}: {}", to_string(mapping->source), text);
    if (mapping != nullptr && mapping->line != 0)
      whole += std::format(" (the mapping of {}:{})", file_, mapping->line);
    findings_.add(severity, code, std::move(place), std::move(whole), device_.name);
  }
  void error(Code code, const std::string& text) {
    add(Severity::Error, code, *resource_, mapping_, text);
  }
  void warn(Code code, const std::string& text) {
    add(Severity::Warning, code, *resource_, mapping_, text);
  }

  void lint_push_constants() {
    if (!entry_point_.pushConstants) return;
    const uint64_t end =
        uint64_t{entry_point_.pushConstants->offset} + entry_point_.pushConstants->size;
    if (end <= device_.limits.maxPushDataSize) return;
    findings_.add(Severity::Error, Code::MappingRange,
                  {.file = shader_.file, .entryPoint = entry_point_.name},
                  std::format("the push constants end at byte {}, maxPushDataSize is {} (12455)",
                              end, device_.limits.maxPushDataSize),
                  device_.name);
  }

  void lint_resource(const Resource& resource) {
    resource_ = &resource;
    mapping_ = nullptr;
    // More than one is an overlap, and reported as such; nobody knows which one a driver takes.
    bool served = false;
    for (const VulkanMapping& mapping : mappings_) {
      if (!is_served(mapping, resource)) continue;
      served = true;
      mapping_ = &mapping;
      lint_pair();
    }
    if (!served) report_missing();
  }

  void lint_pair() {
    lint_texel_buffer_mask();
    lint_source();
    lint_alignment();
    lint_strides();
    lint_ignored();
    lint_reach();
    lint_ycbcr();
  }

  // The first, if there are several.
  const VulkanMapping* serving(const Resource& resource) const {
    const auto found = std::ranges::find_if(
        mappings_, [&](const VulkanMapping& mapping) { return is_served(mapping, resource); });
    return found == mappings_.end() ? nullptr : &*found;
  }

  void report_missing() {
    const auto covering = std::ranges::find_if(
        mappings_, [&](const VulkanMapping& mapping) { return covers(mapping, *resource_); });
    if (covering == mappings_.end()) {
      error(Code::MappingMissing, "no mapping serves it (11312)");
      return;
    }
    mapping_ = &*covering;
    const bool members_only =
        resource_->readOnly && (resource_->kind == ResourceKind::ReadWriteStorageBuffer ||
                                resource_->kind == ResourceKind::ReadWriteImage);
    error(Code::MappingMissing,
          members_only ? "the resourceMask has only the read-only bit, and NonWritable stands on "
                         "the block's members, not on the variable: set both bits (11312)"
                       : "the resourceMask lacks the variable's kind (11312)");
  }

  // Up to SPIR-V 1.5 front ends make a uniform texel buffer an OpTypeSampledImage. By the
  // specification COMBINED_SAMPLED_IMAGE is its bit; the validation layer knows none but all.
  void lint_texel_buffer_mask() {
    if (resource_->type != DescriptorType::UniformTexelBuffer || !is_combined()) return;
    if (mapping_->resourceMask == mapping::kAllResourceTypes) return;
    warn(Code::MappingMask,
         "for a texel buffer that is an OpTypeSampledImage the validation layer accepts no "
         "resourceMask but ALL (11312); SPIR-V 1.6 has OpTypeImage instead");
  }

  // What may be mapped with what.
  void lint_source() {
    const bool array = resource_->arrayKind != ArrayKind::None;
    const MappingSource source = mapping_->source;
    if (reads_record(source) &&
        (static_cast<uint32_t>(entry_point_.stage) & plan::kRayTracingStages) == 0) {
      error(Code::MappingSourceKind,
            std::format("the stage is {}, and only ray-tracing stages have a shader record (12454)",
                        to_string(entry_point_.stage)));
    }
    if (reaches_descriptors(source)) {
      if (mapping_->embeddedSampler && array)
        error(Code::EmbeddedSampler, "a sampler cannot be embedded for an array (11399)");
      return;
    }
    if (reads_address(source)) {
      const bool fits =
          is_buffer(resource_->type) || resource_->type == DescriptorType::AccelerationStructureKHR;
      if (!fits || array)
        error(Code::MappingSourceKind,
              "it must be a buffer or an acceleration structure, and no array (11318)");
      if (resource_->usesLength)
        error(Code::MappingLength, "OpArrayLength is used on it, which an address lacks (11378)");
    } else {
      if (resource_->type != DescriptorType::UniformBuffer || array)
        error(Code::MappingSourceKind, "it must be a uniform block, and no array (11315)");
      if (is_buffer(resource_->type)) lint_inline_size();
    }
    if (array && resource_->dynamicallyIndexed)
      error(Code::MappingSourceKind,
            "its element is picked by what is no constant, which only descriptors can be (11385)");
    if (reflect::has_variable_pointers(interface_) &&
        resource_->type == DescriptorType::StorageBuffer)
      warn(Code::MappingSourceKind,
           "the module declares variable pointers, none of which may be to it (11388)");
  }

  // Which buffers a variable pointer may be to is not known, so this is no more than a warning.
  void lint_variable_pointers() {
    if (!reflect::has_variable_pointers(interface_)) return;
    const Resource* first = nullptr;
    MappingSource source{};
    for (const uint32_t index : entry_point_.usedResources) {
      const Resource& resource = interface_.resources[index];
      const VulkanMapping* const mapping = serving(resource);
      if (resource.type != DescriptorType::StorageBuffer || mapping == nullptr ||
          !reaches_descriptors(mapping->source)) {
        continue;
      }
      if (first != nullptr && mapping->source != source) {
        add(Severity::Warning, Code::MappingSourceKind, resource, mapping,
            std::format("the module declares variable pointers, none of which may be to it and to "
                        "\"{}\", which comes from {} (11387)",
                        first->name, to_string(source)));
        return;
      }
      first = &resource;
      source = mapping->source;
    }
  }

  void lint_inline_size() {
    const uint64_t end = uint64_t{mapping_->numbers.fieldOffset} + resource_->blockSize;
    // An offset beyond is an error by itself (12452).
    if (mapping_->source == MappingSource::PushData && end > device_.limits.maxPushDataSize &&
        mapping_->numbers.fieldOffset <= device_.limits.maxPushDataSize) {
      error(Code::MappingRange,
            std::format("its {} bytes from {} on end beyond maxPushDataSize, {} (11316)",
                        resource_->blockSize, mapping_->numbers.fieldOffset,
                        device_.limits.maxPushDataSize));
    }
    if (mapping_->source == MappingSource::ResourceHeapData)
      check_heap_end(DescriptorClass::Buffer,
                     uint64_t{mapping_->numbers.heapOffset} + resource_->blockSize);
    const uint64_t record = device_.limits.maxShaderRecordSize;
    if (mapping_->source == MappingSource::ShaderRecordData && record != 0 && end > record) {
      error(Code::MappingRange,
            std::format("its {} bytes from {} on end beyond the {} of a shader record (11317)",
                        resource_->blockSize, mapping_->numbers.fieldOffset, record));
    }
  }

  ClassRule class_rule(DescriptorClass descriptor_class) const {
    const DeviceLimits& limits = device_.limits;
    switch (descriptor_class) {
      case DescriptorClass::Buffer:
        return {"buffer", limits.bufferDescriptorSize, limits.bufferDescriptorAlignment,
                " (11252)"};
      case DescriptorClass::Image:
        return {"image", limits.imageDescriptorSize, limits.imageDescriptorAlignment, " (11251)"};
      case DescriptorClass::Sampler:
        return {"sampler", limits.samplerDescriptorSize, limits.samplerDescriptorAlignment,
                " (11253)"};
      case DescriptorClass::Tensor:
        return {"tensor", limits.tensorDescriptorSize, limits.tensorDescriptorAlignment,
                " (11390)"};
    }
    return {};
  }

  bool is_combined() const { return resource_->kind == ResourceKind::CombinedSampledImage; }
  bool is_lone_sampler() const { return resource_->kind == ResourceKind::Sampler; }
  bool has_array_stride() const {
    return mapping_->source != MappingSource::HeapWithIndirectIndexArray;
  }
  bool reads_sampler_members() const { return is_combined() && !mapping_->embeddedSampler; }

  void lint_alignment() {
    if (!reaches_descriptors(mapping_->source)) return;
    const ResolvedMapping& numbers = mapping_->numbers;
    if (!(is_lone_sampler() && mapping_->embeddedSampler)) {
      ClassRule rule = class_rule(descriptor_class(resource_->type));
      if (is_combined()) rule.rule = " (12406)";
      // Vulkan's rules for pipelines forget it, its descriptors are in the class of buffers.
      if (resource_->type == DescriptorType::AccelerationStructureKHR) rule.rule = "";
      check_aligned("heapOffset", numbers.heapOffset, rule);
      if (has_array_stride()) check_aligned("heapArrayStride", numbers.heapArrayStride, rule);
    }
    if (!reads_sampler_members()) return;
    ClassRule rule = class_rule(DescriptorClass::Sampler);
    rule.rule = " (11254)";
    check_aligned("samplerHeapOffset", numbers.samplerHeapOffset, rule);
    if (has_array_stride())
      check_aligned("samplerHeapArrayStride", numbers.samplerHeapArrayStride, rule);
    lint_sampler_offsets();
  }

  void check_aligned(std::string_view member, uint32_t value, const ClassRule& rule) {
    if (rule.alignment == 0 || value % rule.alignment == 0) return;
    error(Code::MappingAlignment, std::format("{} {} is no multiple of {}DescriptorAlignment, {}{}",
                                              member, value, rule.name, rule.alignment, rule.rule));
  }

  void lint_sampler_offsets() {
    const ResolvedMapping& numbers = mapping_->numbers;
    const bool push = mapping_->source == MappingSource::HeapWithPushIndex;
    const bool indirect = mapping_->source == MappingSource::HeapWithIndirectIndex ||
                          mapping_->source == MappingSource::HeapWithIndirectIndexArray;
    if (!push && !indirect) return;
    const uint32_t bytes = push ? 4 : 8;
    if (numbers.samplerFieldOffset % bytes != 0)
      report_sampler_offset(
          Code::MappingAlignment,
          std::format("samplerPushOffset {} is no multiple of {} ({})", numbers.samplerFieldOffset,
                      bytes, push ? "12456" : "12458"));
    if (uint64_t{numbers.samplerFieldOffset} + bytes > device_.limits.maxPushDataSize)
      report_sampler_offset(
          Code::MappingRange,
          std::format("samplerPushOffset {} is beyond maxPushDataSize - {}, with maxPushDataSize = "
                      "{} ({})",
                      numbers.samplerFieldOffset, bytes, device_.limits.maxPushDataSize,
                      push ? "12457" : "12459"));
    if (indirect && numbers.samplerAddressOffset % 4 != 0)
      report_sampler_offset(Code::MappingAlignment,
                            std::format("samplerAddressOffset {} is no multiple of 4 (12460)",
                                        numbers.samplerAddressOffset));
  }

  // The rules do not exempt useCombinedImageSamplerIndex, but nothing reads the members then.
  void report_sampler_offset(Code code, const std::string& text) {
    add(mapping_->packedIndex ? Severity::Warning : Severity::Error, code, *resource_, mapping_,
        text);
  }

  // The layer says nothing of these; on some devices they read the wrong descriptor.
  void lint_strides() {
    if (!reaches_descriptors(mapping_->source)) return;
    if (is_lone_sampler() && mapping_->embeddedSampler) return;
    const ResolvedMapping& numbers = mapping_->numbers;
    const ClassRule rule = class_rule(descriptor_class(resource_->type));
    const bool per_element = !has_array_stride();
    const bool several = resource_->arrayKind != ArrayKind::None && resource_->count != 1;
    if (several && !per_element && numbers.heapArrayStride == 0 && !is_lone_sampler())
      warn(Code::MappingStride, "heapArrayStride is 0: all elements are one descriptor");
    if (several && !per_element) check_stride("heapArrayStride", numbers.heapArrayStride, rule);
    if (mapping_->source != MappingSource::HeapWithConstantOffset) {
      if (numbers.heapIndexStride == 0 && !is_lone_sampler())
        warn(Code::MappingStride, "heapIndexStride is 0: every index is the same descriptor");
      if (per_element) check_stride("heapIndexStride", numbers.heapIndexStride, rule);
    }
    if (reads_sampler_members() && several && !per_element) {
      check_stride("samplerHeapArrayStride", numbers.samplerHeapArrayStride,
                   class_rule(DescriptorClass::Sampler));
    }
  }

  void check_stride(std::string_view member, uint32_t stride, const ClassRule& rule) {
    if (stride == 0 || stride >= rule.size) return;
    warn(Code::MappingStride,
         std::format("{} {} is less than {}DescriptorSize, {}: descriptors overlap", member, stride,
                     rule.name, rule.size));
  }

  void lint_ignored() {
    const ResolvedMapping& numbers = mapping_->numbers;
    const bool sampler_members =
        numbers.samplerHeapOffset != 0 || numbers.samplerHeapArrayStride != 0 ||
        numbers.samplerHeapIndexStride != 0 || numbers.samplerFieldOffset != 0 ||
        numbers.samplerAddressOffset != 0;
    if (sampler_members && !is_combined())
      warn(Code::MappingIgnored,
           "the sampler members are read for combined image samplers alone; a sampler is found "
           "through heapOffset");
    if (sampler_members && is_combined() && mapping_->embeddedSampler)
      warn(Code::MappingIgnored, "the sampler members are not read beside an embedded sampler");
    if (mapping_->embeddedSampler && !has_samplers(resource_->type))
      warn(Code::MappingIgnored, "it has no sampler, pEmbeddedSampler is not read");
  }

  // As far as the elements of one instance go; how many instances there are, nothing here says.
  void lint_reach() {
    if (!reaches_descriptors(mapping_->source)) return;
    if (is_lone_sampler() && mapping_->embeddedSampler) return;
    if (mapping_->source == MappingSource::HeapWithIndirectIndexArray) return;
    const uint64_t first = resource_->binding - mapping_->firstBinding;
    const uint64_t last = first + std::max<uint64_t>(resource_->count, 1) - 1;
    const ResolvedMapping& numbers = mapping_->numbers;
    check_reach(descriptor_class(resource_->type), numbers.heapOffset, numbers.heapArrayStride,
                last);
    if (reads_sampler_members())
      check_reach(DescriptorClass::Sampler, numbers.samplerHeapOffset,
                  numbers.samplerHeapArrayStride, last);
  }

  void check_reach(DescriptorClass descriptor_class, uint64_t offset, uint64_t stride,
                   uint64_t last) {
    const bool overflows = stride != 0 && last > (kLast32 - offset) / stride;
    if (overflows) {
      error(Code::MappingOverflow, std::format("element {} lies beyond 2^32 bytes of the {} heap",
                                               last, heap_name(descriptor_class)));
      return;
    }
    check_heap_end(descriptor_class, offset + last * stride + class_rule(descriptor_class).size);
  }

  static std::string_view heap_name(DescriptorClass descriptor_class) {
    return descriptor_class == DescriptorClass::Sampler ? "sampler" : "resource";
  }

  void check_heap_end(DescriptorClass descriptor_class, uint64_t end) {
    const DeviceLimits& limits = device_.limits;
    const bool sampler = descriptor_class == DescriptorClass::Sampler;
    const uint64_t size = sampler ? limits.maxSamplerHeapSize : limits.maxResourceHeapSize;
    const uint64_t reserved = !sampler  ? limits.minResourceHeapReservedRange
                              : embeds_ ? limits.minSamplerHeapReservedRangeWithEmbedded
                                        : limits.minSamplerHeapReservedRange;
    if (end > size - std::min(reserved, size))
      error(Code::MappingRange,
            std::format("it reaches byte {} of the {} heap, which has {} at most, {} of them "
                        "reserved (11309)",
                        end, heap_name(descriptor_class), size, reserved));
  }

  void lint_ycbcr() {
    if (!mapping_->embeddedSampler || !mapping_->embeddedSampler->convertsYcbcr) return;
    if (is_lone_sampler())
      error(Code::YcbcrSampler,
            "a conversion needs an OpTypeSampledImage variable, not a sampler of its own (12203)");
    if (resource_->arrayKind != ArrayKind::None && resource_->dynamicallyIndexed)
      error(Code::YcbcrSampler, "what converts from YCbCr is picked by a constant (12205)");
  }

  // shaderIndex is (binding - firstBinding) + element: in a mapping of several bindings, element 1
  // of an array is the next binding's descriptor.
  void lint_collisions() {
    for (const VulkanMapping& mapping : mappings_) {
      if (mapping.bindingCount == 1) continue;
      for (const uint32_t array : entry_point_.usedResources)
        lint_collision(mapping, interface_.resources[array]);
    }
  }

  bool is_served(const VulkanMapping& mapping, const Resource& resource) const {
    return covers(mapping, resource) && (mapping.resourceMask & bit(resource.kind)) != 0;
  }

  void lint_collision(const VulkanMapping& mapping, const Resource& array) {
    if (array.arrayKind == ArrayKind::None || !is_served(mapping, array)) return;
    for (const uint32_t index : entry_point_.usedResources) {
      const Resource& other = interface_.resources[index];
      if (other.binding <= array.binding || !is_served(mapping, other)) continue;
      const uint64_t element = other.binding - array.binding;
      if (array.count != 0 && element >= array.count) continue;
      if ((array.kind == ResourceKind::Sampler) != (other.kind == ResourceKind::Sampler)) continue;
      add(Severity::Error, Code::MappingCollision, array, &mapping,
          std::format("its element {} and binding {}, variable \"{}\", have the same shaderIndex: "
                      "give each binding a mapping of its own",
                      element, other.binding, other.name));
    }
  }

  // Bytes of push data that a source reads.
  struct PushSpan {
    uint64_t begin = 0;
    uint64_t end = 0;
    std::string_view what;  // "index", "address" or "data"
    const Resource* resource = nullptr;
    const VulkanMapping* mapping = nullptr;
  };

  void lint_push_data_overlaps() {
    std::vector<PushSpan> spans;
    for (const uint32_t index : entry_point_.usedResources) {
      const Resource& resource = interface_.resources[index];
      if (const VulkanMapping* const mapping = serving(resource))
        add_push_spans(resource, *mapping, spans);
    }
    for (const PushSpan& span : spans) {
      if (!entry_point_.pushConstants) break;
      const uint64_t begin = entry_point_.pushConstants->offset;
      const uint64_t end = begin + entry_point_.pushConstants->size;
      if (span.begin >= end || begin >= span.end) continue;
      add(Severity::Error, Code::PushDataOverlap, *span.resource, span.mapping,
          std::format("its {} in push data bytes {} to {} lies in the shader's push constants, "
                      "bytes {} to {}",
                      span.what, span.begin, span.end, begin, end));
    }
    for (size_t i = 0; i < spans.size(); ++i) {
      for (size_t j = 0; j < i; ++j)
        lint_span_pair(spans[j], spans[i]);
    }
  }

  void add_push_spans(const Resource& resource, const VulkanMapping& mapping,
                      std::vector<PushSpan>& spans) const {
    const uint64_t offset = mapping.numbers.fieldOffset;
    const auto push = [&](uint64_t begin, uint64_t size, std::string_view what) {
      spans.push_back({begin, begin + size, what, &resource, &mapping});
    };
    const bool own_sampler_word = resource.kind == ResourceKind::CombinedSampledImage &&
                                  !mapping.embeddedSampler && !mapping.packedIndex;
    switch (mapping.source) {
      case MappingSource::HeapWithConstantOffset:
      case MappingSource::HeapWithShaderRecordIndex:
      case MappingSource::ShaderRecordData:
      case MappingSource::ShaderRecordAddress:
        return;
      case MappingSource::HeapWithPushIndex:
        if (resource.kind != ResourceKind::Sampler || !mapping.embeddedSampler)
          push(offset, 4, "index");
        if (own_sampler_word && mapping.numbers.samplerHeapIndexStride != 0)
          push(mapping.numbers.samplerFieldOffset, 4, "index");
        return;
      case MappingSource::HeapWithIndirectIndex:
      case MappingSource::HeapWithIndirectIndexArray:
        push(offset, 8, "address");
        if (own_sampler_word && mapping.numbers.samplerHeapIndexStride != 0)
          push(mapping.numbers.samplerFieldOffset, 8, "address");
        return;
      case MappingSource::ResourceHeapData:
        return push(offset, 4, "heap data offset");
      case MappingSource::PushData:
        return push(offset, resource.blockSize, "data");
      case MappingSource::PushAddress:
        return push(offset, 8, "buffer address");
      case MappingSource::IndirectAddress:
        return push(offset, 8, "address");
    }
  }

  // The same index or address may serve many; anything else that overlaps is two values in one
  // place.
  void lint_span_pair(const PushSpan& a, const PushSpan& b) {
    if (a.begin >= b.end || b.begin >= a.end) return;
    if (a.begin == b.begin && a.what == b.what && a.end == b.end) return;
    if (a.resource == b.resource) return;
    add(Severity::Error, Code::PushDataOverlap, *b.resource, b.mapping,
        std::format("its {} in push data bytes {} to {} overlaps the {} of binding {}, variable "
                    "\"{}\", bytes {} to {}",
                    b.what, b.begin, b.end, a.what, a.resource->binding, a.resource->name, a.begin,
                    a.end));
  }

  const reflect::ShaderInterface& interface_;
  const EntryPoint& entry_point_;
  const LintedShader& shader_;
  std::span<const VulkanMapping> mappings_;
  const LintedDevice& device_;
  const std::string& file_;
  Findings& findings_;
  bool embeds_ = false;  // any mapping: the sampler heap's reserved range depends on it
  const Resource* resource_ = nullptr;
  const VulkanMapping* mapping_ = nullptr;
};

}  // namespace

void lint_mappings(const LintedShader& shader, std::span<const VulkanMapping> mappings,
                   const LintedDevice& device, const std::string& mappingsFile,
                   Findings& findings) {
  Linter(shader, mappings, device, mappingsFile, findings).run();
}

}  // namespace heapsmith::check
