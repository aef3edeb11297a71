// SPDX-License-Identifier: MIT
#include "pipelines_interface.h"

#include "reflect/reflect_module.h"
#include "spirv/parse.h"

namespace corpus {

using namespace heapsmith;

std::optional<StageInterface> stage_interface(std::span<const uint32_t> words) {
  Diagnostics diagnostics;
  const auto module = spirv::parse_module(std::as_bytes(words), "module", diagnostics);
  if (!module) return std::nullopt;
  const auto shader = reflect::reflect_module(*module, "module", diagnostics);
  if (!shader || shader->entryPoints.empty()) return std::nullopt;
  const reflect::EntryPoint& entry_point = shader->entryPoints.front();
  StageInterface interface{.stage = entry_point.stage};
  for (const reflect::EntryPointVariable& listed : entry_point.variables) {
    const reflect::InterfaceVariable& variable = shader->variables[listed.variable];
    if (!variable.location || variable.index.value_or(0) != 0) continue;
    const std::pair place(*variable.location, variable.component.value_or(0));
    if (variable.kind == reflect::InterfaceKind::Input) interface.inputs[place] = variable.type;
    if (variable.kind == reflect::InterfaceKind::Output) interface.outputs[place] = variable.type;
  }
  for (const uint32_t index : entry_point.usedResources) {
    const reflect::Resource& resource = shader->resources[index];
    interface.bindings[{resource.set, resource.binding}] = resource.type;
  }
  return interface;
}

}  // namespace corpus
