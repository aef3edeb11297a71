// SPDX-License-Identifier: MIT
#include "reflect/find_entry_points.h"

#include <algorithm>
#include <format>
#include <optional>
#include <unordered_map>
#include <utility>

#include "reflect/constant_text.h"
#include "spirv/grammar.h"

namespace heapsmith::reflect {
namespace {

using spirv::Instruction;

std::optional<ShaderStage> stage_of(spv::ExecutionModel model) {
  switch (model) {
    case spv::ExecutionModel::Vertex:
      return ShaderStage::Vertex;
    case spv::ExecutionModel::TessellationControl:
      return ShaderStage::TessellationControl;
    case spv::ExecutionModel::TessellationEvaluation:
      return ShaderStage::TessellationEvaluation;
    case spv::ExecutionModel::Geometry:
      return ShaderStage::Geometry;
    case spv::ExecutionModel::Fragment:
      return ShaderStage::Fragment;
    case spv::ExecutionModel::GLCompute:
      return ShaderStage::Compute;
    case spv::ExecutionModel::TaskEXT:
    case spv::ExecutionModel::TaskNV:
      return ShaderStage::Task;
    case spv::ExecutionModel::MeshEXT:
    case spv::ExecutionModel::MeshNV:
      return ShaderStage::Mesh;
    case spv::ExecutionModel::RayGenerationKHR:
      return ShaderStage::RayGeneration;
    case spv::ExecutionModel::AnyHitKHR:
      return ShaderStage::AnyHit;
    case spv::ExecutionModel::ClosestHitKHR:
      return ShaderStage::ClosestHit;
    case spv::ExecutionModel::MissKHR:
      return ShaderStage::Miss;
    case spv::ExecutionModel::IntersectionKHR:
      return ShaderStage::Intersection;
    case spv::ExecutionModel::CallableKHR:
      return ShaderStage::Callable;
    default:  // OpenCL kernels, and whatever an extension may add
      return std::nullopt;
  }
}

struct State {
  const Context& context;
  std::vector<Instruction> entryPoints = {};
  std::unordered_map<uint32_t, std::vector<Instruction>> modes = {};  // by the function
  std::unordered_map<uint32_t, uint32_t> functionIndices = {};
  uint32_t workgroupSizeConstant = 0;

  void collect();
  [[nodiscard]] Diagnosed<FoundEntryPoint> read(Instruction instruction) const;

