// SPDX-License-Identifier: MIT
#include "check/lint_structs.h"

#include <algorithm>
#include <format>
#include <optional>

#include "heapsmith/sampler_members.h"

namespace heapsmith::check {
namespace {

using mapping::VulkanMapping;

constexpr uint32_t bit(SpirvResourceType type) {
  return static_cast<uint32_t>(type);
}

constexpr uint32_t kBuffers =
    bit(SpirvResourceType::UniformBuffer) | bit(SpirvResourceType::ReadOnlyStorageBuffer) |
    bit(SpirvResourceType::ReadWriteStorageBuffer) | bit(SpirvResourceType::AccelerationStructure);
constexpr uint32_t kSampled = bit(SpirvResourceType::CombinedSampledImage) |
                              bit(SpirvResourceType::SampledImage) |
                              bit(SpirvResourceType::Sampler);

/// What one member of a source keeps.
struct OffsetRule {
  const char* member;
  uint32_t alignment;
  const char* alignmentRule;
  uint32_t bytes;         ///< that are read there
  const char* rangeRule;  ///< null: nothing bounds it
};

struct SourceRules {
  OffsetRule field;                     ///< of ResolvedMapping::fieldOffset
  std::optional<OffsetRule> address{};  ///< of ResolvedMapping::addressOffset
};

std::optional<SourceRules> rules_of(MappingSource source) {
  switch (source) {
    case MappingSource::HeapWithConstantOffset:
      return std::nullopt;
    case MappingSource::HeapWithPushIndex:
      return SourceRules{{"pushOffset", 4, "11258", 4, "11259"}};
    case MappingSource::HeapWithIndirectIndex:
      return SourceRules{{"pushOffset", 8, "11260", 8, "11261"},
                         OffsetRule{"addressOffset", 4, "11262", 0, nullptr}};
    case MappingSource::HeapWithIndirectIndexArray:
      return SourceRules{{"pushOffset", 8, "11359", 8, "11360"},
                         OffsetRule{"addressOffset", 4, "11361", 0, nullptr}};
    case MappingSource::ResourceHeapData:
      return SourceRules{{"pushOffset", 4, "11264", 4, "11265"}};
    case MappingSource::PushData:
      return SourceRules{{"pushDataOffset", 4, "11246", 4, "12452"}};
    case MappingSource::PushAddress:
      return SourceRules{{"pushAddressOffset", 8, "11247", 8, "12453"}};
    case MappingSource::IndirectAddress:
      return SourceRules{{"pushOffset", 8, "11266", 8, "11267"},
                         OffsetRule{"addressOffset", 8, "11268", 0, nullptr}};
    case MappingSource::HeapWithShaderRecordIndex:
      return SourceRules{{"shaderRecordOffset", 4, "11269", 4, "11270"}};
    case MappingSource::ShaderRecordData:
      return SourceRules{{"shaderRecordDataOffset", 4, "11249", 4, "11317"}};
    case MappingSource::ShaderRecordAddress:
      return SourceRules{{"shaderRecordAddressOffset", 8, "11250", 8, nullptr}};
  }
  return std::nullopt;
}

class Linter {
 public:
  Linter(const LintedDevice& device, const std::string& file, Findings& findings)
      : device_(device), file_(file), findings_(findings) {}

  void lint(const VulkanMapping& mapping) {
    mapping_ = &mapping;
    lint_counts();
    lint_mask();
    lint_offsets();
    lint_embedded();
  }

  void lint_overlap(const VulkanMapping& a, const VulkanMapping& b) {
    if (a.set != b.set || (a.resourceMask & b.resourceMask) == 0) return;
    const auto end = [](const VulkanMapping& m) {
      return uint64_t{m.firstBinding} + m.bindingCount;
    };
    if (a.firstBinding >= end(b) || b.firstBinding >= end(a)) return;
    mapping_ = &b;
    error(Code::MappingOverlap,
          std::format("serves the same bindings and kinds of resource as the mapping of binding {}"
                      " from {} on (11244)",
                      a.firstBinding, to_string(a.source)));
  }

 private:
  void error(Code code, std::string text) {
    findings_.add(Severity::Error, code, place_of(*mapping_, file_),
                  std::format("{}: {}", to_string(mapping_->source), text), device_.name);
  }

  // Chapter of the mapping structures: bindingCount.
  void lint_counts() {
    if (mapping_->bindingCount == 0)
      findings_.add(Severity::Warning, Code::MappingIgnored, place_of(*mapping_, file_),
                    std::format("{}: bindingCount is 0, so it serves nothing, and the validation "
                                "layer may take it for an overlap (11244)",
                                to_string(mapping_->source)),
                    device_.name);
    if (mapping_->bindingCount == 1 || reaches_descriptors(mapping_->source)) return;
    const bool record = reads_record(mapping_->source);
    error(Code::MappingSourceKind, std::format("bindingCount is {}, it must be 1 ({})",
                                               mapping_->bindingCount, record ? "11248" : "11245"));
  }

