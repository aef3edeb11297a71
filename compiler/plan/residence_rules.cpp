// SPDX-License-Identifier: MIT
#include "plan/residence_rules.h"

#include <format>

namespace heapsmith::plan {
namespace {

using reflect::ProgramBinding;

constexpr bool is_record(Residence residence) {
  return residence == Residence::Record || residence == Residence::RecordData ||
         residence == Residence::RecordAddress;
}

constexpr bool is_address(Residence residence) {
  return residence == Residence::PushAddress || residence == Residence::IndirectAddress ||
         residence == Residence::RecordAddress;
}

std::optional<std::string> forbidden_address(const ProgramBinding& binding,
                                             const ResidenceContext& context) {
  const bool addressable = binding.type == DescriptorType::UniformBuffer ||
                           binding.type == DescriptorType::StorageBuffer ||
                           binding.type == DescriptorType::AccelerationStructureKHR;
  if (!addressable) {
    return std::format("only a buffer or an acceleration structure has an address, not {} (11318)",
                       to_string(binding.type));
  }
  if (binding.arrayKind != ArrayKind::None) return "an array needs descriptors (11318)";
  if (binding.usesLength) return "a shader asks for its length, which an address lacks (11378)";
  if (binding.variablePointers) {
    return "the module declares variable pointers, which may pick it among other buffers (11387)";
  }
  if (context.robustBufferAccess && binding.type != DescriptorType::AccelerationStructureKHR) {
    return "an address has no bounds, and the policy asks for robustBufferAccess (11398)";
  }
  return std::nullopt;
}

std::optional<std::string> forbidden_data(const ProgramBinding& binding,
                                          const ResidenceContext& context) {
  if (binding.type != DescriptorType::UniformBuffer) {
    return std::format("only a uniform block's bytes can stand for its descriptor, not {} (11315)",
                       to_string(binding.type));
  }
  if (binding.arrayKind != ArrayKind::None) return "an array needs descriptors (11315)";
  if (context.robustBufferAccess) {
    return "plain bytes have no bounds, and the policy asks for robustBufferAccess (11398)";
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> forbidden(Residence residence, const ProgramBinding& binding,
                                     const ResidenceContext& context) {
  if (is_record(residence) && (context.programStages & ~kRayTracingStages) != 0) {
    return "only ray-tracing stages have a shader record (12454)";
  }
  if (is_table_residence(residence)) return std::nullopt;
  return is_address(residence) ? forbidden_address(binding, context)
                               : forbidden_data(binding, context);
}

}  // namespace heapsmith::plan
