// SPDX-License-Identifier: MIT
#include "reflect/reflect_module.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "reflect/block_layout.h"
#include "reflect/block_types.h"
#include "reflect/context.h"
#include "reflect/find_entry_points.h"
#include "reflect/find_heap_accesses.h"
#include "reflect/find_interface_variables.h"
#include "reflect/find_push_constants.h"
#include "reflect/find_resources.h"
#include "reflect/find_specialization.h"
#include "reflect/find_used_bytes.h"
#include "reflect/required_features.h"
#include "reflect/scan_functions.h"
#include "reflect/static_use.h"
#include "reflect/trace_facts.h"
#include "spirv/grammar.h"
#include "spirv/types.h"

namespace heapsmith::reflect {
namespace {

using spirv::Instruction;

/// The variables whose uses are followed: resources, then push constants, then heaps, then those of
/// the interface.
struct Variables {
  std::vector<uint32_t> ids;
  size_t firstPushConstants = 0;
  size_t firstHeap = 0;
  std::vector<HeapVariable> heaps;
  size_t firstInterface = 0;
};

struct State {
  const Context& context;
  BlockLayouts& layouts;
  BlockTypes types;
  ShaderInterface result = {};
  std::vector<FoundPushConstants> pushConstants = {};
  std::vector<FoundInterfaceVariable> interfaceVariables = {};
  std::vector<FoundEntryPoint> entryPoints = {};
  Variables variables = {};
  std::vector<std::pair<uint32_t, uint32_t>> interfaceIndices = {};  // id and index, by id

  [[nodiscard]] bool run();