  void lint_mask() {
    const uint32_t mask = mapping_->resourceMask;
    if (mask == 0) error(Code::MappingMask, "the resourceMask is 0 and matches nothing");
    switch (mapping_->source) {
      case MappingSource::ResourceHeapData:
      case MappingSource::PushData:
      case MappingSource::ShaderRecordData:
        if ((mask & bit(SpirvResourceType::UniformBuffer)) == 0)
          error(Code::MappingMask, "the resourceMask lacks UNIFORM_BUFFER (11356)");
        break;
      case MappingSource::PushAddress:
      case MappingSource::ShaderRecordAddress:
        if ((mask & kBuffers) == 0)
          error(Code::MappingMask,
                "the resourceMask has no bit of a buffer or an acceleration structure (11357)");
        break;
      case MappingSource::IndirectAddress:  // Vulkan's rule forgets it
        if ((mask & kBuffers) == 0)
          findings_.add(Severity::Warning, Code::MappingMask, place_of(*mapping_, file_),
                        "INDIRECT_ADDRESS: the resourceMask has no bit of a buffer or an "
                        "acceleration structure",
                        device_.name);
        break;
      case MappingSource::HeapWithConstantOffset:
      case MappingSource::HeapWithPushIndex:
      case MappingSource::HeapWithIndirectIndex:
      case MappingSource::HeapWithIndirectIndexArray:
      case MappingSource::HeapWithShaderRecordIndex:
        break;
    }
    if (mapping_->packedIndex && (mask & kSampled) == 0)
      error(Code::MappingMask,
            "useCombinedImageSamplerIndex needs a resourceMask with COMBINED_SAMPLED_IMAGE, "
            "SAMPLED_IMAGE or SAMPLER (11358)");
  }

  void lint_offsets() {
    const auto rules = rules_of(mapping_->source);
    if (!rules) return;
    lint_offset(rules->field, mapping_->numbers.fieldOffset);
    if (rules->address) lint_offset(*rules->address, mapping_->numbers.addressOffset);
    const uint64_t alignment = device_.limits.minUniformBufferOffsetAlignment;
    if (mapping_->source == MappingSource::ResourceHeapData &&
        mapping_->numbers.heapOffset % alignment != 0) {
      error(
          Code::MappingAlignment,
          std::format("heapOffset {} is no multiple of minUniformBufferOffsetAlignment, {} (11263)",
                      mapping_->numbers.heapOffset, alignment));
    }
  }

  void lint_offset(const OffsetRule& rule, uint32_t offset) {
    if (offset % rule.alignment != 0)
      error(Code::MappingAlignment, std::format("{} {} is no multiple of {} ({})", rule.member,
                                                offset, rule.alignment, rule.alignmentRule));
    if (rule.rangeRule == nullptr) return;
    const bool record = reads_record(mapping_->source);
    const uint64_t limit =
        record ? device_.limits.maxShaderRecordSize : device_.limits.maxPushDataSize;
    if (record && limit == 0) return;  // unknown
    if (uint64_t{offset} + rule.bytes > limit)
      error(Code::MappingRange,
            std::format("{} {} is beyond {} - {}, with {} = {} ({})", rule.member, offset,
                        record ? "the shader record" : "maxPushDataSize", rule.bytes,
                        record ? "maxShaderGroupStride less the handle" : "maxPushDataSize", limit,
                        rule.rangeRule));
  }

  void lint_embedded() {
    if (!mapping_->embeddedSampler) return;
    if (mapping_->bindingCount != 1)
      error(Code::EmbeddedSampler,
            std::format("a mapping with pEmbeddedSampler has bindingCount 1, not {} (11389)",
                        mapping_->bindingCount));
    if (has_custom_border_color(*mapping_->embeddedSampler))
      error(
          Code::EmbeddedSampler,
          "an embedded sampler has no custom border colour (11445); put it into the sampler heap");
  }

  const LintedDevice& device_;
  const std::string& file_;
  Findings& findings_;
  const VulkanMapping* mapping_ = nullptr;
};

}  // namespace

bool reads_record(MappingSource source) {
  return source == MappingSource::HeapWithShaderRecordIndex ||
         source == MappingSource::ShaderRecordData || source == MappingSource::ShaderRecordAddress;
}

Place place_of(const VulkanMapping& mapping, const std::string& file) {
  return {.file = mapping.line == 0 ? std::string() : file,
          .line = mapping.line,
          .set = mapping.set,
          .binding = mapping.firstBinding};
}

void lint_structs(std::span<const VulkanMapping> mappings, const LintedDevice& device,
                  const std::string& mappingsFile, Findings& findings) {
  Linter linter(device, mappingsFile, findings);
  for (const VulkanMapping& mapping : mappings)
    linter.lint(mapping);

  // By set and first binding, so that only neighbours are compared.
  std::vector<const VulkanMapping*> order;
  for (const VulkanMapping& mapping : mappings)
    order.push_back(&mapping);
  std::ranges::stable_sort(order, [](const VulkanMapping* a, const VulkanMapping* b) {
    return std::pair(a->set, a->firstBinding) < std::pair(b->set, b->firstBinding);
  });
  for (size_t i = 0; i < order.size(); ++i) {
    const uint64_t end = uint64_t{order[i]->firstBinding} + order[i]->bindingCount;
    for (size_t j = i + 1; j < order.size(); ++j) {
      if (order[j]->set != order[i]->set || order[j]->firstBinding >= end) break;
      linter.lint_overlap(*order[i], *order[j]);
    }
  }
}

}  // namespace heapsmith::check
