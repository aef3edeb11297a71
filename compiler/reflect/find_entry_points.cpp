// SPDX-License-Identifier: MIT
#include "reflect/find_entry_points.h"

#include <format>
#include <optional>
#include <unordered_map>
#include <utility>

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
  std::unordered_map<uint32_t, Instruction> localSizes = {};  // by the entry point's function
  std::unordered_map<uint32_t, uint32_t> functionIndices = {};
  uint32_t workgroupSizeConstant = 0;

  void collect();
  [[nodiscard]] Diagnosed<FoundEntryPoint> read(Instruction instruction) const;

 private:
  [[nodiscard]] std::optional<std::vector<uint32_t>> workgroup_size(uint32_t function) const;
  [[nodiscard]] std::optional<std::vector<uint32_t>> constants_of(
      std::span<const uint32_t> ids) const;
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
      case spv::Op::OpExecutionModeId: {
        const auto mode = static_cast<spv::ExecutionMode>(instruction.word(2));
        if (mode == spv::ExecutionMode::LocalSize || mode == spv::ExecutionMode::LocalSizeId)
          localSizes[instruction.word(1)] = instruction;
        break;
      }
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

std::optional<std::vector<uint32_t>> State::constants_of(std::span<const uint32_t> ids) const {
  std::vector<uint32_t> values;
  for (const uint32_t id : ids) {
    const auto value = context.constants.value(id);
    if (!value) return std::nullopt;
    values.push_back(static_cast<uint32_t>(*value));
  }
  if (values.size() != 3) return std::nullopt;
  return values;
}

std::optional<std::vector<uint32_t>> State::workgroup_size(uint32_t function) const {
  // The built-in constant takes precedence over the execution mode (Vulkan, "WorkgroupSize").
  if (workgroupSizeConstant != 0)
    return constants_of(context.module.definition(workgroupSizeConstant).words_from(3));
  const auto found = localSizes.find(function);
  if (found == localSizes.end()) return std::nullopt;
  const auto operands = found->second.words_from(3);
  const auto mode = static_cast<spv::ExecutionMode>(found->second.word(2));
  if (mode == spv::ExecutionMode::LocalSizeId) return constants_of(operands);
  return std::vector<uint32_t>(operands.begin(), operands.end());
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
  if (*stage == ShaderStage::Compute || *stage == ShaderStage::Task || *stage == ShaderStage::Mesh)
    found.entryPoint.workgroupSize = workgroup_size(instruction.word(2));
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