 private:
  bool read_capabilities();
  void describe_blocks();
  void list_variables();
  [[nodiscard]] bool read_uses();
  void apply_use(EntryPoint& entryPoint, const StaticUse& use);
  void apply_facts(const std::vector<uint16_t>& facts);
  void apply_interface(FoundEntryPoint& found, const StaticUse& use);
  void apply_reached(const std::vector<HeapUse>& uses,
                     const std::vector<std::vector<ByteRange>>& bytes, StaticUseFinder& finder);
  [[nodiscard]] std::vector<std::vector<ByteRange>> read_used_bytes() const;
  void apply_picks(const ModuleUses& uses, const std::vector<bool>& reachable,
                   const std::vector<uint16_t>& facts);
};

bool State::run() {
  if (!read_capabilities()) return false;
  auto found = find_entry_points(context);
  result.resources = find_resources(context, layouts);
  pushConstants = find_push_constants(context, layouts);
  interfaceVariables = find_interface_variables(context, result.variables);
  if (!found || context.diagnostics.has_errors()) return false;
  entryPoints = std::move(*found);
  describe_blocks();
  result.specializationConstants = find_specialization_constants(context);
  list_variables();
  return !context.diagnostics.has_errors() && read_uses();
}

bool State::read_capabilities() {
  result.spirvVersion = context.module.version();
  for (const Instruction instruction : context.module.declarations()) {
    if (instruction.op() == spv::Op::OpExtension)
      result.extensions.push_back(instruction.string(1));
    if (instruction.op() != spv::Op::OpCapability) continue;
    const auto capability = static_cast<spv::Capability>(instruction.word(1));
    if (capability == spv::Capability::Kernel) {
      (void)context.diagnostics.error(
          Code::UnsupportedSpirv, {.file = context.file},
          "the module is an OpenCL kernel (capability Kernel) and no Vulkan shader");
      return false;
    }
    const auto name = spirv::capability_name(instruction.word(1));
    result.capabilities.push_back(name.empty() ? std::to_string(instruction.word(1))
                                               : std::string(name));
  }
  result.requiredFeatures = required_features(result.capabilities);
  return true;
}

void State::describe_blocks() {
  const auto block_of = [&](uint32_t variable) {
    const Instruction definition = context.module.definition(variable);
    return spirv::array_element(context.module, spirv::variable_type(context.module, definition));
  };
  for (Resource& resource : result.resources) {
    const bool isBuffer = resource.type == DescriptorType::UniformBuffer ||
                          resource.type == DescriptorType::StorageBuffer;
    if (isBuffer) resource.block = types.add(block_of(resource.id));
  }
  for (FoundPushConstants& found : pushConstants)
    found.pushConstants.block = types.add(block_of(found.id));
  for (const FoundInterfaceVariable& found : interfaceVariables)
    if (found.recordType != 0 && layouts.of(found.recordType).defect.empty())
      result.variables[found.first].block = types.add(found.recordType);
}

void State::list_variables() {
  for (const Resource& resource : result.resources)
    variables.ids.push_back(resource.id);
  variables.firstPushConstants = variables.ids.size();
  for (const FoundPushConstants& found : pushConstants)
    variables.ids.push_back(found.id);
  variables.firstHeap = variables.ids.size();
  for (const Instruction instruction : context.module.declarations()) {
    if (instruction.op() != spv::Op::OpUntypedVariableKHR) continue;
    const uint32_t id = instruction.word(2);
    const auto* annotation = context.annotations.find(id, spv::Decoration::BuiltIn);
    if (annotation == nullptr) continue;
    const auto builtIn = static_cast<spv::BuiltIn>(context.annotations.operand(*annotation));
    const bool samplerHeap = builtIn == spv::BuiltIn::SamplerHeapEXT;
    if (!samplerHeap && builtIn != spv::BuiltIn::ResourceHeapEXT) continue;
    const bool hasPlace = context.annotations.has(id, spv::Decoration::DescriptorSet) ||
                          context.annotations.has(id, spv::Decoration::Binding);
    if (hasPlace)
      (void)context.diagnostics.error(
          Code::ResourceDecoration,
          {.file = context.file, .resource = context.annotations.name(id)},
          "a heap has no set and binding: it is bound as a whole");
    variables.ids.push_back(id);
    variables.heaps.push_back({.id = id, .samplerHeap = samplerHeap});
  }
  variables.firstInterface = variables.ids.size();
  for (uint32_t i = 0; i < interfaceVariables.size(); ++i) {
    variables.ids.push_back(interfaceVariables[i].id);
    interfaceIndices.emplace_back(interfaceVariables[i].id, i);
  }
  std::ranges::sort(interfaceIndices);
}

bool State::read_uses() {
  const ModuleUses uses = scan_functions(context, variables.ids);
  StaticUseFinder finder(uses, variables.ids.size());
  std::vector<bool> reachable(uses.functions.size());
  for (FoundEntryPoint& found : entryPoints) {
    const StaticUse use = finder.find(found.functionIndex);
    for (const uint32_t function : use.functions)
      reachable[function] = true;
    apply_use(found.entryPoint, use);
    apply_interface(found, use);
    result.entryPoints.push_back(std::move(found.entryPoint));
  }
  const std::vector<uint16_t> facts = trace_facts(context, uses, reachable);
  apply_facts(facts);
  apply_picks(uses, reachable, facts);
  FoundHeapAccesses heaps;
  if (!variables.heaps.empty()) {
    auto found =
        find_heap_accesses(context, uses, reachable, facts, variables.heaps, layouts, types);
    if (!found) return false;
    heaps = std::move(*found);
  }
  result.heapAccesses = std::move(heaps.accesses);
  result.types = types.take();
  apply_reached(heaps.uses, read_used_bytes(), finder);
  return true;
}

/// What the functions reach of push constants; empty where there are none.
std::vector<std::vector<ByteRange>> State::read_used_bytes() const {
  if (pushConstants.empty()) return {};
  std::vector<BlockVariable> blocks;
  for (const FoundPushConstants& found : pushConstants)
    blocks.push_back({.id = found.id, .block = found.pushConstants.block});
  return find_used_bytes(context, blocks, result.types);
}

/// An interface list holds all inputs and outputs, and from SPIR-V 1.4 on all variables.
void State::apply_interface(FoundEntryPoint& found, const StaticUse& use) {
  std::map<uint32_t, bool> listed;  // index, and whether it is used
  for (const uint32_t variable : use.variables) {
    if (variable < variables.firstInterface) continue;
    const auto index = static_cast<uint32_t>(variable - variables.firstInterface);
    listed[index] = true;
  }
  const auto nameWords = static_cast<uint32_t>(found.entryPoint.name.size() / 4 + 1);
  for (const uint32_t id : found.instruction.words_from(3 + nameWords)) {
    const auto variable = std::ranges::lower_bound(interfaceIndices, std::pair(id, uint32_t{0}));
    if (variable != interfaceIndices.end() && variable->first == id)
      listed.try_emplace(variable->second, false);
  }
  for (const auto& [index, isUsed] : listed) {
    const FoundInterfaceVariable& variable = interfaceVariables[index];
    for (uint32_t i = 0; i < variable.count; ++i)
      found.entryPoint.variables.push_back({.variable = variable.first + i, .used = isUsed});
  }
}

/// Vulkan allows one push-constant block an entry point; if a module uses more, the range covers
/// them all.
void add_push_constants(EntryPoint& entryPoint, const PushConstants& more) {
  if (!entryPoint.pushConstants) {
    entryPoint.pushConstants = more;
    return;
  }
  PushConstants& all = *entryPoint.pushConstants;
  const uint32_t end = std::max(all.offset + all.size, more.offset + more.size);
  all.offset = std::min(all.offset, more.offset);
  all.size = end - all.offset;
}

void State::apply_use(EntryPoint& entryPoint, const StaticUse& use) {
  for (const uint32_t variable : use.variables) {
    if (variable < variables.firstPushConstants) {
      entryPoint.usedResources.push_back(variable);
    } else if (variable < variables.firstHeap) {
      add_push_constants(entryPoint,
                         pushConstants[variable - variables.firstPushConstants].pushConstants);
    } else if (variable < variables.firstInterface) {
      const bool samplerHeap = variables.heaps[variable - variables.firstHeap].samplerHeap;
      (samplerHeap ? result.usesSamplerHeap : result.usesResourceHeap) = true;
    }
  }
}

void State::apply_reached(const std::vector<HeapUse>& uses,
                          const std::vector<std::vector<ByteRange>>& bytes,
                          StaticUseFinder& finder) {
  std::vector<uint32_t> reached(
      context.module.functions().size());  // by which entry point, plus one
  std::vector<uint32_t> listed(result.heapAccesses.size());
  for (uint32_t i = 0; i < entryPoints.size(); ++i) {
    EntryPoint& entryPoint = result.entryPoints[i];
    const StaticUse use = finder.find(entryPoints[i].functionIndex);
    std::vector<ByteRange> ranges;
    for (const uint32_t function : use.functions) {
      reached[function] = i + 1;
      if (!bytes.empty())
        ranges.insert(ranges.end(), bytes[function].begin(), bytes[function].end());
    }
    merge_ranges(ranges);
    if (entryPoint.pushConstants) entryPoint.pushConstants->usedRanges = std::move(ranges);
    for (const uint32_t function : use.functions) {
      for (const HeapUse& heapUse :
           std::ranges::equal_range(uses, function, {}, &HeapUse::reader)) {
        if (heapUse.chain != kNoType && reached[heapUse.chain] != i + 1) continue;
        if (std::exchange(listed[heapUse.access], i + 1) != i + 1)
          entryPoint.heapAccesses.push_back(heapUse.access);
      }
    }
    std::ranges::sort(entryPoint.heapAccesses);
  }
}

void State::apply_picks(const ModuleUses& uses, const std::vector<bool>& reachable,
                        const std::vector<uint16_t>& facts) {
  std::vector<std::set<uint64_t>> indices(variables.firstPushConstants);
  for (size_t i = 0; i < uses.functions.size(); ++i) {
    if (!reachable[i]) continue;
    for (uint32_t k = uses.functions[i].picks.begin; k < uses.functions[i].picks.end; ++k)
      if (uses.picks[k].variable < indices.size())
        indices[uses.picks[k].variable].insert(uses.picks[k].index);
  }
  for (size_t i = 0; i < indices.size(); ++i) {
    Resource& resource = result.resources[i];
    if ((facts[resource.id] & (kDynamicIndex | kOtherIndex)) != 0) continue;
    for (const uint64_t index : indices[i])
      if (resource.constantIndices.size() < kMaxListedIndices)
        resource.constantIndices.push_back(index);
  }
}

void State::apply_facts(const std::vector<uint16_t>& facts) {
  for (Resource& resource : result.resources) {
    const uint16_t bits = facts[resource.id];
    const bool arrayed = !resource.dims.empty();
    const bool writable = resource.type != DescriptorType::AccelerationStructureKHR;
    resource.isRead = (bits & kReads) != 0;
    resource.isWritten = (bits & kWrites) != 0 && writable;
    resource.usesAtomics = (bits & kAtomics) != 0;
    resource.usesLength = (bits & kLength) != 0;
    resource.usesDerivatives = (bits & kDerivatives) != 0;
    resource.comparison = (bits & kComparison) != 0;
    resource.dynamicallyIndexed = arrayed && (bits & kDynamicIndex) != 0;
    resource.nonUniformlyIndexed = arrayed && (bits & kNonUniformIndex) != 0;
  }
}

/// `diagnostics` holds what this module is about and nothing else.
Diagnosed<ShaderInterface> reflect(const spirv::Module& module, const std::string& file,
                                   Diagnostics& diagnostics) {
  auto annotations = spirv::Annotations::collect(module, file, diagnostics);
  if (!annotations) return diagnostics.failed();
  const spirv::Constants constants(module, *annotations);
  const Context context{.module = module,
                        .annotations = *annotations,
                        .constants = constants,
                        .file = file,
                        .diagnostics = diagnostics};
  BlockLayouts layouts(context);
  State state{.context = context, .layouts = layouts, .types = BlockTypes(context, layouts)};
  if (!state.run()) return diagnostics.failed();
  return std::move(state.result);
}

}  // namespace

Diagnosed<ShaderInterface> reflect_module(const spirv::Module& module, const std::string& file,
                                          Diagnostics& diagnostics) {
  Diagnostics own;
  auto result = reflect(module, file, own);
  diagnostics.append(std::move(own));
  return result;
}

}  // namespace heapsmith::reflect
