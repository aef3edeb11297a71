// SPDX-License-Identifier: MIT
#include "driver/compare_interfaces.h"

#include <algorithm>
#include <format>
#include <iterator>
#include <set>
#include <string_view>
#include <vector>

namespace heapsmith::driver {
namespace {

using reflect::EntryPoint;
using reflect::ShaderInterface;
using Facts = std::set<std::string>;

// Where everything in a block lies. Cycles close in addresses alone, which are not followed.
std::string layout_text(const ShaderInterface& shader, uint32_t index) {
  if (index == reflect::kNoType) return "?";
  const reflect::BlockType& type = shader.types[index];
  switch (type.kind) {
    case reflect::TypeKind::Scalar:
    case reflect::TypeKind::Vector:
    case reflect::TypeKind::Matrix:
      return std::format("{}x{}x{}", type.scalar, type.columns, type.rows);
    case reflect::TypeKind::Array:
    case reflect::TypeKind::RuntimeArray:
      return std::format("{}[{} by {}]", layout_text(shader, type.element), type.length,
                         type.stride);
    case reflect::TypeKind::Address:
      return "address";
    case reflect::TypeKind::Structure:
      break;
  }
  std::string text = "{";
  for (const reflect::BlockMember& member : type.members)
    text += std::format(" {}: {} {}{}", member.offset, layout_text(shader, member.type),
                        member.matrixStride, member.rowMajor ? " rows" : "");
  return text + " }";
}

// Structures have other names in the text.
std::string type_of(const reflect::InterfaceVariable& variable) {
  if (!variable.isStructure) return variable.type;
  const size_t dims = std::min(variable.type.find('['), variable.type.size());
  return "structure" + variable.type.substr(dims);
}

Facts used_variables(const ShaderInterface& shader, const EntryPoint& entry) {
  Facts facts;
  for (const reflect::EntryPointVariable& use : entry.variables) {
    const reflect::InterfaceVariable& variable = shader.variables[use.variable];
    if (!use.used || !variable.location) continue;
    std::string text =
        std::format("kind {} location {} component {} index {} {}", static_cast<int>(variable.kind),
                    *variable.location, variable.component.value_or(0), variable.index.value_or(0),
                    type_of(variable));
    auto decorations = variable.decorations;
    std::ranges::sort(decorations);
    for (const std::string& decoration : decorations) {
      // It says how exact a result may be, not which.
      if (decoration != "RelaxedPrecision") text += " " + decoration;
    }
    facts.insert(std::move(text));
  }
  return facts;
}

Facts used_resources(const ShaderInterface& shader, const EntryPoint& entry) {
  Facts facts;
  for (const uint32_t index : entry.usedResources) {
    const reflect::Resource& resource = shader.resources[index];
    facts.insert(std::format("set {} binding {} type {} count {} {}", resource.set,
                             resource.binding, static_cast<int>(resource.type), resource.count,
                             layout_text(shader, resource.block)));
  }
  return facts;
}

Facts heap_accesses(const ShaderInterface& shader, const EntryPoint& entry) {
  Facts facts;
  for (const uint32_t index : entry.heapAccesses) {
    const reflect::HeapAccess& access = shader.heapAccesses[index];
    std::string image;
    if (access.image)
      image =
          std::format("dim {} {} {} {} {}", access.image->dim, access.image->arrayed,
                      access.image->multisampled, access.image->format, access.image->sampledType);
    facts.insert(std::format("type {} {} {}", access.type ? static_cast<int>(*access.type) : -1,
                             layout_text(shader, access.block), image));
  }
  return facts;
}

Facts push_constants(const ShaderInterface& shader, const EntryPoint& entry) {
  const auto& push = entry.pushConstants;
  if (!push) return {};
  return {layout_text(shader, push->block)};
}

Facts specialization_constants(const ShaderInterface& shader, const EntryPoint&) {
  Facts facts;
  for (const reflect::SpecializationConstant& constant : shader.specializationConstants)
    facts.insert(std::format("{} {} {}", constant.specId, constant.type, constant.defaultBits));
  return facts;
}

// How large workgroups are is compared by value. One invocation is what GLSL says where SPIR-V may
// say nothing.
Facts execution_modes(const ShaderInterface&, const EntryPoint& entry) {
  constexpr std::string_view kIgnored[] = {"LocalSize", "LocalSizeId"};
  Facts facts;
  for (const reflect::ExecutionMode& mode : entry.executionModes) {
    if (std::ranges::contains(kIgnored, mode.name)) continue;
    std::string text = mode.name;
    for (const reflect::ExecutionModeOperand& operand : mode.operands)
      text += std::format(" {}", operand.value);
    if (text != "Invocations 1") facts.insert(std::move(text));
  }
  return facts;
}

Facts workgroup(const ShaderInterface&, const EntryPoint& entry) {
  Facts facts;
  if (!entry.workgroupSize) return facts;
  for (size_t i = 0; i < entry.workgroupSize->size(); ++i)
    facts.insert(std::format("{}: {}", i, (*entry.workgroupSize)[i]));
  for (size_t i = 0; i < entry.workgroupSizeSpecIds.size(); ++i) {
    for (const uint32_t id : entry.workgroupSizeSpecIds[i])
      facts.insert(std::format("{} by constant {}", i, id));
  }
  return facts;
}

Facts features(const ShaderInterface& shader) {
  Facts facts;
  for (const reflect::RequiredFeature& required : shader.requiredFeatures) {
    std::string text;
    for (const std::string& feature : required.features)
      text += (text.empty() ? "" : " or ") + feature;
    facts.insert(std::move(text));
  }
  return facts;
}

// One cannot be traded for the other.
bool has_vulkan_model(const ShaderInterface& shader) {
  return std::ranges::contains(shader.capabilities, std::string_view("VulkanMemoryModel"));
}

}  // namespace

std::vector<std::string> further_features(const ShaderInterface& wanted,
                                          const ShaderInterface& found) {
  std::vector<std::string> further;
  std::ranges::set_difference(features(found), features(wanted), std::back_inserter(further));
  return further;
}

std::string compare_interfaces(const ShaderInterface& wanted, size_t entryPoint,
                               const ShaderInterface& found) {
  if (found.entryPoints.size() != 1) return "entry points";
  const EntryPoint& wantedEntry = wanted.entryPoints[entryPoint];
  const EntryPoint& foundEntry = found.entryPoints[0];
  if (wantedEntry.stage != foundEntry.stage) return "stage";
  constexpr std::pair<std::string_view, Facts (*)(const ShaderInterface&, const EntryPoint&)>
      kParts[] = {
          {"inputs or outputs", used_variables},
          {"resources that stay mapped", used_resources},
          {"descriptors in the heaps", heap_accesses},
          {"push constants", push_constants},
          {"specialization constants", specialization_constants},
          {"execution modes", execution_modes},
          {"workgroup size", workgroup},
      };
  for (const auto& [name, facts_of] : kParts) {
    if (facts_of(wanted, wantedEntry) != facts_of(found, foundEntry)) return std::string(name);
  }
  return has_vulkan_model(wanted) == has_vulkan_model(found) ? "" : "memory model";
}

}  // namespace heapsmith::driver