 private:
  void read_modes(uint32_t function, EntryPoint& entryPoint) const;
  void read_workgroup_size(EntryPoint& entryPoint, Instruction localSize) const;
  void set_workgroup_size(EntryPoint& entryPoint, std::span<const uint32_t> ids) const;
};

void State::collect() {
  const auto functions = context.module.functions();
  for (uint32_t i = 0; i < functions.size(); ++i)
    functionIndices[functions[i].id] = i;
  for (const Instruction instruction : context.module.declarations()) {
    switch (instruction.op()) {
      case spv::Op::OpEntryPoint:
        entryPoints.push_back(instruction);
        break;
      case spv::Op::OpExecutionMode:
      case spv::Op::OpExecutionModeId:
        modes[instruction.word(1)].push_back(instruction);
        break;
      case spv::Op::OpConstantComposite:
      case spv::Op::OpSpecConstantComposite:
        if (const auto* builtIn =
                context.annotations.find(instruction.word(2), spv::Decoration::BuiltIn);
            builtIn != nullptr && static_cast<spv::BuiltIn>(context.annotations.operand(
                                      *builtIn)) == spv::BuiltIn::WorkgroupSize)
          workgroupSizeConstant = instruction.word(2);
        break;
      default:  // says nothing about entry points
        break;
    }
  }
}

ExecutionMode read_mode(const Context& context, Instruction instruction) {
  ExecutionMode mode;
  mode.name = spirv::execution_mode_name(instruction.word(2));
  if (mode.name.empty()) mode.name = std::to_string(instruction.word(2));
  for (const uint32_t operand : instruction.words_from(3)) {
    if (instruction.op() == spv::Op::OpExecutionMode) {
      mode.operands.push_back({.value = operand});
      continue;
    }
    const auto value = context.constants.value(operand);
    const auto specIds = context.constants.spec_ids(operand);
    const bool isPlain = value && specIds && specIds->empty();
    mode.operands.push_back({.value = static_cast<uint32_t>(value.value_or(0)),
                             .expression = isPlain ? "" : constant_text(context, operand)});
  }
  return mode;
}

void State::set_workgroup_size(EntryPoint& entryPoint, std::span<const uint32_t> ids) const {
  std::vector<uint32_t> values;
  std::vector<std::vector<uint32_t>> specIds;
  for (const uint32_t id : ids) {
    const auto value = context.constants.value(id);
    if (!value) return;
    values.push_back(static_cast<uint32_t>(*value));
    specIds.push_back(context.constants.spec_ids(id).value_or(std::vector<uint32_t>()));
  }
  if (values.size() != 3) return;
  entryPoint.workgroupSize = std::move(values);
  const bool isPlain = std::ranges::all_of(specIds, [](const auto& list) { return list.empty(); });
  if (!isPlain) entryPoint.workgroupSizeSpecIds = std::move(specIds);
}

/// `localSize`: the execution mode that says it; an OpNop where none does.
void State::read_workgroup_size(EntryPoint& entryPoint, Instruction localSize) const {
  // The built-in constant takes precedence over the execution mode (Vulkan, "WorkgroupSize").
  if (workgroupSizeConstant != 0)
    return set_workgroup_size(entryPoint,
                              context.module.definition(workgroupSizeConstant).words_from(3));
  const auto operands = localSize.words_from(3);
  if (static_cast<spv::ExecutionMode>(localSize.word(2)) == spv::ExecutionMode::LocalSizeId)
    return set_workgroup_size(entryPoint, operands);
  if (!operands.empty())
    entryPoint.workgroupSize = std::vector<uint32_t>(operands.begin(), operands.end());
}

void State::read_modes(uint32_t function, EntryPoint& entryPoint) const {
  // There are fewer modes than that; entry points may share a function that repeats them.
  constexpr size_t kMaxModes = 64;
  const auto found = modes.find(function);
  Instruction localSize;
  if (found != modes.end()) {
    for (const Instruction instruction : found->second) {
      const auto mode = static_cast<spv::ExecutionMode>(instruction.word(2));
      if (mode == spv::ExecutionMode::LocalSize || mode == spv::ExecutionMode::LocalSizeId)
        localSize = instruction;
      if (entryPoint.executionModes.size() < kMaxModes)
        entryPoint.executionModes.push_back(read_mode(context, instruction));
    }
  }
  const bool hasWorkgroups = entryPoint.stage == ShaderStage::Compute ||
                             entryPoint.stage == ShaderStage::Task ||
                             entryPoint.stage == ShaderStage::Mesh;
  if (hasWorkgroups) read_workgroup_size(entryPoint, localSize);
}

Diagnosed<FoundEntryPoint> State::read(Instruction instruction) const {
  FoundEntryPoint found;
  found.entryPoint.name = instruction.string(3);
  const Place place{.file = context.file, .entryPoint = found.entryPoint.name};
  const auto stage = stage_of(static_cast<spv::ExecutionModel>(instruction.word(1)));
  if (!stage)
    return context.diagnostics.error(
        Code::UnsupportedSpirv, place,
        std::format("entry point '{}' has execution model {}, which is no shader stage of Vulkan",
                    found.entryPoint.name, instruction.word(1)));
  const auto function = functionIndices.find(instruction.word(2));
  if (function == functionIndices.end())
    return context.diagnostics.error(
        Code::MalformedSpirv, place,
        std::format("entry point '{}' names id {}, which is no function", found.entryPoint.name,
                    instruction.word(2)));
  found.entryPoint.stage = *stage;
  found.functionIndex = function->second;
  found.instruction = instruction;
  read_modes(instruction.word(2), found.entryPoint);
  return found;
}

}  // namespace

Diagnosed<std::vector<FoundEntryPoint>> find_entry_points(const Context& context) {
  State state{.context = context};
  state.collect();
  if (state.entryPoints.empty())
    return context.diagnostics.error(Code::NoEntryPoint, {.file = context.file},
                                     "the module has no entry point, so it is no shader");
  std::vector<FoundEntryPoint> result;
  bool failed = false;
  for (const Instruction instruction : state.entryPoints) {
    if (auto found = state.read(instruction))
      result.push_back(std::move(*found));
    else
      failed = true;
  }
  if (failed) return context.diagnostics.failed();
  return result;
}

}  // namespace heapsmith::reflect
