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
  return (!is_resource(resource.type) || placement.resource) &&
         (!has_samplers(resource.type) || placement.sampler);
}

/// Pointers that lead to descriptors or to whole blocks.
bool is_followed_pointer(const Context& context, Instruction type, bool bufferBlocks) {
  if (type.op() != spv::Op::OpTypePointer) return false;
  const uint32_t element = spirv::array_element(context.module, type.word(3));
  switch (spirv::storage_class(type)) {
    case spv::StorageClass::UniformConstant:
      return true;
    case spv::StorageClass::StorageBuffer:
      return has_block(context, element, spv::Decoration::Block);
    case spv::StorageClass::Uniform:
      // Pointers into a BufferBlock change their class, and are of the same types as others.
      return bufferBlocks || has_block(context, element, spv::Decoration::Block) ||
             has_block(context, element, spv::Decoration::BufferBlock);
    default:  // no resources
      return false;
  }
}

/// By type. Loaded image samplers are followed too: they may be used in their own block only.
std::vector<uint8_t> followed_types(const Context& context, bool bufferBlocks) {
  std::vector<uint8_t> followed(context.module.bound());
  for (const Instruction type : context.module.declarations())
    if (type.op() == spv::Op::OpTypeSampledImage ||
        is_followed_pointer(context, type, bufferBlocks))
      followed[type.word(1)] = 1;
  return followed;
}

Object make_object(const Context& context, uint32_t id, uint32_t pointerType) {
  Object object{.id = id};
  object.pointee = spirv::pointee(context.module, pointerType);
  object.element = spirv::array_element(context.module, object.pointee);
  object.storage = spirv::storage_class(context.module.definition(pointerType));
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
  bool bufferBlocks = false;
  for (const Resource& resource : context.shader.resources) {
    const Placement* placement = find_placement(context.placements, resource.set, resource.binding);
    if (placement == nullptr || !is_complete(*placement, resource)) continue;
    const auto shape = shape_of(resource);
    if (!shape) return refuse(context, resource, "a resource of this type");
    const Instruction variable = context.module.definition(resource.id);
    if (variable.op() != spv::Op::OpVariable)
      return refuse(context, resource, "an untyped variable");
    Object object = make_object(context, resource.id, variable.type_id());
    object.shape = *shape;
    object.resource = &resource;
    object.placement = placement;
    bufferBlocks |= has_block(context, object.element, spv::Decoration::BufferBlock);
    variables.push_back(object);
  }
  Objects objects(context, std::move(variables), bufferBlocks);
  objects.trace(context);
  return objects;
}

Objects::Objects(const Context& context, std::vector<Object> variables, bool hasBufferBlocks)
    : all_(std::move(variables)),
      owners_(context.module.bound()),
      hasBufferBlocks_(hasBufferBlocks),
      uses_(context.module, followed_types(context, hasBufferBlocks)) {
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
  const bool isPointer = isBase && (instruction.op() == spv::Op::OpCopyObject ||
                                    spirv::is_access_chain(instruction.op()));
  if (!isPointer) return;
  const uint32_t element =
      spirv::array_element(context.module, spirv::pointee(context.module, instruction.type_id()));
  const uint32_t result = instruction.result_id();
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
  Object parameter = make_object(context, id, context.module.definition(id).type_id());
  const Object& argument = all_[owners_[use.id] - 1];
  parameter.shape = argument.shape;
  parameter.resource = argument.resource;
  parameter.function = *function;
  all_.push_back(parameter);
  owners_[id] = static_cast<uint32_t>(all_.size());
  open.push_back(id);
}

}  // namespace heapsmith::rewrite
