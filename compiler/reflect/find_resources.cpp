// SPDX-License-Identifier: MIT
#include "reflect/find_resources.h"

#include <algorithm>
#include <format>
#include <limits>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "reflect/classify_type.h"
#include "reflect/constant_text.h"
#include "reflect/qualifiers.h"
#include "spirv/types.h"

namespace heapsmith::reflect {
namespace {

using spirv::Annotation;
using spirv::Instruction;

struct State {
  const Context& context;
  BlockLayouts& layouts;
  std::vector<Resource> resources = {};

  void run();

 private:
  void read_variable(Instruction variable);
  bool read_decorations(Resource& resource);
  bool read_place(Resource& resource, spv::Decoration kind, const char* name,
                  uint32_t Resource::* field);
  bool read_arrays(Resource& resource, uint32_t& type);
  bool read_length(Resource& resource, uint32_t length);
  bool read_type(Resource& resource, spv::StorageClass storage, uint32_t type);
  bool read_block(Resource& resource, uint32_t type);
  void sort_resources();
  void link_aliases();
  void link_counters();
  void warn_of_aliased_counter(const Resource& resource, const Resource& counter);

  bool fail(const Resource& resource, Code code, std::string text);
  [[nodiscard]] std::string resource_name(const Resource& resource) const;
  [[nodiscard]] Place place_of(const Resource& resource) const;
};

bool is_resource_class(spv::StorageClass storage) {
  return storage == spv::StorageClass::UniformConstant || storage == spv::StorageClass::Uniform ||
         storage == spv::StorageClass::StorageBuffer;
}

// What HLSL's front ends call the counter of "lights": glslang the first, DXC the second.
bool is_counter_name(std::string_view name) {
  return name.ends_with("@count") || name.starts_with("counter.var.");
}

void State::run() {
  for (const Instruction instruction : context.module.declarations())
    if (spirv::is_variable(instruction.op()) &&
        is_resource_class(spirv::storage_class(instruction)))
      read_variable(instruction);
  sort_resources();
  link_aliases();
  link_counters();
}

/// Sorts places and moves each resource once: resources are large.
void State::sort_resources() {
  using Key = std::tuple<uint32_t, uint32_t, uint32_t, size_t>;
  std::vector<Key> keys;
  for (size_t i = 0; i < resources.size(); ++i)
    keys.emplace_back(resources[i].set, resources[i].binding, resources[i].id, i);
  std::ranges::sort(keys);
  std::vector<Resource> sorted;
  sorted.reserve(resources.size());
  for (const Key& key : keys)
    sorted.push_back(std::move(resources[std::get<3>(key)]));
  resources = std::move(sorted);
}

void State::read_variable(Instruction variable) {
  Resource resource;
  resource.id = variable.word(2);
  const auto* builtIn = context.annotations.find(resource.id, spv::Decoration::BuiltIn);
  const bool isHeap = builtIn != nullptr && variable.op() == spv::Op::OpUntypedVariableKHR;
  if (isHeap) return;
  uint32_t type = spirv::variable_type(context.module, variable);
  resource.name = context.annotations.name(resource.id);
  if (resource.name.empty())
    resource.name = context.annotations.name(spirv::array_element(context.module, type));

  // Each step reports what it finds, so that one run shows all the defects of a variable.
  const bool placed = read_decorations(resource);
  const bool sized = read_arrays(resource, type);
  const bool typed = read_type(resource, spirv::storage_class(variable), type);
  if (!placed || !sized || !typed) return;
  if (resource.name.empty())
    resource.name = std::format("set{}_binding{}", resource.set, resource.binding);
  resources.push_back(std::move(resource));
}

bool State::read_decorations(Resource& resource) {
  const auto& annotations = context.annotations;
  bool good = read_place(resource, spv::Decoration::DescriptorSet, "DescriptorSet", &Resource::set);
  good &= read_place(resource, spv::Decoration::Binding, "Binding", &Resource::binding);
  if (annotations.has(resource.id, spv::Decoration::Location))
    good = fail(resource, Code::ResourceDecoration,
                "it has a Location decoration, which only shader inputs and outputs can have");
  if (const Annotation* index =
          annotations.find(resource.id, spv::Decoration::InputAttachmentIndex))
    resource.inputAttachmentIndex = annotations.operand(*index);
  if (const Annotation* type = annotations.find(resource.id, spv::Decoration::UserTypeGOOGLE))
    resource.userType = annotations.text(*type);
  return good;
}

bool State::read_place(Resource& resource, spv::Decoration kind, const char* name,
                       uint32_t Resource::* field) {
  uint32_t times = 0;
  for (const Annotation& annotation : context.annotations.of(resource.id)) {
    if (annotation.kind != kind || annotation.member != spirv::kNoMember) continue;
    if (times++ == 0) resource.*field = context.annotations.operand(annotation);
  }
  if (times == 1) return true;
  if (times == 0)
    return fail(resource, Code::ResourceDecoration, std::format("it has no {} decoration", name));
  return fail(resource, Code::ResourceDecoration,
              std::format("it has {} {} decorations", times, name));
}

bool State::read_arrays(Resource& resource, uint32_t& type) {
  for (;; type = context.module.definition(type).word(2)) {
    const Instruction array = context.module.definition(type);
    if (array.op() == spv::Op::OpTypeRuntimeArray) {
      resource.arrayKind = ArrayKind::Runtime;
      resource.dims.push_back(0);
      resource.count = 0;
    } else if (array.op() != spv::Op::OpTypeArray) {
      return true;
    } else if (!read_length(resource, array.word(3))) {
      return false;
    }
  }
}

/// `before`: what the lengths before it multiply to, which may have been literals.
void add_factor(Resource& resource, const std::string& factor, uint64_t before) {
  std::string& all = resource.sizeExpression;
  if (all.empty() && before > 1) all = std::to_string(before);
  const bool isOperation = factor.find(' ') != std::string::npos;
  if (all.empty())
    all = factor;
  else
    all = std::format("{} * {}", all.find(' ') != std::string::npos ? "(" + all + ")" : all,
                      isOperation ? "(" + factor + ")" : factor);
}

bool State::read_length(Resource& resource, uint32_t length) {
  const auto value = context.constants.value(length);
  const auto specIds = context.constants.spec_ids(length);
  if (!value || !specIds)
    return fail(resource, Code::UnsupportedResource, "its array length cannot be evaluated");
  constexpr uint64_t kMaxLength = std::numeric_limits<uint32_t>::max();
  if (*value == 0 || *value > kMaxLength)
    return fail(resource, Code::UnsupportedResource, std::format("its array length is {}", *value));
  if (resource.count > std::numeric_limits<uint64_t>::max() / *value)
    return fail(resource, Code::UnsupportedResource, "it has more than 2^64 descriptors");
  resource.dims.push_back(static_cast<uint32_t>(*value));
  resource.count *= *value;
  if (!specIds->empty() || !resource.sizeExpression.empty())
    add_factor(resource, constant_text(context, length), resource.count / *value);
  auto& all = resource.sizeSpecIds;
  all.insert(all.end(), specIds->begin(), specIds->end());
  std::ranges::sort(all);
  all.erase(std::ranges::unique(all).begin(), all.end());
  if (resource.arrayKind != ArrayKind::Runtime)
    resource.arrayKind = all.empty() ? ArrayKind::Fixed : ArrayKind::Specialization;
  return true;
}

bool State::read_type(Resource& resource, spv::StorageClass storage, uint32_t type) {
  auto found =
      classify_type(context, resource.id, storage, spirv::array_element(context.module, type));
  if (!found) return fail(resource, found.error().code, std::move(found.error().text));
  resource.type = found->type;
  resource.kind = found->kind;
  resource.image = std::move(found->image);
  resource.readOnly = found->readOnly;
  resource.writeOnly = found->writeOnly;
  add_qualifiers(context, resource.id, spirv::kNoMember, resource.qualifiers);
  return found->blockType == 0 || read_block(resource, found->blockType);
}

bool State::read_block(Resource& resource, uint32_t type) {
  const BlockLayout& layout = layouts.of(type);
  resource.blockName = context.annotations.name(type);
  if (!layout.defect.empty())
    return fail(resource, Code::BlockLayout,
                std::format("its block has no layout: {}", layout.defect));
  resource.blockSize = layout.end;
  resource.runtimeTailStride = layout.tailStride;
  resource.runtimeTailOffset = layout.tailOffset;
  resource.readOnly |= layout.qualifiers.nonWritable;
  resource.writeOnly |= layout.qualifiers.nonReadable;
  unite(resource.qualifiers, layout.qualifiers);
  return true;
}

// By decoration, or by name where a front end leaves that out.
void State::link_counters() {
  std::unordered_map<uint32_t, const Resource*> byId;
  std::unordered_map<std::string_view, const Resource*> byName;
  for (const Resource& resource : resources) {
    byId[resource.id] = &resource;
    if (is_counter_name(resource.name)) byName[resource.name] = &resource;
  }
  const auto find = [](const auto& known, const auto& key) -> const Resource* {
    const auto found = known.find(key);
    return found == known.end() ? nullptr : found->second;
  };
  for (Resource& resource : resources) {
    const Resource* counter = nullptr;
    const Annotation* link = context.annotations.find(resource.id, spv::Decoration::CounterBuffer);
    if (link != nullptr) {
      counter = find(byId, context.annotations.operand(*link));
    } else if (!byName.empty()) {
      counter = find(byName, resource.name + "@count");
      if (counter == nullptr) counter = find(byName, "counter.var." + resource.name);
    }
    if (counter == nullptr) continue;
    resource.counterBuffer = counter->name;
    warn_of_aliased_counter(resource, *counter);
  }
}

void State::warn_of_aliased_counter(const Resource& resource, const Resource& counter) {
  if (counter.id == resource.id || counter.aliases.empty()) return;
  const bool own = counter.set == resource.set && counter.binding == resource.binding;
  const std::string who =
      own ? std::format("'{}' and its counter buffer '{}'", resource.name, counter.name)
          : std::format("'{}', the counter buffer of '{}', and '{}'", counter.name, resource.name,
                        resources[counter.aliases.front()].name);
  context.diagnostics.warning(Code::AliasedCounter, place_of(own ? resource : counter),
                              who +
                                  " have the same set and binding, so they would be one "
                                  "descriptor; give the counter a binding of its own");
}

void State::link_aliases() {
  const auto isAlias = [](const Resource& a, const Resource& b) {
    return a.set == b.set && a.binding == b.binding;
  };
  for (size_t first = 0, end = 0; first < resources.size(); first = end) {
    while (end < resources.size() && isAlias(resources[first], resources[end]))
      ++end;
    // Every one of many would list all others: whoever stacks that many gets the first ones.
    constexpr size_t kMaxAliases = 64;
    for (size_t i = first; i < end; ++i)
      for (size_t k = first; k < std::min(end, first + kMaxAliases); ++k)
        if (k != i) resources[i].aliases.push_back(static_cast<uint32_t>(k));
  }
}

std::string State::resource_name(const Resource& resource) const {
  return resource.name.empty() ? std::format("%{}", resource.id) : resource.name;
}

Place State::place_of(const Resource& resource) const {
  Place place{.file = context.file, .resource = resource_name(resource)};
  const auto& annotations = context.annotations;
  if (annotations.has(resource.id, spv::Decoration::DescriptorSet)) place.set = resource.set;
  if (annotations.has(resource.id, spv::Decoration::Binding)) place.binding = resource.binding;
  return place;
}

bool State::fail(const Resource& resource, Code code, std::string text) {
  (void)context.diagnostics.error(code, place_of(resource),
                                  std::format("variable '{}': {}", resource_name(resource), text));
  return false;
}

}  // namespace

std::vector<Resource> find_resources(const Context& context, BlockLayouts& layouts) {
  State state{.context = context, .layouts = layouts};
  state.run();
  return std::move(state.resources);
}

}  // namespace heapsmith::reflect
