// SPDX-License-Identifier: MIT
#include "rewrite/objects.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "rewrite/access_chains.h"
#include "rewrite/place_bindings.h"
#include "spirv/types.h"

namespace heapsmith::rewrite {
namespace {

using reflect::Resource;
using spirv::Instruction;

std::optional<Shape> shape_of(const Resource& resource) {
  switch (resource.type) {
    case DescriptorType::UniformBuffer:
    case DescriptorType::StorageBuffer:
      return Shape::Buffer;
    case DescriptorType::SampledImage:
    case DescriptorType::StorageImage:
    case DescriptorType::UniformTexelBuffer:
    case DescriptorType::StorageTexelBuffer:
      return Shape::Image;
    case DescriptorType::Sampler:
      return Shape::Sampler;
    case DescriptorType::CombinedImageSampler:
      return Shape::CombinedImageSampler;
    case DescriptorType::AccelerationStructureKHR:
      return Shape::AccelerationStructure;
    case DescriptorType::InputAttachment:
    case DescriptorType::TensorARM:
      return std::nullopt;
  }
  return std::nullopt;
}

bool is_complete(const Placement& placement, const Resource& resource) {
  return (!is_resource(resource.type) || has_resource(placement)) &&
         (!has_samplers(resource.type) || placement.sampler);
}

Reach reach_of(const Placement& placement) {
  if (!placement.data) return Reach::Slot;
  switch (placement.data->source) {
    case DataSource::PushAddress:
    case DataSource::IndirectAddress:
    case DataSource::RecordAddress:
      return Reach::Address;
    case DataSource::PushData:
    case DataSource::RecordData:
    case DataSource::HeapData:
      return Reach::Words;
  }
  return Reach::Slot;
}

/// What can stand at an address, and what can be bytes among others.
bool can_be_data(const Resource& resource, Reach reach) {
  if (resource.arrayKind != ArrayKind::None) return false;
  const bool isUniformBuffer = resource.type == DescriptorType::UniformBuffer;
  return isUniformBuffer ||
         (reach == Reach::Address && (resource.type == DescriptorType::StorageBuffer ||
                                      resource.type == DescriptorType::AccelerationStructureKHR));
}

bool is_scattered(const std::optional<Location>& location) {
  return location && location->source == InstanceSource::ScatteredWords;
}

/// Whether an instruction may give what that operand leads to, or a part of that.
bool leads_on(Instruction instruction, const spirv::Use& use) {
  const spv::Op op = instruction.op();
  if (spirv::is_access_chain(op)) return use.operand == use.instruction + base_word(op);
  return use.operand == use.instruction + 3 &&
         (op == spv::Op::OpCopyObject || op == spv::Op::OpLoad ||
          op == spv::Op::OpCompositeExtract);
}

bool is_pointer(spv::Op type) {
  return type == spv::Op::OpTypePointer || type == spv::Op::OpTypeUntypedPointerKHR;
}

Object make_object(const Context& context, uint32_t id) {
  Object object{.id = id};
  const Instruction type = context.module.definition(context.module.definition(id).type_id());
  const Instruction definition = context.module.definition(id);
  object.pointee = spirv::is_variable(definition.op())
                       ? spirv::variable_type(context.module, definition)
                       : type_behind(context.module, id);
  object.element = spirv::array_element(context.module, object.pointee);
  object.storage =
      is_pointer(type.op()) ? spirv::storage_class(type) : spv::StorageClass::UniformConstant;
  if (has_block(context, object.element, spv::Decoration::BufferBlock))
    object.storage = spv::StorageClass::StorageBuffer;
  object.memory = {.isCoherent = context.annotations.has(id, spv::Decoration::Coherent),
                   .isVolatile = context.annotations.has(id, spv::Decoration::Volatile)};
  return object;
}

}  // namespace

bool MemoryFacts::unite(const MemoryFacts& other) {
  const MemoryFacts before = *this;
  isWritten |= other.isWritten;
  isCoherent |= other.isCoherent;
  isVolatile |= other.isVolatile;
  return *this != before;
}

uint32_t type_behind(const spirv::Module& module, uint32_t id) {
  const uint32_t type = module.definition(id).type_id();
  const uint32_t pointee = spirv::pointee(module, type);
  return pointee != 0 ? pointee : type;
}

bool is_untyped_pointer(const spirv::Module& module, uint32_t id) {
  return module.definition(module.definition(id).type_id()).op() ==
         spv::Op::OpTypeUntypedPointerKHR;
}

bool has_half(const Object& object, Half half) {
  const bool sampler =
      object.shape == Shape::Sampler || object.shape == Shape::CombinedImageSampler;
  return half == Half::Sampler ? sampler : object.shape != Shape::Sampler;
}

DescriptorClass class_of(const Object& object, Half half) {
  if (half == Half::Sampler) return DescriptorClass::Sampler;
  switch (object.shape) {
    case Shape::Buffer:
    case Shape::AccelerationStructure:
      return DescriptorClass::Buffer;
    case Shape::Image:
    case Shape::CombinedImageSampler:
      return DescriptorClass::Image;
    case Shape::Sampler:
      return DescriptorClass::Sampler;
  }
  return DescriptorClass::Image;
}

Diagnosed<Objects> Objects::find(const Context& context) {
  std::vector<Object> variables;
  FollowedContents contents;
  for (const Resource& resource : context.shader.resources) {
    const Placement* placement = find_placement(context.placements, resource.set, resource.binding);
    if (placement == nullptr || !is_complete(*placement, resource)) continue;
    const auto shape = shape_of(resource);
    if (!shape) return refuse(context, resource, "a resource of this type");
    Object object = make_object(context, resource.id);
    object.shape = *shape;
    object.resource = &resource;
    object.memory.isWritten = resource.isWritten;
    object.placement = placement;
    object.reach = reach_of(*placement);
    if (object.reach != Reach::Slot && !can_be_data(resource, object.reach))
      return refuse(context, resource, "an array, or what is no buffer, without a descriptor");
    const bool isUntyped = is_untyped_pointer(context.module, resource.id);
    if (isUntyped && object.reach != Reach::Slot)
      return refuse(context, resource, "an untyped variable without a descriptor");
    if (isUntyped && has_block(context, object.element, spv::Decoration::BufferBlock))
      return refuse(context, resource, "an untyped variable that is a BufferBlock");
    object.scattered = {is_scattered(placement->resource), is_scattered(placement->sampler)};
    contents.bufferBlocks |= has_block(context, object.element, spv::Decoration::BufferBlock);
    contents.data |= object.reach != Reach::Slot && object.shape == Shape::Buffer;
    variables.push_back(object);
  }
  Objects objects(context, std::move(variables), contents);
  objects.trace(context);
  objects.hand_on_facts();
  if (auto done = objects.refuse_initial_pointers(context); !done)
    return std::unexpected(done.error());
  return objects;
}

/// A private variable that begins with a pointer has it before any function could make one.
Diagnosed<void> Objects::refuse_initial_pointers(const Context& context) const {
  for (const Instruction variable : context.module.declarations()) {
    if (variable.op() != spv::Op::OpVariable) continue;
    if (const Object* object = of(variable.word(4)))
      return refuse(context, *object->resource, "the pointer that a private variable begins with");
  }
  return {};
}

Objects::Objects(const Context& context, std::vector<Object> variables, FollowedContents contents)
    : followed_(followed_types(context, contents)),
      all_(std::move(variables)),
      owners_(context.module.bound()),
      contents_(contents),
      uses_(context.module, followed_) {
  for (const spirv::Function& function : context.module.functions())
    functions_.emplace_back(function.id, static_cast<uint32_t>(functions_.size()));
  std::ranges::sort(functions_);
}

std::optional<uint32_t> Objects::function_index(uint32_t id) const {
  const auto found =
      std::ranges::lower_bound(functions_, id, {}, &std::pair<uint32_t, uint32_t>::first);
  if (found == functions_.end() || found->first != id) return std::nullopt;
  return found->second;
}

void Objects::trace(const Context& context) {
  std::vector<uint32_t> open;
  for (size_t i = 0; i < all_.size(); ++i) {
    owners_[all_[i].id] = static_cast<uint32_t>(i) + 1;
    open.push_back(all_[i].id);
  }
  while (!open.empty()) {
    const uint32_t id = open.back();
    open.pop_back();
    for (const spirv::Use& use : uses_.of(id))
      follow(context, use, open);
  }
}

void Objects::follow(const Context& context, const spirv::Use& use, std::vector<uint32_t>& open) {
  const Instruction instruction = context.module.at(use.instruction);
  if (instruction.op() == spv::Op::OpFunctionCall) {
    follow_call(context, use, open);
    return;
  }
  if (!leads_on(instruction, use) || followed_[instruction.type_id()] == 0) return;
  const uint32_t result = instruction.result_id();
  const uint32_t type = type_behind_result(context, use);
  const uint32_t element = spirv::array_element(context.module, type);
  if (element != all_[owners_[use.id] - 1].element || owners_[result] != 0) return;
  owners_[result] = owners_[use.id];
  if (is_untyped_pointer(context.module, result)) untyped_[result] = type;
  open.push_back(result);
}

uint32_t Objects::type_behind(const Context& context, uint32_t id) const {
  const Object* object = of(id);
  if (object != nullptr && object->id == id) return object->pointee;
  const auto found = untyped_.find(id);
  return found == untyped_.end() ? rewrite::type_behind(context.module, id) : found->second;
}

/// Of an untyped chain: as far as its indices go into arrays. 0: into the contents of a block.
uint32_t Objects::type_behind_result(const Context& context, const spirv::Use& use) const {
  const Instruction instruction = context.module.at(use.instruction);
  const uint32_t result = instruction.result_id();
  if (!is_untyped_pointer(context.module, result))
    return rewrite::type_behind(context.module, result);
  if (!spirv::is_access_chain(instruction.op())) return type_behind(context, use.id);
  const spirv::AccessChain chain = spirv::read_access_chain(context.module, instruction);
  uint32_t type = chain.baseType;
  for (uint32_t i = chain.firstIndex; i < instruction.length(); ++i) {
    const Instruction array = context.module.definition(type);
    if (!spirv::is_array(array.op())) return 0;
    type = array.word(2);
  }
  return type;
}

/// A parameter becomes an object of its own: it may be handed several variables.
void Objects::follow_call(const Context& context, const spirv::Use& use,
                          std::vector<uint32_t>& open) {
  const Instruction call = context.module.at(use.instruction);
  const auto function = function_index(call.word(3));
  if (!function || use.operand < use.instruction + 4) return;
  const auto parameters = context.module.parameters(context.module.functions()[*function]);
  const uint32_t position = use.operand - use.instruction - 4;
  if (position >= parameters.size()) return;
  const uint32_t id = parameters[position];
  Object& argument = all_[owners_[use.id] - 1];
  argument.isHandedOn = true;
  if (owners_[id] != 0) {
    handed_.emplace_back(owners_[use.id] - 1, owners_[id] - 1);
    return;
  }
  Object parameter = make_object(context, id);
  if (is_untyped_pointer(context.module, id)) {
    parameter.pointee = type_behind(context, use.id);
    parameter.element = argument.element;
  }
  parameter.shape = argument.shape;
  parameter.reach = argument.reach;
  parameter.resource = argument.resource;
  parameter.function = *function;
  if (parameter.pointee != parameter.element) parameter.scattered = argument.scattered;
  handed_.emplace_back(owners_[use.id] - 1, static_cast<uint32_t>(all_.size()));
  all_.push_back(parameter);
  owners_[id] = static_cast<uint32_t>(all_.size());
  open.push_back(id);
}

/// Calls may lead through many functions.
void Objects::hand_on_facts() {
  for (bool changed = true; changed;) {
    changed = false;
    for (const auto& [argument, parameter] : handed_)
      changed |= all_[parameter].memory.unite(all_[argument].memory);
  }
}

}  // namespace heapsmith::rewrite
