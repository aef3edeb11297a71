// SPDX-License-Identifier: MIT
#include "emit/starting_policy.h"

#include <algorithm>
#include <format>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <vector>

#include "plan/policy.h"

namespace heapsmith::emit {
namespace {

using Json = nlohmann::ordered_json;
using reflect::ProgramBinding;

/// One binding, as each program that has it sees it.
using Views = std::vector<const ProgramBinding*>;

// Nothing, if it is no unbounded array.
std::optional<uint64_t> capacity(const ProgramBinding& binding) {
  if (binding.arrayKind != ArrayKind::Runtime) return std::nullopt;
  const plan::Policy defaults;
  const uint32_t usual =
      binding.type == DescriptorType::Sampler
          ? std::min(defaults.runtimeArrayCapacity, plan::kDefaultSamplerCapacity)
          : defaults.runtimeArrayCapacity;
  return std::max<uint64_t>(binding.count, usual);
}

// What a policy says of a binding holds for all programs: what they do not agree on stays out.
Json binding_json(const Views& views, std::set<std::string>& names) {
  const auto agree = [&](const auto& of) {
    return std::ranges::all_of(views, [&](const ProgramBinding* view) {
      return std::invoke(of, *view) == std::invoke(of, *views.front());
    });
  };
  Json json = Json::object();
  const std::string& name = views.front()->name;
  if (agree(&ProgramBinding::name) && plan::is_policy_name(name) && names.insert(name).second)
    json["name"] = name;
  json["residence"] = "auto";
  const std::optional<uint64_t> elements = capacity(*views.front());
  if (agree(capacity) && elements) json["capacity"] = *elements;
  return json;
}

}  // namespace

std::string starting_policy(std::span<const plan::NamedProgram> programs,
                            const ProgramFiles& files) {
  std::map<uint32_t, std::map<uint32_t, Views>> sets;
  for (const plan::NamedProgram& program : programs) {
    for (const ProgramBinding& binding : program.interface.bindings)
      sets[binding.set][binding.binding].push_back(&binding);
  }
  const plan::Policy defaults;
  Json root;
  root["$schema"] = "urn:heapsmith:schema:policy:1";
  root["sets"] = Json::object();
  for (const auto& [set, bindings] : sets) {
    Json json = {{"table", std::format("set{}", set)},
                 {"residence", "auto"},
                 {"frequency", "frame"},
                 {"form", "auto"},
                 {"shared", false}};
    std::set<std::string> names;
    json["bindings"] = Json::object();
    for (const auto& [number, views] : bindings)
      json["bindings"][std::to_string(number)] = binding_json(views, names);
    root["sets"][std::to_string(set)] = std::move(json);
  }
  root["rules"] = Json::array();
  root["samplers"] = Json::object();
  root["robustBufferAccess"] = defaults.robustBufferAccess;
  root["runtimeArrayCapacity"] = defaults.runtimeArrayCapacity;
  root["pushData"] = {{"budget", defaults.pushDataBudget}, {"headroom", defaults.pushDataHeadroom}};
  root["externalRanges"] = Json::array();
  root["programs"] = files;
  return root.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace heapsmith::emit
