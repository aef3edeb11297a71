// SPDX-License-Identifier: MIT
#include "rewrite/objects.h"

#include <algorithm>
#include <format>
#include <tuple>
#include <utility>

#include "rewrite/place_bindings.h"
#include "spirv/types.h"

namespace heapsmith::rewrite {
namespace {

using reflect::Resource;
using spirv::Instruction;

bool has_block(const Context& context, uint32_t type, spv::Decoration kind) {
  return context.module.definition(type).op() == spv::Op::OpTypeStruct &&
         context.annotations.has(type, kind);
}

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
      return Reach::Address;
    case DataSource::PushData:
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

/// Pointers that lead to descriptors or to whole blocks.
bool is_followed_pointer(const Context& context, Instruction type, bool bufferBlocks, bool data) {
  if (type.op() != spv::Op::OpTypePointer) return false;
  const uint32_t element = spirv::array_element(context.module, type.word(3));
  switch (spirv::storage_class(type)) {
    case spv::StorageClass::UniformConstant:
      return true;
    case spv::StorageClass::StorageBuffer:
      return data || has_block(context, element, spv::Decoration::Block);
    case spv::StorageClass::Uniform:
      // Pointers into a BufferBlock change their class, and are of the same types as others.
      return bufferBlocks || data || has_block(context, element, spv::Decoration::Block) ||
             has_block(context, element, spv::Decoration::BufferBlock);
    default:  // no resources
      return false;
  }
}

/// Arrays of descriptors, and images with their samplers.
bool is_followed_value(const Context& context, Instruction type) {
  if (type.op() == spv::Op::OpTypeSampledImage) return true;
  if (!spirv::is_array(type.op())) return false;
  switch (context.module.definition(spirv::array_element(context.module, type.word(1))).op()) {
    case spv::Op::OpTypeImage:
    case spv::Op::OpTypeSampler:
    case spv::Op::OpTypeSampledImage:
    case spv::Op::OpTypeAccelerationStructureKHR:
      return true;
    default:  // data
      return false;
  }
}

std::vector<uint8_t> followed_types(const Context& context, bool bufferBlocks, bool data) {
  std::vector<uint8_t> followed(context.module.bound());
  for (const Instruction type : context.module.declarations())
    if (is_followed_value(context, type) || is_followed_pointer(context, type, bufferBlocks, data))
      followed[type.word(1)] = 1;
  return followed;
}

/// Whether an instruction may give what its first operand leads to, or a part of that.
bool leads_on(spv::Op op) {
  return op == spv::Op::OpCopyObject || op == spv::Op::OpLoad ||
         op == spv::Op::OpCompositeExtract || spirv::is_access_chain(op);
}

Object make_object(const Context& context, uint32_t id) {
  Object object{.id = id};
  const Instruction type = context.module.definition(context.module.definition(id).type_id());
  object.pointee = type_behind(context.module, id);
  object.element = spirv::array_element(context.module, object.pointee);
  object.storage = type.op() == spv::Op::OpTypePointer ? spirv::storage_class(type)
                                                       : spv::StorageClass::UniformConstant;
  if (has_block(context, object.element, spv::Decoration::BufferBlock))
    object.storage = spv::StorageClass::StorageBuffer;
  return object;
}

}  // namespace

std::unexpected<Failed> refuse(const Context& context, const Resource& resource,
                               const std::string& what) {
  return context.diagnostics.error(
      Code::UnsupportedRewrite,
      {.file = context.file,
       .resource = resource.name,
       .set = resource.set,
       .binding = resource.binding},
      std::format("variable '{}': {} cannot be rewritten; keep it mapped", resource.name, what));
}

uint32_t type_behind(const spirv::Module& module, uint32_t id) {
  const uint32_t type = module.definition(id).type_id();
  const uint32_t pointee = spirv::pointee(module, type);
  return pointee != 0 ? pointee : type;
}

bool is_non_semantic(const Context& context, Instruction instruction) {
  return context.module.definition(instruction.word(3)).string(2).starts_with("NonSemantic.");
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
  Contents contents;
  for (const Resource& resource : context.shader.resources) {
    const Placement* placement = find_placement(context.placements, resource.set, resource.binding);
    if (placement == nullptr || !is_complete(*placement, resource)) continue;
    const auto shape = shape_of(resource);
    if (!shape) return refuse(context, resource, "a resource of this type");
    const Instruction variable = context.module.definition(resource.id);
    if (variable.op() != spv::Op::OpVariable)
      return refuse(context, resource, "an untyped variable");
    Object object = make_object(context, resource.id);
    object.shape = *shape;
    object.resource = &resource;
    object.placement = placement;
    object.reach = reach_of(*placement);
    if (object.reach != Reach::Slot && !can_be_data(resource, object.reach))
      return refuse(context, resource, "an array, or what is no buffer, without a descriptor");
    object.scattered = {is_scattered(placement->resource), is_scattered(placement->sampler)};
    contents.bufferBlocks |= has_block(context, object.element, spv::Decoration::BufferBlock);
    contents.data |= object.reach != Reach::Slot && object.shape == Shape::Buffer;
    variables.push_back(object);
  }
  Objects objects(context, std::move(variables), contents);
  objects.trace(context);
  return objects;
}

Objects::Objects(const Context& context, std::vector<Object> variables, Contents contents)
    : followed_(followed_types(context, contents.bufferBlocks, contents.data)),
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
  const bool isBase = use.operand == use.instruction + 3;
  if (!isBase || !leads_on(instruction.op()) || followed_[instruction.type_id()] == 0) return;
  const uint32_t result = instruction.result_id();
  const uint32_t element =
      spirv::array_element(context.module, type_behind(context.module, result));
  if (element != all_[owners_[use.id] - 1].element || owners_[result] != 0) return;
  owners_[result] = owners_[use.id];
  open.push_back(result);
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
  if (owners_[id] != 0) return;
  Object parameter = make_object(context, id);
  const Object& argument = all_[owners_[use.id] - 1];
  parameter.shape = argument.shape;
  parameter.reach = argument.reach;
  parameter.resource = argument.resource;
  parameter.function = *function;
  if (parameter.pointee != parameter.element) parameter.scattered = argument.scattered;
  all_.push_back(parameter);
  owners_[id] = static_cast<uint32_t>(all_.size());
  open.push_back(id);
}

}  // namespace heapsmith::rewrite
