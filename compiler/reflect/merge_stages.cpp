// SPDX-License-Identifier: MIT
#include <algorithm>
#include <format>
#include <ranges>
#include <tuple>
#include <utility>

#include "reflect/program_interface.h"

namespace heapsmith::reflect {
namespace {

// A resource of one shader, with what is needed to talk about it.
struct Declaration {
  const ShaderUse* shader = nullptr;
  const Resource* resource = nullptr;
  ShaderStage stage{};
  bool used = false;
};

Place place_of(const Declaration& declaration) {
  return {
      .file = declaration.shader->file,
      .entryPoint = declaration.shader->interface->entryPoints[declaration.shader->entryPoint].name,
      .resource = declaration.resource->name,
      .set = declaration.resource->set,
      .binding = declaration.resource->binding};
}

// What a program declares: what its entry points use, and what no entry point of their modules
// uses.
std::vector<Declaration> declarations_of(std::span<const ShaderUse> shaders) {
  std::vector<Declaration> declarations;
  for (const ShaderUse& shader : shaders) {
    const ShaderInterface& interface = *shader.interface;
    std::vector<bool> used_by_any(interface.resources.size());
    for (const EntryPoint& entry_point : interface.entryPoints) {
      for (const uint32_t index : entry_point.usedResources)
        used_by_any[index] = true;
    }
    const EntryPoint& mine = interface.entryPoints[shader.entryPoint];
    for (uint32_t index = 0; index < interface.resources.size(); ++index) {
      const bool used = std::ranges::binary_search(mine.usedResources, index);
      if (!used && used_by_any[index]) continue;
      declarations.push_back({&shader, &interface.resources[index], mine.stage, used});
    }
  }
  // Used before unused, so that an unused declaration never decides a binding's type; then by stage
  // and file, so that the order of arguments does not matter.
  std::ranges::stable_sort(declarations, {}, [](const Declaration& d) {
    return std::tuple(d.resource->set, d.resource->binding, !d.used, d.stage, d.shader->file,
                      d.resource->id);
  });
  return declarations;
}

ProgramBinding first_of(const Declaration& declaration) {
  const Resource& resource = *declaration.resource;
  return {.set = resource.set,
          .binding = resource.binding,
          .name = resource.name,
          .type = resource.type,
          .arrayKind = resource.arrayKind,
          .dims = resource.dims,
          .count = resource.count,
          .file = declaration.shader->file};
}

void report_conflict(const Declaration& first, const Declaration& other, Diagnostics& diagnostics) {
  diagnostics.error(
      Code::BindingConflict, place_of(other),
      std::format("set {} binding {} is {} '{}' here and {} '{}' in {}; one binding of a "
                  "program has one type",
                  other.resource->set, other.resource->binding, to_string(other.resource->type),
                  other.resource->name, to_string(first.resource->type), first.resource->name,
                  first.shader->file));
}

void check_block_sizes(const Declaration& first, const Declaration& other,
                       Diagnostics& diagnostics) {
  // Several views in one module are an idiom (aliasing); two stages that disagree are more likely a
  // mistake.
  if (first.shader->interface == other.shader->interface ||
      first.resource->blockSize == other.resource->blockSize) {
    return;
  }
  diagnostics.warning(
      Code::BlockSizeDiffers, place_of(other),
      std::format("'{}' is {} bytes here and {} bytes in {}; a buffer must have the larger size",
                  other.resource->name, other.resource->blockSize, first.resource->blockSize,
                  first.shader->file));
}

BindingView view_of(const Declaration& declaration) {
  const Resource& resource = *declaration.resource;
  const bool has_block = resource.block != kNoType && !declaration.shader->blocks.empty();
  return {.name = resource.name,
          .blockName = resource.blockName,
          .block = has_block ? declaration.shader->blocks[resource.block] : kNoType,
          .counterBuffer = resource.counterBuffer,
          .userType = resource.userType,
          .inputAttachmentIndex = resource.inputAttachmentIndex,
          .comparison = declaration.used && resource.comparison,
          .usesLength = declaration.used && resource.usesLength};
}

void merge(ProgramBinding& binding, const Declaration& declaration) {
  const Resource& resource = *declaration.resource;
  unite_arrays(binding, resource.arrayKind, resource.dims, resource.count);
  // A runtime array needs room for one element, or nothing could be bound that is read.
  const uint64_t withElement =
      resource.runtimeTailStride == 0 ? 0 : resource.runtimeTailOffset + resource.runtimeTailStride;
  binding.minBufferSize = std::max({binding.minBufferSize, resource.blockSize, withElement});
  if (declaration.used) {
    binding.stages |= static_cast<uint32_t>(declaration.stage);
    binding.kinds |= static_cast<uint32_t>(resource.kind);
    binding.isWritten |= resource.isWritten;
    binding.usesLength |= resource.usesLength;
    binding.variablePointers |= resource.type == DescriptorType::StorageBuffer &&
                                has_variable_pointers(*declaration.shader->interface);
  }
  unite_views(binding.views, view_of(declaration));
}

// All declarations of one binding, sorted as declarations_of() does.
void merge_binding(std::span<const Declaration> group, ProgramInterface& program,
                   Diagnostics& diagnostics) {
  const Declaration& first = group.front();
  ProgramBinding binding = first_of(first);
  for (const Declaration& declaration : group) {
    const auto type = common_type(binding.type, declaration.resource->type);
    // What nobody uses does not decide what those who do must bind.
    const bool idle = first.used && !declaration.used;
    if (!type && !idle) report_conflict(first, declaration, diagnostics);
    if (!type || (idle && *type != binding.type)) continue;
    check_block_sizes(first, declaration, diagnostics);
    binding.type = *type;
    merge(binding, declaration);
  }
  program.bindings.push_back(std::move(binding));
}

void merge_push_constants(ProgramInterface& program, const std::optional<PushConstants>& range) {
  if (!range || range->size == 0) return;
  if (!program.pushConstants) {
    program.pushConstants = range;
    return;
  }
  PushConstants& all = *program.pushConstants;
  const uint32_t end = std::max(all.offset + all.size, range->offset + range->size);
  all.offset = std::min(all.offset, range->offset);
  all.size = end - all.offset;
  all.name = std::min(all.name, range->name);  // whatever the order of the shaders
}

// Up to the end of its last sized member: a runtime array cannot lie in a record.
void merge_record_block(ProgramInterface& program, const ShaderUse& shader) {
  const ShaderInterface& interface = *shader.interface;
  for (const EntryPointVariable& listed : interface.entryPoints[shader.entryPoint].variables) {
    const InterfaceVariable& variable = interface.variables[listed.variable];
    if (!listed.used || variable.kind != InterfaceKind::ShaderRecord) continue;
    if (variable.block == kNoType) continue;
    program.recordBlockSize =
        std::max(program.recordBlockSize, interface.types[variable.block].size);
  }
}

}  // namespace

bool has_variable_pointers(const ShaderInterface& interface) {
  return std::ranges::any_of(interface.capabilities, [](const std::string& capability) {
    return capability.starts_with("VariablePointers");
  });
}

std::optional<DescriptorType> common_type(DescriptorType a, DescriptorType b) {
  if (a == b) return a;
  const auto is_part = [](DescriptorType type) {
    return type == DescriptorType::Sampler || type == DescriptorType::SampledImage ||
           type == DescriptorType::CombinedImageSampler;
  };
  if (is_part(a) && is_part(b)) return DescriptorType::CombinedImageSampler;
  return std::nullopt;
}

void unite_views(std::vector<BindingView>& views, const BindingView& view) {
  const auto declaration = [](const BindingView& v) {
    return std::tie(v.name, v.blockName, v.block, v.counterBuffer, v.userType,
                    v.inputAttachmentIndex);
  };
  const auto found = std::ranges::find(views, declaration(view), declaration);
  if (found == views.end()) {
    views.push_back(view);
    return;
  }
  found->comparison |= view.comparison;
  found->usesLength |= view.usesLength;
}

void unite_arrays(ProgramBinding& binding, ArrayKind kind, const std::vector<uint32_t>& dims,
                  uint64_t count) {
  const bool was_runtime = binding.arrayKind == ArrayKind::Runtime;
  if (was_runtime || kind == ArrayKind::Runtime) {
    if (!was_runtime) binding.dims = dims;
    binding.arrayKind = ArrayKind::Runtime;
  } else {
    if (count > binding.count || binding.arrayKind == ArrayKind::None) binding.dims = dims;
    // A length that can be specialised in one shader can be overridden for all.
    binding.arrayKind = std::max(binding.arrayKind, kind);
  }
  binding.count = std::max(binding.count, count);
}

Diagnosed<ProgramInterface> merge_stages(std::span<const ShaderUse> shaders,
                                         Diagnostics& diagnostics) {
  ProgramInterface program;
  const std::vector<Declaration> declarations = declarations_of(shaders);
  const auto same_binding = [](const Declaration& a, const Declaration& b) {
    return a.resource->set == b.resource->set && a.resource->binding == b.resource->binding;
  };
  const size_t errors = diagnostics.all().size();
  for (const auto group : declarations | std::views::chunk_by(same_binding)) {
    merge_binding(group, program, diagnostics);
  }
  const auto is_error = [](const Diagnostic& d) { return d.severity == Severity::Error; };
  if (std::ranges::any_of(diagnostics.all() | std::views::drop(errors), is_error)) {
    return diagnostics.failed();
  }

  for (const ShaderUse& shader : shaders) {
    program.stages |= static_cast<uint32_t>(shader.interface->entryPoints[shader.entryPoint].stage);
    merge_push_constants(program, shader.interface->entryPoints[shader.entryPoint].pushConstants);
    merge_record_block(program, shader);
  }
  return program;
}

}  // namespace heapsmith::reflect
